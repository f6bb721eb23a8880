// Recognises the windows that latchkey opens by their names: the hidden frame and the popups (threat T27).

/** Whether a window of this name was opened by latchkey. The app must not start in it. */
export const isOwnWindow = (name: string): boolean => /^(agent-iframe$|latchkey )/.test(name)

/** How the name of a sign-in's window ends, of whichever client. */
export const SIGN_IN_POPUP = ' popup sign-in'

/** Whether it is the window of a sign-in. */
export const isSignInPopup = (name: string): boolean => name.endsWith(SIGN_IN_POPUP)

/** What it says while it cannot be closed. Here, so that the page that draws it needs no other text. */
export const CLOSE_WINDOW = 'You can close this window.'
