// Every link of the demo's Addresses screen in a real browser: what stays in the address, who is signed in, and that no token is left anywhere.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectHeading, expectSignedIn } from '../page.ts'
import { openAndSignIn, signIn } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'

const PLACE = '/activity?from=desk%20link&x=1'
const HASH = '#steps'

/** Tokens and jti as they really go over the wire. */
function collect(page: Page): Set<string> {
  const secrets = new Set<string>()
  const keepToken = (token: string) => {
    const payload = token.split('.')[1]
    if (payload === undefined) return
    secrets.add(token)
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    if (typeof claims['jti'] === 'string') secrets.add(claims['jti'])
  }
  page.on('request', (request) => {
    const url = new URL(request.url())
    for (const [name, value] of url.searchParams) {
      if (/^(?:access_token|auth|authToken|token|jwt)$/.test(name) && value.startsWith('eyJ'))
        keepToken(value)
      if (name === 'jti') secrets.add(value)
    }
  })
  return secrets
}

/** Everything that scripts, people and other sites can see of a page afterwards. */
async function scan(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({
    address: location.href,
    referrer: document.referrer,
    markup: document.documentElement.outerHTML,
    history: JSON.stringify([history.state, history.length]),
    entries:
      'navigation' in window
        ? JSON.stringify(
            (window.navigation as { entries(): { url: string }[] }).entries().map(({ url }) => url),
          )
        : '',
    session: JSON.stringify(Object.entries(sessionStorage)),
    local: JSON.stringify(Object.entries(localStorage)),
    cookies: document.cookie,
    name: window.name,
    resources: performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .join(' '),
  }))
}

const leaks = (secrets: Set<string>, places: Record<string, string>) =>
  Object.entries(places).flatMap(([place, text]) =>
    [...secrets]
      .filter((secret) => text.includes(secret))
      .map((secret) => `${place}: ${secret.slice(0, 12)}`),
  )

/** Waits until the page says who is signed in. */
const expectUser = async (page: Page, name: string) => page.getByText(name).first().waitFor()

describe('a link into the app, for who is not signed in', () => {
  const demo = useDemo({ environments: true })
  const follow = async (name: string) => {
    const page = await demo.openPage()
    const secrets = collect(page)
    await page.goto(`${demo.environments.desk.origin}/${name}`)
    return { page, secrets }
  }

  it.each(['right', 'init'])('signs in whose token it is, at the place it names: %s', async (name) => {
    const { page, secrets } = await follow(name)
    await expectSignedIn(page)
    await expectHeading(page, 'Activity')
    expect(await addressOf(page)).toBe(demo.origin + PLACE + HASH)
    await expectUser(page, 'Chiara Rossi')
    expect(secrets.size).toBeGreaterThan(0)
    expect(leaks(secrets, await scan(page))).toEqual([])
    expect(leaks(secrets, { console: demo.consoleLines().join('\n') })).toEqual([])
  })

  it('sends no foreign origin a Referer with the token, nor any request of the page', async () => {
    const referers: string[] = []
    const page = await demo.openPage()
    const secrets = collect(page)
    page.on('request', (request) => {
      const { referer = '' } = request.headers()
      referers.push(referer)
    })
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    await page.evaluate(
      async (url) => fetch(url, { mode: 'no-cors' }).catch(() => undefined),
      demo.environments.redirections.url,
    )
    await page.goto(demo.environments.redirections.url)
    expect(secrets.size).toBeGreaterThan(0)
    expect(leaks(secrets, { referers: referers.join('\n') })).toEqual([])
  })

  it('leaves the token in one place only, the navigation entry of the first page, as documented', async () => {
    const page = await demo.openPage()
    const secrets = collect(page)
    await openAndSignIn(page, demo.origin)
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    expect(leaks(secrets, await scan(page))).toEqual([])
    const entry = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name ?? '')
    expect(leaks(secrets, { entry })).toHaveLength(1)
    await page.reload()
    await expectSignedIn(page)
    const after = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name ?? '')
    expect(leaks(secrets, { after })).toEqual([])
  })

  it.each([
    ['expired', ''],
    ['two', ''],
  ])('goes out of the address unused, and the user signs in as usual: %s', async (name, rest) => {
    const { page, secrets } = await follow(name)
    await signIn(page, 'anna')
    expect(await addressOf(page)).toBe(demo.origin + PLACE + rest + HASH)
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(0)
    expect(leaks(secrets, await scan(page))).toEqual([])
  })

  it('leaves no foreign code in the place that the user comes back to: its way ended at this app', async () => {
    const { page } = await follow('code')
    await signIn(page, 'anna')
    expect(await addressOf(page)).toBe(demo.origin + PLACE + HASH)
  })

  it('stays as it is when it is not for this app', async () => {
    const { page } = await follow('foreign')
    await signIn(page, 'anna')
    const address = await addressOf(page)
    expect(address.startsWith(`${demo.origin}${PLACE}&`)).toBe(true)
    expect(address).toMatch(/&(?:token=(?:eyJ|not-a-token)|access_token=eyJ).*#steps$/)
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(0)
  })

  it('works once: the same address again signs nobody in', async () => {
    const page = await demo.openPage()
    const used = page.waitForRequest((request) => new URL(request.url()).searchParams.has('token'))
    await page.goto(`${demo.environments.desk.origin}/right`)
    const address = (await used).url()
    await expectSignedIn(page)
    const stranger = await demo.openPage()
    await stranger.goto(address)
    await stranger.getByText('This link has been used or is too old').waitFor()
  })
})

describe('a link into the app, for who is signed in', () => {
  const demo = useDemo({ environments: true, hasFullEditor: false, contentSecurityPolicy: strictPolicy() })

  it('changes nothing but the address, and Activity says whose token it was', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    await expectUser(page, 'Anna de Vries')
    expect(await addressOf(page)).toBe(demo.origin + PLACE + HASH)
    await page.getByText('there is a session already; the token was for another user').waitFor()
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(0)
  })

  it('can be followed from the Addresses screen, which shows them all', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/addresses`)
    await expectHeading(page, 'Addresses')
    expect(
      await page.getByRole('region', { name: 'Follow a link into the app' }).getByRole('link').count(),
    ).toBe(8)
    await page.getByRole('link', { name: 'A token for this app' }).click()
    await expectHeading(page, 'Activity')
    expect(await addressOf(page)).toBe(demo.origin + PLACE + HASH)
  })

  it('hands the session on through the server, and refuses a stranger', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/addresses`)
    await page.getByRole('button', { name: 'To a stranger’s address' }).click()
    await page.getByText('The session was not handed on').waitFor()
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(0)
    await page.getByRole('button', { name: 'To another screen of this app' }).click()
    await expectHeading(page, 'Activity')
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?handed=over#here`)
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(1)
    await expectUser(page, 'Anna de Vries')
  })
})
