// Remembers that the provider's sign-in page does not respond in a hidden frame, so that later start-ups do not wait for it.
import { UNANSWERED_FRAME_MS } from '../../base/constants.ts'
import { parseJson } from '../../base/json.ts'
import { type AuthError, fault } from '../../base/errors.ts'
import { afterFailure, isSwitchedOff, parseSilentSignIn } from '../tabRecords.ts'
import { isInstant } from '../signIn.ts'
import { type Client, sessionMarkerKey, unansweredKey } from '../storageKeys.ts'
import type { CodeUse, ServerPorts } from './profile.ts'

/** Stored in the tab after a sign-in; and after a later frame without a response. */
const SIGNED_IN = 'signed in'
const SILENT = 'silent'

/**
 * Such a page does return a code when the server has a session, so a reload of a signed-in tab still opens the frame. Only
 * `login_required` shows that it responds without a session, too.
 */
export function createSilence(
  client: Client & { readonly autoLogin?: boolean | undefined },
  ports: Pick<ServerPorts, 'localStorage' | 'sessionStorage' | 'now' | 'current'>,
) {
  const { localStorage, sessionStorage, now, current } = ports
  const key = unansweredKey(client)
  const read = () => parseSilentSignIn(parseJson(localStorage.get(key)))
  const count = (isCertain: boolean) =>
    localStorage.set(key, JSON.stringify(afterFailure(read(), now(), isCertain, UNANSWERED_FRAME_MS)))
  return {
    /** The reason to skip the frame at start-up, if there is one. */
    expected(): AuthError | undefined {
      const known = read()
      const isLeftOut =
        known &&
        isSwitchedOff(known, now(), UNANSWERED_FRAME_MS) &&
        sessionStorage.get(key) !== SIGNED_IN &&
        // Without autoLogin only the frame finds a session that this browser had.
        (client.autoLogin !== false || localStorage.get(sessionMarkerKey(client)) === undefined)
      if (!isLeftOut) return undefined
      return fault(
        'iframe-blocked',
        'agent-iframe blocked: unanswered',
        "The sign-in page gave no response in a frame: new tabs wait for none for 7 days. If it never does, set silent: 'off'.",
      )
    },
    isKnown: () => Boolean(read()?.offUntilMs),
    /** A frame has loaded without a response. A renewal does not count: a cold start may differ. */
    note() {
      if (current()) return
      count(false)
      if (sessionStorage.get(key) === SIGNED_IN) sessionStorage.set(key, SILENT)
    },
    /** The provider has responded in a frame without a session. */
    end: () => localStorage.remove(key),
    /** If the user signed in at the page that gave no response in the frame, the provider was reachable. */
    signedIn({ attempt, isSilent }: CodeUse) {
      const known = read()
      if (!known) return
      if (sessionStorage.get(key) !== SILENT) sessionStorage.set(key, SIGNED_IN)
      // Where the sign-in page had a session, the frame may only have been slow.
      if (!isSilent && !isInstant(attempt, now()) && known.offUntilMs === 0) count(true)
    },
  }
}
