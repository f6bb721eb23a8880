// What comes back to the app and is not the answer that this tab waits for: that of another tab, and a logout without a state.
import { describe, expect, it } from 'vitest'
import { APP, ISSUER } from '../scene.ts'
import { follow, start } from './sessionPages.ts'
import { createOidcScene, type Page } from './sessionScene.ts'

const FOREIGN = 't'.repeat(32)
const foreign = (parameters: Record<string, string>, page = APP) =>
  `${page}?${new URLSearchParams({ ...parameters, state: FOREIGN, iss: ISSUER })}`
const reasonOf = ({ auth }: Page) => {
  const state = auth.getState()
  return state.status === 'unauthenticated' ? state.reason : state.status
}

describe('the answer to the request of another tab', () => {
  it('is put aside: its code is not sent, and the user is where this tab was to bring them', async () => {
    const scene = createOidcScene()
    const first = await start(scene, `${APP}invoices?page=2`)
    expect(first.auth.getState().status).toBe('redirecting')
    scene.provider.user = 'ada'
    const page = await follow(scene, first, foreign({ code: 'c-9' }))
    expect(page.host.address).toBe(`${APP}invoices?page=2`)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(scene.provider.requests.map(({ body }) => body.get('code'))).not.toContain('c-9')
  })

  it('that is an error says nothing about this tab', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    const page = await follow(scene, first, foreign({ error: 'access_denied' }))
    expect(reasonOf(page)).not.toBe('cancelled')
  })

  it.each([
    ['where this tab waits for none', { autoLogin: false }, APP],
    ['at another page of the app', {}, `${APP}github/callback`],
  ])('stays in the address %s', async (_what, config, at) => {
    const scene = createOidcScene({ config })
    const first = await start(scene)
    const address = foreign({ code: 'c-9' }, at)
    const page = await follow(scene, first, address)
    expect(page.host.address).toBe(address)
    expect(scene.provider.count('/token')).toBe(0)
  })
})

describe('a logout page that sends the user back without a state', () => {
  const options = { endSession: { url: 'https://login.example.com/logout', returnParameter: 'logout_uri' } }
  const loggedOut = async () => {
    const scene = createOidcScene({ options })
    const first = await start(scene)
    scene.provider.user = 'ada'
    const page = await follow(scene, first)
    await page.auth.logout()
    scene.provider.user = undefined
    return { scene, page }
  }

  it('has signed out, and the sign-in page does not open by itself', async () => {
    const { scene, page } = await loggedOut()
    const back = await follow(scene, page, APP)
    expect(reasonOf(back)).toBe('signed-out')
    expect(back.host.navigations).toEqual([])
  })

  it('hours later has signed out too: the place is restored, and nothing failed', async () => {
    const scene = createOidcScene({ options })
    const first = await start(scene, `${APP}firms?page=2`)
    scene.provider.user = 'ada'
    const page = await follow(scene, first)
    await page.auth.logout()
    scene.provider.user = undefined
    await page.host.clock.advance(3_600_000)
    const back = await follow(scene, page, APP)
    expect([reasonOf(back), back.host.address]).toEqual(['signed-out', `${APP}firms?page=2`])
    expect(back.auth.getState()).not.toHaveProperty('cause.code')
  })

  it('says so once: the next page begins as ever', async () => {
    const { scene, page } = await loggedOut()
    const next = await follow(scene, await follow(scene, page, APP), APP)
    expect(reasonOf(next)).toBe('redirecting')
  })

  it.each([`${APP}invoices`, `${APP}?tour=1`])(
    'is not what the address %s means; nobody is sent away from it',
    async (address) => {
      const { scene, page } = await loggedOut()
      const next = await follow(scene, page, address)
      expect(next.host.address).toBe(address)
      // Whether the server has heard of the logout, nobody knows.
      expect(reasonOf(next)).toBe('signed-out')
      expect(next.host.navigations).toEqual([])
    },
  )
})
