// The types of an app's own claims and user info, which the app declares.

/**
 * The types of your app. Merge yours into it, once, in any file. They are not checked at run time: check the data in `claims`,
 * and where you read the user info.
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

/** The result of `claims`: the registered members of `user`, or any members if none are registered. */
export type AppClaims = Register extends { user: infer Own } ? Own : Readonly<Record<string, unknown>>

/** The registered type of the user info, else `Other`. */
export type RegisteredUserInfo<Other> = Register extends { userInfo: infer Info } ? Readonly<Info> : Other
