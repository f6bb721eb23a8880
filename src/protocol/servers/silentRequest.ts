// How a page asks an OpenID Connect provider silently, kept without its keys: the first script of the next page in this tab asks the same way.
import type { OidcTokens } from './oidcProfile.ts'
import type { AuthorizeRequest } from './profile.ts'
import type { AttemptKey } from '../pkce.ts'

/** The page behind an answer is the app itself: nobody waits until it has loaded a second time, or has moved on. */
export const LOOK_EVERY_MS = 20

/** Nothing in it is secret: state, nonce, challenge, code and verifier are empty. */
export interface SilentRequest {
  /** What the frame opens. */
  readonly url: string
  readonly tokenUrl: string
  /** What the code is exchanged by. */
  readonly body: string
}

const NO_KEY: AttemptKey = { verifier: '', state: '', nonce: '', challenge: { value: '', method: 'S256' } }
const NO_ATTEMPT = { ...NO_KEY, authHost: '', clientId: '', returnTo: '', createdAtMs: 0 }

export function silentRequest(
  tokens: Pick<OidcTokens, 'codeRequest'>,
  redirectUri: string,
  authorizeUrl: (request: AuthorizeRequest) => string,
): SilentRequest {
  const { url: tokenUrl, body = '' } = tokens.codeRequest('', { ...NO_ATTEMPT, redirectUri })
  return { url: authorizeUrl({ key: NO_KEY, redirectUri, isSilent: true }), tokenUrl, body }
}

/** The address with this key: letter for letter what `authorizeUrl` would make of it. */
export function withKey({ url }: SilentRequest, { state, nonce = '', challenge }: AttemptKey): string {
  const filled = new URL(url)
  filled.searchParams.set('state', state)
  filled.searchParams.set('nonce', nonce)
  filled.searchParams.set('code_challenge', challenge.value)
  return filled.href
}

/** The body with this code: letter for letter what `codeRequest` would make of it. */
export function withCode({ body }: SilentRequest, code: string, verifier: string): string {
  const filled = new URLSearchParams(body)
  filled.set('code', code)
  filled.set('code_verifier', verifier)
  return filled.toString()
}
