// Sets the scene of the session worker: tabs of one fake browser, whose SharedWorker runs the real script of `latchkey/worker`.
import { vi } from 'vitest'
import type { AuthConfig, SessionWorkerOptions } from '../../../src/protocol/config.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { browserWorks, createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createMessageHandler, type MessageHandler } from '../../../src/worker/index.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

/** A SharedWorker of a fake browser; it outlives its pages. */
export interface FakeWorker {
  /** For `createAuth`. */
  readonly sessionWorker: (options: SessionWorkerOptions) => SharedWorker
  /** All that pages and worker have said, in order. */
  readonly said: unknown[]
  readonly optionsSeen: SessionWorkerOptions[]
  /** Stands between the pages and the script. */
  hear: MessageHandler
  /** The browser has ended it: what it held is gone. */
  restart(): void
}

export function createFakeWorker(browser: FakeBrowser): FakeWorker {
  const works = browserWorks(browser)
  const create = () =>
    createMessageHandler({
      now: () => browser.clock.nowMs,
      setTimer: (callback, delayMs) => works.setTimer(worker, callback, delayMs),
    })
  const worker: FakeWorker = {
    said: [],
    optionsSeen: [],
    hear: (message) => hear(message),
    restart: () => (hear = create()),
    sessionWorker(options) {
      worker.optionsSeen.push(options)
      const listeners = new Set<(event: MessageEvent) => void>()
      const answer = async (message: unknown) => {
        await Promise.resolve()
        const said = worker.hear(message)
        if (!said) return
        worker.said.push(said)
        const copy: unknown = structuredClone(said)
        for (const listen of listeners) listen({ data: copy } as MessageEvent)
      }
      const port = {
        start: () => {},
        addEventListener: (_type: string, listen: (event: MessageEvent) => void) => listeners.add(listen),
        removeEventListener: (_type: string, listen: (event: MessageEvent) => void) =>
          listeners.delete(listen),
        postMessage(message: unknown) {
          const copy: unknown = structuredClone(message)
          worker.said.push(copy)
          void works.track(answer(copy))
        },
      }
      return { port } as unknown as SharedWorker
    },
  }
  let hear = create()
  return worker
}

export interface Tab {
  host: FakeHost
  auth: Auth
}

export interface World {
  browser: FakeBrowser
  server: FakeAuthServer
  worker: FakeWorker
  config: Partial<AuthConfig>
}

export function createWorld(config: Partial<AuthConfig> = {}): World {
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const worker = createFakeWorker(browser)
  const server = createFakeAuthServer()
  return { browser, server, worker, config: { sessionWorker: worker.sessionWorker, ...config } }
}

function start(world: World, host: FakeHost): Tab {
  const auth = createAuth({ ...CONFIG, autoLogin: false, ...world.config } as AuthConfig, {
    platform: host.platform,
  })
  void auth.start()
  return { host, auth }
}

const answering = (world: World): FakeHostOptions => ({
  browser: world.browser,
  fetch: world.server.fetch,
  onFrame: (frame) => queueMicrotask(() => world.server.answerFrame(frame)),
})

/** A tab of its own, signed in by the hidden frame or by the other tabs. */
export async function openTab(world: World, options: FakeHostOptions = {}): Promise<Tab> {
  const tab = start(world, createFakeHost(APP, { ...answering(world), ...options }))
  await world.browser.clock.advance(1000)
  return tab
}

/** The next page of the tab, before it has come to anything. */
export function beginReload(world: World, { host }: Tab, options: FakeHostOptions = {}): Tab {
  return start(world, host.openNext(APP, { ...answering(world), ...options }))
}

export async function reload(world: World, tab: Tab, options: FakeHostOptions = {}): Promise<Tab> {
  const next = beginReload(world, tab, options)
  await next.host.settle()
  return next
}

/** What explain() says of the session worker. */
export const workerSteps = ({ auth }: Tab): string[] =>
  auth
    .explain()
    .filter(({ step }) => step === 'session worker')
    .map(({ outcome, detail = '' }) => `${outcome}: ${detail}`)
