// What a tab makes of responses that real providers send to it in ways that no standard describes.
import { describe, expect, it } from 'vitest'
import { APP, jwt } from '../scene.ts'
import { follow, signedIn, start } from './sessionPages.ts'
import { createOidcScene, json } from './sessionScene.ts'

const stateOf = (url: string) => new URL(url).searchParams.get('state')!
const promptOf = ({ host }: { host: { navigations: readonly string[] } }) =>
  new URL(host.navigations.at(-1)!).searchParams.get('prompt')

describe('two tabs at a sign-in page that keeps one request only', () => {
  it("the second tab's response, without iss, comes to the first: the place is kept, and the code is left to the second", async () => {
    const scene = createOidcScene()
    const first = await start(scene, `${APP}invoices/7`)
    const second = await start(scene, `${APP}users`)
    scene.provider.user = 'ada'
    const before = scene.provider.count('/token')
    scene.provider.isFrameMute = true
    const back = await follow(scene, first, scene.provider.authorize(second.host.navigations.at(-1)!))
    expect(back.host.address).toBe(`${APP}invoices/7`)
    expect(scene.provider.count('/token')).toBe(before)
  })

  it('the first comes back with an error, and follows the sign-in of the second', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    const second = await start(scene)
    const error = `${APP}?error=request_forbidden&state=${stateOf(first.host.navigations.at(-1)!)}`
    const failed = await follow(scene, first, error)
    expect(failed.auth.getState()).toMatchObject({ status: 'failed' })
    scene.provider.user = 'ada'
    await follow(scene, second)
    await scene.browser.clock.advance(10_000)
    expect(failed.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })
})

describe("the app's prompt=consent, without which some providers issue no refresh token", () => {
  const options = { parameters: { prompt: 'consent' } }

  it('is sent by a browser that never had a session, also without a click', async () => {
    expect(promptOf(await start(createOidcScene({ options })))).toBe('consent')
  })

  it('is not sent when a page comes back without a click: whoever has a session comes straight back', async () => {
    const scene = createOidcScene({ options })
    const page = await signedIn(scene)
    // The browser keeps the provider's cookies from frames.
    const next = page.host.openNext(APP, {
      onFrame: (frame) =>
        queueMicrotask(() =>
          frame.load(`${APP}?error=login_required&state=${frame.parameters.get('state')}`),
        ),
    })
    const { createAuth } = await import('../../../src/session/createAuth.ts')
    void createAuth(scene.config(), { platform: next.platform }).start()
    await next.settle()
    expect(promptOf({ host: next })).toBeNull()
  })

  it('is sent when the user asks to sign in', async () => {
    const scene = createOidcScene({ options, config: { autoLogin: false } })
    const { auth, host } = await start(scene)
    void auth.login()
    await host.settle()
    expect(promptOf({ host })).toBe('consent')
  })
})

describe('a server that ignores the resource, and ends the access token before at each refresh', () => {
  const FILES = 'https://files.example.com'

  it('the token that came is the session’s own from then on; the call for the resource is refused as before', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    const fresh = jwt({ sub: 'ada', aud: [], n: 2 })
    scene.provider.instead.set('/token', () =>
      json({ access_token: fresh, token_type: 'Bearer', expires_in: 120, refresh_token: 'refresh-9' }),
    )
    const before = auth.getState()
    await expect(auth.getAccessToken({ resource: FILES })).rejects.toMatchObject({ code: 'not-supported' })
    expect(await auth.getAccessToken()).toBe(fresh)
    expect(auth.getState()).toBe(before)
    const { expiresAtMs } = auth.getState() as { expiresAtMs?: number }
    expect(expiresAtMs! - scene.browser.clock.nowMs).toBe(120_000)
  })
})
