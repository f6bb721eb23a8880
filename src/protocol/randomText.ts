// Draws the random texts of a sign-in, and hashes the verifier (RFC 7636).
import { STATE_KEY_LENGTH, VERIFIER_LENGTH } from '../base/constants.ts'

type RandomBytes = (length: number) => Uint8Array

/** Returns 48 random bytes as URL-safe base64: 64 characters that RFC 7636 allows, 384 bits. */
export const drawVerifier = (randomBytes: RandomBytes): string =>
  base64Url(randomBytes((VERIFIER_LENGTH * 3) / 4))

/** Returns 6 alphanumeric characters. `-` and `_` are dropped, so every other character stays equally likely. */
export const drawStateKey = (randomBytes: RandomBytes): string =>
  drawVerifier(randomBytes).replaceAll(/[-_]/g, '').slice(0, STATE_KEY_LENGTH)

/** Returns SHA-256 of a text as URL-safe base64: the S256 challenge of a verifier. */
export const hashText = (text: string, subtle: Pick<SubtleCrypto, 'digest'>): Promise<string> =>
  subtle.digest('SHA-256', new TextEncoder().encode(text)).then((hash) => base64Url(new Uint8Array(hash)))

/** Encodes bytes as URL-safe base64 without padding (RFC 7636 appendix A). */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
