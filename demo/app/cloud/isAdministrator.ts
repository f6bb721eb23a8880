// Whether the token names the user an administrator: enough to show or hide a part; the server decides what is allowed.
import type { User } from 'latchkey'

/** Reads what `claims` of this app's config has put on the user. */
export const isAdministrator = (user: User): boolean => 'role' in user && user.role === 'administrator'
