// The session at an OpenID Connect provider, looked for by the first script of the page: as the page before asked, taken over whole, or not at all.
import { beforeAll, describe, expect, it } from 'vitest'
import { buildEarlyScript, type EarlyScript } from '../../../scripts/earlyScript.ts'
import { CALL_TIMEOUT_MS } from '../../../src/base/constants.ts'
import { metadataKey, pendingLogoutKey, sessionMarkerKey, tabKey } from '../../../src/protocol/storageKeys.ts'
import type { Remembered } from '../../../src/protocol/servers/frameOfNextPage.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { FakeAuthServer } from '../../../src/testing/authServer.ts'
import { neverAnswers } from '../../../src/testing/fakeHost.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, ISSUER } from '../../oidc/scene.ts'
import { signedIn } from '../../oidc/session/sessionPages.ts'
import {
  createOidcScene,
  type OidcScene,
  type OidcSceneOptions,
  type Page,
} from '../../oidc/session/sessionScene.ts'
import { type EarlyOptions, type EarlyPage, openEarlyPage } from './earlyScene.ts'

const CLIENT = { authHost: ISSUER, clientId: 'admin' }
const DISCOVERY = '/.well-known/openid-configuration'
const OTHER_ISSUER = `&iss=${encodeURIComponent('https://evil.example')}`

let script: EarlyScript
beforeAll(async () => {
  script = await buildEarlyScript('oidc')
})

interface Reload {
  /** Members of the provider's metadata. */
  metadata?: Record<string, unknown>
  options?: OidcSceneOptions
  /** What happens to the frame. Default: it ends at the app's address. */
  onFrame?: (frame: FakeFrame, scene: OidcScene) => void
  early?: EarlyOptions
  /** Changes what the page before has left. */
  change?: (page: Page, scene: OidcScene) => void
}

/** Signed in, then a reload whose first script has run, and nothing else. */
async function reload({ metadata, options, onFrame, early, change }: Reload = {}) {
  const scene = createOidcScene({ hasEarly: true, ...options })
  scene.provider.metadata = { ...scene.provider.metadata, ...metadata }
  const before = await signedIn(scene)
  before.host.close()
  change?.(before, scene)
  const requestCount = scene.provider.requests.length
  const answerFrame = (frame: FakeFrame) => (onFrame ? onFrame(frame, scene) : scene.answerFrame(frame))
  const page = await openEarlyPage({
    script,
    attributes: { issuer: ISSUER, clientId: 'admin' },
    address: APP,
    browser: scene.browser,
    sessionStorage: before.host.sessionStorage.entries(),
    server: { fetch: scene.fetch, answerFrame } as unknown as FakeAuthServer,
    ...early,
  })
  await page.host.clock.advance(50)
  return {
    scene,
    page,
    paths: () => scene.provider.requests.slice(requestCount).map(({ path }) => path),
  }
}

async function startApp({ platform, host }: EarlyPage, scene: OidcScene, changed = {}) {
  const auth = createAuth({ ...scene.config(), ...changed }, { platform })
  void auth.start()
  await host.settle()
  return auth
}

describe('a reload', () => {
  it('has its tokens before the app’s files have come: nothing is left to ask', async () => {
    const { scene, page, paths } = await reload()
    expect(paths()).toEqual([DISCOVERY, '/token'])
    // The page in it is the app itself.
    expect(page.frames).toEqual([])
    const auth = await startApp(page, scene)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(paths()).toEqual([DISCOVERY, '/token'])
    expect(page.host.requests).toEqual([])
    expect(page.host.frames).toEqual([])
    expect(page.frames).toEqual([])
    expect([page.left?.frame, page.left?.fetch?.(ISSUER + DISCOVERY)]).toEqual([undefined, undefined])
    expect(page.timerCount()).toBe(0)
    // The family belongs to the session that took it over.
    await auth.renew({ force: true })
    expect(auth.getState().status).toBe('authenticated')
  })

  it('asks with keys of its own, and sends the code as a form with its verifier', async () => {
    const asked: URLSearchParams[] = []
    const { page } = await reload({
      options: { options: { parameters: { resource: 'https://api.example.com', audience: 'admin api' } } },
      onFrame(frame, scene) {
        asked.push(frame.parameters)
        scene.answerFrame(frame)
      },
    })
    const [parameters] = asked
    expect(parameters!.get('state')).toMatch(/^[\w-]{32}$/)
    expect(parameters!.get('nonce')).toMatch(/^[\w-]{32}$/)
    expect(parameters!.get('nonce')).not.toBe(parameters!.get('state'))
    expect(parameters!.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(Object.fromEntries(parameters!)).toMatchObject({
      prompt: 'none',
      scope: 'openid',
      audience: 'admin api',
    })
    expect(page.sent).toEqual([
      {
        grant_type: 'authorization_code',
        code: expect.stringMatching(/^code-/) as string,
        code_verifier: expect.stringMatching(/^[\w-]{64}$/) as string,
        redirect_uri: APP,
        resource: 'https://api.example.com',
        client_id: 'admin',
      },
    ])
  })

  it('hands over a frame that is on its way: start-up looks at it and exchanges its code', async () => {
    const { scene, page, paths } = await reload({ onFrame: () => {} })
    const auth = await startApp(page, scene)
    expect(auth.getState().status).toBe('initializing')
    scene.answerFrame(page.frames[0]!)
    await page.host.settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(page.sent).toEqual([])
    expect(paths()).toEqual([DISCOVERY, '/token'])
    expect(page.frames).toEqual([])
  })

  it('takes the response of a provider that sends it as a message', async () => {
    const { scene, page, paths } = await reload({
      metadata: { response_modes_supported: ['query', 'web_message'] },
      onFrame(frame, { provider }) {
        const response = Object.fromEntries(new URL(provider.authorize(frame.url)).searchParams)
        frame.answer(response)
      },
    })
    expect(paths()).toEqual([DISCOVERY, '/token'])
    const auth = await startApp(page, scene)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(paths()).toEqual([DISCOVERY, '/token'])
  })

  it('knows at once that nobody is signed in at the provider, and leaves for its page', async () => {
    const { scene, page, paths } = await reload({
      change: (_page, { provider }) => {
        provider.user = undefined
      },
    })
    const auth = await startApp(page, scene)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(paths()).toEqual([DISCOVERY])
    expect(page.host.frames).toEqual([])
  })

  it.each([
    ['of another issuer', (url: string) => `${url}${OTHER_ISSUER}`],
    ['of another state', (url: string) => url.replace(/state=[\w-]{6}/, 'state=xxxxxx')],
    ['with the code twice', (url: string) => `${url}&code=other`],
    ['of another flow', (url: string) => `${url}&id_token=x`],
  ])('sends no code that comes in a response %s', async (_what, change) => {
    const { page } = await reload({
      onFrame: (frame, { provider }) => frame.load(change(provider.authorize(frame.url))),
    })
    expect(page.sent).toEqual([])
  })

  it('with other options than the page before is asked for anew, the app’s way', async () => {
    const { scene, page } = await reload()
    const auth = await startApp(page, scene, { scopes: ['openid', 'email'] })
    expect(auth.getState().status).toBe('authenticated')
    expect(page.frames).toEqual([])
    expect(page.warnings).toEqual([])
    expect(page.host.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${ISSUER}${DISCOVERY}`,
      `POST ${ISSUER}/token`,
    ])
  })

  it('gives up after 25 seconds, and start-up asks anew', async () => {
    const { scene, page } = await reload()
    await page.host.clock.advance(25_000)
    expect([page.frames, page.left, page.timerCount()]).toEqual([[], {}, 0])
    const auth = await startApp(page, scene)
    expect(auth.getState().status).toBe('authenticated')
  })

  it.each<[string, (page: Page) => void]>([
    ['metadata', ({ host }) => host.localStorage.remove(metadataKey(CLIENT))],
    ['tokens', () => {}],
  ])('whose %s never come fails in time, with its reason', async (_what, change) => {
    const { scene, page } = await reload({ change, early: { fetch: neverAnswers } })
    const auth = await startApp(page, scene, { autoLogin: false })
    await page.host.clock.advance(CALL_TIMEOUT_MS - 1_000)
    expect(auth.getState().status).toBe('initializing')
    await page.host.clock.advance(2_000)
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })

  it('lets go of the frame when start-up is cut off', async () => {
    const { scene, page } = await reload({ onFrame: () => {} })
    const auth = await startApp(page, scene)
    auth.dispose()
    await page.host.clock.advance(50)
    expect([page.frames, page.left?.frame, page.timerCount()]).toEqual([[], undefined, 0])
  })
})

/** Writes into what the browser remembers. */
const plant =
  (members: object, laterMs = 0) =>
  ({ host }: Page) => {
    const key = metadataKey(CLIENT)
    const { document, atMs, ...kept } = JSON.parse(host.localStorage.get(key)!) as Remembered
    const planted = { ...kept, document: { ...document, ...members }, atMs: atMs + laterMs }
    host.localStorage.set(key, JSON.stringify(planted))
  }

describe('what is remembered in local storage', () => {
  const EVIL = 'https://evil.example'
  it.each([
    ['a sign-in page', { authorization_endpoint: `${EVIL}/auth` }],
    ['both', { token_endpoint: `${EVIL}/token`, authorization_endpoint: `${EVIL}/auth` }],
  ])('gains an attacker who planted %s one frame, and no code', async (_what, members) => {
    const opened: string[] = []
    const { scene, page, paths } = await reload({
      change: plant(members),
      // The attacker's own code, which would sign the user in as somebody else.
      onFrame(frame, { provider }) {
        opened.push(new URL(frame.url).origin)
        frame.load(
          frame.url.startsWith(EVIL)
            ? `${APP}?code=evil&state=${frame.parameters.get('state')}`
            : provider.authorize(frame.url),
        )
      },
    })
    expect(opened).toHaveLength(1)
    expect([page.sent, paths()]).toEqual([[], [DISCOVERY]])
    const auth = await startApp(page, scene)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(page.host.requests.map(({ url }) => url)).toEqual([`${ISSUER}/token`])
    expect(JSON.stringify(scene.provider.requests.map(({ body }) => [...body]))).not.toContain('evil')
  })

  it('gains an attacker who planted a token endpoint nothing: the code goes where the provider says', async () => {
    const { scene, page, paths } = await reload({ change: plant({ token_endpoint: `${EVIL}/token` }) })
    expect(paths()).toEqual([DISCOVERY, '/token'])
    const auth = await startApp(page, scene)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(paths()).toEqual([DISCOVERY, '/token'])
  })

  it('gives no code away while the metadata is under way', async () => {
    const { page, paths } = await reload({ early: { fetch: neverAnswers } })
    expect([page.sent, paths()]).toEqual([[], []])
  })

  it.each([
    ['whose issuer is another', { issuer: 'https://other.example' }],
    ['whose sign-in page is another', { authorization_endpoint: `${ISSUER}/auth2` }],
  ])('is no reason to send a code to a provider %s', async (_what, members) => {
    const { page } = await reload({
      change: (_page, { provider }) => {
        provider.metadata = { ...provider.metadata, ...members }
      },
    })
    expect(page.sent).toEqual([])
  })
})

describe('no frame', () => {
  const drop = (key: string) => (page: Page) => page.host.localStorage.remove(key)
  const keep = (key: string, value: unknown) => (page: Page) =>
    page.host.localStorage.set(key, JSON.stringify(value))

  it.each<[string, Reload]>([
    ['without metadata', { change: drop(metadataKey(CLIENT)) }],
    ['with metadata of the day before', { change: plant({}, -86_400_000) }],
    ['where the browser knows of no session', { change: drop(sessionMarkerKey(CLIENT)) }],
    ['in a page without crypto', { early: { without: 'crypto' } }],
    ['where storage is denied', { early: { without: 'storage' } }],
    ['with a response in the address', { early: { address: `${APP}?code=x&state=${'y'.repeat(32)}` } }],
    ['while a logout is owed', { change: keep(pendingLogoutKey(CLIENT), { reason: 'signed-out' }) }],
    [
      'where frames have failed in this tab',
      {
        change: ({ host }) =>
          host.sessionStorage.set(
            tabKey(CLIENT),
            JSON.stringify({ silentSignIn: { failures: 3, offUntilMs: host.clock.nowMs + 60_000 } }),
          ),
      },
    ],
    ['where the app wants none', { options: { options: { silent: 'off' } } }],
    [
      'where requests carry a proof',
      { options: { options: { dpop: 'auto' } }, metadata: { dpop_signing_alg_values_supported: ['ES256'] } },
    ],
    [
      'where requests are announced first',
      {
        metadata: {
          require_pushed_authorization_requests: true,
          pushed_authorization_request_endpoint: `${ISSUER}/par`,
        },
      },
    ],
  ])('is opened %s', async (_where, how) => {
    const opened: FakeFrame[] = []
    const { page } = await reload({ ...how, onFrame: (frame) => opened.push(frame) })
    expect(opened).toEqual([])
    expect(page.frames).toEqual([])
    expect(page.sent.filter(({ code }) => code)).toEqual([])
  })

  it('is opened where another tab seems to hold the session', async () => {
    const opened: FakeFrame[] = []
    const scene = createOidcScene({ hasEarly: true })
    const { host } = await signedIn(scene)
    const marker = host.localStorage.get(sessionMarkerKey(CLIENT))
    expect(marker).toContain('tabs')
    await openEarlyPage({
      script,
      attributes: { issuer: ISSUER, clientId: 'admin' },
      address: APP,
      browser: scene.browser,
      sessionStorage: host.sessionStorage.entries(),
      server: {
        fetch: scene.fetch,
        answerFrame: (frame: FakeFrame) => opened.push(frame),
      } as unknown as FakeAuthServer,
    })
    expect(opened).toEqual([])
  })
})

it('nothing that is kept for the next page is secret', async () => {
  const scene = createOidcScene({ hasEarly: true })
  const { host } = await signedIn(scene)
  const { frameUrl } = JSON.parse(host.localStorage.get(metadataKey(CLIENT))!) as Remembered
  const asked = new URL(frameUrl!).searchParams
  expect(['state', 'nonce', 'code_challenge'].filter((name) => asked.has(name))).toEqual([])
})

it('nothing is kept for a script that the app does not have', async () => {
  const { host } = await signedIn(createOidcScene())
  expect(JSON.parse(host.localStorage.get(metadataKey(CLIENT))!)).not.toHaveProperty('frameUrl')
})
