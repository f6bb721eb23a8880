// A page that Chromium prerenders by speculation rules, and that the user opens later: nothing begins before, no limit has run out then.

// @module-tag thorough

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { expectEventually } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { openUndrivenBrowser, type UndrivenBrowser } from './undrivenBrowser.ts'

/** Time passes a hundred times as fast for a page that is prerendered; once it is open, the frame has a whole minute. */
const FRAME_LIMIT_S = 60
const FASTER = 100
const FAST_TIMERS = `<script>{
  const { setTimeout: usual } = window
  window.setTimeout = (work, ms = 0) => usual(work, document.prerendering ? ms / ${FASTER} : ms)
}</script>`

/** The page before: has the app prerendered, and opens it when the test says so. */
const BEFORE = `
const ask = async () => {
  const response = await fetch('/api/is-open', { headers: { authorization: 'none' } })
  if (await response.json()) location.href = '/admin/'
  else setTimeout(ask, 100)
}
void ask()
`
const RULES =
  '<script type="speculationrules">{"prerender":[{"urls":["/admin/"],"eagerness":"immediate"}]}</script>'

/** The app tells the server of its own origin what becomes of it. */
const appAt = (authHost: string) => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, createAuth } from 'latchkey'
import { createRoot } from 'react-dom/client'

const tell = (what) => void fetch('/api/told/' + what)
const auth = createAuth({ authHost: '${authHost}', clientId: 'admin', scopes: ['openid'], verifyFirstVisit: true, iframeTimeoutInSeconds: ${FRAME_LIMIT_S} })
const isPrerendered = () => (document.prerendering ? 'prerendered-' : 'open-')
tell(isPrerendered() + 'script')
document.addEventListener('prerenderingchange', () => tell('opened'))
auth.subscribe(() => tell(isPrerendered() + auth.getState().status))
createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={new QueryClient()}>
    <AuthProvider auth={auth}>{null}</AuthProvider>
  </QueryClientProvider>,
)
`

let site: RecipeSite
let authServer: AuthServer
let browser: UndrivenBrowser
let isOpen = false

beforeAll(async () => {
  site = await openRecipeSite()
  authServer = await startAuthServer({
    host: 'localhost',
    clientId: 'admin',
    redirectUris: [`${site.origin}/`],
  })
  await site.serve([
    { base: '/admin/', recipe: '', main: appAt(authServer.origin), head: FAST_TIMERS },
    { base: '/start/', recipe: '', main: BEFORE, head: RULES },
  ])
  site.dataOf = () => isOpen
  browser = await openUndrivenBrowser()
})
afterAll(async () => {
  await browser.close()
  await Promise.all([site.close(), authServer.close()])
})

const told = () =>
  site.requests
    .filter(({ path }) => path.startsWith('/api/told/'))
    .map(({ path }) => path.slice('/api/told/'.length))
const visits = () =>
  authServer.requests.matching({ method: 'GET', path: '/oauth/authorize' }).map(({ prompt }) => prompt)

it('asks nothing while it is prerendered, for longer than its frame may take, and signs in by the frame when it is opened', async () => {
  await browser.setCookie({ ...(await authServer.startSession('anna')), url: authServer.origin })
  await browser.open(`${site.origin}/start/`)
  await expectEventually(() => told()[0], 'prerendered-script')
  await pause((2 * FRAME_LIMIT_S * 1_000) / FASTER)
  expect(visits()).toEqual([])
  expect(told()).not.toContain('opened')
  isOpen = true
  await expectEventually(() => told().includes('open-authenticated'), true)
  // Found by the frame: the user was not sent to the sign-in page.
  expect(visits()).toEqual(['none'])
  expect(told()).toContain('opened')
  expect(told().filter((one) => /unauthenticated|failed|redirecting/.test(one))).toEqual([])
})
