// Renews once for all tabs: a lock, a pure decision (another tab's offer, refresh token or hidden frame first), and the shared record.
import type { Granted } from '../../protocol/credentials.ts'
import { alikeTabsName } from '../../protocol/storageKeys.ts'
import { type Agreed, parseAgreed } from '../../protocol/tabMessages.ts'
import { longestRenewalMs, SIBLING_WAIT_MS, STORAGE_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Context } from '../context.ts'
import type { TabsPort } from '../platform/platform.ts'
import type { Offers } from './offers.ts'

/** Returns a function that changes the record of IndexedDB in one step, and resolves with it; `undefined` without a shared record. */
export function createAgreement(
  { settings, platform }: Pick<Context, 'settings' | 'platform'>,
  update: TabsPort['update'],
) {
  let isStoreHung = false
  return async (change: (agreed: Agreed) => Agreed): Promise<Agreed | undefined> => {
    if (!update || isStoreHung) return undefined
    let isLate = false
    const work = async () => {
      const found = await update(alikeTabsName(settings), (value) => {
        const before = parseAgreed(value)
        return isLate ? before : change(before)
      })
      // Also after the time limit: the store is slow, not hung.
      isStoreHung = false
      return found
    }
    const agreed = await within(platform, STORAGE_WAIT_MS, work).catch(() => undefined)
    if (agreed !== 'late') return agreed
    // No further wait after a timeout: a renewal asks three times, and would wait a second each time.
    isStoreHung = true
    isLate = true
    return undefined
  }
}

/** The plan of the tab that has the lock; `agreed`: `undefined` without a shared record. */
export function planRenewal(
  generation: number,
  agreed: Pick<Agreed, 'generation' | 'isPending'> | undefined,
  hasOtherTabs: boolean,
) {
  // Without a shared record, another tab may have renewed once more than this one knows.
  const latest = agreed?.generation ?? generation + 1
  const isStale = agreed !== undefined && (agreed.isPending || agreed.generation > generation)
  return {
    /** Ask the other tabs first, for tokens at least as new as this; `undefined`: no tab can have newer ones. */
    askFor: hasOtherTabs && latest > generation ? latest : undefined,
    /** If no tab offers: `refresh`, the refresh token here is the newest; `frame`, it may be spent: another tab renewed, or died meanwhile. */
    otherwise: isStale ? ('frame' as const) : ('refresh' as const),
  }
}

/** Gets tokens when no other tab has them; `undefined`: this tab has got others meanwhile. */
export type FetchTokens = (first: 'refresh' | 'frame') => Promise<Granted | undefined>

/** Stores the tokens; `isFetched`: from `FetchTokens`, otherwise from another tab. */
export type Hold = (granted: Granted, isFetched: boolean) => void

/**
 * `onFailure` is called under the lock when nothing was fetched and no other tab has newer tokens. `waitMs`: how long to wait for the
 * lock; default: longer than any other tab takes.
 */
type Renewal = [fetchTokens: FetchTokens, hold: Hold, onFailure?: () => void, waitMs?: number]

/** Without a shared lock: each tab has the tokens of its own sign-in. @param onFailure called before it rejects, if nothing was fetched */
export async function renewAlone(
  fetchTokens: FetchTokens,
  hold: Hold,
  onFailure?: () => void,
): Promise<void> {
  const granted = await fetchTokens('refresh').catch((error: unknown) => {
    onFailure?.()
    throw error
  })
  if (granted) hold(granted, true)
}

interface RenewOnceParts {
  lock: TabsPort['lock']
  update: TabsPort['update']
  /** Asks the other tabs; `undefined` if they cannot share. */
  ask: Offers['ask'] | undefined
  /** That of this tab's tokens; 0: it has none, or the number is unknown. */
  generationBefore: number
  heard(): number
  announce(generation: number): void
}

/** The generation counts how often the tabs have got tokens. */
export function createRenewOnce(
  context: Context,
  { lock, update, ask, generationBefore, heard, announce }: RenewOnceParts,
) {
  const { settings, platform, tokens, tokenEndpoint, marker } = context
  const agree = createAgreement(context, update)
  let generation = generationBefore
  /** How often this tab adopted another tab's tokens; its own renewals move the generation too. */
  let adoptedCount = 0
  /** The last wait for the lock failed: its holder hangs, or the browser does. */
  let isLockLost = false

  /** Without a session any offer is newer: the number may belong to a session that has ended. */
  const rank = () => (tokens.current ? generation : 0)

  const take = (offer: Granted) => {
    generation = offer.generation ?? 0
  }

  /** Makes this tab's tokens the newest; false if another tab has got newer ones since `latest`, by a sign-in. */
  async function claim(latest: number): Promise<boolean> {
    const isOld = (agreed: number) => Math.max(agreed, heard()) > Math.max(latest, generation)
    let isOutdone = isOld(0)
    const agreed = await agree((before) => {
      isOutdone ||= isOld(before.generation)
      if (isOutdone) return before
      return {
        ...before,
        // The record may have been cleared: the number must still exceed this tab's, or the other tabs ignore it.
        generation: Math.max(before.generation, generation) + 1,
        // A renewal is over only when a tab has its tokens.
        isPending: latest < Infinity,
      }
    })
    if (isOutdone) return false
    // Without IndexedDB, a new tab starts at 0. Then the time is the number: it is higher than any count.
    generation = agreed?.generation ?? Math.max(generation + 1, platform.now())
    return true
  }

  /** The tokens of a tab that has signed in since; `undefined` if none has, or it does not answer. */
  async function askForNewer(latest: number): Promise<Granted | undefined> {
    const agreed = await agree((before) => before)
    const newest = Math.max(agreed?.generation ?? 0, heard())
    return newest > Math.max(latest, generation) ? ask?.(newest, SIBLING_WAIT_MS) : undefined
  }

  async function renew(isDone: () => boolean, [fetchTokens, hold, onFailure]: Renewal): Promise<void> {
    const takeOver = (offer: Granted) => {
      take(offer)
      hold(offer, false)
    }
    if (isDone()) return
    let isLeft = false
    const agreed = await agree((before) => {
      // Still set: a tab died while it renewed, or its response was lost.
      isLeft = before.isPending
      return { ...before, isPending: true, pendingSinceMs: before.pendingSinceMs ?? platform.now() }
    })
    const known = agreed && {
      generation: agreed.generation,
      isPending: isLeft && tokenEndpoint.mayBeSpent(agreed.pendingSinceMs),
    }
    let latest = agreed?.generation ?? generation
    const plan = planRenewal(generation, known, marker.countOthers() > 0)
    const offer = plan.askFor === undefined ? undefined : await ask?.(plan.askFor, SIBLING_WAIT_MS)
    try {
      if (isDone()) return
      if (offer) return takeOver(offer)
      let granted: Granted | undefined
      let failure: unknown
      try {
        // The tab that hangs may have used the refresh token.
        granted = await fetchTokens(isLockLost ? 'frame' : plan.otherwise)
        if (!granted) return
      } catch (error) {
        failure = error
      }
      if (granted && !isDone()) {
        // Until `hold`, the new tokens exist only here and the old refresh token is spent: if this tab dies, both are lost.
        isLeft = true
        if (await claim(latest)) {
          latest = generation
          hold(granted, true)
          isLeft = false
          return announce(latest)
        }
      }
      // After a sign-in in another tab, its tokens count.
      const newer = await askForNewer(latest)
      if (isDone()) return
      // If the tab that signed in does not answer, the fetched tokens are better than none.
      if (newer) return takeOver(newer)
      if (granted) return hold(granted, true)
      onFailure?.()
      throw failure
    } finally {
      isLeft ||= tokens.current?.sentAtMs !== undefined
      await agree(({ pendingSinceMs, ...before }) =>
        isLeft && before.generation <= latest
          ? { ...before, isPending: true, pendingSinceMs }
          : { ...before, isPending: false },
      )
    }
  }

  return {
    agree,
    generation: () => generation,
    rank,
    take,
    /** Adopts another tab's tokens; false if this tab has newer ones. */
    adopt(offer: Granted): boolean {
      if ((offer.generation ?? 0) <= rank()) return false
      take(offer)
      adoptedCount += 1
      return true
    },
    /** This tab has signed in: the others may take its tokens. */
    async publish() {
      await claim(Infinity)
      announce(generation)
    },
    /** Renews once for all tabs. Calls `hold` under the lock with the new tokens, fetched or offered; not if another tab's were adopted. */
    async renewOnce(...work: Renewal): Promise<void> {
      const [fetchTokens, hold, onFailure, waitMs] = work
      const adoptedBefore = adoptedCount
      const isDone = () => adoptedCount !== adoptedBefore
      if (lock) {
        const longestMs = longestRenewalMs(settings.iframeTimeoutInSeconds * 1000)
        const limitMs = isLockLost ? STORAGE_WAIT_MS : (waitMs ?? longestMs)
        return underLock(lock, context, limitMs, (isLost) => {
          isLockLost = isLost
          return renew(isDone, work)
        })
      }
      return renewAlone(fetchTokens, hold, onFailure)
    },
  }
}

/** If the lock fails, or is not free after `waitMs`, the work begins without it, and the server decides which tab wins. */
async function underLock(
  lock: NonNullable<TabsPort['lock']>,
  { settings, platform }: Pick<Context, 'settings' | 'platform'>,
  waitMs: number,
  work: (isLost: boolean) => Promise<void>,
): Promise<void> {
  const waiting = new AbortController()
  let running: Promise<void> | undefined
  const begin = (isLost: boolean) => (running ??= work(isLost))
  const hold = async () => {
    // The lock may come after the work has begun without it.
    if (!running) await begin(false)
  }
  const request = () => lock(alikeTabsName(settings), { signal: waiting.signal }, hold)
  const outcome = await within(platform, waitMs, request).catch(() => {})
  waiting.abort()
  return begin(outcome === 'late')
}
