// What a provider adds to its response of its own, as Keycloak does with kc_action_status: the app's afterLogin hook gets it, once.
import { expect, it } from 'vitest'
import { APP } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, type OidcScene } from '../session/sessionScene.ts'
import { openWindowScene } from './windowScene.ts'

function createHookedScene(status = 'success') {
  const events: object[] = []
  const scene: OidcScene = createOidcScene({
    config: { hooks: { afterLogin: ({ via, answer }) => void events.push({ via, answer }) } },
  })
  const { authorize } = scene.provider
  scene.provider.authorize = (url) => {
    const back = new URL(authorize(url))
    back.searchParams.set('session_state', 'x')
    back.searchParams.set('kc_action', 'UPDATE_PASSWORD')
    back.searchParams.set('kc_action_status', status)
    return back.href
  }
  return { scene, events }
}

it.each(['success', 'cancelled'])(
  'a redirect that ends with %s tells afterLogin, and no member of the protocol',
  async (status) => {
    const { scene, events } = createHookedScene(status)
    const page = await signedIn(scene)
    await page.host.settle()
    expect(events).toEqual([
      { via: 'redirect', answer: { kc_action: 'UPDATE_PASSWORD', kc_action_status: status } },
    ])
    expect(page.host.address).toBe(APP)
  },
)

it('a reload, another tab and a renewal hear nothing of it, and nothing stores it', async () => {
  const { scene, events } = createHookedScene()
  const page = await signedIn(scene)
  await page.auth.renew({ force: true })
  const second = await start(scene)
  await scene.browser.clock.advance(1000)
  expect(second.auth.getState().status).toBe('authenticated')
  const next = await follow(scene, page, APP)
  await next.host.settle()
  expect(events.slice(1)).toEqual([
    { via: 'tab', answer: undefined },
    { via: expect.stringMatching(/^(tab|silent)$/), answer: undefined },
  ])
  const stored = [scene.browser.localStorage, next.host.sessionStorage].map((one) => one.entries())
  expect(JSON.stringify([stored, next.auth.explain()])).not.toContain('UPDATE_PASSWORD')
})

it('a sign-in in a window tells it, too', async () => {
  const events: object[] = []
  const { scene, page, answer } = await openWindowScene()
  page.auth.setHook('afterLogin', ({ via, answer: further }) => void events.push({ via, further }))
  const { authorize } = scene.provider
  scene.provider.authorize = (url) => `${authorize(url)}&kc_action_status=success`
  const done = page.auth.login({ display: 'popup' })
  await page.host.settle()
  await answer()
  await done
  await page.host.settle()
  expect(events).toEqual([{ via: 'popup', further: { kc_action_status: 'success' } }])
})
