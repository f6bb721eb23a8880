// The silent request of a later visit, before the app's files load: the early script completes the remembered URL exactly as the profile would build it.
import type { FurtherParameters } from '../loginParameters.ts'
import type { AttemptKey } from '../pkce.ts'
import type { Metadata } from './metadata.ts'

/** How often the frame's URL is read: before the app loads a second time in the frame. */
export const LOOK_EVERY_MS = 20

/** What a visit stores for the next one. No secret. */
export interface Remembered {
  readonly document: Metadata
  readonly atMs: number
  /** URL of the frame without a key. Absent: the early script cannot make this request. */
  readonly frameUrl?: string | undefined
}

/** Leaves the parameters of the key out of that URL. */
export const NO_KEY = { challenge: {} } as AttemptKey

/** Leaves the user out of it. */
export const NO_HINT = { login_hint: undefined } as object as FurtherParameters

/** Adds a key and the user's login hint, to the endpoint that is compared with the provider's. */
export function withKey(
  { document, frameUrl }: Remembered,
  { state, nonce = '', challenge }: AttemptKey,
  hint: unknown,
): URL {
  const url = new URL(new URL(frameUrl!).search, document.authorization_endpoint)
  const added = { state, nonce, code_challenge: challenge.value, code_challenge_method: 'S256' }
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value)
  if (typeof hint === 'string') url.searchParams.set('login_hint', hint)
  return url
}

/** The body that exchanges the code of the frame with this URL. */
export function codeBody({ searchParams }: URL, code: string, verifier: string): string {
  const of = (name: string) => (searchParams.has(name) ? { [name]: searchParams.get(name)! } : {})
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    ...of('redirect_uri'),
    ...of('resource'),
    ...of('client_id'),
  }).toString()
}
