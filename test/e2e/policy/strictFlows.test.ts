// Every screen of the app under the strictest policy, with the first script inline by its hash: no violation and no error anywhere.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, goOnElsewhere, openAndSignIn, pick } from '../user.ts'
import { openLinkMapJson } from '../editor/linkMapJson.ts'
import { holdFiles } from '../files/heldFiles.ts'
import { editorPolicy, strictPolicy } from './policy.ts'
import { closeBy, finishPopup, openPopup } from '../popups/popup.ts'

const early = await buildEarlyScript()

// The fixture fails a test for every violation and every error of any page, frame and window.
describe('under a strict policy, with everything the app has', () => {
  const demo = useDemo({
    environments: true,
    realtime: true,
    hasEarly: true,
    hasFullEditor: false,
    accessTokenLifetimeSeconds: 600,
    contentSecurityPolicy: strictPolicy(early.hash),
  })
  const accounts = () => demo.authServer.accounts
  const agentOf = (page: Page) =>
    page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith(' agent'))?.[1] as string)
  const live = (page: Page) => expectVisible(page.locator('.page-head').getByText('Live', { exact: true }))
  const linkOf = (firmId: string, userId: string) =>
    accounts()
      .linkMap(firmId)
      .find(({ internalUser }) => internalUser.id === userId)?.externalUser?.id

  async function open(path: string, who: string, { hasTabs = false } = {}): Promise<Page> {
    const look = { viewport: { width: 1280, height: 900 } }
    const page = hasTabs ? await (await demo.openBrowser(look)).newPage() : await demo.openPage(look)
    await openAndSignIn(page, demo.origin + path, who)
    return page
  }

  beforeEach(() => {
    for (const id of ['firm-noorderlicht', 'firm-maasvogel']) {
      const linked = seedLinkMap(firmById(id)!).filter(({ externalUser }) => externalUser !== null)
      accounts().replaceLinkMap(id, linked)
    }
    const service = demo.realtimeServer!
    // A browser that the test before has closed is not waited for.
    for (const user of ['anna', 'bram', 'chiara', 'daan', 'frank']) {
      const channel = `auth-session-${user}`
      for (const id of service.occupants(channel)) service.expire(channel, id)
    }
  })

  it('latchkey/early, inline by its hash, signs in before the files of the app are there', async () => {
    const page = await open('/', 'anna')
    demo.authServer.requests.clear()
    const release = await holdFiles(page)
    await page.goto(`${demo.origin}/activity?x=%20y#end`, { waitUntil: 'commit' })
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    release()
    await expectSignedIn(page)
    expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([1, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
  })

  it('a link with a token signs in, and leaves a clean address', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    await page.getByText('Chiara Rossi').first().waitFor()
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?from=desk%20link&x=1#steps`)
  })

  it('the link map: thousands of users are scrolled and searched, a change meets a conflict and is saved', async () => {
    const page = await open('/link-map', 'anna')
    await page.getByRole('checkbox', { name: 'All users' }).check()
    await expectVisible(page.getByText('5000 users'))
    await page.locator('.map-scroll').evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expectVisible(page.locator('[aria-rowindex="5001"]'))
    await page.getByRole('searchbox').fill('bram jansen')
    await page
      .getByRole('textbox', { name: /^Cloud account of Bram Jansen/ })
      .first()
      .fill('cumulus-other')
    demo.authServer.faults.linkMapConflict = true
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('Somebody else has changed the link map'))
    demo.authServer.faults.linkMapConflict = false
    await button(page, 'Read it again and keep my changes').click()
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(linkOf('firm-noorderlicht', 'bram')).toBe('cumulus-other')
  })

  it('the link map as JSON, in the textarea: repaired, sorted, found in, replaced and saved', async () => {
    const page = await open('/link-map', 'daan')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const text = page.getByRole('textbox', { name: 'Link map as JSON' })
    await text.fill("[{internalUser: 'elif', externalUser: {id: 'cumulus-other',}}]")
    await expectVisible(page.getByText(/errors have to be corrected first/))
    await button(page, 'Repair').click()
    await button(page, 'Apply').click()
    await expectVisible(page.getByText('Valid JSON', { exact: true }))
    await button(page, 'Sort keys').click()
    await expectVisible(page.getByText('Sort keys: done'))
    await button(page, 'Find').click()
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('cumulus-other')
    await page.getByRole('textbox', { name: 'Replace with' }).fill('cumulus-elif')
    await button(page, 'Replace all').click()
    await expectVisible(page.getByText('1 place replaced'))
    await button(page, 'Review changes').click()
    await expectVisible(page.getByText('1 user linked: elif'))
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(linkOf('firm-maasvogel', 'elif')).toBe('cumulus-elif')
    expect(await page.locator('.lkje').getAttribute('data-surface')).toBe('plain')
  })

  it('a long JSON text costs one refused worker, and is checked all the same', async () => {
    // The one thing that trusted types refuse, as docs/editor.md says.
    demo.expectOnConsole(/requires 'TrustedScriptURL'|require-trusted-types-for trusted-types-sink/)
    const page = await open('/link-map', 'daan')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const text = page.getByRole('textbox', { name: 'Link map as JSON' })
    // Beyond 50,000 characters a worker is asked for.
    await text.fill(`[${' '.repeat(60_000)}]`)
    await expectVisible(page.getByText('Valid JSON', { exact: true }))
    await text.press('x')
    await expectVisible(page.getByText(/(?:error has|errors have) to be corrected first/))
    expect(demo.consoleLines().filter((line) => line.startsWith('violates'))).toHaveLength(1)
  })

  it('support access and the firm: given, refused, saved', async () => {
    const page = await open('/support-access', 'daan')
    const code = page.getByRole('textbox', { name: 'Request code' })
    await code.fill('HELP-2001')
    await button(page, 'Let support in').click()
    await expectVisible(page.getByRole('heading', { level: 2, name: 'Support can look at your firm' }))
    await code.fill('HELP-2001')
    await button(page, 'Let support in').click()
    await expectVisible(page.getByText('This code has been used before'))
    await page.getByRole('link', { name: 'Firm', exact: true }).click()
    await expectHeading(page, 'Firm')
    const provider = page.getByRole('combobox', { name: 'Provider' })
    await provider.selectOption('')
    await button(page, 'Save').click()
    await expectVisible(page.getByText('cloudProviderId is required'))
    await provider.selectOption('nimbus')
    await button(page, 'Save').click()
    await expectVisible(page.getByText('The provider is saved'))
    expect(accounts().firm('firm-maasvogel')?.cloudProviderId).toBe('nimbus')
  })

  it('admin consent: granted in a window, and taken back', async () => {
    accounts().consents.clear()
    const page = await open('/admin-consent', 'anna')
    await page.getByRole('textbox', { name: 'Domain' }).fill('north.example')
    await finishPopup(await openPopup(page, button(page, 'Grant consent')), 'Grant consent')
    await expectVisible(page.getByText('Consent is granted'))
    await button(page, 'Take consent back').click()
    await expectVisible(page.getByText('Consent was taken back'))
    expect(accounts().consents.has('firm-noorderlicht')).toBe(false)
  })

  it('the password: changed in a window, and on the page of the server', async () => {
    const page = await open('/security', 'bram')
    const change = async (form: Page, current: string, next: string) => {
      await form.locator('[name=current]').fill(current)
      await form.locator('[name=next]').fill(next)
      await form.locator('[name=repeat]').fill(next)
      await form.getByRole('button', { name: 'Change password' }).click()
    }
    const popup = await openPopup(page, button(page, 'Change my password'))
    await closeBy(popup, () => change(popup, 'demo-password', 'a-new-password'))
    await expectVisible(page.getByText('You are done on the password page'))
    await button(page, 'Change it on the server’s page').click()
    await change(page, 'a-new-password', 'another-password')
    await page.getByRole('link', { name: 'Back to the app' }).click()
    await expectSignedIn(page)
    expect(accounts().passwords.isRight('bram', 'another-password')).toBe(true)
  })

  it('real time: messages reach two tabs, and a sign-in on a second device ends both', async () => {
    const page = await open('/sessions', 'anna', { hasTabs: true })
    const tab = await page.context().newPage()
    await tab.goto(`${demo.origin}/sessions`)
    for (const one of [page, tab]) await live(one)
    await page.getByRole('button', { name: 'Send to me' }).click()
    await tab.getByRole('button', { name: 'Send to the firm' }).click()
    for (const one of [page, tab]) {
      await expectVisible(one.getByText('To you: The office closes at five'))
      await expectVisible(one.getByText('To the firm: The office closes at five'))
    }
    // Tokens tell the time in seconds: the next sign-in is to be the newer one.
    const second = Math.floor(Date.now() / 1000)
    await expectEventually(() => Math.floor(Date.now() / 1000) > second, true)
    const device = await open('/sessions', 'anna')
    for (const one of [page, tab]) {
      await expectHeading(one, 'You signed in somewhere else')
      const name = (await agentOf(device)).slice(0, 4)
      await expectVisible(one.getByText(`Browser ${name} signed in at`))
    }
    await expectHeading(device, 'Sessions')
  })

  it('a session handed on to another screen, and a stranger refused', async () => {
    const page = await open('/addresses', 'chiara')
    await expectVisible(page.getByRole('textbox', { name: 'Redirection rules' }))
    await button(page, 'To a stranger’s address').click()
    await expectVisible(page.getByText('The session was not handed on'))
    await button(page, 'To another screen of this app').click()
    await expectHeading(page, 'Activity')
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?handed=over#here`)
    expect(demo.authServer.requests.count({ path: '/oauth/passthrough' })).toBe(1)
  })

  it('a user of the other environment ends there, signed in, at the same place', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?x=%20a+b#here`)
    await pick(page, 'frank')
    await goOnElsewhere(page)
    await page.waitForURL(`${demo.origin.replace('localhost', '127.0.0.1')}/activity?x=%20a+b#here`)
    await expectSignedIn(page)
    await page.getByText('Frank Miller').first().waitFor()
    expect(demo.environments.us.requests.count({ path: '/oauth/passthrough' })).toBe(1)
  })
})

describe('under the policy of the full editor, and no wider one', () => {
  const demo = useDemo({ contentSecurityPolicy: editorPolicy() })

  it('the link map as JSON, in the full editor with inline styles and without trusted types: repaired, sorted, found in, compared and saved', async () => {
    const firm = firmById('firm-maasvogel')!
    const linked = seedLinkMap(firm).filter(({ externalUser }) => externalUser !== null)
    demo.authServer.accounts.replaceLinkMap(firm.id, linked)
    const page = await demo.openPage({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const pasteOver = await openLinkMapJson(page, demo.origin)
    await pasteOver('[{"internalUser": "elif", "externalUser": {}}]')
    await expectVisible(page.getByText('Key "id" is missing').first())
    await pasteOver("[{internalUser: 'elif', externalUser: {id: 'cumulus-elif',}}]")
    await expectVisible(page.getByText(/errors have to be corrected first/))
    await button(page, 'Repair').click()
    await button(page, 'Apply').click()
    await expectVisible(page.getByText('Not saved yet. Look at what changes'))
    await button(page, 'Sort keys').click()
    await expectVisible(page.getByText('Sort keys: done'))
    await button(page, 'Find').click()
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('cumulus-elif')
    await expectVisible(page.getByText('1 of 1', { exact: true }))
    await page.keyboard.press('Escape')
    await button(page, 'Review changes').click()
    await expectVisible(page.getByText('1 user linked: elif'))
    await expectVisible(page.locator('.lkje-compare .line-insert').first())
    await button(page, 'Back to editing').click()
    await button(page, 'Review changes').click()
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(page.workers().length).toBeGreaterThan(0)
  })
})
