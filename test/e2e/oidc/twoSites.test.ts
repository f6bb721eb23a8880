// A provider on another site whose cookies the browser keeps from frames, and no refresh token: the quick start's own set-up in Safari or Firefox.

// @module-tag thorough

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { expectEventually, expectVisible } from '../page.ts'
import { comeBack } from '../user.ts'
import { enterName } from './oidcDemo.ts'
import { createTwoSites } from './twoSites.ts'

const LIFE_SECONDS = 45

const RECIPE = `
import { useAuth } from 'latchkey'
import { useState } from 'react'

export function Desk() {
  const { auth, user, logout } = useAuth()
  const [said, setSaid] = useState<string[]>([])
  const call = () => void auth.fetch('/api/other').catch((error) => setSaid((all) => [...all, 'API: ' + error.status]))
  return (
    <main>
      <h1>Signed in as {user?.userId}</h1>
      <label>Draft <input /></label>
      <button onClick={call}>Call</button>
      <p>{said.join(', ')}</p>
      <button onClick={() => void logout()}>Sign out</button>
    </main>
  )
}
`

const mainOf = (issuer: string) => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider, SignInAgainDialog } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { createRoot } from 'react-dom/client'
import { Desk } from './recipe'

const config = {
  server: openIdConnect({ issuer: '${issuer}' }),
  clientId: 'admin',
  scopes: ['openid'],
  autoRefreshToken: true,
}
createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={new QueryClient()}>
    <AuthProvider config={config}>
      <Authenticated expired={<SignInAgainDialog />}><Desk /></Authenticated>
    </AuthProvider>
  </QueryClientProvider>,
)
`

const sites = createTwoSites((issuer) => ({ recipe: RECIPE, main: mainOf(issuer) }), {
  accessTokenSeconds: LIFE_SECONDS,
})

const heading = (page: Page) => page.getByRole('heading', { name: 'Signed in as anna' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session ended' })

/** The API wants another audience: it refuses every token. */
async function call(page: Page, count: number): Promise<void> {
  const said = Array.from({ length: count }, () => 'API: 401').join(', ')
  await page.getByRole('button', { name: 'Call' }).click()
  await expectVisible(page.getByText(said, { exact: true }))
  await expectVisible(heading(page))
  expect(await dialog(page).count()).toBe(0)
}

it('signs in, reloads, survives 401s, lives as long as its token, keeps what was typed, and signs out', async () => {
  const page = await sites.newPage()
  await page.context().route('**/api/other', (route) => route.fulfill({ status: 401, body: '{}' }))
  await page.goto(sites.origin)
  await enterName(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectVisible(heading(page))

  // The frame finds nobody, so the page goes through the provider, which asks nothing.
  await comeBack(page)
  await expectVisible(heading(page))
  const signedInAtMs = Date.now()
  const tokens = sites.count('POST /token')
  expect(tokens, 'a code for each page load').toBe(2)

  await page.getByLabel('Draft').fill('a letter')
  await call(page, 1)
  await call(page, 2)
  expect(sites.count('POST /token'), 'no tokens through the frame').toBe(tokens)

  // The renewal that is due at half of its life finds nobody either.
  await expectVisible(dialog(page))
  expect(Date.now() - signedInAtMs, 'the token has lived to its end').toBeGreaterThan(
    (LIFE_SECONDS - 8) * 1000,
  )
  expect(await page.getByLabel('Draft').inputValue()).toBe('a letter')

  await dialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expectEventually(() => dialog(page).count(), 0)
  expect(await page.getByLabel('Draft').inputValue()).toBe('a letter')
  // Signed in again, a 401 does not bring the dialog back.
  await call(page, 3)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expectVisible(page.getByText('You are signed out.'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectVisible(page.locator('input[name=login]'))
})
