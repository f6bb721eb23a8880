// Parses a sign-in that the provider or a portal initiates (OpenID Connect Core §4, initiate_login_uri).
import { sameOriginPath } from '../origin.ts'
import { withoutBareSlash } from './metadata.ts'

/** Options for `auth.login`. */
export interface InitiatedLogin {
  /** The expected user. */
  readonly loginHint?: string | undefined
  /** The page to show afterwards: a path of this origin. */
  readonly returnTo?: string | undefined
}

/** A longer hint is ignored. */
const LONGEST_HINT = 1_000

/**
 * Reads the request in the URL of the app's page for it; `undefined` if there is none, or it names another provider. Leaves
 * out a target of another origin. Do not trust the request: only the provider says who the user is.
 *
 * @param address of that page, `location.href`
 * @param issuer of the app's provider
 * @example
 * const initiated = readInitiatedLogin(location.href, issuer)
 * if (initiated) await auth.login(initiated)
 */
export function readInitiatedLogin(address: string, issuer: string): InitiatedLogin | undefined {
  const { origin, searchParams } = new URL(address)
  // A repeated parameter is ignored.
  const read = (name: string) => {
    const [value, ...others] = searchParams.getAll(name)
    return others.length === 0 ? value : undefined
  }
  const iss = read('iss')
  if (iss === undefined || withoutBareSlash(iss) !== withoutBareSlash(issuer)) return undefined
  const hint = read('login_hint') ?? ''
  const isName = hint !== '' && hint.length <= LONGEST_HINT && !/\p{Cc}/u.test(hint)
  const returnTo = sameOriginPath(read('target_link_uri'), origin)
  return { ...(isName && { loginHint: hint }), ...(returnTo !== undefined && { returnTo }) }
}
