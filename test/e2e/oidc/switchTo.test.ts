// The menu of docs/hooks/organizations.md in real Chromium, as its reader would copy it: from one organization of a provider to another.

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { type TestBrowsers, useBrowsers } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { codeOf } from '../pages/recipeCode.ts'
import { enterName } from './oidcDemo.ts'

const ACME = 'org_acme'
const GLOBEX = 'org_globex'
const STRICT = 'org_strict'

/** An app whose own query knows nothing of users or firms; the provider itself says whose token it was asked with. */
const mainAt = (issuer: string) => `
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Authenticated, AuthProvider, AuthToaster, createAuth, useAuth } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { createRoot } from 'react-dom/client'
import { OrganizationMenu } from './recipe'

const auth = createAuth({
  server: openIdConnect({
    issuer: '${issuer}',
    organization: { scope: 'organization:{organization}' },
    claims: ({ sub, sid, organization }) => ({ userId: sub, sessionId: sid, firmId: organization }),
  }),
  clientId: 'admin',
  scopes: ['openid', 'offline_access'],
  apiOrigins: ['${issuer}'],
  autoRefreshToken: true,
})
const client = new QueryClient()
Object.assign(window, { auth, client })

function Invoices() {
  const { user } = useAuth()
  const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => auth.fetch('${issuer}/me') })
  return (
    <>
      <h1>{user.firmId ?? 'No organization'}</h1>
      <p role="status">{data ? 'Invoices of ' + data.organization : 'Reading'}</p>
      <label>Note <input /></label>
      <button type="button" onClick={() => void auth.logout()}>Sign out</button>
    </>
  )
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={client}>
    <AuthProvider auth={auth} fallback={<p>Checking</p>}>
      <Authenticated>
        <OrganizationMenu />
        <Invoices />
      </Authenticated>
      <AuthToaster />
    </AuthProvider>
  </QueryClientProvider>,
)
`

let provider: OidcServer
let site: RecipeSite
let asked: string[] = []

beforeAll(async () => {
  site = await openRecipeSite()
  provider = await startOidcServer({
    organizations: { open: [ACME, GLOBEX], asking: [STRICT] },
    onRequest: (request) => asked.push(request),
  })
  const recipe = codeOf('docs/hooks/organizations.md', 'useSwitchTo')[0]!.replace(
    `['${ACME}', '${GLOBEX}']`,
    `['${ACME}', '${GLOBEX}', '${STRICT}']`,
  )
  await site.serve([{ recipe, main: mainAt(provider.issuer) }])
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await Promise.all([site.close(), provider.close()])
})

/** Anna works for Acme. */
async function openAtAcme(
  browsers: TestBrowsers,
  { hasTabs = false } = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const page = hasTabs ? await (await browsers.openBrowser()).newPage() : await browsers.openPage()
  await page.goto(site.origin)
  await enterName(page)
  await choose(page, ACME)
  await expectWorkingFor(page, ACME)
  return { context: page.context(), page }
}

const choose = async (page: Page, organization: string) =>
  page.getByRole('button', { name: organization, exact: true }).click()

/** The user, the provider and the menu say the same. */
async function expectWorkingFor(page: Page, organization: string): Promise<void> {
  await expectVisible(page.getByRole('heading', { name: organization }))
  await expectVisible(page.getByText(`Invoices of ${organization}`))
  await expectVisible(page.getByRole('button', { name: organization, pressed: true }))
}

/** Everything that is shown from now on. */
const watchShown = async (page: Page) =>
  page.evaluate(() => {
    const shown: string[] = []
    Object.assign(window, { shown })
    const note = () => {
      const texts = ['h1', '[role=status]'].map((one) => document.querySelector(one)?.textContent ?? '')
      shown.push(texts.join(', '))
    }
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
  })
const shownOn = async (page: Page) => page.evaluate(() => Reflect.get(window, 'shown') as string[])

describe('from one organization to another', () => {
  const browsers = useBrowsers()

  it('needs no page, no window and no question: a hidden frame and one exchange', async () => {
    const { context, page } = await openAtAcme(browsers)
    await watchShown(page)
    asked = []
    await choose(page, GLOBEX)
    await expectWorkingFor(page, GLOBEX)
    // Still the page that was watched, and alone.
    expect((await shownOn(page)).length).toBeGreaterThan(0)
    expect(context.pages()).toHaveLength(1)
    expect(asked.filter((request) => request === 'GET /auth')).toHaveLength(1)
    expect(asked.filter((request) => request === 'POST /token')).toHaveLength(1)
  })

  it('takes everything of the first one away: cache, what was typed, and every picture of it', async () => {
    const { page } = await openAtAcme(browsers)
    await page.getByLabel('Note').fill('for Acme only')
    await page.evaluate(() => {
      const client = Reflect.get(window, 'client') as { setQueryData(key: string[], data: string): void }
      client.setQueryData(['a list of Acme that no screen shows now'], 'secret plans')
    })
    await watchShown(page)
    await choose(page, GLOBEX)
    await expectWorkingFor(page, GLOBEX)
    expect(await page.getByLabel('Note').inputValue()).toBe('')
    const cache = await page.evaluate(() => {
      const client = Reflect.get(window, 'client') as {
        getQueryCache(): { getAll(): { queryKey: unknown; state: { data: unknown } }[] }
      }
      return JSON.stringify(
        client
          .getQueryCache()
          .getAll()
          .map(({ queryKey, state }) => [queryKey, state.data]),
      )
    })
    expect(cache).toContain(GLOBEX)
    expect(cache).not.toMatch(/acme|secret plans/i)
    // The heading of one and the invoices of the other never stand beside each other.
    expect((await shownOn(page)).filter((one) => one.includes(ACME) && one.includes(GLOBEX))).toEqual([])
  })

  it('takes the other tabs along, and a reload stays where the user was', async () => {
    const { context, page } = await openAtAcme(browsers, { hasTabs: true })
    const other = await context.newPage()
    await other.goto(site.origin)
    await expectWorkingFor(other, ACME)
    await choose(page, GLOBEX)
    await expectWorkingFor(page, GLOBEX)
    await expectWorkingFor(other, GLOBEX)
    await other.close()
    await page.reload()
    await expectWorkingFor(page, GLOBEX)
  })

  /** A switch to an organization that the provider has a question about: its window is open. */
  async function askAtStrict() {
    const { context, page } = await openAtAcme(browsers, { hasTabs: true })
    const opened = context.waitForEvent('page')
    await choose(page, STRICT)
    const question = await opened
    await expectVisible(question.getByRole('button', { name: 'Continue' }))
    return { context, page, question }
  }

  it('opens a window where the provider has a question, and waits for the answer on the page of before', async () => {
    const { context, page, question } = await askAtStrict()
    await expectWorkingFor(page, ACME)
    await question.getByRole('button', { name: 'Continue' }).click()
    await expectWorkingFor(page, STRICT)
    await expectEventually(() => context.pages().length, 1)
  })

  it('changes nothing when that window is closed', async () => {
    const { page, question } = await askAtStrict()
    await question.close()
    await expectVisible(page.getByRole('alert'))
    await expectWorkingFor(page, ACME)
  })
})
