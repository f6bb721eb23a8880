// Windows of our own, known by their names: the hidden frame and the popups (threat T27).

/** Whether a page in a window of this name is only on its way through it. */
export const isOwnWindow = (name: string): boolean => /^(agent-iframe$|latchkey )/.test(name)
