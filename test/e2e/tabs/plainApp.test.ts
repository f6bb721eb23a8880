// An app that knows nothing of changes of user, in two tabs: plain keys, plain state, a plain fetch.

// @module-tag thorough

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowsers } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { leaksOf, watchLeaks } from './leaks.ts'
import { openAsAnna, type Place, SERVERS, userOf } from './twoServers.ts'

const SCREEN = `
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Auth, useAuth } from 'latchkey'
import { useState } from 'react'

const load = async (auth: Auth, path: string): Promise<string> => {
  const response = await fetch(path, { headers: { authorization: 'Bearer ' + (await auth.getAccessToken()) } })
  return response.json()
}

export function Desk() {
  const { auth, user, logout } = useAuth()
  const invoices = useQuery({ queryKey: ['invoices'], queryFn: async () => load(auth, '/api/invoices'), staleTime: 60_000 })
  const saving = useMutation({ mutationFn: async () => load(auth, '/api/receipt') })
  const [draft, setDraft] = useState('')
  return (
    <main>
      <h1>Signed in as {user?.userId}</h1>
      <p>{invoices.data}</p>
      <label>Draft <input value={draft} onChange={(event) => setDraft(event.target.value)} /></label>
      <p>Draft: {draft}</p>
      <button onClick={() => saving.mutate()}>Save</button>
      <p>{saving.data}</p>
      <button onClick={() => void logout()}>Sign out</button>
    </main>
  )
}
`
const mainOf = (server: string, more: string) => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Desk } from './recipe'

const config = { ${server}, clientId: 'admin', scopes: ['openid'], ${more} }
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider config={config}><Authenticated><Desk /></Authenticated></AuthProvider>
    </QueryClientProvider>
  </StrictMode>,
)
`

/** The app with these further options, and the story that each test tells. */
function usePlainApp(server: string, more = '') {
  const browsers = useBrowsers()
  let site: RecipeSite
  let place: Place
  beforeAll(async () => {
    site = await openRecipeSite()
    site.dataOf = (authorization) => `data of ${userOf(authorization)}`
    place = await SERVERS[server]!(site.origin)
    await site.serve([{ recipe: SCREEN, main: mainOf(place.server, more) }])
  })
  afterAll(async () => {
    await Promise.all([site.close(), place.close()])
  })

  /** Anna works in the first tab; in the second she signs out and Bram signs in. Returns the first. */
  const changeUser = async () => {
    const { context, page } = await openAsAnna(browsers, place, site.origin)
    await expectVisible(page.getByText('data of anna'))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectEventually(async () => page.getByText('data of anna').count(), 2)
    await page.getByRole('textbox').fill('a letter of anna')
    await expectVisible(page.getByText('Draft: a letter of anna'))
    await watchLeaks(page, { words: 'anna', text: 'innerText' })

    const other = await context.newPage()
    await other.goto(site.origin)
    await expectVisible(other.getByText('data of anna'))
    await other.getByRole('button', { name: 'Sign out' }).click()
    await place.confirmSignOut?.(other)
    await expectVisible(other.getByText('You are signed out'))
    await expectVisible(page.getByText('You are signed out'))
    expect(await page.getByText('anna').count()).toBe(0)
    site.requests.length = 0
    await other.getByRole('button', { name: 'Sign in' }).click()
    await place.signIn(other, 'bram')
    await expectVisible(other.getByText('data of bram'))
    await expectVisible(page.getByRole('heading', { name: 'Signed in as bram' }))
    return page
  }
  const askedBy = () =>
    site.requests.filter(({ path }) => path === '/api/invoices').map(({ bearer = '' }) => userOf(bearer))

  return { changeUser, askedBy }
}

describe('a plain app on openIdConnect in a tab whose user changes in another', () => {
  const { changeUser, askedBy } = usePlainApp('openIdConnect')

  it('shows nothing of the former user to the next, and asks anew', async () => {
    const page = await changeUser()
    await expectVisible(page.getByText('data of bram'))
    expect(await leaksOf(page)).toEqual([])
    expect(await page.getByText('data of').count()).toBe(1)
    expect(await page.getByRole('textbox').inputValue()).toBe('')
    // Each tab once.
    expect(askedBy()).toEqual(['bram', 'bram'])
  })
})

describe("the same app with clearQueries: 'own'", () => {
  const { changeUser, askedBy } = usePlainApp('authHost', "clearQueries: 'own'")

  it('shows what plain queries hold to the next user, as the documentation warns', async () => {
    const page = await changeUser()
    await expectVisible(page.getByText('data of anna'))
    expect(await leaksOf(page)).not.toEqual([])
    expect(await page.getByRole('textbox').inputValue()).toBe('')
    expect(askedBy()).toEqual(['bram'])
  })
})
