// Nothing secret is to be found anywhere a person, an extension or another script could look, after a whole day of a session.
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { button, expectEventually, expectHeading, openSignedIn, signIn, useDemo } from './fixture.ts'

/** Collects every secret as it really goes over the wire, so that the scan looks for the true values. */
function collectSecrets(context: BrowserContext, authHost: string): Map<string, string> {
  const secrets = new Map<string, string>()
  const keep = (name: string, value: unknown) => {
    if (typeof value === 'string' && value.length >= 6) secrets.set(value, name)
  }
  context.on('request', (request) => {
    const url = new URL(request.url())
    keep('code', url.searchParams.get('code'))
    keep('state', url.searchParams.get('state'))
    if (url.href.startsWith(`${authHost}/oauth/token`) && request.method() === 'POST') {
      const body = JSON.parse(request.postData() ?? '{}') as Record<string, unknown>
      for (const name of ['code', 'code_verifier', 'refresh_token']) keep(name, body[name])
    }
  })
  context.on('response', (response) => {
    if (!response.url().startsWith(`${authHost}/oauth/token`) || response.request().method() !== 'POST')
      return
    void response.json().then(
      (body: Record<string, unknown>) => {
        for (const name of ['access_token', 'refresh_token', 'id_token']) keep(name, body[name])
        if (typeof body['access_token'] !== 'string') return
        const payload = body['access_token'].split('.')[1] ?? ''
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
        keep('jti', claims['jti'])
      },
      () => undefined,
    )
  })
  return secrets
}

/** Everything that can be read in a page by whoever gets to run code or to look at it. */
async function readEverything(page: Page): Promise<Record<string, string>> {
  // The frame stays for two seconds after its answer, with the address it was opened with.
  await expectEventually(async () => page.locator('iframe').count(), 0)
  return page.evaluate(async () => {
    const databases = await Promise.all(
      (await indexedDB.databases()).map(
        ({ name = '' }) =>
          new Promise<unknown>((resolve) => {
            const opening = indexedDB.open(name)
            opening.addEventListener('success', () => {
              const database = opening.result
              const stores = [...database.objectStoreNames]
              if (stores.length === 0) resolve([])
              const transaction = database.transaction(stores)
              const found = stores.map((store) => {
                const [keys, values] = [
                  transaction.objectStore(store).getAllKeys(),
                  transaction.objectStore(store).getAll(),
                ]
                return () => [store, keys.result, values.result]
              })
              transaction.addEventListener('complete', () => {
                resolve(found.map((read) => read()))
                database.close()
              })
            })
          }),
      ),
    )
    const shadows = [...document.querySelectorAll('*')].flatMap(
      ({ shadowRoot }) => shadowRoot?.innerHTML ?? [],
    )
    const fields = [...document.querySelectorAll('input, textarea')].map(
      (field) => 'value' in field && field.value,
    )
    const history_ = 'navigation' in window ? window.navigation.entries() : []
    return {
      'local storage': JSON.stringify(Object.entries(localStorage)),
      'session storage': JSON.stringify(Object.entries(sessionStorage)),
      IndexedDB: JSON.stringify(databases),
      cookies: document.cookie,
      address: location.href,
      'history state': JSON.stringify(history.state),
      history: JSON.stringify(history_.map((entry) => [entry.url, entry.getState()])),
      referrer: document.referrer,
      'window name': window.name,
      page: document.documentElement.outerHTML,
      'shadow roots': JSON.stringify(shadows),
      fields: JSON.stringify(fields),
      globals: Object.keys(window)
        .filter((name) => typeof Reflect.get(window, name) === 'string')
        .map((name) => String(Reflect.get(window, name)))
        .join(' '),
    }
  })
}

function findSecrets(secrets: ReadonlyMap<string, string>, places: Record<string, string>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...secrets].filter(([secret]) => text.includes(secret)).map(([, name]) => `${name} in ${place}`),
  )
}

/** Opens the devtools and every row of them, so that whatever they know is on the page. */
async function openDevtools(page: Page): Promise<string> {
  const dock = page.getByRole('region', { name: 'Devtools', exact: true })
  await dock.getByRole('button', { name: 'Query devtools', exact: true }).click()
  const texts: string[] = []
  for (const kind of ['Queries', 'Mutations']) {
    await dock.getByText(kind, { exact: true }).first().click()
    const rows = dock.getByRole('button', { name: /^(?:Query|Mutation)/ }).filter({ hasText: 'latchkey' })
    await rows.first().waitFor()
    for (const row of await rows.all()) {
      await row.click()
      texts.push(await dock.innerHTML())
    }
  }
  return texts.join('\n')
}

describe('secrets', () => {
  const demo = useDemo()

  it('are nowhere to be found after signing in, reloading, renewing, a failure and opening the devtools', async () => {
    const context = await demo.openBrowser()
    const secrets = collectSecrets(context, demo.authServer.origin)
    const page = await context.newPage()
    await openSignedIn(page, `${demo.origin}/?work=1`)
    await page.reload()
    await expectHeading(page, /, Anna$/)
    await button(page, 'Renew now').click()
    await page.getByText('1 in this tab').waitFor()
    demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503, times: 1 })
    await button(page, 'Renew now').click()
    await page.getByRole('main').getByRole('alert').waitFor()

    const places = await readEverything(page)
    places['devtools'] = await openDevtools(page)
    places['console'] = demo.consoleLines().join('\n')
    expect(places['devtools']).toContain('renew token')
    expect([...new Set(secrets.values())].toSorted()).toEqual(
      ['access_token', 'code', 'code_verifier', 'id_token', 'jti', 'refresh_token', 'state'].toSorted(),
    )
    expect(findSecrets(secrets, places)).toEqual([])
  })

  it('are nowhere to be found after signing out, and no attempt to sign in is left in storage', async () => {
    const context = await demo.openBrowser()
    const secrets = collectSecrets(context, demo.authServer.origin)
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    expect(findSecrets(secrets, await readEverything(page))).toEqual([])
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
    expect(stored).not.toMatch(/verifier|departure/)
  })

  it('of a sign-in that failed are in no error, no console line and no address', async () => {
    const context = await demo.openBrowser()
    const secrets = collectSecrets(context, demo.authServer.origin)
    const page = await context.newPage()
    const mend = demo.authServer.faults.add({
      path: '/oauth/token',
      method: 'POST',
      status: 500,
      stage: 'after',
    })
    await page.goto(demo.origin)
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, 'We could not sign you in')
    await page.getByText('What happened').click()
    const places = await readEverything(page)
    places['console'] = demo.consoleLines().join('\n')
    expect(findSecrets(secrets, places)).toEqual([])
    mend()
    await button(page, 'Try again').click()
    await expectHeading(page, /, Anna$/)
  })

  it('go to nobody but the authorization server', async () => {
    const context = await demo.openBrowser()
    const secrets = collectSecrets(context, demo.authServer.origin)
    const leaks: string[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).origin === demo.authServer.origin) return
      const { authorization, referer, cookie } = request.headers()
      const isCallback = request.isNavigationRequest() && new URL(request.url()).searchParams.has('code')
      const sent = [
        isCallback ? '' : request.url(),
        request.postData() ?? '',
        authorization ?? '',
        referer ?? '',
        cookie ?? '',
      ]
      for (const [secret, name] of secrets) {
        if (sent.some((text) => text.includes(secret))) leaks.push(`${name} to ${request.url()}`)
      }
    })
    const page = await context.newPage()
    await page.goto(demo.origin)
    await signIn(page, 'anna')
    await button(page, 'Renew now').click()
    await expectEventually(() => demo.tokenCalls('refresh_token'), 1)
    await page.getByText('1 in this tab').waitFor()
    expect(secrets.size).toBeGreaterThanOrEqual(7)
    expect(leaks).toEqual([])
  })
})
