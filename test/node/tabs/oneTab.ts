// One tab whose siblings, lock, store and crypto are what the test says: what it says to them, and what it does.
import { LOCK_WAIT_MS } from '../../../src/constants.ts'
import type { Granted } from '../../../src/protocol/credentials.ts'
import { writeOffer } from '../../../src/protocol/tabMessages.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import { createTabs } from '../../../src/session/tabs/tabChannel.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeClock.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { APP, CONNECTED, heldOf, MEMORY } from '../session/sessionScene.ts'

/** Of the channel, the lock and the database. */
export const NAME = 'latchkey https://auth.test admin tabs'

export const grantedAs = (refresh_token: string): Granted => ({
  ...parseTokens(createTokenResponse({}, { refresh_token })),
  memory: MEMORY,
  askedAtMs: FAKE_START_MS,
})

/** A renewal of this tab, which asks for `as`: whether it was asked at all, and with a spent token; and what the session then holds. */
export function renew({ tabs }: Pick<ReturnType<typeof openTab>, 'tabs'>, as = 'mine') {
  const asked: ('refresh' | 'verify')[] = []
  const holds: (string | undefined)[] = []
  const done = tabs.once(
    async (first) => {
      asked.push(first)
      return grantedAs(as)
    },
    (granted) => void holds.push(granted.refreshToken),
  )
  return { done, asked, holds }
}

/** As a tab hands it on. */
const lastsAMinute = (granted: Granted): Granted => ({
  ...heldOf(granted),
  expiresInSeconds: 60,
  askedAtMs: FAKE_START_MS,
})

export type Message = Record<string, unknown>

export interface Others {
  /** How many other tabs seem to hold the session. */
  count?: number
  /** What this tab holds. */
  holds?: Granted | undefined
  isWilling?: boolean
  /** What the shared store holds at first. */
  agreed?: Message
  /** What the browser does in another way; `undefined`: it has none. */
  port?: Partial<TabsPort>
}

/** One tab; the others are what the test says that they say. */
export function openTab(others: Others = {}) {
  const { count = 0 } = others
  let { holds } = others
  const host = createFakeHost(APP)
  const posted: Message[] = []
  const names: string[] = []
  const store = new Map<string, unknown>(others.agreed ? [[NAME, others.agreed]] : [])
  let listen: (message: unknown) => void = () => {}
  let isClosed = false
  const port: TabsPort = {
    openChannel: (name, listener) => {
      names.push(`channel ${name}`)
      listen = listener
      return {
        post(message) {
          if (isClosed) throw new DOMException('Channel is closed', 'InvalidStateError')
          posted.push(message as Message)
        },
        close: () => void (isClosed = true),
      }
    },
    lock: async (name, _options, work) => {
      names.push(`lock ${name}`)
      return work(true)
    },
    update: async (key, change) => {
      names.push(`store ${key}`)
      const value = change(structuredClone(store.get(key)))
      store.set(key, structuredClone(value))
      return value
    },
    // What is sealed is what was said: who may open it is not what these tests are about.
    seal: {
      createKey: async () => ({ publicKey: 'key', open: async (sealed) => sealed }),
      seal: async (text, publicKey) => `${publicKey}:${text}`,
    },
    ...others.port,
  }
  const adopted: Granted[] = []
  const ended: unknown[] = []
  const prepared: unknown[] = []
  let getReady = () => {}
  const blocked: unknown[] = []
  const tabs = createTabs({
    port,
    platform: host.platform,
    name: NAME,
    alikeName: NAME,
    outlive() {},
    tabId: 'here',
    countOthers: () => count,
    lockWaitMs: LOCK_WAIT_MS,
    sentAtMs: () => undefined,
    mayBeSpent: (sentAtMs) => sentAtMs !== undefined,
    holding: () => holds && lastsAMinute(holds),
    restore: CONNECTED.restore,
    isWilling: () => others.isWilling ?? true,
    session: () => (holds ? 'mine' : undefined),
    async send(event) {
      if (event.type === 'adopted') adopted.push((holds = event.granted))
      if (event.type === 'endedElsewhere') ended.push([event.reason, event.clash, event.sessions])
      if (event.type !== 'ending') return
      prepared.push(event.reason)
      await new Promise<void>((resolve) => (getReady = resolve))
    },
    limits: { adopt: (...block) => void blocked.push(block) },
  })
  const of = (type: string) => posted.filter((message) => message['type'] === type)
  return {
    host,
    tabs,
    /** Start-up has put into the session what it was offered; or the session is over. */
    hold(granted: Granted | undefined) {
      holds = granted
    },
    posted,
    of,
    names,
    adopted,
    ended,
    prepared,
    getReady: () => getReady(),
    blocked,
    agreed: () => store.get(NAME) as Message | undefined,
    store,
    isClosed: () => isClosed,
    async hears(message: unknown) {
      listen(message)
      await host.settle()
    },
    /** Answers the last question of this tab. */
    async offers(granted: Granted, generation: number) {
      const { question } = of('ask').at(-1) ?? {}
      listen({
        type: 'offer',
        question,
        sealed: writeOffer({ ...lastsAMinute(granted), generation }),
      })
      await host.settle()
    },
  }
}
