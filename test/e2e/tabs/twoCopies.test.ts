// Two copies of latchkey on one page, as micro front ends or nested node_modules bring them: two builds of an app, each with its own.

// @module-tag thorough

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowsers } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { openAsAnna, type Place, SERVERS } from './twoServers.ts'

/** The page of the second build has the script; the first build loads it, as the shell of micro front ends does. */
const LOAD_SECOND = `
const page = await (await fetch('/second/')).text()
await import(/* @vite-ignore */ /src="([^"]+)"/.exec(page)[1])
`

const mainOf = (name: string, server: string, more = '') => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider, createAuth, useAuth } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { createRoot } from 'react-dom/client'

function Desk() {
  const { user, logout } = useAuth()
  return <p>${name}: signed in as {user?.userId} <button onClick={() => void logout()}>Sign out of ${name}</button></p>
}
const auth = createAuth({ ${server}, clientId: 'admin', scopes: ['openid'] })
const root = document.createElement('section')
document.body.append(root)
createRoot(root).render(
  <QueryClientProvider client={new QueryClient()}>
    <AuthProvider auth={auth} fallback={<p>${name}: checking</p>}>
      <Authenticated login unauthenticated={({ reason }) => <p>${name}: {reason}</p>}><Desk /></Authenticated>
    </AuthProvider>
  </QueryClientProvider>,
)
void openIdConnect
${more}`

describe.each(Object.keys(SERVERS))('two copies of latchkey on one page, at %s', (server) => {
  const browsers = useBrowsers()
  let site: RecipeSite
  let place: Place
  beforeAll(async () => {
    site = await openRecipeSite()
    place = await SERVERS[server]!(site.origin)
    await site.serve([
      { recipe: '', main: mainOf('first', place.server, LOAD_SECOND) },
      { base: '/second/', recipe: '', main: mainOf('second', place.server) },
    ])
  })
  afterAll(async () => {
    await Promise.all([site.close(), place.close()])
  })

  it('are one session: a sign-in is for both, a sign-out ends signed out in both, and one warning says that there are two copies and how to find them', async () => {
    browsers.expectOnConsole(/npm ls latchkey/)
    const { page } = await openAsAnna(browsers, place, site.origin)
    for (const name of ['first', 'second']) await expectVisible(page.getByText(`${name}: signed in as anna`))
    // The page before the sign-in may have said it too, if there was time.
    const warnings = () => new Set(browsers.consoleLines().filter((line) => line.includes('[latchkey]')))
    await expectEventually(
      () => [...warnings()],
      [expect.stringMatching(/^\[latchkey\] Two copies of latchkey are on this page.* `npm ls latchkey`/)],
    )

    await page.getByRole('button', { name: 'Sign out of second' }).click()
    await place.confirmSignOut?.(page)
    for (const name of ['first', 'second']) await expectVisible(page.getByText(`${name}: signed-out`))
    expect(new URL(page.url()).origin).toBe(site.origin)
  })
})
