// Remembers that a provider's sign-in page gives no response in a hidden frame, so that a cold start of this browser does not wait for one.
import { UNANSWERED_FRAME_MS } from '../../constants.ts'
import { parseJson } from '../../json.ts'
import type { AuthError } from '../../errors.ts'
import { parseSilentSignIn } from '../silentSignIn.ts'
import { type Client, sessionMarkerKey, unansweredKey } from '../storageKeys.ts'
import { frameUnanswered } from './oidcErrors.ts'
import type { CodeUse, ServerPorts } from './profile.ts'

/** What a tab keeps: somebody signed in here, or even then a frame gave no response. */
const SIGNED_IN = 'signed in'
const SILENT = 'silent'
/** A sign-in page that lets the user through in this time has a session: the frame may only have been slow. */
const INSTANT_RETURN_MS = 3_000

export type Silence = ReturnType<typeof createSilence>

/**
 * Such a page does send a code where the server has a session, so reloads of a signed-in tab still ask. Only an error,
 * `login_required`, shows that it responds without a session, too.
 */
export function createSilence(
  client: Client & { readonly autoLogin?: boolean | undefined },
  ports: Pick<ServerPorts, 'localStorage' | 'sessionStorage' | 'now' | 'current'>,
) {
  const { localStorage, sessionStorage, now, current } = ports
  const key = unansweredKey(client)
  const read = () => parseSilentSignIn(parseJson(localStorage.get(key)))
  const count = (isCertain: boolean) => {
    const failures = isCertain || read() ? 2 : 1
    const offUntilMs = failures === 2 ? now() + UNANSWERED_FRAME_MS : 0
    localStorage.set(key, JSON.stringify({ failures, offUntilMs }))
  }
  return {
    /** Why start-up leaves the frame out, if it does. */
    expected(): AuthError | undefined {
      const leftMs = (read()?.offUntilMs ?? 0) - now()
      const isLeftOut =
        leftMs > 0 &&
        // The clock may have been set back.
        leftMs <= UNANSWERED_FRAME_MS &&
        sessionStorage.get(key) !== SIGNED_IN &&
        // Without autoLogin only the frame finds a session that this browser had.
        (client.autoLogin !== false || localStorage.get(sessionMarkerKey(client)) === undefined)
      return isLeftOut ? frameUnanswered() : undefined
    },
    /** A frame has loaded and given no response. At a renewal that says nothing about a cold start, so it does not count. */
    note() {
      if (current()) return
      count(false)
      if (sessionStorage.get(key) === SIGNED_IN) sessionStorage.set(key, SILENT)
    },
    /** A frame responded that nobody is signed in: the provider does respond in frames. */
    end() {
      localStorage.remove(key)
    },
    /** Somebody signed in. If that was at the page that gave no response in the frame, the provider was not away. */
    signedIn({ attempt, isSilent }: CodeUse) {
      const known = read()
      if (!known) return
      if (sessionStorage.get(key) !== SILENT) sessionStorage.set(key, SIGNED_IN)
      const isInstant = attempt.isAutomatic === true && now() - attempt.createdAtMs < INSTANT_RETURN_MS
      if (!isSilent && !isInstant && known.offUntilMs === 0) count(true)
    },
  }
}
