// What page and worker agree on.

export const CLIENT_ID = 'demo-admin'
export const ACCESS_TOKEN_SECONDS = 90
/** The servers' addresses lie in this folder, which does not exist. */
export const SERVER_FOLDER = 'server'
