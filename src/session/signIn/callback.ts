// Takes the response in the page's URL, once, and restores the URL that the user was at.
import { readReturn, type Returned } from '../../protocol/callback.ts'
import type { Attempt } from '../../protocol/signIn.ts'
import { sessionRecordKey } from '../../protocol/storageKeys.ts'
import type { CountingSession } from '../../protocol/storedSession.ts'
import type { StoredTab } from '../../protocol/tabRecords.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import { withLater } from '../laterFile.ts'

/** `taken`: a feature has taken its parameters. */
export type Callback = Returned | { type: 'taken' }

/** Removes latchkey's parameters from the URL and restores the previous URL. Synchronous: no other code reads it first. */
export function takeCallback(
  context: Pick<Context, 'settings' | 'platform' | 'tabRecords' | 'redirectUri' | 'place'>,
  features: readonly Feature[],
  isNewPage: boolean,
  { tab, counting }: { tab: StoredTab; counting: CountingSession | undefined },
): Callback | undefined {
  const { platform, settings, tabRecords, place } = context
  const { early } = platform
  const address = early?.address?.() ?? platform.address()
  const redirectUri = context.redirectUri()
  const attempts = { ...tab.attempts, ...early?.attempts }
  const returned = readReturn(address, attempts, { settings, redirectUri, nowMs: platform.now() })
  if (returned.taken !== undefined) {
    tabRecords.takeAttempt(returned.taken)
    delete early?.attempts
  }
  if (returned.found) for (const feature of features) feature.forget?.()
  const found = returned.found ?? takeByFeature(address, features)
  if (settings.redirectUri !== undefined && new URL(redirectUri).origin !== new URL(address).origin)
    void withLater(platform, ({ tellOtherOrigin }) => tellOtherOrigin(platform))
  const next = found?.address ?? address
  // `latchkey/early` may have changed the URL without notifying the router.
  if (found || next !== platform.address()) place.restore(next)
  // Every auth object of the page gets the response, those of a second copy of latchkey too, until a user signs in or out.
  const { returns } = platform.shared()
  const key = sessionRecordKey(settings) + counting?.text
  if (found) returns[key] = withoutSecrets(found.callback)
  return found ? found.callback : isNewPage ? (returns[key] as Callback | undefined) : undefined
}

/** For another auth object: without the code, which is sent once. */
const withoutSecrets = (callback: Callback): Callback =>
  callback.type === 'answer'
    ? { ...callback, answer: { ...callback.answer, code: undefined, further: {} }, attempt: {} as Attempt }
    : callback

function takeByFeature(address: string, features: readonly Feature[]) {
  for (const feature of features) {
    const rest = feature.takeFromAddress?.(address)
    if (rest !== undefined) return { callback: { type: 'taken' } as const, address: rest }
  }
  return undefined
}
