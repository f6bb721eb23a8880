// Makes the names that latchkey uses in a browser: storage entries, channels, locks, databases, windows. Those of real time are in `presence.ts`. Recognises its windows, so that no app starts in them.

/** The client that the names belong to. Two clients, or one at two servers, share no name. */
export interface Client {
  /** Stable name of the server: its origin, or its issuer. */
  readonly authHost: string
  readonly clientId: string
}

export const NAME_PREFIX = 'latchkey '

/** Escapes spaces, so that different lists of words get different names. */
export function nameOf({ authHost, clientId }: Client, ...words: readonly string[]): string {
  const escaped = [authHost, clientId, ...words].map((word) => word.replace(/[% ]/g, encodeURIComponent))
  return NAME_PREFIX + escaped.join(' ')
}

// Session storage.

export const tabKey = (client: Client): string => nameOf(client, 'tab')
/** The last steps of `explain()`, for the next page of the tab. */
export const stepsKey = (client: Client): string => nameOf(client, 'steps')
/** The sealed session for the next page of the tab. */
export const leftSessionKey = (client: Client): string => nameOf(client, 'left')
export const hintsKey = (client: Client): string => nameOf(client, 'hints')
/** The metadata of this visit; in local storage, of the last visit, for the hidden frame. */
export const metadataKey = (client: Client): string => nameOf(client, 'metadata')

// Local storage.

/** The session marker: the tabs of this browser that have a session. */
export const sessionMarkerKey = (client: Client): string => nameOf(client, 'session')
export const sessionRecordKey = (client: Client): string => nameOf(client, 'record')
/** A hash over the record's id and the provider's `sid`, for a front-channel logout. */
export const sidKey = (client: Client): string => nameOf(client, 'sid')
/** A logout that the server has not received yet. */
export const pendingLogoutKey = (client: Client): string => nameOf(client, 'owedLogout')
/** Its value after the server has received the logout, or after a new sign-in. */
export const SETTLED_LOGOUT = 'settled'
/** Its value after a logout page that may ask the user to confirm, until a user signs in. */
export const ASKED_LOGOUT = 'asked'
/** The sign-in page gives no response in a hidden frame. */
export const unansweredKey = (client: Client): string => nameOf(client, 'unanswered')
/** A hidden frame has found a session of this server: the browser does not block cookies in frames. */
export const framesWorkKey = (client: Client): string => nameOf(client, 'frames')
export const activityKey = (client: Client): string => nameOf(client, 'activity')

// Channels, locks and databases.

export const tabsName = (client: Client): string => nameOf(client, 'tabs')
/** The lock and the database of the tabs with the same tokens. */
export const alikeTabsName = (client: Client & { readonly asked: string }): string =>
  nameOf(client, 'tabs', client.asked)
/** The lock that decides which tab sends the code of one sign-in. */
export const codeLock = (client: Client, state: string): string => nameOf(client, 'code', state)
/** The lock of the tab that opens the logout page for all, when every tab notices the end of a session. */
export const endLock = (client: Client, session: string): string => nameOf(client, 'end', session)

// Windows.

/**
 * `key` is random: a page that opened the app could have a window with a guessable name ready, which the browser would take,
 * and navigate it to a sign-in page of its own.
 */
export const popupName = (client: Client, page: string, key: string): string =>
  nameOf(client, key, 'popup', page)
/** The name of a sign-in window, of its channel, and of the mark for its page. */
export const signInPopup = (client: Client, key: string): string => popupName(client, 'sign-in', key)
/** Whether it is latchkey's hidden frame or popup, in which the app must not start. */
export const isOwnWindow = (name: string): boolean => /^(agent-iframe$|latchkey )/.test(name)
/** The beginning of `window.name` with keys. Not like a window's name, or the app would not start. */
export const NAME_OF_KEYS = 'latchkey-keys'
/** The end of a sign-in window's name, for any client. */
export const SIGN_IN_POPUP = ' popup sign-in'
export const isSignInPopup = (name: string): boolean => name.endsWith(SIGN_IN_POPUP)
export const isSignInPopupOf = (client: Client, name: string): boolean =>
  name.startsWith(`${nameOf(client)} `) && isSignInPopup(name)
