// One tab whose siblings, lock, store and crypto are what the test says: what it says to them, and what it does.
import { parseConfig } from '../../../src/protocol/config.ts'
import { type Granted, writeCredentials } from '../../../src/protocol/credentials.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import type { Context } from '../../../src/session/context.ts'
import { createTabChannel, type TabChannelParts } from '../../../src/session/tabs/tabChannel.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { APP, CONFIG, CONNECTED, heldOf, MEMORY } from '../session/sessionScene.ts'

/** What the tabs ask for. */
const asked = 'openid'
const settings = { ...parseConfig(CONFIG), asked }
/** Of the channel. */
export const NAME = 'latchkey https://auth.test admin tabs'
/** Of the lock and the database of the tabs that ask for the same. */
export const ALIKE_NAME = `${NAME} ${asked}`

export const grantedAs = (refresh_token: string): Granted => ({
  ...parseTokens(createTokenResponse({}, { refresh_token })),
  memory: MEMORY,
  askedAtMs: FAKE_START_MS,
})

/** A renewal of this tab, which asks for `as`: whether it was asked at all, and with a spent token; and what the session then holds. */
export function renew({ tabs }: Pick<ReturnType<typeof openTab>, 'tabs'>, as = 'mine') {
  const asked: ('refresh' | 'frame')[] = []
  const holds: (string | undefined)[] = []
  const done = tabs.renewOnce(
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
  /** Reads the key that offered tokens are bound to. */
  takeKey?(): Promise<void>
  /** Whether the offered session counts. Default: it does. */
  countsOffered?(): boolean
}

/** One tab; the others are what the test says that they say. */
export function openTab(others: Others = {}) {
  const { count = 0 } = others
  let { holds } = others
  const host = createFakeHost(APP)
  const posted: Message[] = []
  const names: string[] = []
  const store = new Map<string, unknown>(others.agreed ? [[ALIKE_NAME, others.agreed]] : [])
  let listen: (message: unknown) => void = () => {}
  let isClosed = false
  const port: TabsPort = {
    openChannel: (name, listener) => {
      names.push(`channel ${name}`)
      listen = listener
      return {
        post(message) {
          if (isClosed) throw new DOMException('Channel is closed', 'InvalidStateError')
          const { asked: _, ...own } = message as Message
          posted.push(own)
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
  const joined: string[] = []
  let getReady = () => {}
  let isOver = false
  const blocked: unknown[] = []
  const context = {
    settings,
    platform: { ...host.platform, tabs: () => port },
    limits: { blocks: () => [], adopt: (block: unknown) => void blocked.push(block) },
    store: {
      get state() {
        const status = holds ? 'authenticated' : 'unauthenticated'
        return { status: (others.isWilling ?? true) ? status : 'redirecting' }
      },
    },
    server: { known: () => undefined, restore: CONNECTED.restore, takeKey: others.takeKey },
    tokens: {
      get current() {
        return holds && {}
      },
    },
    marker: {
      tabId: 'here',
      countOthers: () => count,
      join: () => void joined.push('mine'),
    },
    record: {
      id: () => (holds ? 'mine' : undefined),
      now: () => ({ id: 'mine', text: 'now' }),
      isOfAnother: () => false,
      receiveEnd: (ids: string[]) => void (isOver ||= ids.includes('mine')),
      counts: () => !isOver,
      countsOffered: () => others.countsOffered?.() ?? true,
    },
    tokenEndpoint: { mayBeSpent: (sentAtMs?: number) => sentAtMs !== undefined },
  } as unknown as Context
  const parts: TabChannelParts = {
    credentials: () => holds && lastsAMinute(holds),
    stillCounts: () => !isOver,
    async send(event) {
      if (event.type === 'adopted') adopted.push((holds = event.granted))
      if (event.type === 'endedElsewhere') ended.push([event.reason, event.clash])
      if (event.type !== 'ending') return
      prepared.push(event.reason)
      await new Promise<void>((resolve) => (getReady = resolve))
    },
  }
  const tabs = createTabChannel(context, parts, 0)
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
    /** The sessions under which it has put itself into the marker. */
    joined,
    getReady: () => getReady(),
    blocked,
    agreed: () => store.get(ALIKE_NAME) as Message | undefined,
    store,
    isClosed: () => isClosed,
    async hears(message: unknown) {
      listen({ asked, ...Object(message) })
      await host.settle()
    },
    /** Answers the last question of this tab. */
    async offers(granted: Granted, generation: number) {
      const { question } = of('ask').at(-1) ?? {}
      listen({
        type: 'offer',
        asked,
        question,
        sealed: writeCredentials({ ...lastsAMinute(granted), generation }),
      })
      await host.settle()
    },
  }
}
