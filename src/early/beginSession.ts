// Asks for the session that the browser has at the server while the app's files are still on their way (spec §4 "Silent verification").
import { EARLY_LIFETIME_MS, FRAME_NAME } from '../constants.ts'
import type { Settings } from '../protocol/config.ts'
import { drawStateKey, drawVerifier, hashVerifier } from '../protocol/randomText.ts'
import { authorizeUrl } from '../protocol/signIn.ts'
import { isSwitchedOff, parseSilentSignIn } from '../protocol/silentSignIn.ts'
import {
  type Client,
  owedLogoutKey,
  sessionMarkerKey,
  SETTLED_LOGOUT,
  tabKey,
} from '../protocol/storageKeys.ts'
import { openFrame } from '../session/platform/browserFrame.ts'
import type { Early, EarlyFrame, FrameEvent } from '../session/platform/platform.ts'
import { sendCode } from './sendCode.ts'

/** What the script element tells: `data-auth-host`, `data-client-id`, `data-scopes`, `data-redirect-uri`, `data-remember-me`. */
export type Options = Readonly<Record<string, string | undefined>>

/**
 * Opens the hidden frame and exchanges its code, for start-up to take over. Where anything speaks against it, or goes
 * wrong, it does nothing, and start-up begins by itself.
 */
export async function beginSession(options: Options, left: Early): Promise<void> {
  const { clientId = '', scopes = '', rememberMe, redirectUri = `${location.origin}/` } = options
  const authHost = new URL(options['authHost']!).origin
  if (
    left.frame ||
    // Something that start-up would do first, or would not do at all.
    readMarker({ authHost, clientId })?.tabs?.length ||
    // A user has signed out, and the server does not know yet.
    (localStorage.getItem(owedLogoutKey({ authHost, clientId })) ?? SETTLED_LOGOUT) !== SETTLED_LOGOUT ||
    hasFailedBefore({ authHost, clientId })
  )
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
  const hashing = hashVerifier(verifier, (data) => crypto.subtle.digest('SHA-256', data))
  // Who asks before there is a key has begun without it.
  left.frame = () => void delete left.frame
  const key: Omit<EarlyFrame, 'openFrame'> = {
    verifier,
    state: drawStateKey(randomBytes),
    challenge: { value: await hashing, method: 'S256' },
    createdAtMs: Date.now(),
  }
  if (!left.frame) return
  const url = authorizeUrl(settings, { ...key, redirectUri, prompt: 'none', isInFrame: true })

  const heard: FrameEvent[] = []
  let hear = (event: FrameEvent) => {
    heard.push(event)
    if (event.type === 'message') exchange(event.data)
    // What fails early is tried again, and explained, by start-up itself.
    else if (event.type !== 'loaded') stop()
  }
  const timer = setTimeout(stop, EARLY_LIFETIME_MS)
  const frame = openFrame({ name: FRAME_NAME, url, origin: authHost, listen: (event) => hear(event) })

  left.frame = (urlOfApp) => {
    const wanted = urlOfApp(key)
    // Another client on the same page: this is none of its business.
    if (!wanted.startsWith(url.split('redirect_uri')[0]!)) return undefined
    if (wanted !== url) console.warn('[latchkey] latchkey/early: other options than createAuth')
    // While the machine sleeps no timer runs.
    if (wanted !== url || Date.now() - key.createdAtMs > EARLY_LIFETIME_MS) {
      stop()
      return undefined
    }
    clearTimeout(timer)
    delete left.frame
    return {
      ...key,
      openFrame({ listen }) {
        hear = listen
        for (const event of heard) queueMicrotask(() => listen(event))
        return { remove: stop }
      },
    }
  }

  function stop() {
    clearTimeout(timer)
    frame.remove()
    delete left.frame
    delete left.fetch
  }
  function exchange(message: unknown) {
    const { state, code, iss = authHost } = (message as Message)?.response ?? {}
    if (typeof code !== 'string' || state !== key.state || iss !== authHost || left.fetch) return
    sendCode(left, authHost, code, { verifier, clientId, redirectUri })
  }
}

/** Names the tabs that seem to hold the session: start-up asks them first. One that cannot be read is left to start-up too. */
const readMarker = (client: Client) =>
  JSON.parse(localStorage.getItem(sessionMarkerKey(client))!) as { tabs?: unknown[] } | null

/** Frames have failed in this tab, and start-up would open none either. */
function hasFailedBefore(client: Client): boolean {
  const stored = JSON.parse(sessionStorage.getItem(tabKey(client))!) as { silentSignIn?: unknown } | null
  const silentSignIn = parseSilentSignIn(stored?.silentSignIn)
  return silentSignIn !== undefined && isSwitchedOff(silentSignIn, Date.now())
}

/** Whatever the server's page has posted; start-up reads it strictly. */
type Message = { response?: { state?: unknown; code?: unknown; iss?: unknown } } | null | undefined
