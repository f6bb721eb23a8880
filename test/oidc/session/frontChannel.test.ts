// A provider that ends a session tells the app's page in a frame, by iss and sid (OpenID Connect Front-Channel Logout 1.0).
import { expect, it } from 'vitest'
import { fingerprint } from '../../../src/protocol/identity.ts'
import { endNamedSession } from '../../../src/front-channel/endNamedSession.ts'
import { APP, ISSUER, jwt } from '../scene.ts'
import { follow, signedIn, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, type OidcScene, type Page } from './sessionScene.ts'

const NAMED = { iss: ISSUER, sid: 'sid-1' }

/** The provider opens the page in a frame of this browser. */
async function openFrame(scene: OidcScene, named: Record<string, string>, clientId = 'admin') {
  const { host } = scene.open(`${APP}signed-out.html?${new URLSearchParams(named)}`)
  const hasEnded = endNamedSession(host.platform, { issuer: ISSUER, clientId })
  await host.settle()
  return hasEnded
}

async function twoTabs(scene: OidcScene): Promise<Page[]> {
  const first = await signedIn(scene)
  const second = scene.open()
  void second.auth.start()
  await second.host.settle()
  return [first, second]
}

const statuses = (pages: readonly Page[]) => pages.map(({ auth }) => auth.getState().status)

it('ends the session in every tab, after beforeLogout, without a request to the provider', async () => {
  const left: string[] = []
  const scene = createOidcScene({
    config: { hooks: { beforeLogout: ({ reason }) => void left.push(reason) } },
  })
  const pages = await twoTabs(scene)
  expect(statuses(pages)).toEqual(['authenticated', 'authenticated'])
  const requests = scene.provider.requests.length
  expect(await openFrame(scene, NAMED)).toBe(true)
  await scene.browser.clock.advance(5_000)
  for (const { auth, host } of pages) {
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(host.navigations).toEqual([])
  }
  expect(left).toEqual(['signed-out', 'signed-out'])
  expect(scene.provider.requests).toHaveLength(requests)
})

it('is an end for a page that opens later, too', async () => {
  const scene = createOidcScene()
  await twoTabs(scene)
  expect(await openFrame(scene, NAMED)).toBe(true)
  scene.provider.user = undefined
  const later = scene.open()
  void later.auth.start()
  await later.host.settle()
  expect(later.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
})

it.each([
  ['another session', { ...NAMED, sid: 'sid-2' }],
  ['another issuer', { ...NAMED, iss: 'https://other.test' }],
  ['no session', { iss: ISSUER }],
  ['an empty session', { iss: ISSUER, sid: '' }],
  ['no issuer', { sid: 'sid-1' }],
] as [string, Record<string, string>][])('does nothing where the address names %s', async (_what, named) => {
  const scene = createOidcScene()
  const pages = await twoTabs(scene)
  expect(await openFrame(scene, named)).toBe(false)
  expect(statuses(pages)).toEqual(['authenticated', 'authenticated'])
})

it('does nothing to another client, nor where nobody is signed in, nor twice', async () => {
  const scene = createOidcScene()
  expect(await openFrame(scene, NAMED)).toBe(false)
  await twoTabs(scene)
  expect(await openFrame(scene, NAMED, 'other')).toBe(false)
  expect(await openFrame(scene, NAMED)).toBe(true)
  expect(await openFrame(scene, NAMED)).toBe(false)
})

it('stores a hash of sid, never sid itself', async () => {
  const scene = createOidcScene()
  const [page] = await twoTabs(scene)
  const { localStorage } = page!.host.platform
  expect(localStorage.get(`latchkey ${ISSUER} admin sid`)).toMatch(/^[\da-z]{8,14}$/)
})

/** The provider gives this `sid` from now on, or none. */
const giveSid = ({ provider }: OidcScene, sid?: string) => {
  provider.changeIdToken = (claims) => jwt({ ...claims, sid })
}

it.each([
  ['ada', undefined],
  ['bob', undefined],
  ['ada', 'sid-2'],
])('does nothing to the session after, of %s with sid %s', async (user, sid) => {
  const scene = createOidcScene()
  const page = await signedIn(scene)
  void page.auth.logout()
  await page.host.settle()
  scene.provider.user = undefined
  const back = await follow(scene, page, wayBackFromLogout(page))
  giveSid(scene, sid)
  void back.auth.login()
  await back.host.settle()
  scene.provider.user = user
  const next = await follow(scene, back)
  expect(await openFrame(scene, NAMED)).toBe(false)
  expect(statuses([next])).toEqual(['authenticated'])
})

it('leaves an end of the app as it is', async () => {
  const scene = createOidcScene({ config: { idleTimeoutInMinutes: 5 } })
  const { localStorage } = (await signedIn(scene)).host.platform
  await scene.browser.clock.advance(6 * 60_000)
  const record = localStorage.get(`latchkey ${ISSUER} admin record`)
  expect(record).toContain('idle')
  expect(await openFrame(scene, NAMED)).toBe(false)
  expect(localStorage.get(`latchkey ${ISSUER} admin record`)).toBe(record)
})

it('an empty sid of the provider names no session', async () => {
  const scene = createOidcScene()
  giveSid(scene, '')
  const page = await signedIn(scene)
  expect(await openFrame(scene, { iss: ISSUER })).toBe(false)
  expect(statuses([page])).toEqual(['authenticated'])
})

it.each(['https://id.test', 'https://id.test/'])('finds the session of the issuer %s', (issuer) => {
  const { host } = createOidcScene().open(`${APP}signed-out.html?sid=sid-1&iss=https://id.test/`)
  const { localStorage } = host.platform
  localStorage.set('latchkey https://id.test admin record', JSON.stringify({ id: 'aaaaaa', user: 'ada' }))
  localStorage.set('latchkey https://id.test admin sid', fingerprint('aaaaaasid-1'))
  expect(endNamedSession(host.platform, { issuer, clientId: 'admin' })).toBe(true)
})
