// Corners of silent check, renewal, popup and tabs: what is left behind, what is done twice, the very millisecond (found by npm run test:mutation).
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/errors.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { writeOffer } from '../../../src/protocol/tabMessages.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import type { Granted } from '../../../src/session/signIn/tokenEndpoint.ts'
import type { PopupPort, TabsPort } from '../../../src/session/platform/platform.ts'
import { openPopup } from '../../../src/session/popup.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { createTokenRefresh } from '../../../src/session/signedIn/tokenRefresh.ts'
import { createSilentCheck } from '../../../src/session/signIn/silentSignIn.ts'
import { createTabs } from '../../../src/session/tabs/tabChannel.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeClock.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { APP, CONFIG, CONNECTED, heldOf } from './sessionScene.ts'

const granted: Granted = {
  tokens: parseTokens(createTokenResponse()),
  memory: { verifier: 'v' },
  askedAtMs: FAKE_START_MS,
}

describe('a silent check', () => {
  it('of a page that has gone leaves the early frame to the next one', async () => {
    const host = createFakeHost(APP)
    let takenCount = 0
    const frame = () => void (takenCount += 1)
    const check = createSilentCheck(
      parseConfig(CONFIG),
      { ...host.platform, early: { frame } },
      createTabRecords(host.sessionStorage, CONFIG),
      CONNECTED,
    )
    await expect(check.ask(APP, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(takenCount).toBe(0)
  })

  it('that is over leaves no listener on the signal of its page, which lives on', async () => {
    const host = createFakeHost(APP)
    const page = new AbortController()
    const asking = createSilentCheck(
      parseConfig(CONFIG),
      host.platform,
      createTabRecords(host.sessionStorage, CONFIG),
      CONNECTED,
    ).ask(APP, page.signal)
    await host.settle()
    expect(getEventListeners(page.signal, 'abort')).toHaveLength(1)
    host.frames[0]?.answer({ code: 'c1' })
    await asking
    await host.clock.advance(2000)
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0 })
    expect(getEventListeners(page.signal, 'abort')).toEqual([])
  })
})

describe('a renewal', () => {
  function open(remainingMs: number) {
    const host = createFakeHost(APP)
    const askedAtMs: number[] = []
    const life = { remainingMs }
    const renewal = createTokenRefresh({
      platform: host.platform,
      isScheduled: true,
      isDue: () => life.remainingMs <= 30_000,
      remainingMs: () => life.remainingMs,
      async renew() {
        askedAtMs.push(host.clock.nowMs - FAKE_START_MS)
        throw new AuthError('network', 'x', { retryable: true })
      },
    })
    return { host, renewal, askedAtMs, life }
  }

  it('that fails after a sleep takes the place of the one that was planned before', async () => {
    const { host, renewal, askedAtMs, life } = open(600_000)
    renewal.schedule()
    life.remainingMs = 20_000
    renewal.check()
    await host.settle()
    expect(host.counts().timers).toBe(1)
    await host.clock.advance(570_000)
    const fromTheFifthOn = askedAtMs.slice(5)
    expect(askedAtMs.slice(0, 6)).toEqual([0, 1000, 3000, 8000, 18_000, 48_000])
    fromTheFifthOn.slice(1).forEach((atMs, index) => expect(atMs - fromTheFifthOn[index]!).toBe(30_000))
  })

  it('that is not due is a promise all the same', async () => {
    await expect(open(600_000).renewal.ensureFresh()).resolves.toBeUndefined()
  })
})

describe('a popup', () => {
  function open(port: Partial<PopupPort> = {}) {
    const host = createFakeHost(APP)
    let closeCount = 0
    const opening = () =>
      openPopup({
        platform: host.platform,
        open: () => ({
          isClosed: false,
          navigate: () => {},
          focus: () => {},
          close: () => void (closeCount += 1),
          ...port,
        }),
        name: 'link',
        url: 'https://auth.test/link',
        isBlank: false,
        origin: 'https://auth.test',
        closeUrl: 'https://auth.test/oauth/close?client_id=admin',
        hasChanged: async () => false,
      })
    return { host, opening, closeCount: () => closeCount }
  }

  it('that a blocker hands out closed is closed for good', () => {
    const { opening, closeCount } = open({ isClosed: true })
    expect(opening).toThrow(expect.objectContaining({ code: 'popup-blocked' }))
    expect(closeCount()).toBe(1)
  })

  it('closes its window once', async () => {
    const { host, opening, closeCount } = open()
    const popup = opening()
    popup.end('done')
    popup.end('cancelled')
    await host.clock.advance(2_000)
    expect([await popup.ended, closeCount()]).toEqual(['done', 1])
  })

  it('is given up in the millisecond in which ten minutes are over', async () => {
    const sentTo: string[] = []
    const { host, opening } = open({ navigate: (url) => void sentTo.push(url) })
    const ends: string[] = []
    void opening().ended.then((how) => ends.push(how))
    host.clock.jump(599_500)
    await host.clock.advance(499)
    expect(sentTo).toEqual([])
    await host.clock.advance(1)
    expect(sentTo).toEqual(['https://auth.test/oauth/close?client_id=admin'])
    await host.clock.advance(2_000)
    expect(ends).toEqual(['late'])
  })
})

describe('a tab', () => {
  type Message = Record<string, unknown>
  function open(changes: { port?: Partial<TabsPort>; holding?: () => Granted | undefined } = {}) {
    const host = createFakeHost(APP, { randomBytes: (length) => new Uint8Array(length).fill(160) })
    const posted: Message[] = []
    const adopted: Granted[] = []
    let hear: (message: unknown) => void = () => {}
    const tabs = createTabs({
      port: {
        openChannel: (_name, listener) => {
          hear = listener
          return { post: (message) => void posted.push(message as Message), close: () => {} }
        },
        lock: async (_name, _options, work) => work(true),
        update: async (_key, change) => change(undefined),
        seal: {
          createKey: async () => ({ publicKey: 'key', open: async (sealed) => sealed }),
          seal: async (text) => text,
        },
        ...changes.port,
      },
      platform: host.platform,
      name: 'test',
      tabId: 'here',
      countOthers: () => 1,
      holding: () => {
        const held = changes.holding?.()
        return held && { ...heldOf(held), remainingMs: 60_000 }
      },
      restore: CONNECTED.restore,
      document: () => undefined,
      isWilling: () => true,
      session: () => undefined,
      limits: { adopt: () => {} },
      async send(event) {
        if (event.type === 'adopted') adopted.push(event.granted)
      },
    })
    const question = { type: 'ask', question: 'q1', publicKey: 'key', generation: 0 }
    return { host, tabs, posted, adopted, question, hear: (message: Message) => hear(message) }
  }

  it('that cannot seal answers no question, and is not troubled by one', async () => {
    const { host, posted, question, hear } = open({ port: { seal: undefined }, holding: () => granted })
    expect(() => hear(question)).not.toThrow()
    await host.clock.advance(1000)
    expect(posted).toEqual([])
  })

  it('whose session ended before its turn to answer came says nothing', async () => {
    let held: Granted | undefined = granted
    const { host, posted, question, hear } = open({ holding: () => held })
    hear(question)
    held = undefined
    await host.clock.advance(1000)
    expect(posted).toEqual([])
  })

  it('answers a question to all in its own sixteenth of a byte', async () => {
    const { host, posted, question, hear } = open({ holding: () => granted })
    hear(question)
    await host.clock.advance(9)
    expect(posted).toEqual([])
    await host.clock.advance(1)
    expect(posted).toMatchObject([{ type: 'offer', question: 'q1' }])
  })

  it('waits for a good offer after one that is no text', async () => {
    const { host, posted, adopted, hear } = open()
    hear({ type: 'renewed', generation: 1, by: 'there' })
    await host.settle()
    const { question } = posted.find(({ type }) => type === 'ask') ?? {}
    hear({ type: 'offer', question, sealed: 7 })
    await host.settle()
    hear({ type: 'offer', question, sealed: writeOffer({ ...heldOf(granted), remainingMs: 60_000 }, 1) })
    await host.settle()
    expect(adopted).toHaveLength(1)
  })

  it('whose browser refuses the lock at once renews without it, and leaves no timer', async () => {
    const { host, tabs } = open({ port: { lock: () => Promise.reject(new Error('no locks here')) } })
    let count = 0
    await tabs.once(
      async () => {
        count += 1
        return granted
      },
      () => {},
    )
    expect([count, host.counts().timers]).toEqual([1, 0])
  })
})
