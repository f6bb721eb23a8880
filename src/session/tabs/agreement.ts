// The record of IndexedDB that the tabs of one browser share: read and changed in one step.
import { alikeTabsName } from '../../protocol/storageKeys.ts'
import { type Agreed, parseAgreed } from '../../protocol/tabMessages.ts'
import { STORAGE_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Context } from '../context.ts'
import type { TabsPort } from '../platform/platform.ts'

/** Changes the record and resolves with the result; `undefined` without a shared record. */
export type Agree = (change: (agreed: Agreed) => Agreed) => Promise<Agreed | undefined>

export function createAgreement(
  { settings, platform, limits }: Pick<Context, 'settings' | 'platform' | 'limits'>,
  update: TabsPort['update'],
): Agree {
  let isStoreHung = false
  return async (change) => {
    if (!update || isStoreHung) return undefined
    const now = platform.now()
    let isLate = false
    const work = async () => {
      const found = await update(alikeTabsName(settings), (value) => {
        const before = parseAgreed(value, now)
        return isLate ? before : change(before)
      })
      // Also after the time limit: the store is slow, not hung, and its blocks are valid.
      isStoreHung = false
      for (const [endpoint, untilMs, status] of found.blocks)
        limits.adopt([endpoint, untilMs - platform.now(), status])
      return found
    }
    const agreed = await within(platform, STORAGE_WAIT_MS, work).catch(() => undefined)
    if (agreed === 'late') {
      // No further wait after a timeout: a renewal asks three times, and would wait a second each time.
      isStoreHung = true
      isLate = true
      return undefined
    }
    return agreed
  }
}
