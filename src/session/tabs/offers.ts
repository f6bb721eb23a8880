// Hands the session from tab to tab, sealed: one tab asks with a one-time key, one of those that hold it offers.
import { type CryptoPort, createStateKey } from '../../protocol/pkce.ts'
import type { OpenedServer, TokenBinding } from '../../protocol/servers/profile.ts'
import { type Handed, parseOffer, type Restore, writeOffer } from '../../protocol/tabMessages.ts'
import { CRYPTO_WAIT_MS, SUCCESSOR_WAIT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { ChannelPort, Platform, SealPort } from '../platform/platform.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'

export interface OffersOptions {
  channel: ChannelPort
  seal: SealPort
  platform: Pick<Platform, 'now' | 'setTimer'> & { crypto: CryptoPort }
  tabId: string
  /** How many other tabs seem to hold the session. */
  countOthers(): number
  holding(): Handed | undefined
  restore: Restore
  /** What the tokens are bound to: a handle that cannot be written down, and signs nothing useful without them. */
  keyOf?: TokenBinding['keyOf'] | undefined
  takeKey?: OpenedServer['takeKey']
  /** How many times the tabs have got tokens, as far as this tab knows. */
  generation(): number
}

/** What another tab offered, and how new it is. */
export interface Offered {
  granted: Granted
  generation: number
}

export interface Offers {
  /** Asks for tokens at least as new as `wanted`, of one tab or of all; `undefined` when none comes in time. */
  ask(wanted: number, waitMs: number, to?: string): Promise<Offered | undefined>
  /** Another tab asks. */
  hearQuestion(message: Record<string, unknown>): void
  /** Another tab offers, to this tab or to another one. */
  hearOffer(question: string, message: Record<string, unknown>): void
  /** Another tab has nothing as new. */
  hearNone(question: string): void
  /** Nobody is waited for any more, and nothing is offered. */
  stop(): void
}

export function createOffers(options: OffersOptions): Offers {
  const { channel, seal, platform, tabId } = options
  const questions = new Map<string, { resolve(offer?: Record<string, unknown>): void; refusals: number }>()
  const planned = new Map<string, () => void>()

  /** What the browser's crypto brings; `undefined` when it fails, or takes longer than anybody waits. */
  const fromCrypto = async <Result>(work: () => Promise<Result>) => {
    const result = await within(platform, CRYPTO_WAIT_MS, work).catch(() => undefined)
    return result === 'late' ? undefined : (result as Result)
  }
  const offer = async (question: string, publicKey: string) => {
    planned.delete(question)
    const held = options.holding()
    if (!held) return
    // Whatever is no key gets no answer.
    const sealed = await fromCrypto(() => seal.seal(writeOffer(held, options.generation()), publicKey))
    if (sealed !== undefined) channel.post({ type: 'offer', question, sealed, key: options.keyOf?.(held) })
  }
  /** Up to 16 ms, by chance: not all tabs answer at once. */
  const turnMs = () => (platform.crypto.randomBytes?.(1)[0] ?? 0) / 16

  return {
    async ask(wanted, waitMs, to) {
      const askedAtMs = platform.now()
      const key = await fromCrypto(seal.createKey)
      if (!key) return undefined
      const question = createStateKey(platform.crypto)
      let cancel = () => {}
      const answer = await new Promise<Record<string, unknown> | undefined>((resolve) => {
        cancel = platform.setTimer(() => resolve(undefined), waitMs)
        // Who is asked by name has it: that others have not says nothing.
        questions.set(question, { resolve, refusals: to === undefined ? 0 : -Infinity })
        channel.post({ type: 'ask', question, publicKey: key.publicKey, generation: wanted, to })
      })
      cancel()
      questions.delete(question)
      if (!answer) return undefined
      // Whatever does not open or read well is no answer.
      const offered = await fromCrypto(async () => {
        const opened = parseOffer(await key.open(answer['sealed'] as string), options.restore)
        // Without the key of bound tokens the next renewal would end the session in every tab.
        if (opened.granted.memory['binding'] && !options.takeKey) return undefined
        await options.takeKey?.(opened.granted.memory, answer['key'])
        return opened
      })
      // The life that it names was left after the question, however late this tab reads the answer.
      return offered && { ...offered, granted: { ...offered.granted, askedAtMs } }
    },
    hearQuestion(message) {
      const { publicKey, to: addressee } = message
      const question = String(message['question'])
      // A tab without the session is not counted either, so it keeps silent.
      if (options.holding() === undefined || typeof publicKey !== 'string') return
      if (options.generation() < Number(message['generation']))
        return channel.post({ type: 'none', question })
      // The one who is asked answers at once; the others give way, and step in when nobody has answered.
      const delayMs = addressee === tabId ? 0 : addressee ? SUCCESSOR_WAIT_MS : turnMs()
      const cancel = platform.setTimer(() => void offer(question, publicKey), delayMs)
      planned.set(question, () => {
        cancel()
        planned.delete(question)
      })
    },
    hearOffer(question, message) {
      planned.get(question)?.()
      if (typeof message['sealed'] === 'string') questions.get(question)?.resolve(message)
    },
    hearNone(question) {
      const asked = questions.get(question)
      if (asked && ++asked.refusals >= options.countOthers()) asked.resolve()
    },
    stop() {
      for (const { resolve } of questions.values()) resolve()
      for (const cancel of planned.values()) cancel()
    },
  }
}
