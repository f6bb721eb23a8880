// Recognises the windows that latchkey opens by their names: the hidden frame and the popups (threat T27).

/** Whether a window of this name was opened by latchkey. The app must not start in it. */
export const isOwnWindow = (name: string): boolean => /^(agent-iframe$|latchkey )/.test(name)
