// After a redirect that found a session which the hidden frame had missed; loads later.
import { afterFailure, isSwitchedOff, type SilentSignIn } from '../../protocol/tabRecords.ts'
import type { Context } from '../context.ts'

/** The browser blocks the server's cookies in frames: switches frames off for a while, and warns developers. @param before this tab's record of earlier frames */
export function learnOfFrames(
  {
    platform,
    tabRecords,
    tokenEndpoint,
    server,
  }: Pick<Context, 'platform' | 'tabRecords' | 'tokenEndpoint' | 'server'>,
  before: SilentSignIn | undefined,
): void {
  const nowMs = platform.now()
  // No frame was asked.
  if (before && isSwitchedOff(before, nowMs)) return
  if (server.known()?.silentCheck?.silence?.expected()) return
  tokenEndpoint.forgetFrames()
  tabRecords.change({ silentSignIn: afterFailure(before, nowMs, true) })
  platform.tell?.(
    'The browser keeps the cookies of the server from frames: a reload needs the sign-in page. Serve both from one site.',
  )
}
