// When the first script of a page leaves the session to start-up, which would begin otherwise.
import { isSwitchedOff, parseSilentSignIn } from '../protocol/tabRecords.ts'
import {
  type Client,
  leftSessionKey,
  pendingLogoutKey,
  sessionMarkerKey,
  SETTLED_LOGOUT,
  tabKey,
} from '../protocol/storageKeys.ts'

/** The page before, or other tabs, seem to have the session: start-up asks them first. Throws for an invalid marker. */
export const seemsHeldElsewhere = (client: Client): boolean =>
  sessionStorage.getItem(leftSessionKey(client)) !== null ||
  Boolean(
    (JSON.parse(localStorage.getItem(sessionMarkerKey(client))!) as { tabs?: unknown[] } | null)?.tabs
      ?.length,
  )

/** A logout is pending, or frames have failed in this tab: start-up would open no frame either. */
export function isFrameRuledOut(client: Client): boolean {
  // A prerendered page may not load frames.
  if ((document as { prerendering?: boolean }).prerendering) return true
  const pending = localStorage.getItem(pendingLogoutKey(client)) ?? SETTLED_LOGOUT
  const stored = JSON.parse(sessionStorage.getItem(tabKey(client))!) as { silentSignIn?: unknown } | null
  const silentSignIn = parseSilentSignIn(stored?.silentSignIn)
  return pending !== SETTLED_LOGOUT || (silentSignIn !== undefined && isSwitchedOff(silentSignIn, Date.now()))
}
