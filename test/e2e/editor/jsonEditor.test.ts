// The JSON editor where the demo uses it, in a real browser: the link map as one text, and the redirection rules to look at.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { editorPolicy } from '../policy/policy.ts'
import { button, openSignedIn } from '../user.ts'

/** The one that can be reached: the comparison's own while there is one. */
const editor = (page: Page, name: string) => page.getByRole('textbox', { name }).last()
const shown = (page: Page) => page.locator('.lkje[data-surface=full]')

describe('the link map as JSON, under the policy of the full editor and no wider one', () => {
  const demo = useDemo({ contentSecurityPolicy: editorPolicy() })
  const LABEL = 'Link map as JSON'

  async function openJson(who: string, width = 1280): Promise<Page> {
    const page = await demo.openPage({
      viewport: { width, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await openSignedIn(page, `${demo.origin}/link-map`, who)
    await page.getByRole('radio', { name: 'JSON' }).check()
    // Who only looks at it gets the full editor with a click.
    if (who === 'elif') await page.locator('.lkje-area').click()
    await expectVisible(shown(page))
    await expectVisible(page.getByText('Valid JSON'))
    return page
  }

  const linksOf = (firmId: string) =>
    demo.authServer.accounts
      .linkMap(firmId)
      .flatMap(({ internalUser, externalUser }) => (externalUser ? [[internalUser.id, externalUser.id]] : []))
  /** The real clipboard, the real keys. */
  const paste = async (page: Page, text: string) => {
    await page.evaluate(async (copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('Control+v')
  }
  const pasteOver = async (page: Page, text: string) => {
    await editor(page, LABEL).focus()
    await page.keyboard.press('Control+a')
    await paste(page, text)
  }

  /** One link more, or another one, from another computer. */
  const saveAsColleague = (firmId: string, userId: string, externalId: string) => {
    const { accounts } = demo.authServer
    accounts.replaceLinkMap(
      firmId,
      accounts
        .linkMap(firmId)
        .map((entry) =>
          entry.internalUser.id === userId ? { ...entry, externalUser: { id: externalId } as never } : entry,
        ),
    )
  }

  beforeEach(() => {
    for (const id of ['firm-noorderlicht', 'firm-maasvogel']) {
      const linked = seedLinkMap(firmById(id)!).filter(({ externalUser }) => externalUser !== null)
      demo.authServer.accounts.replaceLinkMap(id, linked)
    }
  })

  it('is written, corrected, compared and saved with the keyboard alone', async () => {
    const page = await demo.openPage({ viewport: { width: 1280, height: 900 } })
    await openSignedIn(page, `${demo.origin}/link-map`, 'daan')
    await page.getByRole('radio', { name: 'Users' }).focus()
    await page.keyboard.press('ArrowRight')
    await expectVisible(shown(page))
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Format ▾')
    for (const stop of ['Find', 'Compare', 'More ▾']) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(stop)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('{"internalUser": "elif", "externalUser": {}}')
    await expectVisible(page.getByText('Key "id" is missing').first())
    await expectVisible(page.getByText('1 error has to be corrected first'))
    for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    await page.keyboard.type('"id": "cumulus-elif"')
    await expectVisible(page.getByText('Not saved yet. Look at what changes'))
    // Out of the editor: Escape closes what it suggests, Escape and Tab go on.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expectVisible(page.getByText('Tab now leaves the editor.'))
    for (let stop = 0; stop < 2; stop++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('1 user linked: elif'))
    await expectVisible(page.locator('.lkje-compare .line-insert').first())
    expect(linksOf('firm-maasvogel')).toEqual([])
    await button(page, 'Save changes').focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('The link map is saved'))
    expect(linksOf('firm-maasvogel')).toEqual([['elif', 'cumulus-elif']])
    // What the server made of it is the text now.
    await expectVisible(page.getByText('"elif@maasvogel.example"'))
  })

  it('of four thousand users is changed at its end, and the change is named', async () => {
    const page = await openJson('anna')
    const count = linksOf('firm-noorderlicht').length
    await editor(page, LABEL).focus()
    await page.keyboard.press('Control+End')
    for (let line = 0; line < 2; line++) await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await paste(page, '}, {"internalUser": "chiara", "externalUser": {"id": "cumulus-chiara"}')
    await button(page, 'Review changes').click()
    await expectVisible(page.getByText('1 user linked: chiara'))
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(linksOf('firm-noorderlicht')).toHaveLength(count + 1)
    expect(linksOf('firm-noorderlicht')).toContainEqual(['chiara', 'cumulus-chiara'])
  })

  it('is repaired, sorted and found in; is not saved when another map would be saved than stands there, and is kept when it meets a conflict', async () => {
    const page = await openJson('daan')
    await pasteOver(page, "[{internalUser: 'elif', externalUser: {id: 'cumulus-elif',}}]")
    await expectVisible(page.getByText(/errors have to be corrected first/))
    await button(page, 'Format').click()
    await button(page, 'Repair').click()
    await expectVisible(page.getByText('Not saved yet. Look at what changes'))
    await button(page, 'Format').click()
    await button(page, 'Sort keys').click()
    await expectVisible(page.getByText('Sort keys: done'))
    await button(page, 'Find').click()
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('cumulus-elif')
    await expectVisible(page.getByText('1 of 1', { exact: true }))
    await page.keyboard.press('Escape')
    expect(page.workers().length).toBeGreaterThan(0)
    await pasteOver(page, '[{"internalUser": "elif", "externalUser": {"id": 9007199254740993}}]')
    await button(page, 'Review changes').click()
    await expectVisible(page.getByText('This cannot be saved as it is.'))
    await expectVisible(page.getByText('Line 1: 9007199254740993 is larger or more precise').first())
    expect(await button(page, 'Save changes').count()).toBe(0)
    const endConflict = demo.authServer.faults.add({
      path: '/cloudprovider/linkmap',
      method: 'PUT',
      status: 412,
      body: { text: '{"error":"conflict"}' },
    })
    await pasteOver(page, '[{"internalUser": "daan", "externalUser": {"id": "cumulus-daan"}}]')
    await expectVisible(page.getByText('Valid JSON', { exact: true }))
    await button(page, 'Review changes').click()
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('Somebody else has changed the link map'))
    expect(linksOf('firm-maasvogel')).toEqual([])
    endConflict()
    await button(page, 'Read it again and keep my text').click()
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    await expectEventually(() => linksOf('firm-maasvogel'), [['daan', 'cumulus-daan']])
  })

  it('that a colleague saved meanwhile overwrites nothing and loses nothing: both changes are merged, shown and saved, by keyboard', async () => {
    const page = await openJson('daan')
    const linkOf = (id: string, externalId: string) =>
      `{"internalUser": "${id}", "externalUser": {"id": "${externalId}"}}`
    await pasteOver(page, `[${linkOf('daan', 'cumulus-daan')}, ${linkOf('elif', 'cumulus-mine')}]`)
    saveAsColleague('firm-maasvogel', 'elif', 'cumulus-theirs')
    // A read in the background shows the colleague's map to the cache, and must not make it the base of what is typed.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await button(page, 'Review changes').click()
    await button(page, 'Save changes').focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('Somebody else has changed the link map'))
    expect(linksOf('firm-maasvogel')).toEqual([['elif', 'cumulus-theirs']])
    await button(page, 'Read it again and keep my text').focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('1 user linked: daan'))
    await expectVisible(page.getByText(/1 user linked otherwise: /))
    await expectVisible(page.getByText(/Both of you changed Elif/))
    expect(await page.getByText(/unlinked: /).count()).toBe(0)
    await button(page, 'Save changes').focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('The link map is saved'))
    expect(Object.fromEntries(linksOf('firm-maasvogel'))).toEqual({
      daan: 'cumulus-daan',
      elif: 'cumulus-mine',
    })
  })

  it('keeps its buttons in place whatever the verdict, 1280 and 360 px wide', async () => {
    const page = await openJson('daan')
    const boxes = async () =>
      page
        .getByRole('region', { name: 'Changes' })
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((one) => {
            const { x, y, width: wide, height } = one.getBoundingClientRect()
            return [one.textContent, x + scrollX, y + scrollY, wide, height]
          }),
        )
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await pasteOver(page, '[ ]')
      await expectVisible(page.getByText('Not saved yet. Look at what changes'))
      const before = await boxes()
      expect(before.map(([name]) => name)).toEqual(['Discard', 'Review changes'])
      await pasteOver(page, '[{"internalUser": "elif", "externalUser": {}}]')
      await expectVisible(page.getByText('1 error has to be corrected first'))
      expect(await boxes(), `${width} px, one error`).toEqual(before)
      await pasteOver(
        page,
        `[${'{"internalUser": 7, "externalUser": {"name": 9007199254740993}}, '.repeat(9)}{}]`,
      )
      await expectVisible(page.getByText(/^and \d+ more$/))
      expect(await boxes(), `${width} px, many errors`).toEqual(before)
      // Every fault is still reached: the list scrolls in its place.
      await page.getByRole('list', { name: 'Problems' }).getByRole('link').last().click()
      await expectEventually(
        () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
        LABEL,
      )
      await pasteOver(page, '[  ]')
      await expectVisible(page.getByText('Valid JSON', { exact: true }))
      expect(await boxes(), `${width} px, valid again`).toEqual(before)
    }
  })

  it('is only looked at by staff, on a phone too', async () => {
    const page = await openJson('elif', 360)
    await expectVisible(page.getByText('Only an administrator may change them'))
    await editor(page, LABEL).focus()
    await page.keyboard.type('x')
    await expectVisible(page.getByText('Valid JSON'))
    expect(await button(page, 'Review changes').count()).toBe(0)
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth: whole, clientWidth: seen } = document.documentElement
      return { scrollWidth: whole, clientWidth: seen }
    })
    expect(scrollWidth).toBe(clientWidth)
  })
})

describe('the redirection rules', () => {
  const demo = useDemo({ environments: true })

  it('are looked at, found in and copied, and cannot be changed', async () => {
    const page = await demo.openPage({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await openSignedIn(page, `${demo.origin}/addresses`)
    await expectHeading(page, 'Addresses')
    const rules = editor(page, 'Redirection rules')
    // What can only be read is a textarea until somebody turns to it.
    await rules.focus()
    await expectVisible(shown(page))
    await rules.focus()
    await page.keyboard.type('x')
    await page.keyboard.press('Delete')
    await button(page, 'Copy').click()
    await expectVisible(page.getByText('Copied'))
    const copied = JSON.parse(await page.evaluate(async () => navigator.clipboard.readText())) as object
    expect(copied).toHaveProperty('environments.0.criteria.firmId', ['firm-noorderlicht', 'firm-maasvogel'])
    await button(page, 'Find').click()
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('firm-cascade')
    await expectVisible(page.getByText('1 of 1', { exact: true }))
  })
})
