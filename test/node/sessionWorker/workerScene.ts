// Sets the scene of the session worker: tabs of one fake browser, whose SharedWorker runs the real script of `latchkey/worker`.
import type { AuthConfig, SessionWorkerOptions } from '../../../src/protocol/config.ts'
import { browserWorks, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createMessageHandler, type MessageHandler } from '../../../src/worker/index.ts'
import { APP, nextPage, type Scene, stepsOfPage } from '../session/sessionScene.ts'
import { createTabWorld, startTab, type World } from '../tabs/tabsScene.ts'

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

export interface WorkerWorld extends World {
  worker: FakeWorker
  config: Partial<AuthConfig>
}

export function createWorld(config: Partial<AuthConfig> = {}): WorkerWorld {
  const world = createTabWorld()
  const worker = createFakeWorker(world.browser)
  return { ...world, worker, config: { sessionWorker: worker.sessionWorker, ...config } }
}

/** A tab of its own, signed in by the hidden frame or by the other tabs. */
export const openTab = (world: WorkerWorld, host: FakeHostOptions = {}): Promise<Scene> =>
  startTab(world, { config: world.config, host })

/** The next page of the tab, before it has come to anything. */
export function beginReload(world: WorkerWorld, tab: Scene, host: FakeHostOptions = {}): Scene {
  const config = { autoLogin: false, ...world.config }
  const next = nextPage(tab, APP, { config, host: { fetch: world.server.fetch, ...host } })
  void next.auth.start()
  return next
}

export async function reload(world: WorkerWorld, tab: Scene, options: FakeHostOptions = {}): Promise<Scene> {
  const next = beginReload(world, tab, options)
  await next.host.settle()
  return next
}

/** What explain() says of the session worker. */
export const workerSteps = ({ auth }: Scene): string[] =>
  stepsOfPage(auth)
    .filter(({ step }) => step === 'session worker')
    .map(({ outcome, detail = '' }) => `${outcome}: ${detail}`)
