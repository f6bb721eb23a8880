// Names of our entries in the browser's storages (contract §5); that of the agent id stands in session/agent.ts.

/** In session storage: everything of one tab. */
export const tabKey = (clientId: string): string => `latchkey:${clientId}`

/** In local storage: that this browser has a session, and which tabs hold it. */
export const hintKey = (clientId: string): string => `${tabKey(clientId)}:session`

/** Whether what lies there names a tab. Looked at as text: it is asked before anything has loaded. */
export const namesTabs = (hint: string | null | undefined): boolean | undefined => hint?.includes('"tabs":["')

/** In local storage: when the user last did something. */
export const activityKey = (clientId: string): string => `${tabKey(clientId)}:activity`
