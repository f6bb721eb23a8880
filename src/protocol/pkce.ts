// Makes the verifier, state key and challenge of a sign-in: PKCE (proof key for code exchange; RFC 7636).
import { STATE_KEY_LENGTH, VERIFIER_LENGTH } from '../base/constants.ts'
import { proofKeyUnavailable, randomUnavailable } from '../base/errors.ts'

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
export type Challenge = { readonly value: string; readonly method: 'S256' | 'plain' }

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

/** @throws AuthError `random-unavailable` */
export const createVerifier = (crypto: CryptoPort): string => drawVerifier(randomBytesOf(crypto))

/** @throws AuthError `random-unavailable` */
export const createStateKey = (crypto: CryptoPort): string => drawStateKey(randomBytesOf(crypto))

/** S256; plain only on an insecure page, which has no `crypto.subtle`. @throws AuthError `proof-key-unavailable` */
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

type RandomBytes = (length: number) => Uint8Array

/** 48 random bytes as URL-safe base64: 64 characters that RFC 7636 allows, 384 bits. */
export const drawVerifier = (randomBytes: RandomBytes): string =>
  base64Url(randomBytes((VERIFIER_LENGTH * 3) / 4))

/** 6 alphanumeric characters. `-` and `_` are dropped, so every other character stays equally likely. */
export const drawStateKey = (randomBytes: RandomBytes): string =>
  drawVerifier(randomBytes).replaceAll(/[-_]/g, '').slice(0, STATE_KEY_LENGTH)

/** SHA-256 of a text as URL-safe base64: the S256 challenge of a verifier. */
export const hashText = (text: string, subtle: Pick<SubtleCrypto, 'digest'>): Promise<string> =>
  subtle.digest('SHA-256', new TextEncoder().encode(text)).then((hash) => base64Url(new Uint8Array(hash)))

/** Encodes bytes as URL-safe base64 without padding (RFC 7636 appendix A). */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
