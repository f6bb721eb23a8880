// Makes the random texts of a sign-in: verifier, state key, challenge (spec §4 "Unauthenticated to authenticated", RFC 7636).
import { proofKeyUnavailable, randomUnavailable } from '../errors.ts'
import { drawStateKey, drawVerifier, hashVerifier } from './randomText.ts'

/** The randomness and the hash of the host; a missing one is `undefined`. */
export interface CryptoPort {
  randomBytes: ((length: number) => Uint8Array) | undefined
  sha256: ((data: BufferSource) => Promise<ArrayBuffer>) | undefined
  /** Whether the page is a secure context, where SHA-256 must exist. */
  isSecureContext: boolean
}

/** What goes to /oauth/authorize. */
export interface Challenge {
  readonly value: string
  readonly method: 'S256' | 'plain'
}

/** The secret of a sign-in attempt, its name, and what the server is shown of the secret. */
export interface AttemptKey {
  readonly verifier: string
  readonly state: string
  readonly challenge: Challenge
  /** What the ID token must repeat; only with servers that issue one. */
  readonly nonce?: string | undefined
}

/** What a sign-in attempt begins with. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
export async function createAttemptKey(crypto: CryptoPort): Promise<AttemptKey> {
  const verifier = createVerifier(crypto)
  return { verifier, state: createStateKey(crypto), challenge: await createChallenge(verifier, crypto) }
}

/** 64 unreserved characters, 384 bits. @throws AuthError `random-unavailable` */
export function createVerifier(crypto: CryptoPort): string {
  return drawVerifier(randomBytesOf(crypto))
}

/** 6 alphanumeric characters: the name of a sign-in attempt. @throws AuthError `random-unavailable` */
export function createStateKey(crypto: CryptoPort): string {
  return drawStateKey(randomBytesOf(crypto))
}

/**
 * Turns a verifier into the challenge sent to /oauth/authorize: S256, and plain only where the page has no
 * crypto because its context is not secure.
 *
 * @throws AuthError `proof-key-unavailable` when a secure page cannot hash
 */
export async function createChallenge(verifier: string, crypto: CryptoPort): Promise<Challenge> {
  if (!crypto.sha256) {
    if (crypto.isSecureContext) throw proofKeyUnavailable()
    return { value: verifier, method: 'plain' }
  }
  try {
    return { value: await hashVerifier(verifier, crypto.sha256), method: 'S256' }
  } catch (error) {
    throw proofKeyUnavailable(error)
  }
}

function randomBytesOf({ randomBytes }: CryptoPort) {
  if (!randomBytes) throw randomUnavailable()
  return randomBytes
}
