// Names of our entries in the browser's storages (contract §5); those of the agent id and of the last activity stand with them, in session/.

/** In session storage: everything of one tab. */
export const tabKey = (clientId: string): string => `latchkey:${clientId}`

/** In local storage: that this browser has a session, and which tabs hold it. */
export const hintKey = (clientId: string): string => `${tabKey(clientId)}:session`

/** Whether what lies there names a tab. Looked at as text: it is asked before anything has loaded. */
export const namesTabs = (hint: string | null | undefined): boolean | undefined => hint?.includes('"tabs":["')
