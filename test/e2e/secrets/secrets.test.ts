// Nothing secret is to be found anywhere a person, an extension, another script or another server could look: whole flows in real Chromium.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { readSecurityRows } from '../../securityRows.ts'
import { type TestDemo, useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, goOnElsewhere, openAndSignIn, pick } from '../user.ts'
import { openLinkMapJson } from '../editor/linkMapJson.ts'
import { finishPopup, openPopup } from '../popups/popup.ts'
import { ALLOWED_IN_BROWSER, OF_SLOW_FRAMES } from './secretRows.ts'
import { openWatched, type SecretScene } from './secretScene.ts'

const allowed = Object.values(ALLOWED_IN_BROWSER).flat()
const met = new Set<string>()

/** What was found outside the list; what is on it is noted as needed. */
async function strays({ watch, page }: SecretScene, ...more: readonly Page[]): Promise<string[]> {
  const hits = await watch.find(page, ...more)
  for (const hit of hits) met.add(hit)
  return [...hits.filter((hit) => !allowed.includes(hit)), ...(await leftByEarly(page))]
}

/** Functions that would hand out an address, a verifier or an answer: start-up takes each of them away. */
const leftByEarly = (page: Page) =>
  page.evaluate(() => Object.keys((Reflect.get(window, Symbol.for('latchkey.early')) ?? {}) as object))

const kindsOf = ({ watch }: SecretScene) => [...new Set(watch.secrets.values())].toSorted()
const OF_A_SESSION = ['access token', 'code', 'id token', 'jti', 'refresh token', 'verifier']

const live = (page: Page) => expectVisible(page.locator('.page-head').getByText('Live', { exact: true }))

/** Opens the devtools and every row of them, so that whatever they know is on the page. */
async function openDevtools({ page, watch }: SecretScene): Promise<void> {
  const dock = page.getByRole('region', { name: 'Devtools', exact: true })
  await dock.getByRole('button', { name: 'Query devtools', exact: true }).click()
  for (const kind of ['Queries', 'Mutations']) {
    await dock.getByText(kind, { exact: true }).first().click()
    const rows = dock.getByRole('button', { name: /^(?:Query|Mutation)/ }).filter({ hasText: 'latchkey' })
    await rows.first().waitFor()
    for (const row of await rows.all()) {
      await row.click()
      watch.keep('devtools', await dock.innerHTML())
    }
  }
  expect(await dock.innerHTML()).toContain('renew token')
}

/** A day with everything in it; what was found while signed in, and after the sign-out. */
async function liveADay(demo: TestDemo): Promise<string[][]> {
  const scene = await openWatched(demo)
  const { page } = scene
  await openAndSignIn(page, `${demo.origin}/?work=1`)
  await page.reload()
  await expectHeading(page, /, Anna$/)
  await button(page, 'Renew now').click()
  await page.getByText('1 in this tab').waitFor()
  demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503, times: 1 })
  await button(page, 'Renew now').click()
  await page.getByRole('main').getByRole('alert').waitFor()
  const second = await scene.openTab()
  await second.goto(`${demo.origin}/activity`)
  await expectSignedIn(second)
  await openDevtools(scene)
  const signedIn = await strays(scene, second)
  expect(kindsOf(scene)).toEqual(expect.arrayContaining(OF_A_SESSION))
  await button(page, 'Sign out').click()
  await expectHeading(page, 'You are signed out')
  await expectHeading(second, 'You are signed out')
  return [signedIn, await strays(scene, second)]
}

describe('secrets', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true, environments: true, accessTokenLifetimeSeconds: 600 })

  beforeEach(() => {
    demo.authServer.accounts.links.delete('anna')
    const firm = firmById('firm-maasvogel')!
    const linked = seedLinkMap(firm).filter(({ externalUser }) => externalUser !== null)
    demo.authServer.accounts.replaceLinkMap(firm.id, linked)
  })

  it('are nowhere to be found after signing in, reloading, renewing, a failure, in a second tab, in the devtools, and after signing out', async () => {
    expect(await liveADay(demo)).toEqual([[], []])
  })

  it('of a sign-in that failed are in no error, no console line and no address', async () => {
    const scene = await openWatched(demo)
    const { page } = scene
    const mend = demo.authServer.faults.add({
      path: '/oauth/token',
      method: 'POST',
      status: 500,
      stage: 'after',
    })
    await page.goto(demo.origin)
    await pick(page, 'anna')
    await expectHeading(page, 'We could not sign you in')
    await page.getByText('What happened').click()
    expect(await strays(scene)).toEqual([])
    mend()
    // The page tries again by itself.
    await expectHeading(page, /, Anna$/)
    expect(await strays(scene)).toEqual([])
  })

  it.each([
    ['right', 'token of a link'],
    ['init', 'jti'],
  ])('that a link brings are gone once they have done their work: %s', async (name, kind) => {
    const scene = await openWatched(demo)
    await scene.page.goto(`${demo.environments.desk.origin}/${name}`)
    await expectSignedIn(scene.page)
    await scene.page.getByText('Chiara Rossi').first().waitFor()
    expect(kindsOf(scene)).toContain(kind)
    expect(await strays(scene)).toEqual([])
    // Beside a session it has no work to do.
    await scene.page.goto(`${demo.environments.desk.origin}/${name}`)
    await expectSignedIn(scene.page)
    expect(await strays(scene)).toEqual([])
  })

  it('of the cloud account are in its windows while they are open, and on the page while they are shown', async () => {
    const scene = await openWatched(demo)
    const { page } = scene
    await openAndSignIn(page, `${demo.origin}/cloud-account`)
    await finishPopup(await openPopup(page, button(page, 'Link my account')), 'Approve')
    await expectVisible(page.getByText('Your account is linked'))
    const popup = await openPopup(page, button(page, 'Confirm it is me'))
    await popup.waitForURL(/\/cloudprovider\/reauthenticate/)
    await finishPopup(popup, 'Yes, it is me')
    await expectVisible(page.getByText('Thank you, the link is confirmed'))
    await button(page, 'Show the token').click()
    const token = page.getByRole('status', { name: 'Access token' })
    await expectEventually(async () => (await token.textContent())?.startsWith('cumulus.'), true)
    // As the page shows it: a busy browser may have the response no more when it is asked.
    scene.watch.plant('cloud token', (await token.textContent())?.trim())
    expect(await strays(scene)).toEqual([])
    await button(page, 'Hide it').click()
    await token.waitFor({ state: 'detached' })
    expect(kindsOf(scene)).toEqual(expect.arrayContaining(['cloud token', 'nonce']))
    expect((await scene.watch.find(page)).filter((hit) => hit.startsWith('cloud token'))).toEqual([])
  })

  it('are in no model, no history and no worker of the full JSON editor', async () => {
    const scene = await openWatched(demo)
    const { page, watch } = scene
    const pasteOver = await openLinkMapJson(page, demo.origin)
    const linkTo = (id: string) => `[{"internalUser":"elif","externalUser":{"id":"${id}"}}]`
    const places = async (text: string) => {
      watch.plant(`'${text}'`, text)
      const hits = await watch.find(page)
      return hits.flatMap((hit) => (hit.startsWith(`'${text}' | `) ? [hit.slice(text.length + 5)] : []))
    }
    // What is in the text is found wherever the editor keeps it, so nothing else is there either.
    await pasteOver(linkTo('seen-in-the-model'))
    await expectVisible(page.getByText('Not saved yet. Look at what changes'))
    expect(await places('seen-in-the-model')).toEqual(
      expect.arrayContaining(['message to a worker', 'page', 'props and state']),
    )
    await pasteOver(linkTo('seen-in-the-comparison'))
    expect(await places('seen-in-the-model')).toContain('props and state')
    await button(page, 'Format').click()
    await button(page, 'Sort keys').click()
    await expectVisible(page.getByText('Sort keys: done'))
    await button(page, 'Review changes').click()
    await expectVisible(page.locator('.lkje-compare .line-insert').first())
    expect(await places('seen-in-the-comparison')).toContain('props and state')
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect((await strays(scene)).filter((hit) => !hit.startsWith("'"))).toEqual([])
  })

  it('go to the real-time service in no message, no channel, no header and no query but that of its own token', async () => {
    const scene = await openWatched(demo)
    const { page } = scene
    await openAndSignIn(page, `${demo.origin}/sessions`)
    await live(page)
    await page.getByRole('button', { name: 'Send to me' }).click()
    await expectVisible(page.getByText('To you'))
    const second = await scene.openTab()
    await second.goto(`${demo.origin}/sessions`)
    await live(second)
    await second.getByRole('button', { name: 'Sign out' }).first().click()
    await expectHeading(page, 'You are signed out')
    const { requests } = demo.realtimeServer!
    await expectEventually(() => requests.some(({ operation }) => operation === 'leave'), true)
    expect(requests.some(({ operation }) => operation === 'publish')).toBe(true)
    expect(kindsOf(scene)).toContain('real-time token')
    expect(await strays(scene, second)).toEqual([])
  })

  it('given to support, exchanged and handed on go where they belong, and nowhere else', async () => {
    const scene = await openWatched(demo)
    const { page } = scene
    await openAndSignIn(page, `${demo.origin}/support-access`, 'daan')
    await page.getByRole('textbox', { name: 'Request code' }).fill('HELP-2001')
    await button(page, 'Let support in').click()
    await expectVisible(page.getByRole('heading', { level: 2, name: 'Support can look at your firm' }))
    await page.goto(`${demo.origin}/tour`)
    const title = page.getByRole('heading', { name: 'A token for another app', exact: true })
    const stop = page.getByRole('main').getByRole('listitem').filter({ has: title })
    await stop.getByRole('button').click()
    await stop.getByRole('status').filter({ hasText: 'the token prints as [redacted]' }).waitFor()
    await page.goto(`${demo.origin}/addresses`)
    await button(page, 'To another screen of this app').click()
    await expectHeading(page, 'Activity')
    await expectSignedIn(page)
    expect(kindsOf(scene)).toEqual(expect.arrayContaining(['assertion', 'request code']))
    expect(await strays(scene)).toEqual([])
  })

  it('taken to another environment are a jti in one address, and nothing on either page', async () => {
    const scene = await openWatched(demo)
    await scene.page.goto(`${demo.origin}/activity?x=1`)
    await pick(scene.page, 'frank')
    await goOnElsewhere(scene.page)
    await scene.page.waitForURL((url) => url.hostname === '127.0.0.1')
    await expectSignedIn(scene.page)
    expect(await strays(scene)).toEqual([])
  })
})

describe('secrets, with latchkey/early inline in the page', { timeout: 120_000 }, () => {
  const demo = useDemo({
    realtime: true,
    environments: true,
    hasEarly: true,
    accessTokenLifetimeSeconds: 600,
  })

  it('of a link are gone, also where there is a session already', async () => {
    const scene = await openWatched(demo)
    for (const _time of ['without a session', 'with one']) {
      await scene.page.goto(`${demo.environments.desk.origin}/right`)
      await expectSignedIn(scene.page)
      expect(await strays(scene)).toEqual([])
    }
  })

  it('of an exchange that did not reach the server are in no error', async () => {
    const scene = await openWatched(demo)
    const { page } = scene
    await page.context().route(/\/oauth\/token$/, (route) => route.abort())
    await page.goto(demo.origin)
    await pick(page, 'anna')
    await expectHeading(page, 'We could not sign you in')
    expect(await strays(scene)).toEqual([])
  })
})

describe('the list', () => {
  it('is that of the documentation, row by row', () => {
    expect(Object.keys(ALLOWED_IN_BROWSER)).toEqual(readSecurityRows())
  })

  it('has no place that no flow needs', () => {
    const needed = new Set([...met, ...OF_SLOW_FRAMES])
    expect(allowed.filter((hit) => !needed.has(hit))).toEqual([])
  })
})
