// Which queries and mutations only a server of the latchkey contract has: all that the package exports but these.
import type { Auth } from '../../src/session/auth.ts'
import * as latchkey from '../../src/index.ts'

/** They work with an OpenID Connect provider, too. */
const EVERYWHERE = [
  'userInfoQuery',
  'redirectionConfigQuery',
  'loginMutation',
  'logoutMutation',
  'renewMutation',
  'stepUpMutation',
]

/** By name; a factory that is new is one of them until it stands above. */
export const CONTRACT_ONLY = Object.entries(latchkey).filter(
  ([name]) => /(Query|Mutation)$/.test(name) && !name.startsWith('should') && !EVERYWHERE.includes(name),
) as unknown as readonly (readonly [string, (auth: Auth) => unknown])[]
