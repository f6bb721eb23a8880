// Makes the random texts of a sign-in: verifier, state key, challenge (spec §4 "Unauthenticated to authenticated", RFC 7636).
import { STATE_KEY_LENGTH, VERIFIER_LENGTH } from '../constants.ts'
import { proofKeyUnavailable, randomUnavailable } from '../errors.ts'

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

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const UNRESERVED = `${ALPHANUMERICS}-._~`

/** 64 unreserved characters, 387 bits. @throws AuthError `random-unavailable` */
export function createVerifier(crypto: CryptoPort): string {
  return randomText(VERIFIER_LENGTH, UNRESERVED, crypto)
}

/** 6 alphanumeric characters: the name of a sign-in attempt. @throws AuthError `random-unavailable` */
export function createStateKey(crypto: CryptoPort): string {
  return randomText(STATE_KEY_LENGTH, ALPHANUMERICS, crypto)
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
    return {
      value: base64Url(new Uint8Array(await crypto.sha256(new TextEncoder().encode(verifier)))),
      method: 'S256',
    }
  } catch (error) {
    throw proofKeyUnavailable(error)
  }
}

/** Bytes as URL-safe base64 without padding (RFC 7636 appendix A). */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function randomText(length: number, alphabet: string, { randomBytes }: CryptoPort): string {
  if (!randomBytes) throw randomUnavailable()
  // Bytes above the largest multiple of the alphabet are thrown away: every character is equally likely.
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
