// Makes the tabs of one browser one session: a new tab asks the others, renewal runs once for all.
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { tabsName } from '../../protocol/storageKeys.ts'
import { type Block, parseMessage, type TabMessage } from '../../protocol/tabMessages.ts'
import { SIBLING_WAIT_MS } from '../../base/sessionConstants.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { createOffers } from './offers.ts'
import { createPreparations } from './preparations.ts'
import { createRenewOnce } from './renewOnce.ts'

export interface TabChannelParts {
  credentials(): Granted | undefined
  stillCounts(): boolean
  send: SendEvent
}

export type TabChannel = ReturnType<typeof createTabChannel>

/** The first question waits two seconds, each next one twice as long: on a busy machine an answer may take half a minute. */
const ADOPT_ASK_COUNT = 4
/** How long after their announcement a tab may ask for new tokens. */
export const LONGEST_ASK_MS = SIBLING_WAIT_MS * 4 * (2 ** ADOPT_ASK_COUNT - 1)
/** Messages for tabs with the same token parameters. All others (a logout, a pause) are for every tab of the client. */
const ABOUT_TOKENS = ['ask', 'offer', 'renewed']

/** @param generationBefore how many times the tabs had got tokens when this one got its own; 0: it has none, or the number is unknown */
export function createTabChannel(context: Context, parts: TabChannelParts, generationBefore: number) {
  const { settings, platform, limits, store, tokens, marker, record } = context
  const { credentials, send } = parts
  const { asked } = settings
  const port = platform.tabs()
  let lastRenewed = { generation: 0, by: '' }
  const closing = new AbortController()
  const { signal } = closing
  /** How often this tab has sent or received the end of a session. */
  let endCount = 0
  const opened = port.openChannel?.(tabsName(settings), (message) => receive(parseMessage(message)))
  // After `dispose()` nothing is sent.
  const channel = opened && {
    ...opened,
    post: (word: object) => void (signal.aborted || opened.post({ ...word, asked })),
  }
  /** How many times the tabs have got tokens, as far as this tab knows. */
  const generation = () => renewals.generation()
  const preparations = channel && createPreparations(context, channel, parts, signal)
  const { seal } = port
  // Without a lock two tabs would renew at the same time, with one refresh token.
  const lock = channel && seal && port.lock
  const offers = lock && createOffers(context, { channel, seal, credentials, generation, signal })
  const renewals = createRenewOnce(context, {
    lock,
    update: port.update,
    ask: offers?.ask,
    generationBefore,
    heard: () => lastRenewed.generation,
    announce: (newest) => channel?.post({ type: 'renewed', generation: newest, by: marker.tabId }),
  })
  const { agree } = renewals
  /** Whether this tab takes a new session of another tab; also after a failed sign-in of its own. */
  const isWilling = () => !['initializing', 'redirecting'].includes(store.state.status)

  function receive(message: TabMessage) {
    const { type, reason, clash } = message
    const isAlike = message.asked === asked
    if (ABOUT_TOKENS.includes(type) && !isAlike) return
    switch (type) {
      case 'ask':
        // A tab that opens later has missed them.
        for (const block of limits.blocks()) channel?.post({ type: 'blocked', block })
        return void offers?.answer(message)
      case 'offer':
        return offers?.receive(message)
      case 'renewed':
        lastRenewed = message
        if (message.generation > renewals.rank() && isWilling()) void adopt(message)
        return
      case 'blocked':
        if (message.block) limits.adopt(message.block)
        return
      case 'prepare':
        return preparations?.getReady(message)
      case 'preparing':
        return preparations?.receive(message)
      case 'ended':
        // About other tokens, or older ones than this tab's.
        if (!isForAll(reason) && (!isAlike || message.generation < generation()))
          // The other tab may have removed the marker: restore it.
          return tokens.current && marker.join()
        endCount += 1
        if (!isEndHere(record, message, isAlike && offers !== undefined)) return
        void send({ type: 'endedElsewhere', reason: isForAll(reason) ? undefined : reason, clash })
    }
  }
  async function adopt({ generation: newest, by }: { generation: number; by?: string }) {
    // The first question goes to the announcing tab, which may be too slow; then any tab may answer.
    for (let count = 0; count < ADOPT_ASK_COUNT; count += 1) {
      const countBefore = endCount
      const offer = await offers?.ask(newest, SIBLING_WAIT_MS * 4 * 2 ** count, count ? undefined : by)
      if (signal.aborted || !isWilling()) return
      // An offer from before an end may be of the session that ended.
      if (!offer || endCount > countBefore) continue
      if (renewals.adopt(offer)) void send({ type: 'adopted', granted: offer })
      return
    }
  }
  /** A sign-in that this tab has missed may have replaced the offered session. */
  async function catchUpWithRecord() {
    // The offering tab may have timed out writing its number: without it, the next sign-in would get a lower one.
    const agreed = await agree((before) => ({
      ...before,
      generation: Math.max(before.generation, generation()),
    }))
    if (agreed && agreed.generation > generation() && !signal.aborted) await adopt(agreed)
  }

  return {
    generation,
    adopt: renewals.adopt,
    /** Asks the other tabs for their session; `undefined` when none answers in time. */
    async ask(): Promise<Granted | undefined> {
      const countBefore = endCount
      const first = await offers?.ask(0, SIBLING_WAIT_MS)
      // The offered tokens have been replaced meanwhile.
      const isOld = first && lastRenewed.generation > (first.generation ?? 0)
      const offer =
        (isOld && (await offers?.ask(lastRenewed.generation, SIBLING_WAIT_MS, lastRenewed.by))) || first
      if (!offer || endCount > countBefore) return undefined
      renewals.take(offer)
      void catchUpWithRecord()
      return offer
    },
    renewOnce: renewals.renewOnce,
    /** Adopts a session, or newer tokens, whose announcement this tab may have missed. */
    catchUp() {
      if (marker.countOthers() === 0) return
      void (tokens.current ? catchUpWithRecord() : adopt({ generation: generation() + 1 }))
    },
    /** This tab has signed in: the others may take its session. */
    signedIn: async () => offers && renewals.publish(),
    /** The server wants no further request to an endpoint for a while: from no tab. */
    block: (block: Block) => channel?.post({ type: 'blocked', block }),
    /**
     * Asks the other tabs to prepare for the end of the session. Resolves with the ids of their sessions when all are ready, after 5 s at
     * most. Silent tabs (closed, frozen) are not awaited.
     */
    prepare: async (reason: SignedOutReason) => (await preparations?.ask(reason)) ?? [],
    /** Ends the sessions of these ids in every tab. */
    ended(reason: SignedOutReason, sessions: readonly string[], clash?: SessionClash) {
      endCount += 1
      // Tabs that cannot share have tokens of their own: an expiry in one says nothing about the others.
      if (!offers && !isForAll(reason)) return
      const more = { next: record.now()?.text, clash, generation: generation() }
      channel?.post({ type: 'ended', reason, sessions, ...more })
    },
    dispose() {
      closing.abort()
      channel?.close()
    },
  }
}

const isForAll = (reason: SignedOutReason) => REASONS[reason].toldTo === 'every tab'

/** Whether another tab's end concerns this page's session. `isFollowed`: this tab can get the other tabs' tokens. */
function isEndHere(
  record: Context['record'],
  { reason, sessions, next }: TabMessage,
  isFollowed: boolean,
): boolean {
  if (!isForAll(reason)) return sessions.includes(record.id() ?? '')
  record.receiveEnd(sessions, next)
  // If another user has signed in, their tokens arrive soon and end it.
  return !record.counts(false) && !(isFollowed && record.isOfAnother())
}
