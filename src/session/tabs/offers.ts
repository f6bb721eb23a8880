// Hands the session from tab to tab, sealed: one tab asks with a one-time key, the others offer what they hold, the first offer counts.
import { type Granted, parseCredentials, writeCredentials } from '../../protocol/credentials.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { TabMessage } from '../../protocol/tabMessages.ts'
import { CRYPTO_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Context } from '../context.ts'
import type { ChannelPort, SealPort } from '../platform/platform.ts'

export type Offers = ReturnType<typeof createOffers>

export function createOffers(
  { platform, server, marker, record }: Pick<Context, 'platform' | 'server' | 'marker' | 'record'>,
  {
    channel,
    seal,
    credentials,
    generation: ownGeneration,
    signal,
  }: {
    channel: ChannelPort
    seal: SealPort
    credentials(): Granted | undefined
    generation(): number
    /** Aborted when the channel closes: nothing is awaited or offered any more. */
    signal: AbortSignal
  },
) {
  /** The questions of this tab, each with what takes the first offer. */
  const asked = new Map<string, (offer?: TabMessage) => void>()
  signal.addEventListener('abort', () => asked.forEach((take) => take()))
  /** Requests of other tabs without an offer yet. */
  const open = new Set<string>()

  /** What the browser's crypto brings; `undefined` when it fails, or takes longer than any caller waits. */
  const fromCrypto = async <Result>(work: () => Promise<Result>) => {
    const result = await within(platform, CRYPTO_WAIT_MS, work).catch(() => undefined)
    return result === 'late' ? undefined : (result as Result)
  }

  /** Another tab asks. If this tab is meant, and its tokens are new enough, it seals and posts them, unless a third tab was faster. */
  async function hearQuestion(message: TabMessage): Promise<void> {
    const { question, publicKey, generation, to } = message
    const before = credentials()
    if (!before || !publicKey || (to && to !== marker.tabId) || ownGeneration() < generation) return
    open.add(question)
    const text = writeCredentials({ ...before, generation: ownGeneration() })
    const sealed = await fromCrypto(() => seal.seal(text, publicKey))
    const now = credentials()
    // What is no public key cannot be sealed for, and gets no answer.
    if (!open.delete(question) || sealed === undefined || !now) return
    // Another user's session has taken its place while it was sealed.
    if (now.session !== before.session) return hearQuestion(message)
    // What the tokens are bound to: a handle that cannot be written down, and signs nothing useful without them.
    channel.post({ type: 'offer', question, sealed, key: server.known()?.binding?.keyOf(before) })
  }

  return {
    /** Asks for tokens at least as new as `wanted`, of one tab or of all; `undefined` when none comes in time. */
    async ask(wanted: number, waitMs: number, to?: string): Promise<Granted | undefined> {
      const key = await fromCrypto(seal.createKey)
      if (!key) return undefined
      const question = createStateKey(platform.crypto)
      const firstOffer = () =>
        new Promise<TabMessage | undefined>((resolve) => {
          asked.set(question, resolve)
          channel.post({ type: 'ask', question, publicKey: key.publicKey, generation: wanted, to })
        })
      const answer = await within(platform, waitMs, firstOffer)
      asked.delete(question)
      if (!answer || answer === 'late') return undefined
      // An answer that cannot be opened or read is none.
      return fromCrypto(async () => {
        const offer = parseCredentials(await key.open(answer.sealed), server.restore)
        if (!record.countsOffered(offer)) return undefined
        await server.takeKey?.(offer.memory, answer.key)
        // Without the key of bound tokens the next renewal would end the session in every tab.
        return offer.memory.binding && !server.known()?.binding ? undefined : offer
      })
    },
    hearQuestion,
    hearOffer(message: TabMessage) {
      open.delete(message.question)
      if (message.sealed) asked.get(message.question)?.(message)
    },
  }
}
