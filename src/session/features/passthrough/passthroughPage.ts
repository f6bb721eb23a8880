// Leaves for the passthrough page with a token from the URL or the app's `initToken`; loads later.
import {
  ADDRESS_STEP,
  type AddressToken,
  INIT_MARK,
  INIT_STEP,
  passthroughUrl,
  readAddressToken,
  usableJti,
} from '../../../protocol/passthrough.ts'
import { withoutForeignAnswer, withoutTokens } from '../../../protocol/address.ts'
import { redirectLoop, storageUnavailable } from '../../../base/sessionErrors.ts'
import type { Context } from '../../context.ts'
import type { Flow } from '../../http/reachability.ts'
import type { RedirectTarget } from '../../state.ts'

/** False without a usable token. @throws AuthError as the step of start-up */
export async function passThrough(
  context: Context,
  token: AddressToken | undefined,
  isOvertaken: () => boolean,
  flow: Flow,
): Promise<boolean> {
  const { settings, platform, timeline, tabRecords } = context
  const skip = (step: string, why: string) => {
    timeline.record(step, 'skipped', why)
    return false
  }
  // The mark before the navigation: without it each return could redirect there again.
  const leave = async (step: string, mark: string, jti: string) => {
    await flow.check()
    if (context.page().aborted || isOvertaken()) return true
    if (!tabRecords.countNavigation(platform.now())) {
      const loop = redirectLoop()
      timeline.record(step, 'failed', loop)
      throw loop
    }
    if (!tabRecords.mark(mark)) return skip(step, 'this browser cannot remember that it was tried')
    timeline.record(step, 'started', 'to the passthrough page')
    context.store.change({ type: 'redirecting', to: 'passthrough' })
    platform.navigate(passthroughUrl(settings.authHost, jti, returnAddress(context)))
    return true
  }

  const { initToken } = settings
  if (token?.jti !== undefined) {
    if (await leave(ADDRESS_STEP, 'passthrough', token.jti)) {
      if (initToken !== undefined) skip(INIT_STEP, 'a token in the address came first')
      return true
    }
  } else if (token) {
    skip(ADDRESS_STEP, token.count > 1 ? 'there are several' : 'it has expired, or has no jti')
  }

  if (initToken === undefined) return false
  if (!settings.server.supports('passthrough')) return skip(INIT_STEP, 'the server has no page for it')
  const read = readInitToken(initToken, platform.now())
  if ('why' in read) return skip(INIT_STEP, read.why)
  if (tabRecords.isMarked(INIT_MARK)) return skip(INIT_STEP, 'it was tried before in this browser session')
  return leave(INIT_STEP, INIT_MARK, read.jti)
}

/** Leaves a signed-in page for a page of the server that sends the user back signed in. @throws AuthError `storage-unavailable`, `not-authenticated`, those of `Flow.check` */
export async function leaveSignedIn(
  { platform, store, tabRecords, caches, reachability }: Context,
  session: AbortSignal,
  to: RedirectTarget,
  urlOf: () => string,
): Promise<void> {
  // Without this mark, each return could redirect there again.
  if (to === 'passthrough' && !tabRecords.mark(to)) throw storageUnavailable()
  await reachability.begin().check()
  // Signed out while the server was asked.
  session.throwIfAborted()
  tabRecords.keepUser(caches.holds())
  store.change({ type: 'redirecting', to })
  platform.navigate(urlOf())
}

/** The return URL for another server: without other clients' codes and tokens, which start-up leaves in it. */
export const returnAddress = ({ settings, platform }: Pick<Context, 'settings' | 'platform'>): string =>
  withoutTokens(withoutForeignAnswer(platform.address(), settings.server.readAnswer))

/** The `jti` of the config's `initToken`, or why it cannot be used. Another app of the firm got it: any audience will do. */
export function readInitToken(
  token: string,
  nowMs: number,
): { readonly jti: string } | { readonly why: string } {
  const claims = readAddressToken(token)
  if (!claims) return { why: 'it is no token, or names no user' }
  if (claims.firmId === undefined) return { why: 'it names no firm' }
  if (!claims.jti) return { why: 'it has no jti' }
  const jti = usableJti(claims, nowMs)
  return jti === undefined ? { why: 'it has expired' } : { jti }
}
