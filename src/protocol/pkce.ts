// Makes the verifier, state key and challenge of a sign-in: PKCE (proof key for code exchange; RFC 7636).
import { proofKeyUnavailable, randomUnavailable } from '../base/errors.ts'
import { drawStateKey, drawVerifier, hashText } from './randomText.ts'

/** Random bytes and keys of the browser; `undefined` where it has none. */
export interface CryptoPort {
  randomBytes: ((length: number) => Uint8Array) | undefined
  /** Hashes, makes keys, signs and encrypts with them. */
  readonly subtle?:
    | Pick<
        SubtleCrypto,
        'digest' | 'generateKey' | 'exportKey' | 'importKey' | 'sign' | 'verify' | 'encrypt' | 'decrypt'
      >
    | undefined
  /** Whether the page is a secure context, where `subtle` must exist. */
  isSecureContext: boolean
}

/** The code challenge sent to /oauth/authorize. */
export interface Challenge {
  readonly value: string
  readonly method: 'S256' | 'plain'
}

/** The verifier of a sign-in attempt, its state key and its challenge. */
export interface AttemptKey {
  readonly verifier: string
  readonly state: string
  readonly challenge: Challenge
  /** The nonce that the ID token must contain; only with servers that issue ID tokens. */
  readonly nonce?: string | undefined
}

/** Makes the keys of a sign-in attempt. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
export async function createAttemptKey(crypto: CryptoPort): Promise<AttemptKey> {
  const verifier = createVerifier(crypto)
  return { verifier, state: createStateKey(crypto), challenge: await createChallenge(verifier, crypto) }
}

/** Returns 64 unreserved characters: 384 bits. @throws AuthError `random-unavailable` */
export function createVerifier(crypto: CryptoPort): string {
  return drawVerifier(randomBytesOf(crypto))
}

/** Returns 6 alphanumeric characters: the state of a sign-in attempt. @throws AuthError `random-unavailable` */
export function createStateKey(crypto: CryptoPort): string {
  return drawStateKey(randomBytesOf(crypto))
}

/**
 * Turns a verifier into the challenge sent to /oauth/authorize. The method is S256. It is plain only on a page that has no
 * `crypto.subtle` because its context is not secure.
 *
 * @throws AuthError `proof-key-unavailable` when a secure page cannot hash
 */
export async function createChallenge(verifier: string, crypto: CryptoPort): Promise<Challenge> {
  if (!crypto.subtle) {
    if (crypto.isSecureContext) throw proofKeyUnavailable()
    return { value: verifier, method: 'plain' }
  }
  try {
    return { value: await hashText(verifier, crypto.subtle), method: 'S256' }
  } catch (error) {
    throw proofKeyUnavailable(error)
  }
}

function randomBytesOf({ randomBytes }: CryptoPort) {
  if (!randomBytes) throw randomUnavailable()
  return randomBytes
}
