// Sets the scene of the session tests: a page in a fake browser, an authorization server and an auth object between them.
import { vi } from 'vitest'
import { type AuthConfig, parseConfig } from '../../../src/protocol/config.ts'
import type { OpenedServer } from '../../../src/protocol/servers/profile.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { Granted } from '../../../src/session/signIn/tokenEndpoint.ts'
import {
  createFakeAuthServer,
  type FakeAuthServer,
  type FakeAuthServerOptions,
} from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'

export const APP = 'https://app.test/'
export const CONFIG: AuthConfig & { authHost: string } = {
  authHost: 'https://auth.test',
  clientId: 'admin',
  scopes: ['openid', 'profile'],
}

/** The server of CONFIG as a part of a session gets it. */
export const CONNECTED: OpenedServer = parseConfig(CONFIG).server.open(parseConfig(CONFIG), {
  ...createFakeHost(APP).platform,
  send: async () => ({}),
  call: async () => ({}),
  record: () => {},
  held: () => undefined,
})

/** What a tab that was given these tokens holds. */
export const heldOf = ({ tokens, memory, session }: Granted) => ({
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken,
  claims: tokens.claims,
  memory,
  session,
})

export interface Scene {
  host: FakeHost
  server: FakeAuthServer
  auth: Auth
}

export interface SceneOptions {
  address?: string
  config?: Partial<AuthConfig>
  host?: FakeHostOptions
  server?: FakeAuthServerOptions
  /** Frames are left unanswered. */
  isFrameMute?: boolean
}

/** A page that has loaded; nothing has started. */
export function createScene(options: SceneOptions = {}): Scene {
  const server = createFakeAuthServer(options.server)
  const host = createFakeHost(options.address ?? APP, {
    fetch: server.fetch,
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    // A little later, as a real frame does.
    onFrame: (frame) => queueMicrotask(() => options.isFrameMute || server.answerFrame(frame)),
    ...options.host,
  })
  return { host, server, auth: createAuth({ ...CONFIG, ...options.config }, { platform: host.platform }) }
}

/** The same after start-up. */
export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const scene = createScene(options)
  void scene.auth.start()
  await scene.host.settle()
  return scene
}

/** The next page of the same tab, with an auth object of its own; nothing has started. */
export function nextPage(scene: Scene, address: string, options: SceneOptions = {}): Scene {
  const { server } = scene
  const host = scene.host.openNext(address, {
    onFrame: (frame) => queueMicrotask(() => options.isFrameMute || server.answerFrame(frame)),
    ...options.host,
  })
  return { host, server, auth: createAuth({ ...CONFIG, ...options.config }, { platform: host.platform }) }
}

/** Bodies that went to /oauth/token, in order. */
export function tokenBodies(host: FakeHost): Record<string, string>[] {
  return host.requests
    .filter(({ url }) => url.endsWith('/oauth/token'))
    .map(({ body }) => JSON.parse(body ?? '{}') as Record<string, string>)
}

/** The logout page sends the browser back: the server's session has ended, and the next page of the tab starts. */
export async function comeBackFromLogout(
  { host, server }: Pick<Scene, 'host' | 'server'>,
  open = (address: string) => host.openNext(address),
): Promise<FakeHost> {
  server.user = undefined
  const { searchParams } = new URL(host.navigations.at(-1) ?? '')
  const page = open(`${APP}?state=${searchParams.get('state')}`)
  void createAuth({ ...CONFIG, autoLogin: false }, { platform: page.platform }).start()
  await page.settle()
  return page
}

/** The same for a test that goes on with the page which was left, as the browser shows one that it has kept. */
export async function comeBackToKeptPage({ host, server }: Pick<Scene, 'host' | 'server'>): Promise<void> {
  const { browser, sessionStorage } = host
  const back = await comeBackFromLogout({ host, server }, (address) =>
    createFakeHost(address, { browser, sessionStorage }),
  )
  back.close()
}
