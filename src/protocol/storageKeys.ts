// Makes every name that latchkey uses in a browser: entries of storages, channels, locks, databases, windows (contract §5).
import type { Settings } from './config.ts'

/** Whose names: the app's registration at one server. Two servers, or two clients of one server, share no name. */
export type Client = Pick<Settings, 'authHost' | 'clientId'>

/** What all names begin with, whoever they belong to. */
export const NAME_PREFIX = 'latchkey '

/** Words joined by spaces. A space within a word is written as %20, so no two lists of words have the same name. */
function nameOf({ authHost, clientId }: Client, ...words: readonly string[]): string {
  const escaped = [authHost, clientId, ...words].map((word) => word.replace(/[% ]/g, encodeURIComponent))
  return NAME_PREFIX + escaped.join(' ')
}

/** In session storage: everything of one tab. */
export const tabKey = (client: Client): string => nameOf(client, 'tab')

/** In local storage: that this browser has a session, and which tabs hold it. */
export const sessionMarkerKey = (client: Client): string => nameOf(client, 'session')

/** In local storage: the sessions that ended last. A tab that slept looks here; the marker alone may have been cleared by the app. */
export const endedSessionsKey = (client: Client): string => nameOf(client, 'ended')

/** In local storage: a logout that the server has not been told of. */
export const owedLogoutKey = (client: Client): string => nameOf(client, 'owedLogout')

/** Stands there once the server has been told, or somebody has signed in anew. */
export const SETTLED_LOGOUT = 'settled'

/** In local storage: when the user last did something. */
export const activityKey = (client: Client): string => nameOf(client, 'activity')

/** In local storage: the agent id. */
export const agentKey = (client: Client): string => nameOf(client, 'agent')

/** The channel, the lock and the database of the tabs. */
export const tabsName = (client: Client): string => nameOf(client, 'tabs')

/** The lock that decides which tab sends the code of one sign-in. */
export const codeLock = (client: Client, state: string): string => nameOf(client, 'code', state)

/** The lock that decides which tab goes to the logout page for all after a clash. */
export const clashLock = (client: Client, sessionId: string): string => nameOf(client, 'clash', sessionId)

/** The channel and the lock of the tabs that share one real-time connection: of one user in one firm, online under one name. */
export const connectionName = (
  client: Client,
  { userId, firmId = '', presenceId }: { userId: string; firmId?: string | undefined; presenceId: string },
): string => nameOf(client, 'connection', userId, firmId, presenceId)

/** The channel that carries messages between the tabs where there is no messaging service. */
export const messagesChannel = (client: Client): string => nameOf(client, 'messages')

/** The window of a popup. */
export const popupName = (client: Client, page: string): string => nameOf(client, 'popup', page)
