// The user's login and logout hint: read from the ID token, and stored in this tab for the next page. No secret.
import { parseJson, recordOf, textsOf } from '../../base/json.ts'
import type { Credentials } from '../credentials.ts'
import { decodeIdToken } from './idToken.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { ServerPorts } from './profile.ts'

export type Hints = { readonly login?: string | undefined; readonly logout?: string | undefined }

export type UserHints = ReturnType<typeof createHints>

/** Without a hint claim in the options, nothing is read or stored. */
export function createHints(
  { loginHintClaim, logoutHintClaim }: OidcSettings,
  { sessionStorage }: Pick<ServerPorts, 'sessionStorage'>,
  key: string,
) {
  const isWanted = loginHintClaim !== undefined || logoutHintClaim !== undefined
  const write = (hints: Hints) => {
    if (isWanted) sessionStorage.set(key, JSON.stringify(hints))
  }
  const of = ({ memory }: Credentials): Hints => {
    if (!isWanted) return {}
    const claims = decodeIdToken(memory.idToken)
    const first = (names: string | readonly string[] = []) =>
      textsOf([names].flat().map((name) => claims[name])).find(Boolean)
    return { login: first(loginHintClaim), logout: first(logoutHintClaim) }
  }
  return {
    of,
    /** The stored hints. They are removed with the session. */
    read(): Hints {
      if (!isWanted) return {}
      const { login, logout } = recordOf(parseJson(sessionStorage.get(key)))
      return { login: textsOf([login])[0], logout: textsOf([logout])[0] }
    },
    keep: (credentials: Credentials) => write(of(credentials)),
    forget: () => write({}),
  }
}
