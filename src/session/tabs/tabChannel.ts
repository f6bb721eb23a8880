// Makes the tabs of one browser one session: a new tab asks its siblings, renewal runs once for all (contract §5).
import {
  CRYPTO_WAIT_MS,
  SIBLING_WAIT_MS,
  STORAGE_WAIT_MS,
  SUCCESSOR_WAIT_MS,
} from '../../sessionConstants.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import { parseClash } from '../../protocol/clash.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { type CryptoPort, createStateKey } from '../../protocol/proofKey.ts'
import {
  type Agreed,
  asRecord,
  type Offer,
  parseAgreed,
  parseBlock,
  parseOffer,
  parseReason,
  parseSessions,
  writeOffer,
} from '../../protocol/tabWords.ts'
import { within } from '../../within.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import type { ChannelPort, Platform, SealPort, TabsPort } from '../platform/platform.ts'
import { underLock } from './tabLock.ts'
import { createPreparations, type PreparationsOptions } from './logoutPreparation.ts'

export interface TabsOptions extends Pick<PreparationsOptions, 'session' | 'onPrepare'> {
  port: TabsPort
  platform: Pick<Platform, 'now' | 'setTimer'> & { crypto: CryptoPort }
  /** Of the channel, the lock and the database that these tabs share. */
  name: string
  tabId: string
  /** How many other tabs seem to hold the session. */
  countOthers(): number
  /** What this tab holds, with the life left. */
  holding(): (Offer['granted'] & { remainingMs: number | undefined }) | undefined
  /** Whether this tab wants a session that another tab has just got. */
  isWilling(): boolean
  adopt(granted: Granted): void
  /** Another tab has ended these sessions; none: it knew of none. */
  onEnded(reason: SignedOutReason, clash: SessionClash | undefined, sessions: readonly string[]): void
  /** Another tab was told to leave an endpoint alone for a while. */
  onBlocked(endpoint: string, forMs: number): void
}

export interface Tabs {
  /** Asks the other tabs for their session; `undefined` when none answers in time. */
  ask(): Promise<Granted | undefined>
  /**
   * Runs work once for all tabs. `hold` is called, still inside, with what the work brought or another tab has
   * brought meanwhile, and not at all when that was taken over already; `isStale` says that another tab renewed and is gone, so the refresh token here may be spent.
   */
  once(work: (isStale: boolean) => Promise<Granted>, hold: (granted: Granted) => void): Promise<void>
  /** Takes over a session that began in another tab when this one could not hear of it yet. */
  catchUp(): void
  /** This tab signed in by itself: the others may take it over. */
  signedIn(): Promise<void>
  /** The server wants no further request to an endpoint for a while: none from any tab, nor from one that opens later. */
  block(endpoint: string, forMs: number): void
  /**
   * Asks the other tabs to get ready for the end of the session held here; a tab that holds none asks for every session.
   * Resolves with the sessions met when all that spoke up are ready. Who keeps silent (closed, frozen) is not waited for,
   * and nobody for longer than 5 seconds.
   */
  prepare(reason: SignedOutReason): Promise<readonly string[]>
  /** These sessions are over: they end in every tab. */
  ended(reason: SignedOutReason, sessions: readonly string[], clash?: SessionClash): void
  dispose(): void
}

export function createTabs(options: TabsOptions): Tabs {
  const { port, platform, tabId, name } = options
  const questions = new Map<string, { resolve(sealed: string | undefined): void; refusals: number }>()
  const answers = new Map<string, () => void>()
  const preparations = createPreparations(options)
  // How many times the tabs have got tokens: the higher number has the newer refresh token.
  let generation = 0
  let lastRenewed = { generation: 0, by: '' }
  // Times that this tab took over what another one had renewed; its own word moves the generation too.
  let takeOverCount = 0
  let isClosed = false
  let isStoreHung = false
  const opened = port.openChannel?.(name, (message) => hear(asRecord(message)))
  // What was under way when the tab stopped has nobody to tell.
  const channel = opened && { ...opened, post: (word: unknown) => void (isClosed || opened.post(word)) }
  // Without a lock two tabs would renew at the same time, with one refresh token.
  const sharing =
    channel && port.seal && port.lock ? { channel, seal: port.seal, lock: port.lock } : undefined

  /** What the browser's crypto brings; `undefined` when it fails, or takes longer than anybody waits. */
  const fromCrypto = async <Result>(work: () => Promise<Result>) => {
    const result = await within(platform, CRYPTO_WAIT_MS, work).catch(() => undefined)
    return result === 'late' ? undefined : (result as Result)
  }

  const ask = async (wanted: number, waitMs: number, to?: string) => {
    if (!sharing) return undefined
    const askedAtMs = platform.now()
    const key = await fromCrypto(sharing.seal.createKey)
    if (!key) return undefined
    const question = createStateKey(platform.crypto)
    let cancel = () => {}
    const sealed = await new Promise<string | undefined>((resolve) => {
      cancel = platform.setTimer(() => resolve(undefined), waitMs)
      questions.set(question, { resolve, refusals: to === undefined ? 0 : -Infinity })
      sharing.channel.post({ type: 'ask', question, publicKey: key.publicKey, generation: wanted, to })
    })
    cancel()
    questions.delete(question)
    if (sealed === undefined) return undefined
    // Whatever does not open or read well is no answer.
    const offer = await fromCrypto(async () => parseOffer(await key.open(sealed)))
    // The life that it names was left after the question, however late this tab reads the answer.
    return offer && { ...offer, granted: { ...offer.granted, askedAtMs } }
  }

  function hear(message: Record<string, unknown>) {
    const question = String(message['question'])
    switch (message['type']) {
      case 'ask':
        if (sharing) answer(sharing, question, message)
        return
      case 'offer':
        answers.get(question)?.()
        if (typeof message['sealed'] === 'string') questions.get(question)?.resolve(message['sealed'])
        return
      case 'none': {
        const asked = questions.get(question)
        // Who is asked by name has it: that others have not says nothing.
        if (asked && ++asked.refusals >= options.countOthers()) asked.resolve(undefined)
        return
      }
      case 'renewed':
        lastRenewed = { generation: Number(message['generation']), by: String(message['by']) }
        if (lastRenewed.generation > generation && options.isWilling()) void takeOver(lastRenewed)
        return
      case 'blocked': {
        const block = parseBlock(message['endpoint'], message['forMs'])
        if (block) options.onBlocked(...block)
        return
      }
      case 'prepare':
        return channel && preparations.getReady(channel, message)
      case 'preparing':
        return preparations.hear(message)
      case 'ended':
        options.onEnded(
          parseReason(message['reason']),
          parseClash(message['clash']),
          parseSessions(message['sessions']),
        )
    }
  }
  function answer(
    { channel: to, seal }: { channel: ChannelPort; seal: SealPort },
    question: string,
    asked: Record<string, unknown>,
  ) {
    const { publicKey, to: addressee } = asked
    // A tab without the session is not counted either, so it keeps silent.
    if (options.holding() === undefined || typeof publicKey !== 'string') return
    if (generation < Number(asked['generation'])) return to.post({ type: 'none', question })
    const send = async () => {
      answers.delete(question)
      const holding = options.holding()
      if (holding)
        to.post({
          type: 'offer',
          question,
          sealed: await seal.seal(writeOffer(holding, generation), publicKey),
        })
    }
    // The one who is asked answers at once; the others give way, and step in when nobody has answered.
    const isAsked = addressee === tabId
    const cancel = platform.setTimer(() => void send(), isAsked ? 0 : addressee ? SUCCESSOR_WAIT_MS : turn())
    answers.set(question, () => {
      cancel()
      answers.delete(question)
    })
  }
  const turn = () => (platform.crypto.randomBytes?.(1)[0] ?? 0) / 16
  async function takeOver({ generation: wanted, by }: { generation: number; by?: string }) {
    const offer = await ask(wanted, SIBLING_WAIT_MS * 4, by)
    if (isClosed || !offer || offer.generation <= generation || !options.isWilling()) return
    generation = offer.generation
    takeOverCount += 1
    options.adopt(offer.granted)
  }

  /** What the tabs agree on, read and changed in one step. `undefined` where nothing is shared. */
  const agree = async (change: (agreed: Agreed) => Agreed): Promise<Agreed | undefined> => {
    const { update } = port
    if (!update || isStoreHung) return undefined
    const now = platform.now()
    let isLate = false
    const work = () =>
      update(name, (value) => {
        const before = parseAgreed(value, now)
        return isLate ? before : change(before)
      })
    const agreed = await within(platform, STORAGE_WAIT_MS, work).catch(() => undefined)
    if (agreed === 'late') {
      // Not waited for a second time in this page: a renewal asks it three times.
      isStoreHung = true
      isLate = true
      return undefined
    }
    for (const [endpoint, untilMs] of agreed?.blocks ?? []) options.onBlocked(endpoint, untilMs - now)
    return agreed
  }
  const publish = async () => {
    const agreed = await agree((before) => ({
      ...before,
      // Somebody may have emptied the record: the others take over only what is newer than what they have.
      generation: Math.max(before.generation, generation) + 1,
      isPending: false,
    }))
    // A tab that has just opened knows no number of the others, where nothing keeps it for all: the later one is the newer.
    generation = agreed?.generation ?? Math.max(generation + 1, platform.now())
    channel?.post({ type: 'renewed', generation, by: tabId })
  }

  return {
    ask: async () => {
      const first = await ask(0, SIBLING_WAIT_MS)
      // What was offered has been replaced while it was on its way.
      const isOld = first && lastRenewed.generation > first.generation
      const offer = (isOld && (await ask(lastRenewed.generation, SIBLING_WAIT_MS, lastRenewed.by))) || first
      if (offer) generation = offer.generation
      return offer?.granted
    },
    once(work, hold) {
      // Tabs that cannot share have a family of tokens each: they agree on no more than when not to ask.
      if (!sharing) return agree((before) => before).then(async () => hold(await work(false)))
      const wantedAt = takeOverCount
      return underLock({ lock: sharing.lock, name, platform }, async () => {
        // Another tab renewed while this one waited, and it has been taken over already.
        if (takeOverCount !== wantedAt) return
        let isSpent = false
        const agreed = await agree((before) => {
          // Somebody died while renewing: what is only taken over is as old, unless it is newer than what was agreed on.
          isSpent = before.isPending
          return { ...before, isPending: true }
        })
        const hasSiblings = options.countOthers() > 0
        const latest = agreed?.generation ?? (hasSiblings ? generation + 1 : generation)
        const offer = latest > generation && hasSiblings ? await ask(latest, SIBLING_WAIT_MS) : undefined
        try {
          // Taken over while this one was asking around.
          if (takeOverCount !== wantedAt) return
          if (offer) {
            generation = offer.generation
            return hold(offer.granted)
          }
          // Somebody renewed, or died while renewing, and nobody can tell: the refresh token here may be spent.
          const isStale = agreed !== undefined && (isSpent || agreed.generation > generation)
          const granted = await work(isStale)
          // What nobody holds is lost, and the refresh token that it was got with is spent.
          isSpent = true
          hold(granted)
          await publish()
        } finally {
          await agree((before) => ({ ...before, isPending: isSpent && before.generation <= latest }))
        }
      })
    },
    catchUp() {
      if (options.countOthers() > 0) void takeOver({ generation: generation + 1 })
    },
    signedIn: async () => {
      if (sharing) await publish()
    },
    block(endpoint, forMs) {
      channel?.post({ type: 'blocked', endpoint, forMs })
      const untilMs = platform.now() + forMs
      void agree((before) => ({ ...before, blocks: [[endpoint, untilMs], ...before.blocks] }))
    },
    prepare: async (reason) => (channel ? preparations.ask(channel, reason) : []),
    // Tabs that cannot share have a family of tokens each: one that expires says nothing about the others.
    ended: (reason, sessions, clash) =>
      (reason === 'expired' ? sharing?.channel : channel)?.post({ type: 'ended', reason, sessions, clash }),
    dispose() {
      for (const { resolve } of questions.values()) resolve(undefined)
      for (const cancel of answers.values()) cancel()
      preparations.stop()
      isClosed = true
      channel?.close()
    },
  }
}
