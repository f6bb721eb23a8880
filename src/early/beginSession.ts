// Asks the server for the session while the app's files load.
import type { Settings } from '../protocol/config.ts'
import { drawStateKey, drawVerifier, hashText } from '../protocol/pkce.ts'
import { authorizeUrl } from '../protocol/signIn.ts'
import { openFrame } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'
import { type EarlyKey, offerFrame } from './offerFrame.ts'
import { isFrameRuledOut, seemsHeldElsewhere } from './ruledOut.ts'
import { sendFirmCode } from './sendCode.ts'

/** Of the script element: `data-auth-host`, `data-client-id`, `data-scopes`, `data-redirect-uri`, `data-remember-me`. */
export type Options = Readonly<Record<string, string | undefined>>

/**
 * Opens the hidden frame and exchanges its code, for start-up to take over. If it cannot or fails, start-up begins
 * without it.
 */
export async function beginSession(options: Options, left: Early): Promise<void> {
  const { clientId = '', scopes = '', rememberMe, redirectUri = `${location.origin}/` } = options
  const authHost = new URL(options['authHost']!).origin
  if (left.frame || seemsHeldElsewhere({ authHost, clientId }) || isFrameRuledOut({ authHost, clientId }))
    return
  const settings: Pick<Settings, 'authHost' | 'clientId' | 'scopes' | 'rememberMe'> = {
    authHost,
    clientId,
    scopes: scopes.match(/[^\s,]+/g) ?? [],
    rememberMe: rememberMe === 'true',
  }
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const verifier = drawVerifier(randomBytes)
  // A page without crypto ends here.
  const hashing = hashText(verifier, crypto.subtle)
  // Start-up that asks for the frame before there is a key opens its own: this one is given up.
  left.frame = () => void delete left.frame
  const key: EarlyKey = {
    verifier,
    state: drawStateKey(randomBytes),
    challenge: { value: await hashing, method: 'S256' },
    createdAtMs: Date.now(),
  }
  if (!left.frame) return
  const url = authorizeUrl(settings, { ...key, redirectUri, isSilent: true })

  offerFrame(
    left,
    key,
    {
      url,
      origin: authHost,
      receive: (event) => event.type === 'message' && exchange(event.data),
      onOther: () => console.warn('[latchkey] latchkey/early: other options than createAuth'),
    },
    openFrame,
  )

  function exchange(message: unknown) {
    const { state, code, iss = authHost } = (message as Message)?.response ?? {}
    if (typeof code !== 'string' || state !== key.state || iss !== authHost || left.fetch) return
    sendFirmCode(left, authHost, code, { verifier, clientId, redirectUri })
  }
}

/** A message of the server's page; start-up validates it. */
type Message = { response?: { state?: unknown; code?: unknown; iss?: unknown } } | null | undefined
