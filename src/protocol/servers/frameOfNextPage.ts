// The silent request to an OpenID Connect provider as a template without keys: the early script of the next page in this tab fills it in.
import type { OidcTokens } from './oidcProfile.ts'
import type { AuthorizeRequest } from './profile.ts'
import type { AttemptKey } from '../pkce.ts'

/** How often the frame's URL is read. The response is a URL of the app: it is read before the app loads a second time in the frame. */
export const LOOK_EVERY_MS = 20

/** No secret: state, nonce, challenge, code and verifier are empty. */
export interface SilentRequest {
  /** URL of the frame. */
  readonly url: string
  readonly tokenUrl: string
  /** Body of the code exchange. */
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

/** The URL with a key, exactly as `authorizeUrl` would build it. */
export function withKey({ url }: SilentRequest, { state, nonce = '', challenge }: AttemptKey): string {
  const filled = new URL(url)
  filled.searchParams.set('state', state)
  filled.searchParams.set('nonce', nonce)
  filled.searchParams.set('code_challenge', challenge.value)
  return filled.href
}

/** The body with a code, exactly as `codeRequest` would build it. */
export function withCode({ body }: SilentRequest, code: string, verifier: string): string {
  const filled = new URLSearchParams(body)
  filled.set('code', code)
  filled.set('code_verifier', verifier)
  return filled.toString()
}
