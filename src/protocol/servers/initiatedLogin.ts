// Reads a sign-in request of the provider or a portal (OpenID Connect Core §4, initiate_login_uri).
import { sameOriginPath } from '../origin.ts'
import { withoutBareSlash } from './metadata.ts'

/** What to ask of the sign-in, as `auth.login` takes it. */
export interface InitiatedLogin {
  /** The expected user. */
  readonly loginHint?: string | undefined
  /** Where the user is to be afterwards, a path of this origin. */
  readonly returnTo?: string | undefined
}

/** A longer hint is ignored. */
const LONGEST_HINT = 1_000

/**
 * Reads the request in the address of the app's page for it; `undefined` where there is none, or it names another provider.
 * A target of another origin is left out. Nothing in it is to be trusted: it says whom to ask for, and the provider says who it is.
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
