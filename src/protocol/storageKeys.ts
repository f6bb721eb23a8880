// Makes every name that latchkey uses in a browser: entries of storages, channels, locks, databases, windows. Recognises its windows by name, so that no app starts inside them.

/** The client that the names belong to. Two servers, or two clients of one server, share no name. */
export interface Client {
  /** Stable name of the server: its origin, or its issuer. */
  readonly authHost: string
  readonly clientId: string
}

/** The beginning of every name. */
export const NAME_PREFIX = 'latchkey '

/** Joins words by spaces. A space within a word becomes %20, so different lists of words get different names. */
function nameOf({ authHost, clientId }: Client, ...words: readonly string[]): string {
  const escaped = [authHost, clientId, ...words].map((word) => word.replace(/[% ]/g, encodeURIComponent))
  return NAME_PREFIX + escaped.join(' ')
}

// Session storage.

/** The records of one tab. */
export const tabKey = (client: Client): string => nameOf(client, 'tab')
/** The last steps of `explain()`, for the next page of the tab. */
export const stepsKey = (client: Client): string => nameOf(client, 'steps')
/** The sealed session that a page has left to the next page of the tab. */
export const leftSessionKey = (client: Client): string => nameOf(client, 'left')
/** What the server knows the user by. */
export const hintsKey = (client: Client): string => nameOf(client, 'hints')
/** The metadata of this visit. In local storage: those of the last visit, for the hidden frame. */
export const metadataKey = (client: Client): string => nameOf(client, 'metadata')

// Local storage.

/** The session marker: this browser has a session, and these tabs hold it. */
export const sessionMarkerKey = (client: Client): string => nameOf(client, 'session')
/** The record of which session counts. */
export const sessionRecordKey = (client: Client): string => nameOf(client, 'record')
/** A hash over the record's id and the provider's `sid`, by which a front-channel logout names the session. */
export const sidKey = (client: Client): string => nameOf(client, 'sid')
/** A logout that the server has not received yet. */
export const pendingLogoutKey = (client: Client): string => nameOf(client, 'owedLogout')
/** The value of that entry after the server has received the logout, or after a new sign-in. */
export const SETTLED_LOGOUT = 'settled'
/** Its value after a logout page that may ask the user whether to sign out, until a user signs in. */
export const ASKED_LOGOUT = 'asked'
/** The sign-in page gives no response in a hidden frame. */
export const unansweredKey = (client: Client): string => nameOf(client, 'unanswered')
/** A hidden frame has found a session of this server, so the browser lets frames have its cookies. */
export const framesWorkKey = (client: Client): string => nameOf(client, 'frames')
/** The time of the last user activity. */
export const activityKey = (client: Client): string => nameOf(client, 'activity')
/** The agent id. */
export const agentKey = (client: Client): string => nameOf(client, 'agent')

// Channels, locks and databases.

/** The broadcast channel of the tabs. */
export const tabsName = (client: Client): string => nameOf(client, 'tabs')
/** The lock and the database of the tabs that ask for the same tokens. */
export const alikeTabsName = (client: Client & { readonly asked: string }): string =>
  nameOf(client, 'tabs', client.asked)
/** The lock that decides which tab sends the code of one sign-in. */
export const codeLock = (client: Client, state: string): string => nameOf(client, 'code', state)
/** The lock that decides which tab opens the logout page after a clash. */
export const clashLock = (client: Client, sessionId: string): string => nameOf(client, 'clash', sessionId)
/** The lock of the tab that goes to the logout page for all when the idle time is over. */
export const idleLock = (client: Client): string => nameOf(client, 'idle')
/** The channel and the lock of the tabs that share one real-time connection: same user, firm and presence identifier. */
export const connectionName = (
  client: Client,
  { userId, firmId = '', presenceId }: { userId: string; firmId?: string | undefined; presenceId: string },
): string => nameOf(client, 'connection', userId, firmId, presenceId)

// Windows.

/**
 * The name of a popup window. `key` is random: a page that opened the app can have a window of every name ready that it can
 * guess, the browser would take that one, and the other page could send it on to a sign-in page of its own.
 */
export const popupName = (client: Client, page: string, key: string): string =>
  nameOf(client, key, 'popup', page)
/** The name of a sign-in window, of its channel, and of the mark by which its page recognises it. */
export const signInPopup = (client: Client, key: string): string => popupName(client, 'sign-in', key)
/** Whether latchkey opened the window of this name: the hidden frame or a popup. The app must not start in it. */
export const isOwnWindow = (name: string): boolean => /^(agent-iframe$|latchkey )/.test(name)
/** How the name of a tab begins that holds keys: not as those of windows, in which the app must not start. */
export const NAME_OF_KEYS = 'latchkey-keys'
/** How the name of a sign-in window ends, of any client. */
export const SIGN_IN_POPUP = ' popup sign-in'
export const isSignInPopup = (name: string): boolean => name.endsWith(SIGN_IN_POPUP)
/** Whether it is the name of a sign-in window of this client. */
export const isSignInPopupOf = (client: Client, name: string): boolean =>
  name.startsWith(`${nameOf(client)} `) && isSignInPopup(name)
