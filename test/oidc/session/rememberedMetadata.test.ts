// Metadata of an earlier visit: it opens the hidden frame at once, and nothing else goes by it.
import { describe, expect, it } from 'vitest'
import { metadataKey } from '../../../src/protocol/storageKeys.ts'
import { holdResponses } from '../../holdRequests.ts'
import { APP, ISSUER } from '../scene.ts'
import { signedIn, start } from './sessionPages.ts'
import { createOidcScene, json, type OidcScene, type Page } from './sessionScene.ts'

const KEY = metadataKey({ authHost: ISSUER, clientId: 'admin' })
const DISCOVERY = '/.well-known/openid-configuration'
const EVIL = 'https://evil.example'

/** A browser in which a user has signed in, all of whose tabs are closed. */
async function knownBrowser(scene: OidcScene = createOidcScene()): Promise<OidcScene> {
  const { host } = await signedIn(scene)
  host.close()
  scene.provider.requests.length = 0
  return scene
}

/** Writes into what the browser remembers. */
function plant({ open }: OidcScene, members: object, more: object = {}): void {
  const { localStorage } = open().host
  const kept = JSON.parse(localStorage.get(KEY)!) as { document: object }
  localStorage.set(KEY, JSON.stringify({ ...kept, document: { ...kept.document, ...members }, ...more }))
}

const paths = ({ provider }: OidcScene) => provider.requests.map(({ path }) => path)
const statusOf = ({ auth }: Page) => auth.getState().status

describe('a new visit', () => {
  it('opens the frame beside the request for the metadata, and asks for it once', async () => {
    const scene = await knownBrowser()
    const opened: string[] = []
    const page = scene.open(APP, {
      onFrame: (frame) => queueMicrotask(() => (opened.push(frame.url), scene.answerFrame(frame))),
    })
    const release = holdResponses(page.host, (url) => url.endsWith(DISCOVERY))
    void page.auth.start()
    await page.host.settle()
    expect(opened).toHaveLength(1)
    expect(scene.provider.count('/token')).toBe(0)
    release()
    await page.host.settle()
    expect(statusOf(page)).toBe('authenticated')
    expect(paths(scene)).toEqual([DISCOVERY, '/token'])
  })

  it('waits for the metadata after a day', async () => {
    const scene = await knownBrowser()
    await scene.browser.clock.advance(86_400_000)
    const page = scene.open()
    scene.provider.instead.set(DISCOVERY, () => new Promise(() => {}))
    void page.auth.start()
    await page.host.settle()
    expect(page.host.frames).toEqual([])
  })

  it('reports that the provider is away as soon as the metadata says so', async () => {
    const scene = await knownBrowser()
    scene.provider.isFrameMute = true
    scene.provider.instead.set(DISCOVERY, () => new Response('', { status: 503 }))
    const page = await start(scene)
    expect(page.auth.getState()).toMatchObject({ status: 'failed', error: { status: 503 } })
    expect(page.host.frames).toEqual([])
  })

  it('asks again where the provider has moved its sign-in page meanwhile', async () => {
    const scene = await knownBrowser()
    scene.provider.metadata = { ...scene.provider.metadata, authorization_endpoint: `${ISSUER}/auth2` }
    const asked: string[] = []
    const { authorize } = scene.provider
    scene.provider.authorize = (url) => {
      asked.push(new URL(url).pathname)
      return authorize(url)
    }
    const page = await start(scene)
    expect(statusOf(page)).toBe('authenticated')
    expect(asked).toEqual(['/realms/staff/auth', '/realms/staff/auth2'])
    expect(scene.provider.count('/token')).toBe(1)
  })

  it.each([
    [
      'requests are announced',
      { require_pushed_authorization_requests: true, pushed_authorization_request_endpoint: `${ISSUER}/par` },
    ],
    ['the entry names another issuer', { issuer: EVIL }],
    ['an endpoint is not safe', { authorization_endpoint: 'http://evil.example/auth' }],
  ])('opens no frame ahead where %s', async (_where, members) => {
    const scene = await knownBrowser()
    plant(scene, members)
    const page = scene.open()
    scene.provider.instead.set(DISCOVERY, () => new Promise(() => {}))
    void page.auth.start()
    await page.host.settle()
    expect([page.host.frames, paths(scene)]).toEqual([[], [DISCOVERY]])
  })
})

describe('a planted entry', () => {
  const PLANTED = {
    authorization_endpoint: `${EVIL}/auth`,
    token_endpoint: `${EVIL}/token`,
    end_session_endpoint: `${EVIL}/logout`,
    revocation_endpoint: `${EVIL}/revoke`,
    userinfo_endpoint: `${EVIL}/userinfo`,
  }

  it('gets one frame without a secret, and no code of it is exchanged', async () => {
    const scene = await knownBrowser()
    plant(scene, PLANTED)
    const opened: string[] = []
    const page = scene.open(APP, {
      onFrame: (frame) =>
        queueMicrotask(() => {
          opened.push(frame.url)
          if (!frame.url.startsWith(EVIL)) scene.answerFrame(frame)
          // The attacker's own code.
          else frame.load(`${APP}?code=evil&state=${frame.parameters.get('state')}`)
        }),
    })
    void page.auth.start()
    await page.host.settle()
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(opened.filter((url) => url.startsWith(EVIL))).toHaveLength(1)
    expect(opened[0]).not.toMatch(/verifier|token=|code=/)
    expect(page.host.requests.filter(({ url }) => url.startsWith(EVIL))).toEqual([])
    expect(scene.provider.requests.map(({ body }) => body.get('code'))).not.toContain('evil')
  })

  it('gets no sign-in page, no logout page and no token of the visit', async () => {
    const scene = await knownBrowser()
    plant(scene, PLANTED)
    scene.provider.user = undefined
    const page = await start(scene)
    expect(statusOf(page)).toBe('redirecting')
    expect(page.host.navigations.at(-1)).toMatch(`${ISSUER}/auth?`)
  })

  it('is no reason to leave for a provider that does not respond', async () => {
    const scene = await knownBrowser()
    plant(scene, PLANTED)
    scene.provider.instead.set(DISCOVERY, () => json({}, 503))
    const page = await start(scene)
    expect(statusOf(page)).toBe('failed')
    expect(page.host.navigations).toEqual([])
    expect(page.host.requests.filter(({ url }) => url.startsWith(EVIL))).toEqual([])
  })

  it('is overwritten by the metadata of the visit', async () => {
    const scene = await knownBrowser()
    plant(scene, PLANTED)
    const page = await start(scene)
    expect(page.host.localStorage.get(KEY)).not.toContain(EVIL)
  })
})

describe('the page that comes back from the sign-in page', () => {
  it('goes by the metadata that it left with, and asks for none', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    expect(statusOf(page)).toBe('authenticated')
    expect(scene.provider.count(DISCOVERY)).toBe(1)
  })

  it('a page that nobody sent back asks anew: what lies in its tab is no reason to trust it', async () => {
    const scene = createOidcScene({ config: { verifyFirstVisit: false } })
    const first = scene.open()
    first.host.sessionStorage.set(
      KEY,
      JSON.stringify({
        document: { ...scene.provider.metadata, authorization_endpoint: `${EVIL}/auth` },
        atMs: scene.browser.clock.nowMs,
      }),
    )
    void first.auth.start()
    await first.host.settle()
    expect(first.host.navigations.at(-1)).toMatch(`${ISSUER}/auth?`)
  })
})
