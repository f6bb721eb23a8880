// What tabs do when two things happen to them in the same task (F34, F35).
import { expect, it, vi } from 'vitest'
import type { Granted } from '../../../src/session/signIn/tokenEndpoint.ts'
import { writeOffer } from '../../../src/protocol/tabMessages.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import { createTabs, type TabsOptions } from '../../../src/session/tabs/tabChannel.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeClock.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { CONNECTED, heldOf, MEMORY } from '../session/sessionScene.ts'

type Message = Record<string, unknown>

const granted: Granted = {
  tokens: parseTokens(createTokenResponse()),
  memory: MEMORY,
  askedAtMs: FAKE_START_MS,
}

/** One tab, and by hand everything that the other tabs and the browser do. */
function createTab(port: Partial<TabsOptions['port']> = {}) {
  const host = createFakeHost('https://app.test/')
  const posted: Message[] = []
  let hear = (_message: Message) => {}
  const adopt = vi.fn()
  const tabs = createTabs({
    platform: host.platform,
    port: {
      openChannel: (_name, listen) => {
        hear = listen
        return { post: (message) => posted.push(message as Message), close: () => {} }
      },
      lock: async (_name, _options, work) => work(true),
      update: async (_key, change) => change(undefined),
      seal: {
        createKey: async () => ({ publicKey: 'key', open: async (sealed) => sealed }),
        seal: async (text) => text,
      },
      ...port,
    },
    name: 'test',
    alikeName: 'test',
    outlive() {},
    tabId: 'me',
    countOthers: () => 1,
    lockWaitMs: 9_000,
    sentAtMs: () => undefined,
    mayBeSpent: () => true,
    holding: () => ({ ...heldOf(granted), remainingMs: 1000 }),
    restore: CONNECTED.restore,
    isWilling: () => true,
    session: () => undefined,
    limits: { adopt: () => {} },
    send: async (event) => event.type === 'adopted' && adopt(event.granted),
  })
  return {
    host,
    tabs,
    adopt,
    ask: () => posted.find(({ type }) => type === 'ask'),
    hear: (message: Message) => hear(message),
  }
}

it('a token that another tab hands over while this one prepares its renewal is not renewed once more', async () => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const { host, tabs, ask, adopt, hear } = createTab({
    update: async (_key, change) => {
      await waiting
      return change({ generation: 1, isPending: false })
    },
  })
  const work = vi.fn(async () => granted)
  const hold = vi.fn()
  const renewing = tabs.once(work, hold)
  hear({ type: 'renewed', generation: 1, by: 'other' })
  await host.settle()
  const sealed = writeOffer({ ...heldOf(granted), remainingMs: 60_000 }, 1)
  hear({ type: 'offer', question: ask()?.['question'], sealed })
  await host.settle()
  expect(adopt).toHaveBeenCalledOnce()

  release()
  await renewing
  expect(work).not.toHaveBeenCalled()
  expect(hold).not.toHaveBeenCalled()
})

it('a tab that was asked by name is waited for, whatever the others say', async () => {
  const { host, ask, adopt, hear } = createTab()
  hear({ type: 'renewed', generation: 1, by: 'other' })
  await host.settle()
  const question = ask()?.['question']
  hear({ type: 'none', question })
  await host.settle()
  const sealed = writeOffer({ ...heldOf(granted), remainingMs: 60_000 }, 1)
  hear({ type: 'offer', question, sealed })
  await host.settle()
  expect(adopt).toHaveBeenCalledOnce()
})
