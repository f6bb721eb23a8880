// The random texts of a sign-in and the hash of one, from a randomness that is there (RFC 7636).
import { STATE_KEY_LENGTH, VERIFIER_LENGTH } from '../constants.ts'

type RandomBytes = (length: number) => Uint8Array

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 64 unreserved characters, 387 bits. */
export const drawVerifier = (randomBytes: RandomBytes): string =>
  randomText(VERIFIER_LENGTH, `${ALPHANUMERICS}-._~`, randomBytes)

/** 6 alphanumeric characters. */
export const drawStateKey = (randomBytes: RandomBytes): string =>
  randomText(STATE_KEY_LENGTH, ALPHANUMERICS, randomBytes)

/** What the server is shown of a verifier with the method S256. */
export const hashVerifier = (
  verifier: string,
  sha256: (data: BufferSource) => Promise<ArrayBuffer>,
): Promise<string> =>
  sha256(new TextEncoder().encode(verifier)).then((hash) => base64Url(new Uint8Array(hash)))

/** Bytes as URL-safe base64 without padding (RFC 7636 appendix A). */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function randomText(length: number, alphabet: string, randomBytes: RandomBytes): string {
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
