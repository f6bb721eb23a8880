// Sets the scene of the session tests: a page in a fake browser, an authorization server and an auth object between them.
import { inject, vi } from 'vitest'
import { type AuthConfig, parseConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { OpenedServer } from '../../../src/protocol/servers/profile.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { ExplainStep } from '../../../src/session/timeline.ts'
import type { Granted } from '../../../src/protocol/credentials.ts'
import {
  createFakeAuthServer,
  type FakeAuthServer,
  type FakeAuthServerOptions,
} from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createJwt } from '../../../src/testing/tokens.ts'

export const APP = 'https://app.test/'
/** What the names of a browser's entries begin with. */
export const CLIENT = { authHost: 'https://auth.test', clientId: 'admin' }

declare module 'vitest' {
  interface ProvidedContext {
    isOpenIdConnect?: boolean
  }
}

/**
 * The project `node-oidc` runs the tests of tabs, renewal and start-up once more, with an OpenID Connect provider as the server.
 * A test of what only the firm's server says, or is told, is left out there.
 */
export const isOpenIdConnect = inject('isOpenIdConnect') ?? false

type Payload = Readonly<Record<string, unknown>>

/** Who it is by the tokens of the fake server, with the `jti` of the access token. */
export const claimsOf = (idToken: Payload, accessToken: Payload | undefined) => ({
  userId: String(idToken['sub']),
  firmId: idToken['firmId'] as string | undefined,
  sessionId: idToken['sid'] as string | undefined,
  impersonatorId: Object(idToken['act'])['sub'] as string | undefined,
  jti: String(accessToken?.['jti']),
})

/** How a config names the server at an address. The metadata is in it, so that the requests are those of the session. */
export const serverAt = (issuer: string): Pick<AuthConfig, 'server' | 'authHost'> =>
  isOpenIdConnect
    ? {
        server: openIdConnect({
          issuer,
          claims: claimsOf,
          metadata: {
            issuer,
            authorization_endpoint: `${issuer}/oauth/authorize`,
            token_endpoint: `${issuer}/oauth/token`,
            userinfo_endpoint: `${issuer}/api/userinfo`,
            end_session_endpoint: `${issuer}/oauth/logout`,
            response_modes_supported: ['query', 'web_message'],
          },
        }),
      }
    : { authHost: issuer }

/** Whose session the server has is signed in by the hidden frame, at a first visit too. */
export const CONFIG: AuthConfig = {
  ...serverAt(CLIENT.authHost),
  clientId: CLIENT.clientId,
  scopes: ['openid', 'profile'],
  verifyFirstVisit: true,
} as AuthConfig

/** What the server keeps of a sign-in beside the tokens of `createTokenResponse`. */
export const MEMORY = isOpenIdConnect
  ? {
      idToken: createJwt(
        {
          iss: CLIENT.authHost,
          aud: CLIENT.clientId,
          sub: 'alice',
          sid: 's1',
          firmId: 'f1',
          iat: 0,
          exp: 600,
        },
        'RS256',
      ),
    }
  : { verifier: 'v' }

/** The server of CONFIG as a part of a session gets it. */
export const CONNECTED: OpenedServer = parseConfig(CONFIG).server.open(parseConfig(CONFIG), {
  ...createFakeHost(APP).platform,
  send: async () => ({}),
  call: async () => ({}),
  record: () => {},
  current: () => undefined,
  revoke() {},
  redirectUri: () => APP,
})

/** What a tab that was given these tokens holds. */
export const heldOf = ({ accessToken, refreshToken, claims, memory, session }: Granted) => ({
  accessToken,
  refreshToken,
  claims,
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

/** The state of a page on which nobody has been signed in. */
export const NOBODY = {
  status: 'unauthenticated',
  reason: 'none',
  isOnline: true,
  realtime: 'off',
  isTokenExpired: false,
}

const muted = ({ isFrameMute }: SceneOptions): FakeHostOptions => (isFrameMute ? { onFrame() {} } : {})

/** A page that has loaded; nothing has started. */
export function createScene(options: SceneOptions = {}): Scene {
  const server = createFakeAuthServer(options.server)
  const host = createFakeHost(options.address ?? APP, {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    server,
    ...muted(options),
    ...options.host,
  })
  return sceneOf(host, server, options)
}

const sceneOf = (host: FakeHost, server: FakeAuthServer, { config }: SceneOptions): Scene => ({
  host,
  server,
  auth: createAuth({ ...CONFIG, ...config } as AuthConfig, { platform: host.platform }),
})

/** The same after start-up. */
export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const scene = createScene(options)
  void scene.auth.start()
  await scene.host.settle()
  return scene
}

/** The steps of `explain()` without those of the page before: the first of each page says whether a code came. */
export const stepsOfPage = (auth: Pick<Auth, 'explain'>): readonly ExplainStep[] => {
  const steps = auth.explain()
  const isFirst = ({ step, outcome, detail }: ExplainStep) =>
    step === 'code in the address' && (outcome === 'started' || detail === 'none of ours')
  return steps.slice(Math.max(0, steps.findLastIndex(isFirst)))
}

/** The next page of the same tab, with an auth object of its own; nothing has started. */
export function nextPage(scene: Scene, address: string, options: SceneOptions = {}): Scene {
  const host = scene.host.openNext(address, { ...muted(options), ...options.host })
  return sceneOf(host, scene.server, options)
}

/** Bodies that went to /oauth/token, in order. */
export function tokenBodies(host: FakeHost): Record<string, string>[] {
  return host.requests
    .filter(({ url, method }) => method === 'POST' && url.endsWith('/oauth/token'))
    .map(({ body = '{}' }) =>
      isOpenIdConnect
        ? Object.fromEntries(new URLSearchParams(body))
        : (JSON.parse(body) as Record<string, string>),
    )
}

/** The logout page sends the browser back: the server's session has ended, and the next page of the tab starts. */
export async function comeBackFromLogout(
  { host, server }: Pick<Scene, 'host' | 'server'>,
  // The provider's page may have asked the user, and no frame tells yet what they chose.
  open = (address: string) => host.openNext(address, { onFrame() {} }),
): Promise<FakeHost> {
  server.user = undefined
  const { searchParams } = new URL(host.navigations.at(-1) ?? '')
  const page = open(`${APP}?state=${searchParams.get('state')}`)
  void createAuth({ ...CONFIG, autoLogin: false }, { platform: page.platform }).start()
  await page.settle()
  return page
}

/**
 * The first sign-in after a logout that the provider may have asked the user about: no session is found silently, so it is made
 * on the sign-in page, by whom the server knows then. A server of the contract finds it silently.
 */
export async function signInAfterLogout<Tab extends Pick<Scene, 'auth' | 'host'>>(
  tab: Tab,
  server: Scene['server'],
): Promise<Tab> {
  if (!isOpenIdConnect) return tab
  const isSignedIn = tab.auth.getState().status !== 'unauthenticated'
  if (isSignedIn) throw new Error('A session was found silently')
  void tab.auth.login()
  await tab.host.settle()
  const host = tab.host.openNext(server.callbackOf(tab.host.navigations.at(-1) ?? ''))
  const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: host.platform })
  void auth.start()
  await host.settle()
  return { ...tab, host, auth }
}

/** The same for a test that goes on with the page which was left, as the browser shows one that it has kept. */
export async function comeBackToKeptPage({ host, server }: Pick<Scene, 'host' | 'server'>): Promise<void> {
  const { browser, sessionStorage } = host
  const back = await comeBackFromLogout({ host, server }, (address) =>
    createFakeHost(address, { browser, sessionStorage }),
  )
  back.close()
}
