// Passes the session from tab to tab, encrypted: a tab asks with a one-time key, the others offer theirs, the first offer counts.
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
  parts: {
    channel: ChannelPort
    seal: SealPort
    credentials(): Granted | undefined
    generation(): number
    /** Aborted when the channel closes. */
    signal: AbortSignal
  },
) {
  const { channel, seal, credentials, generation: ownGeneration, signal } = parts
  /** The questions of this tab, each with the receiver of the first offer. */
  const asked = new Map<string, (offer?: TabMessage) => void>()
  signal.addEventListener('abort', () => asked.forEach((take) => take()))
  /** Requests of other tabs without an offer yet. */
  const open = new Set<string>()

  /** The result of the browser's crypto; `undefined` if it fails or takes too long. */
  const fromCrypto = async <Result>(work: () => Promise<Result>) => {
    const result = await within(platform, CRYPTO_WAIT_MS, work).catch(() => undefined)
    return result === 'late' ? undefined : (result as Result)
  }

  /** Another tab asks. If this tab is addressed, and its tokens are new enough, it offers them, unless a third tab was faster. */
  async function answer(message: TabMessage): Promise<void> {
    const { question, publicKey, generation, to } = message
    const before = credentials()
    if (!before || !publicKey || (to && to !== marker.tabId) || ownGeneration() < generation) return
    open.add(question)
    const text = writeCredentials({ ...before, generation: ownGeneration() })
    const sealed = await fromCrypto(() => seal.seal(text, publicKey))
    const now = credentials()
    // With an invalid public key, sealing has failed: no answer.
    if (!open.delete(question) || sealed === undefined || !now) return
    // Another user's session has replaced it meanwhile.
    if (now.session !== before.session) return answer(message)
    // The key of bound tokens: not extractable, and useless without the tokens.
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
      const offered = await within(platform, waitMs, firstOffer)
      asked.delete(question)
      if (!offered || offered === 'late') return undefined
      // An offer that cannot be decrypted or read is none.
      return fromCrypto(async () => {
        const offer = parseCredentials(await key.open(offered.sealed), server.restore)
        await server.takeKey?.(offer.memory, offered.key)
        // Its session may have ended meanwhile.
        if (!record.countsOffered(offer)) return undefined
        // Without the key of bound tokens the next renewal would end the session in every tab.
        return offer.memory.binding && !server.known()?.binding ? undefined : offer
      })
    },
    answer,
    receive(message: TabMessage) {
      open.delete(message.question)
      if (message.sealed) asked.get(message.question)?.(message)
    },
  }
}
