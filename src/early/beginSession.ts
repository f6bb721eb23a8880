// Asks the server for the session while the app's files load.
import type { Settings } from '../protocol/config.ts'
import { drawStateKey } from '../protocol/pkce.ts'
import { authorizeUrl } from '../protocol/signIn.ts'
import { openFrame } from '../session/platform/browserFrame.ts'
import type { Early } from '../session/platform/platform.ts'
import { drawKey, offerFrame, randomBytes } from './offerFrame.ts'
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
  const key = await drawKey(left, { state: drawStateKey(randomBytes) })
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
    sendFirmCode(left, authHost, code, { ...key, clientId, redirectUri })
  }
}

/** A message of the server's page; start-up validates it. */
type Message = { response?: { state?: unknown; code?: unknown; iss?: unknown } } | null | undefined
