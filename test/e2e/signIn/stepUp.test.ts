// A stronger sign-in in real Chromium: the server asks who saves the link map to confirm, in a window or on its page; nothing typed is lost.
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openSignedIn } from '../user.ts'
import { openLinkMapJson } from '../editor/linkMapJson.ts'
import { closeBy, finishPopup, openPopup } from '../popups/popup.ts'

const TYPED = 'cumulus-typed-by-hand'
/** A small one: of the thousands of users of another, each page would draw its part. */
const FIRM = 'firm-maasvogel'

describe('a link map whose change has to be confirmed', () => {
  const demo = useDemo({ asksToConfirm: true })

  beforeEach(() => {
    const { accounts } = demo.authServer
    const unlinked = (id: string) => accounts.linkMap(id).map((entry) => ({ ...entry, externalUser: null }))
    accounts.replaceLinkMap(FIRM, unlinked(FIRM))
  })

  const field = (page: Page) => page.getByRole('textbox', { name: /^Cloud account of / }).first()
  const linked = () =>
    demo.authServer.accounts
      .linkMap(FIRM)
      .flatMap(({ externalUser }) => (externalUser ? [externalUser.id] : []))
  const writes = () =>
    demo.authServer.requests
      .matching({ method: 'PUT', path: '/cloudprovider/linkmap' })
      .map(({ status }) => status)
  const sessionOf = async (page: Page) =>
    (await authOf(page)).evaluate((auth) => {
      const state = auth.getState()
      return state.status === 'authenticated' ? state.user.sessionId : state.status
    })

  /** Types an account and saves it: the server wants more first. */
  async function typeAndSave(): Promise<Page> {
    const page = await demo.openPage({ viewport: { width: 1280, height: 900 } })
    demo.expectOnConsole(/401 \(Unauthorized\)/)
    await openSignedIn(page, `${demo.origin}/link-map`, 'daan')
    await expectHeading(page, 'Link map')
    await page.getByRole('checkbox', { name: 'All users' }).check()
    await field(page).fill(TYPED)
    await field(page).evaluate((element) => element.setAttribute('data-marked', ''))
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('Confirm that it is you'))
    return page
  }
  const typed = (page: Page) => page.locator('input[data-marked]').inputValue()
  const confirm = (page: Page) => openPopup(page, button(page, 'Confirm and save'))
  const itIsMe = (popup: Page) => popup.getByRole('button', { name: /It is me/ })

  it('is saved after one click in a window, and the page and its session stay', async () => {
    const page = await typeAndSave()
    const session = await sessionOf(page)
    expect(await typed(page)).toBe(TYPED)
    const popup = await confirm(page)
    await expectHeading(popup, 'Confirm that it is you')
    await closeBy(popup, async () => itIsMe(popup).click())
    await expectVisible(page.getByText('The link map is saved'))
    expect(await typed(page)).toBe(TYPED)
    // Buttons that are gone leave the keyboard at what was said.
    const focused = async () => page.evaluate(() => document.activeElement?.textContent)
    await expectEventually(focused, 'The link map is saved')
    expect(linked()).toEqual([TYPED])
    expect(writes()).toEqual([401, 200])
    expect(demo.tokenCalls('refresh_token')).toBe(0)
    expect(await sessionOf(page)).toBe(session)
  })

  it('is saved at once the next time, also after a reload', { tags: ['thorough'] }, async () => {
    const page = await typeAndSave()
    const popup = await confirm(page)
    await closeBy(popup, async () => itIsMe(popup).click())
    await expectVisible(page.getByText('The link map is saved'))
    await field(page).fill(`${TYPED}-2`)
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    await page.reload()
    await field(page).fill(`${TYPED}-3`)
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(writes()).toEqual([401, 200, 200, 200])
    expect(linked()).toEqual([`${TYPED}-3`])
  })

  it(
    'stays as it was when the user turns back or closes the window, and is saved when they confirm after all',
    { tags: ['thorough'] },
    async () => {
      const page = await typeAndSave()
      const session = await sessionOf(page)
      const isCalm = async () => {
        await expectVisible(button(page, 'Confirm and save'))
        expect(await page.getByRole('alert').count()).toBe(0)
        expect([await typed(page), await sessionOf(page), writes()]).toEqual([TYPED, session, [401]])
      }
      await finishPopup(await confirm(page), 'Cancel')
      await isCalm()
      await (await confirm(page)).close()
      await isCalm()
      const popup = await confirm(page)
      await closeBy(popup, async () => itIsMe(popup).click())
      await expectVisible(page.getByText('The link map is saved'))
      expect(linked()).toEqual([TYPED])
    },
  )

  it('is not saved by another user, whose tokens are not taken', { tags: ['thorough'] }, async () => {
    const page = await typeAndSave()
    const popup = await confirm(page)
    await popup.getByText('Somebody else').click()
    await closeBy(popup, async () => popup.locator('button[value="elif"]').click())
    await expectVisible(page.getByText('Code identity-changed'))
    expect(await typed(page)).toBe(TYPED)
    expect(writes()).toEqual([401])
    expect(linked()).toEqual([])
    // The server's page knows the other user now; the one who typed is somebody else there.
    const again = await confirm(page)
    await again.getByText('Somebody else').click()
    await closeBy(again, async () => again.locator('button[value="daan"]').click())
    await expectVisible(page.getByText('The link map is saved'))
    expect(linked()).toEqual([TYPED])
  })

  it(
    'is saved after the sign-in page where windows are blocked, with what was typed brought back',
    { tags: ['thorough'] },
    async () => {
      const page = await typeAndSave()
      await page.evaluate(() => {
        window.open = () => null
      })
      await button(page, 'Confirm and save').click()
      await expectVisible(page.getByText('The browser blocked the window'))
      await button(page, 'Confirm on the sign-in page').click()
      await itIsMe(page).click()
      await expectVisible(page.getByText('1 change is kept.'))
      await button(page, 'Bring back').click()
      expect(await field(page).inputValue()).toBe(TYPED)
      await button(page, 'Save changes').click()
      await expectVisible(page.getByText('The link map is saved'))
      expect(writes()).toEqual([401, 200])
    },
  )

  it('keeps the text of the JSON editor while the user confirms', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    demo.expectOnConsole(/401 \(Unauthorized\)/)
    const pasteOver = await openLinkMapJson(page, demo.origin)
    await pasteOver(`[{"internalUser": "daan", "externalUser": {"id": "${TYPED}"}}]`)
    await button(page, 'Review changes').click()
    await button(page, 'Save changes').click()
    const popup = await confirm(page)
    await closeBy(popup, async () => itIsMe(popup).click())
    await expectVisible(page.getByText('The link map is saved'))
    expect(linked()).toEqual([TYPED])
  })
})
