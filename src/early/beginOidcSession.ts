// Asks an OpenID Connect provider for the session while the app's files load: as the last visit did, with new keys.
import { drawVerifier, hashText } from '../protocol/pkce.ts'
import { type Metadata, withoutBareSlash } from '../protocol/servers/metadata.ts'
import { STATE_LENGTH } from '../protocol/servers/oidcAnswer.ts'
import { codeBody, LOOK_EVERY_MS, type Remembered, withKey } from '../protocol/servers/frameOfNextPage.ts'
import { openReadableFrame } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'
import { type EarlyKey, offerFrame } from './offerFrame.ts'
import { sendCode } from './sendCode.ts'

/** Parameters of a response that needs no check but those below; start-up validates every other one. */
const SIMPLE = /^(code|state|iss|session_state)$/

/** A message of the provider's page, not validated yet. */
type Message = { response?: Record<string, string> }

interface Asked {
  /** The metadata of the last visit; start-up validates them, and takes over only what it would do itself. */
  remembered: Remembered
  /** The user's login hint, where this tab knows one. */
  hint: unknown
  /** The issuer. */
  authHost: string
  /** The fresh metadata, which alone decide where a code is sent. */
  metadata: Promise<Metadata>
  /** Where the response to the code is left. */
  codes: Early
}

/** Opens the hidden frame and exchanges its code. If something is missing, start-up begins without it. */
export async function beginOidcSession(
  { remembered, hint, authHost, metadata, codes }: Asked,
  left: Early,
): Promise<void> {
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

  const asked = withKey(remembered, key, hint)
  const { href: url, origin } = asked
  let answered: string | undefined
  const frame = offerFrame(
    left,
    key,
    {
      url,
      origin,
      receive: (event) => event.type === 'message' && take(event.data),
      address: () => answered ?? frame.address?.(),
    },
    openReadableFrame,
  )
  const timer = setInterval(() => {
    // Taken over or discarded.
    if (!left.frame || take(frame.address?.())) clearInterval(timer)
  }, LOOK_EVERY_MS)

  /** Returns whether it is the response. Its page is the app itself: the frame is removed before that runs. */
  function take(found: unknown): boolean {
    const isAddress = typeof found === 'string'
    // A frame without a page has no URL.
    const answer = new URLSearchParams(
      isAddress ? found.split(/[?#]/)[1] : (Object(found) as Message).response,
    )
    if (answer.get('state') !== key.state || !(answer.has('code') || answer.has('error'))) return false
    if (isAddress) {
      answered = found
      frame.remove()
    }
    metadata.then((document) => exchange(answer, document)).catch(() => {})
    return true
  }

  /** Sends the code, unless the provider or the remembered metadata have changed. */
  function exchange(answer: URLSearchParams, document: Metadata) {
    const { issuer, authorization_endpoint, token_endpoint } = document
    const isIssuerPromised = document.authorization_response_iss_parameter_supported
    if (
      // If start-up has taken over the frame, it sends the code itself. It also handles every other response.
      left.frame &&
      !codes.fetch &&
      [...answer.keys()].every((name) => SIMPLE.test(name) && answer.getAll(name).length === 1) &&
      withoutBareSlash(issuer) === authHost &&
      authorization_endpoint === remembered.document.authorization_endpoint &&
      (answer.get('iss') ?? (isIssuerPromised ? '' : issuer)) === issuer
    )
      sendCode(
        codes,
        token_endpoint,
        codeBody(asked, answer.get('code')!, verifier),
        'application/x-www-form-urlencoded',
      )
  }
}
