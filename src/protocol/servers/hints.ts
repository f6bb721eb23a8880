// What the user goes by at a provider: read from the ID token, and kept in this tab for after a reload. No secret.
import { parseJson, recordOf } from '../../json.ts'
import type { Credentials } from '../credentials.ts'
import { decodeIdToken } from './idToken.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { Hints, ServerPorts } from './profile.ts'

export type UserHints = ReturnType<typeof createHints>

/** Nothing is read and nothing kept where the provider need not be told. */
export function createHints(
  { loginHintClaim, logoutHintClaim }: OidcSettings,
  { sessionStorage }: Pick<ServerPorts, 'sessionStorage'>,
  key: string,
) {
  const isWanted = loginHintClaim !== undefined || logoutHintClaim !== undefined
  const readEntry = () => recordOf(parseJson(sessionStorage.get(key)))
  const write = (hints: Hints | undefined) => {
    const entry = readEntry()
    if (!isWanted || JSON.stringify(entry['hints']) === JSON.stringify(hints)) return
    // How this page asked silently was of the user before.
    sessionStorage.set(key, JSON.stringify({ ...entry, silent: undefined, hints }))
  }
  /** What the user of these tokens goes by. */
  const of = ({ memory }: Credentials): Hints | undefined => {
    if (!isWanted) return undefined
    const claims = decodeIdToken(memory['idToken'])
    const first = (names: string | readonly string[] = []) =>
      [names]
        .flat()
        .map((name) => claims[name])
        .find((value): value is string => typeof value === 'string' && value !== '')
    return { login: first(loginHintClaim), logout: first(logoutHintClaim) }
  }
  return {
    of,
    /** What this tab remembers. It goes with the session. */
    read(): Hints | undefined {
      if (!isWanted) return undefined
      const { login, logout } = recordOf(readEntry()['hints'])
      return { login: textOf(login), logout: textOf(logout) }
    },
    keep: (held: Credentials) => write(of(held)),
    forget: () => write(undefined),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
