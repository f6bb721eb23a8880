// Where an app tells latchkey the types of its own claims and of its user info.

/**
 * The types of your app. Merge yours into it, once, in any file of the app. Nothing checks at run time that what the server
 * sends has these types: check it in `claims`, and where you read the user info.
 *
 * @example
 * declare module 'latchkey' {
 *   interface Register {
 *     user: { roles: readonly ('admin' | 'agent')[] }
 *     userInfo: { name: string; email: string }
 *   }
 * }
 */
export interface Register {}

/** What the function `claims` returns: the registered members of `user`; anything by name while none are registered. */
export type AppClaims = Register extends { user: infer Own } ? Own : Readonly<Record<string, unknown>>

/** The registered type of the user info, else `Other`. */
export type RegisteredUserInfo<Other> = Register extends { userInfo: infer Info } ? Readonly<Info> : Other
