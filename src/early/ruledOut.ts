// Why the first script of a page leaves the session to start-up: it would do something else first, or no frame at all.
import { isSwitchedOff, parseSilentSignIn } from '../protocol/tabRecords.ts'
import {
  type Client,
  leftSessionKey,
  pendingLogoutKey,
  sessionMarkerKey,
  SETTLED_LOGOUT,
  tabKey,
} from '../protocol/storageKeys.ts'

/** The page before, or other tabs, seem to hold the session: start-up asks them first. A marker that cannot be read is left to start-up too. */
export const seemsHeldElsewhere = (client: Client): boolean =>
  sessionStorage.getItem(leftSessionKey(client)) !== null ||
  Boolean(
    (JSON.parse(localStorage.getItem(sessionMarkerKey(client))!) as { tabs?: unknown[] } | null)?.tabs
      ?.length,
  )

/** A user has signed out and the server does not know yet, or frames have failed in this tab: start-up would open none either. */
export function isFrameRuledOut(client: Client): boolean {
  // Its frames are held back until the user opens the page.
  if ((document as { prerendering?: boolean }).prerendering) return true
  const pending = localStorage.getItem(pendingLogoutKey(client)) ?? SETTLED_LOGOUT
  const stored = JSON.parse(sessionStorage.getItem(tabKey(client))!) as { silentSignIn?: unknown } | null
  const silentSignIn = parseSilentSignIn(stored?.silentSignIn)
  return pending !== SETTLED_LOGOUT || (silentSignIn !== undefined && isSwitchedOff(silentSignIn, Date.now()))
}
