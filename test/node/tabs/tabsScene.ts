// Tabs of one browser beside each other, all at one server: how many there are, and what happens to them, is the test's.
import { vi } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import {
  createFakeAuthServer,
  type FakeAuthServer,
  type FakeAuthServerOptions,
} from '../../../src/testing/authServer.ts'
import { createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, CONFIG, type Scene } from '../session/sessionScene.ts'

/** What the tabs of a browser have in common. */
export interface World {
  browser: FakeBrowser
  server: FakeAuthServer
}

export interface TabOptions {
  address?: string
  /** Beside CONFIG and `autoLogin: false`. */
  config?: Partial<AuthConfig>
  host?: FakeHostOptions
  /** What the browser has between this tab and the others becomes this. */
  tabs?: (port: TabsPort, host: FakeHost) => TabsPort
}

/** A browser without a tab, and a server that knows the time. */
export function createTabWorld(server: FakeAuthServerOptions = {}): World {
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  return { browser, server: createFakeAuthServer({ now: () => browser.clock.nowMs, ...server }) }
}

/** One more tab; nothing has started. */
export function openTab({ browser, server }: World, options: TabOptions = {}): Scene {
  const { address = APP, tabs } = options
  const host = createFakeHost(address, { browser, server, ...options.host })
  const platform = tabs ? { ...host.platform, tabs: () => tabs(host.platform.tabs(), host) } : host.platform
  const config = { ...CONFIG, autoLogin: false, ...options.config } as AuthConfig
  return { host, server, auth: createAuth(config, { platform }) }
}

/** The same a second after it has started. */
export async function startTab(world: World, options?: TabOptions): Promise<Scene> {
  const tab = openTab(world, options)
  void tab.auth.start()
  await world.browser.clock.advance(1_000)
  return tab
}

/** The same for so many tabs, one after the other. */
export async function startTabs(world: World, count: number, options?: TabOptions): Promise<Scene[]> {
  const tabs: Scene[] = []
  while (tabs.length < count) tabs.push(await startTab(world, options))
  return tabs
}

/** How a server names its sessions in the tokens: one name for each, none at all, or another with each sign-in. */
export type SessionNaming = 'stable' | 'none' | 'per sign-in'

/** From now on the server names its sessions so. */
export function nameSessions(server: FakeAuthServer, naming: SessionNaming): void {
  const { answerFrame, callbackOf } = server
  let count = 0
  const rename = () => {
    const { user } = server
    if (!user || naming === 'stable') return
    count += 1
    const sessionId = naming === 'none' ? undefined : `${String(user.claims.userId)} ${count}`
    server.user = { ...user, claims: { ...user.claims, sessionId } as typeof user.claims }
  }
  Object.assign(server, {
    answerFrame(frame: FakeFrame) {
      rename()
      answerFrame(frame)
    },
    callbackOf(address: string, error?: string) {
      rename()
      return callbackOf(address, error)
    },
  } satisfies Partial<FakeAuthServer>)
}
