// One session per browser, in Chromium, on a server with session ids and on one without: after a logout in one tab no other tab is signed in.

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowsers } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { closeBy, openPopup } from '../popups/popup.ts'
import { openAsAnna, type Place, SERVERS, userOf } from './twoServers.ts'

const RECIPE = `
import { useQuery } from '@tanstack/react-query'
import { AuthError, useAuth } from 'latchkey'
import { useState } from 'react'

export function Desk() {
  const { auth, user, logout } = useAuth()
  const [refusal, setRefusal] = useState<AuthError>()
  const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => auth.fetch<string>('/api/invoices'), staleTime: 600_000 })
  const call = () => auth.fetch('/api/protected').then(() => setRefusal(undefined), setRefusal)
  return (
    <main>
      <h1>Signed in as {user?.userId}</h1>
      <p>{data}</p>
      <button onClick={() => void call()}>Call</button>
      {refusal && <button onClick={() => void auth.stepUp(refusal, { display: 'popup' }).then(call)}>Confirm</button>}
      <button onClick={() => void logout()}>Sign out</button>
    </main>
  )
}
`

const mainOf = (server: string) => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider, createAuth } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Desk } from './recipe'

const { wishes } = globalThis
const auth = createAuth({
  ${server},
  clientId: 'admin',
  scopes: ['openid'],
  hooks: { beforeLogout: () => localStorage.setItem('left: ' + (wishes?.name ?? 'plain'), '') },
  ...wishes?.options,
})
function App() {
  const [isPublic, setPublic] = useState(false)
  return (
    <>
      <button onClick={() => setPublic(!isPublic)}>{isPublic ? 'Staff' : 'Public'}</button>
      {!isPublic && <AuthProvider auth={auth}><Authenticated><Desk /></Authenticated></AuthProvider>}
    </>
  )
}
createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={new QueryClient()}><App /></QueryClientProvider>,
)
`

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, user: string) => page.getByRole('heading', { name: `Signed in as ${user}` })
const signedOut = (page: Page) => page.getByText('You are signed out')
const signInForm = (page: Page) => page.locator('input[name=login], button[value=anna]')

async function expectData(page: Page, user: string): Promise<void> {
  await expectVisible(heading(page, user))
  await expectVisible(page.getByText(`data of ${user}`))
}

/** Another tab of the browser, with options of its own. */
async function openTab(context: BrowserContext, origin: string, wishes?: object): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript((given) => Object.assign(globalThis, { wishes: given }), wishes)
  await page.goto(origin)
  return page
}

/** From now on a page of the app that shows Anna's name is a fault on its console. */
async function forbidAnna(context: BrowserContext, origin: string): Promise<void> {
  const watch = (app: string) => {
    if (location.origin !== app) return
    const look = () => document.body?.innerText.includes('anna') && console.error('shows Anna')
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
    look()
  }
  await context.addInitScript(watch, origin)
  for (const page of context.pages()) await page.evaluate(watch, origin)
}

describe.each(Object.keys(SERVERS))('on %s', (server) => {
  const browsers = useBrowsers()
  let site: RecipeSite
  let place: Place
  beforeAll(async () => {
    site = await openRecipeSite()
    site.dataOf = (authorization) => `data of ${userOf(authorization)}`
    place = await SERVERS[server]!(site.origin)
    await site.serve([{ recipe: RECIPE, main: mainOf(place.server) }])
  })
  afterAll(async () => Promise.all([site.close(), place.close()]))

  const signOut = async (page: Page) => {
    await button(page, 'Sign out').click()
    await place.confirmSignOut?.(page)
    await expectVisible(signedOut(page))
  }

  // Which session counts is the same code for both servers: each way here at one of them.
  it.each([server === 'authHost' ? 'has given way to another user' : 'has signed out'])(
    'an unmounted page whose user %s elsewhere shows nothing of them, mounted again, loaded again or opened beside it',
    async (meanwhile) => {
      const { context, page } = await openAsAnna(browsers, place, site.origin)
      const away: Page[] = []
      for (const tab of [page, await openTab(context, site.origin)]) {
        await expectData(tab, 'anna')
        await button(tab, 'Public').click()
        away.push(tab)
      }
      const other = await openTab(context, site.origin)
      await expectData(other, 'anna')
      await signOut(other)
      await forbidAnna(context, site.origin)
      const isReplaced = meanwhile.endsWith('user')
      if (isReplaced) {
        await button(other, 'Sign in').click()
        await place.signIn(other, 'bram')
        await expectData(other, 'bram')
      }
      site.requests.length = 0
      const [mounted, loaded] = away as [Page, Page]
      const expectNoAnna = async (tab: Page) =>
        isReplaced ? expectData(tab, 'bram') : expectVisible(signedOut(tab).or(signInForm(tab)))
      // First those that a page which is not mounted could hand its session to.
      await expectNoAnna(await openTab(context, site.origin))
      await loaded.reload()
      await expectNoAnna(loaded)
      await button(mounted, 'Staff').click()
      // A page with somebody on it does not change its user without a click.
      if (isReplaced) await button(mounted, 'Sign in').click()
      await expectNoAnna(mounted)
      const bearers = site.requests.flatMap(({ bearer }) => bearer ?? [])
      expect(bearers.map(userOf)).not.toContain('anna')
    },
  )

  it.skipIf(server === 'authHost')(
    'a logout ends tabs with other scopes and another audience, each with its hook',
    async () => {
      const { context, page } = await openAsAnna(browsers, place, site.origin)
      await expectData(page, 'anna')
      const others = []
      for (const [name, options] of Object.entries({
        scopes: { scopes: ['openid', 'email'] },
        audience: { audience: 'https://api.test' },
      })) {
        const other = await openTab(context, site.origin, { name, options })
        await expectVisible(heading(other, 'anna').or(button(other, 'Continue')))
        if (await button(other, 'Continue').isVisible()) await button(other, 'Continue').click()
        await expectData(other, 'anna')
        others.push(other)
      }
      await signOut(page)
      for (const other of others) await expectVisible(signedOut(other))
      const left = others[0]!.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.startsWith('left: ')),
      )
      expect((await left).toSorted()).toEqual(['left: audience', 'left: plain', 'left: scopes'])
    },
  )

  // The API asks, whichever server it is.
  if (server !== 'authHost') return

  it.each([
    [
      'insufficient_claims',
      `claims="${btoa(JSON.stringify({ access_token: { acrs: { essential: true } } }))}"`,
    ],
    ['insufficient_user_authentication', 'max_age="0"'],
  ])('a tab that met %s and one that did not are still one session', async (error, wanted) => {
    browsers.expectOnConsole(/401 \(Unauthorized\)/)
    const { context, page } = await openAsAnna(browsers, place, site.origin)
    await expectData(page, 'anna')
    const other = await openTab(context, site.origin)
    await expectData(other, 'anna')
    let calls = 0
    await page.route('**/api/protected', async (route) => {
      calls += 1
      const headers = { 'www-authenticate': `Bearer error="${error}", ${wanted}` }
      await (calls === 1 ? route.fulfill({ status: 401, headers, body: '{}' }) : route.continue())
    })
    await button(page, 'Call').click()
    if (error !== 'insufficient_claims') {
      const popup = await openPopup(page, button(page, 'Confirm'))
      await closeBy(popup, async () => place.signIn(popup, 'anna'))
    }
    await expectEventually(() => calls, 2)
    await signOut(other)
    await forbidAnna(context, site.origin)
    await expectVisible(signedOut(page))
    const next = await openTab(context, site.origin)
    await expectVisible(signInForm(next))
  })
})
