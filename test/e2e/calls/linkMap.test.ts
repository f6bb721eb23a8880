// The link map in a real browser: thousands of users, searched, changed, saved, refused.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { openLinkMapJson } from '../editor/linkMapJson.ts'
import { editorPolicy } from '../policy/policy.ts'

describe('the link map', () => {
  const demo = useDemo({ contentSecurityPolicy: editorPolicy() })

  const openLinkMap = (who = 'anna') =>
    openScreen(demo, { path: '/link-map', heading: 'Link map', who, viewport: { width: 1280, height: 900 } })

  const account = (page: Page, name: string) =>
    page.getByRole('textbox', { name: new RegExp(`^Cloud account of ${name}`) })
  const search = (page: Page) => page.getByRole('searchbox')
  const allUsers = (page: Page) => page.getByRole('checkbox', { name: 'All users' })
  const linkOf = (userId: string) =>
    demo.authServer.accounts
      .linkMap('firm-noorderlicht')
      .find(({ internalUser }) => internalUser.id === userId)?.externalUser?.id

  beforeEach(() => {
    for (const id of ['firm-noorderlicht', 'firm-maasvogel']) {
      const linked = seedLinkMap(firmById(id)!).filter(({ externalUser }) => externalUser !== null)
      demo.authServer.accounts.replaceLinkMap(id, linked)
    }
  })

  it('keeps what was typed in two tabs over a sign-out, and offers it again after the next sign-in', async () => {
    const first = await openLinkMap()
    const second = await first.context().newPage()
    await second.goto(`${demo.origin}/link-map`)
    const fields = (page: Page) => page.getByRole('textbox', { name: /^Cloud account of / })
    await fields(first).nth(0).fill('typed-in-the-first')
    await fields(second).nth(1).fill('typed-in-the-second')
    await first.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await expectHeading(first, 'You are signed out')
    await expectHeading(second, 'You are signed out')
    await button(first, 'Sign in').click()
    await first.locator('button[value="anna"]').click()
    for (const page of [first, second]) await expectVisible(page.getByText('2 changes are kept.'))
    await button(second, 'Bring back').click()
    await expectVisible(second.getByText('2 changes not saved yet'))
    expect(await fields(second).nth(0).inputValue()).toBe('typed-in-the-first')
    expect(await fields(second).nth(1).inputValue()).toBe('typed-in-the-second')
    await second.reload()
    await expectVisible(fields(second).nth(0))
    expect(await second.getByText('2 changes are kept.').count()).toBe(0)
  })

  it('keeps the text of the JSON view over a sign-out, and merges it with what a colleague saved meanwhile', async () => {
    const linkOfUser = (id: string) => ({ internalUser: { id }, externalUser: { id: `cumulus-${id}` } })
    const page = await demo.openPage({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const pasteOver = await openLinkMapJson(page, demo.origin)
    await pasteOver('[{"internalUser": "daan", "externalUser": {"id": "cumulus-daan"}}]')
    await expectVisible(page.getByText('Not saved yet. Look at what changes'))
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await expectHeading(page, 'You are signed out')
    demo.authServer.accounts.replaceLinkMap('firm-maasvogel', [linkOfUser('elif')] as never)
    await button(page, 'Sign in').click()
    await page.locator('button[value="daan"]').click()
    await expectVisible(page.getByText('Your text is kept.'))
    await button(page, 'Bring back').click()
    await expectVisible(page.getByText('1 user linked: daan'))
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    const linked = demo.authServer.accounts
      .linkMap('firm-maasvogel')
      .flatMap(({ internalUser, externalUser }) => (externalUser ? [internalUser.id] : []))
    expect(linked.toSorted()).toEqual(['daan', 'elif'])
    await page.reload()
    await page.getByRole('radio', { name: 'JSON' }).check()
    await expectVisible(page.locator('.lkje[data-surface=full]'))
    expect(await page.getByText('Your text is kept.').count()).toBe(0)
  })

  it('that could not be read is read by a click; of five thousand users has only those in sight on the page, is scrolled to the very last, and searched by any words, in whatever order', async () => {
    const fault = { path: '/cloudprovider/linkmap', method: 'GET', body: { text: '{"unexpected":true}' } }
    const remove = demo.authServer.faults.add(fault)
    const page = await openLinkMap()
    await expectVisible(page.getByText('The link map could not be read'))
    remove()
    await button(page, 'Try again').click()
    await account(page, 'Bram Jansen').waitFor()
    await allUsers(page).check()
    await expectVisible(page.getByText('5000 users'))
    expect(await page.getByRole('table', { name: 'Link map' }).getAttribute('aria-rowcount')).toBe('5001')
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await page.locator('.map-scroll').evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expectVisible(page.locator('[aria-rowindex="5001"]'))
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await search(page).fill('noorderlicht.example anna')
    await expectVisible(page.getByText('1 of 5000 users'))
    await search(page).fill('nobody at all')
    await expectVisible(page.getByText('Nobody fits this search'))
  })

  describe('a change', () => {
    it('is saved with the keyboard alone, can be taken back, empties an account and leaves everybody else linked', async () => {
      const page = await openLinkMap()
      await allUsers(page).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.type('chiara')
      await expectVisible(page.getByText('1 of 5000 users'))
      // Over the box, and over the link that skips the table.
      for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab')
      await page.keyboard.type('cumulus-chiara')
      await expectVisible(page.getByText('1 change not saved yet'))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expectVisible(page.getByText('The link map is saved'))
      expect(linkOf('chiara')).toBe('cumulus-chiara')

      await search(page).fill('bram jansen')
      await account(page, 'Bram Jansen').fill('other')
      await button(page, 'Discard').click()
      await expectEventually(() => account(page, 'Bram Jansen').inputValue(), 'cumulus-bram')

      await search(page).fill('staff-0005')
      await expectVisible(page.getByText('1 of 5000 users'))
      await account(page, 'Ewa Bakker').fill('')
      await button(page, 'Save changes').click()
      await expectEventually(() => linkOf('staff-0005'), undefined)
      expect([linkOf('bram'), linkOf('staff-0004')]).toEqual(['cumulus-bram', 'cumulus-0004'])
    })

    it('overwrites nothing of a colleague that was read in the background, and is saved when the user says so', async () => {
      const page = await openLinkMap()
      await account(page, 'Bram Jansen').fill('cumulus-mine')
      const { accounts } = demo.authServer
      const theirs = (id: string) =>
        id === 'bram' ? { externalUser: { id: 'cumulus-theirs' } as never } : {}
      accounts.replaceLinkMap(
        'firm-noorderlicht',
        accounts
          .linkMap('firm-noorderlicht')
          .map((entry) => ({ ...entry, ...theirs(entry.internalUser.id) })),
      )
      const readCount = () =>
        demo.authServer.requests.count({ method: 'GET', path: '/cloudprovider/linkmap' })
      const before = readCount()
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await expectEventually(() => readCount() > before, true)
      await button(page, 'Save changes').click()
      await expectVisible(page.getByText('Somebody else has changed the link map'))
      expect(linkOf('bram')).toBe('cumulus-theirs')
      expect(await account(page, 'Bram Jansen').inputValue()).toBe('cumulus-mine')
      await button(page, 'Read it again and keep my changes').click()
      await expectVisible(page.getByText('A colleague changed the same users'))
      await expectVisible(page.getByText('Bram Jansen: cumulus-theirs'))
      await button(page, 'Save changes').click()
      await expectVisible(page.getByText('The link map is saved'))
      await expectEventually(() => linkOf('bram'), 'cumulus-mine')
    })

    it('that meets a conflict is explained, kept, and saved the next time', async () => {
      const endConflict = demo.authServer.faults.add({
        path: '/cloudprovider/linkmap',
        method: 'PUT',
        status: 412,
        body: { text: '{"error":"conflict"}' },
      })
      const page = await openLinkMap()
      await account(page, 'Bram Jansen').fill('cumulus-other')
      await button(page, 'Save changes').click()
      await expectVisible(page.getByText('Somebody else has changed the link map'))
      expect(await account(page, 'Bram Jansen').inputValue()).toBe('cumulus-other')
      expect(linkOf('bram')).toBe('cumulus-bram')
      endConflict()
      await button(page, 'Read it again and keep my changes').click()
      await button(page, 'Save changes').click()
      await expectVisible(page.getByText('The link map is saved'))
      await expectEventually(() => linkOf('bram'), 'cumulus-other')
    })
  })

  describe('staff', () => {
    it('see the linked users, change nothing, and are told who may see the others', async () => {
      const page = await openLinkMap('chiara')
      await account(page, 'Bram Jansen').waitFor()
      expect(await account(page, 'Bram Jansen').getAttribute('readonly')).not.toBeNull()
      await allUsers(page).check()
      await expectVisible(page.getByText('Only an administrator of your firm may see'))
    })
  })

  it('a firm in which nobody is linked says how to begin', async () => {
    const page = await openLinkMap('daan')
    await expectVisible(page.getByText('Nobody is linked yet'))
  })
})
