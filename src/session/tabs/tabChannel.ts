// Makes the tabs of one browser one session: a new tab asks the others, renewal runs once for all.
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { type Offer, parseMessage, type TabMessage } from '../../protocol/tabMessages.ts'
import { SIBLING_WAIT_MS } from '../../sessionConstants.ts'
import type { RateLimits } from '../http/rateLimits.ts'
import type { TabsPort } from '../platform/platform.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { createAgreement } from './agreement.ts'
import { createOffers, type OffersOptions } from './offers.ts'
import { createPreparations, type PreparationsOptions } from './preparations.ts'
import { type FetchTokens, type Hold, RenewOnce, type RenewOnceOptions } from './renewOnce.ts'

export interface TabsOptions
  extends PreparationsOptions, Pick<OffersOptions, 'holding' | 'restore' | 'keyOf' | 'takeKey'> {
  port: TabsPort
  platform: OffersOptions['platform']
  /** Of the channel. */
  name: string
  /** Of the lock and the database of the tabs that ask for the same. */
  alikeName: string
  /** What tokens are asked for: tabs that ask otherwise share none. */
  asked?: string | undefined
  limits: Pick<RateLimits, 'adopt'>
  /** How new the tokens held here are, where that is known. */
  generation?: number | undefined
  /** How long a tab may wait for its turn to renew. */
  lockWaitMs: RenewOnceOptions['lockWaitMs']
  sentAtMs: RenewOnceOptions['sentAtMs']
  mayBeSpent: RenewOnceOptions['mayBeSpent']
  /** A tab that has lost its own tokens may have taken the session held here for over. */
  outlive(): void
  /** Whether this tab wants a session that another tab has just got. */
  isWilling(): boolean
}

export type Tabs = ReturnType<typeof createTabs>

/** The first for two seconds, each further one for twice as long: a busy machine may take half a minute. */
const ADOPT_ASK_COUNT = 4
/** So long after it was told of new tokens a tab may ask for them. */
export const LONGEST_ASK_MS = SIBLING_WAIT_MS * 4 * (2 ** ADOPT_ASK_COUNT - 1)
/** About the tokens themselves. All else (a logout, a pause) is of every tab of the client. */
const ABOUT_TOKENS = ['ask', 'offer', 'renewed']

export function createTabs(options: TabsOptions) {
  const { port, platform, tabId, name, alikeName, asked, send } = options
  let lastRenewed = { generation: 0, by: '' }
  let isClosed = false
  /** How often this tab has told or heard of the end of a session. */
  let endCount = 0
  const opened = port.openChannel?.(name, (message) => hear(parseMessage(message)))
  // What was under way when the tab stopped has nobody to tell.
  const channel = opened && {
    ...opened,
    post: (word: object) => void (isClosed || opened.post({ ...word, asked })),
  }
  const agree = createAgreement({ ...options, name: alikeName })
  const preparations = createPreparations(options)
  // Without a lock two tabs would renew at the same time, with one refresh token.
  const lock = channel && port.seal && port.lock
  const offers =
    channel && port.seal && lock
      ? createOffers({ ...options, channel, seal: port.seal, generation: () => renewals.generation })
      : undefined
  const renewals = new RenewOnce({
    ...options,
    name: alikeName,
    lock,
    agree,
    ask: offers?.ask,
    hasSiblings: () => options.countOthers() > 0,
    heard: () => lastRenewed.generation,
    announce: (generation) => channel?.post({ type: 'renewed', generation, by: tabId }),
  })

  function hear(message: TabMessage) {
    const { type, generation, reason, clash, sessions } = message
    const isAlike = message.asked === asked
    if (ABOUT_TOKENS.includes(type) && !isAlike) return
    switch (type) {
      case 'ask':
        return void offers?.hearQuestion(message)
      case 'offer':
        return offers?.hearOffer(message)
      case 'renewed':
        lastRenewed = message
        if (generation > renewals.held && options.isWilling()) void adopt(message)
        return
      case 'blocked':
        if (message.block) options.limits.adopt(...message.block)
        return
      case 'prepare':
        return channel && preparations.getReady(channel, message)
      case 'preparing':
        return preparations.hear(message)
      case 'ended':
        // What has expired there was another sign-in, or the one before this.
        if (reason === 'expired' && (!isAlike || generation < renewals.generation)) return options.outlive()
        endCount += 1
        void send({ type: 'endedElsewhere', reason, clash, sessions })
    }
  }
  async function adopt({ generation, by }: { generation: number; by?: string }) {
    // A tab on a busy machine may be too late for the first question, which goes to the tab that told; then any may answer.
    for (let count = 0; count < ADOPT_ASK_COUNT; count += 1) {
      const countBefore = endCount
      const offer = await offers?.ask(generation, SIBLING_WAIT_MS * 4 * 2 ** count, count ? undefined : by)
      if (isClosed || !options.isWilling()) return
      // What was offered before an end may be of the session that ended.
      if (!offer || endCount > countBefore) continue
      if (renewals.adopt(offer)) void send({ type: 'adopted', granted: offer })
      return
    }
  }
  /** A sign-in that this tab has not heard of may have taken the place of the session that it was offered. */
  async function catchUpWithRecord() {
    // The tab that offered it may have found the record too slow to write to: without its number the next session would count as older.
    const agreed = await agree((before) => ({
      ...before,
      generation: Math.max(before.generation, renewals.generation),
    }))
    if (agreed && agreed.generation > renewals.generation && !isClosed) await adopt(agreed)
  }

  const take = (offered: Offer) => {
    renewals.take(offered)
    void catchUpWithRecord()
  }

  return {
    /** How many times the tabs have got tokens, as far as this tab knows. */
    generation: () => renewals.generation,
    /** Start-up took what a tab, or an earlier page of this one, has handed over; if other tabs have newer tokens by now, those follow. */
    take,
    /** Asks the other tabs for their session; `undefined` when none answers in time. */
    async ask(): Promise<Granted | undefined> {
      const first = await offers?.ask(0, SIBLING_WAIT_MS)
      // What was offered has been replaced while it was on its way.
      const isOld = first && lastRenewed.generation > first.generation
      const offer =
        (isOld && (await offers?.ask(lastRenewed.generation, SIBLING_WAIT_MS, lastRenewed.by))) || first
      if (!offer) return undefined
      take(offer)
      return offer
    },
    /**
     * Renews once for all tabs. `hold` is called, still under the lock, with what was fetched or another tab has offered,
     * and not at all when another tab's tokens were adopted meanwhile.
     *
     * @param waitMs how long its turn is waited for at most; default: longer than any other tab takes
     */
    once: (fetchTokens: FetchTokens, hold: Hold, waitMs?: number): Promise<void> =>
      renewals.run(fetchTokens, hold, waitMs),
    /** Takes over a session that began in another tab when this one could not hear of it yet. */
    catchUp: () => void (options.countOthers() > 0 && adopt({ generation: renewals.generation + 1 })),
    /** This tab signed in by itself: the others may take it over. */
    signedIn: async () => offers && renewals.publish(),
    /** The server wants no further request to an endpoint for a while: none from any tab, nor from one that opens later. */
    block(endpoint: string, forMs: number) {
      channel?.post({ type: 'blocked', endpoint, forMs })
      const untilMs = platform.now() + forMs
      void agree((before) => ({ ...before, blocks: [[endpoint, untilMs], ...before.blocks] }))
    },
    /**
     * Asks the other tabs to get ready for the end of the session held here; a tab that holds none asks for every session.
     * Resolves with the sessions met when all that spoke up are ready. Who keeps silent (closed, frozen) is not waited for,
     * and nobody for longer than 5 seconds.
     */
    prepare: async (reason: SignedOutReason): Promise<readonly string[]> =>
      channel ? preparations.ask(channel, reason) : [],
    /** These sessions are over: they end in every tab. */
    ended(reason: SignedOutReason, sessions: readonly string[], clash?: SessionClash) {
      endCount += 1
      // Tabs that cannot share have a family of tokens each: one that expires says nothing about the others.
      if (offers || reason !== 'expired')
        channel?.post({ type: 'ended', reason, sessions, clash, generation: renewals.generation })
    },
    dispose() {
      offers?.stop()
      preparations.stop()
      isClosed = true
      channel?.close()
    },
  }
}
