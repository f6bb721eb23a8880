// Asks an OpenID Connect provider for the session while the app's files are on their way: as the page before it did, with keys of its own.
import { drawVerifier, hashText } from '../protocol/randomText.ts'
import type { Metadata } from '../protocol/servers/metadata.ts'
import { readSilentAnswer, STATE_LENGTH } from '../protocol/servers/oidcAnswer.ts'
import { LOOK_EVERY_MS, type SilentRequest, withCode, withKey } from '../protocol/servers/frameOfNextPage.ts'
import { openReadableFrame } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'
import { type EarlyKey, offerFrame } from './offerFrame.ts'
import { sendCode } from './sendCode.ts'

/** What the page before has kept in this tab; start-up checks it, and takes over only what it would do itself. */
interface Kept {
  document: Metadata
  silent: SilentRequest
}

/** Opens the hidden frame and exchanges its code. If something is missing, start-up begins without it. */
export async function beginOidcSession(kept: Readonly<Record<string, unknown>>, left: Early): Promise<void> {
  const { document, silent } = kept as unknown as Kept
  const { issuer, authorization_response_iss_parameter_supported: isIssuerPromised } = document
  const { origin } = new URL(silent.url)
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const draw = () => drawVerifier(randomBytes).slice(0, STATE_LENGTH)
  const verifier = drawVerifier(randomBytes)
  // A page without crypto ends here.
  const hashing = hashText(verifier, crypto.subtle)
  // Start-up that asks for the frame before there is a key opens its own: this one is given up.
  left.frame = () => void delete left.frame
  const key: EarlyKey = {
    verifier,
    state: draw(),
    nonce: draw(),
    challenge: { value: await hashing, method: 'S256' },
    createdAtMs: Date.now(),
  }
  if (!left.frame) return

  let answered: string | undefined
  const frame = offerFrame(
    left,
    key,
    {
      url: withKey(silent, key),
      origin,
      hear: (event) => event.type === 'message' && take(event.data),
      address: () => answered ?? frame.address?.(),
    },
    openReadableFrame,
  )
  const timer = setInterval(() => {
    // Taken over, or given up.
    if (!left.frame || take(frame.address?.())) clearInterval(timer)
  }, LOOK_EVERY_MS)

  /** Whether it is the answer. The page behind it is the app itself, and goes before it begins to run. */
  function take(found: unknown): boolean {
    const answer = readSilentAnswer(found, key.state)
    if (!answer) return false
    if (typeof found === 'string') {
      answered = found
      frame.remove()
    }
    const { code, error, malformed, iss } = answer
    const isFromIssuer = iss === undefined ? !isIssuerPromised : iss === issuer
    if (code && !error && !malformed && isFromIssuer && !left.fetch)
      sendCode(left, silent.tokenUrl, withCode(silent, code, verifier), 'application/x-www-form-urlencoded')
    return true
  }
}
