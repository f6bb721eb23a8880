// What a designer would look at in the demo: nothing alarms without need, moves, lies over something else, or stands askew.

// @module-tag thorough

import type { Locator } from 'playwright'
import { describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible, resize } from '../page.ts'
import { button, openScreen, openSignedIn, showScreen } from '../user.ts'
import { openPopup } from '../popups/popup.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
const WIDE_DESK = { width: 1720, height: 1000 }

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return box
}
type Box = Awaited<ReturnType<typeof boxOf>>
const doOverlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('the demo in its details', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true })

  it('the id of the session stands on one line, and its button copies the whole of it', async () => {
    const context = await demo.openBrowser({
      viewport: PHONE,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    const id = page.getByRole('region', { name: 'Session' }).locator('.long-id')
    expect((await boxOf(id.locator('code'))).height).toBeLessThan(30)
    await button(page, 'Copy the id of the session').click()
    await expectVisible(id.locator('svg'))
    const copied = await page.evaluate(async () => navigator.clipboard.readText())
    expect(copied).toBe(await id.locator('code').getAttribute('title'))
  })

  it('"Try it" on home has no hole at any width: its rows are full, and it is no longer than what stands in it', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    const card = page.getByRole('region', { name: 'Try it' })
    for (const viewport of [PHONE, DESK, WIDE_DESK]) {
      await resize(page, viewport)
      const things = await Promise.all((await card.getByRole('listitem').all()).map(boxOf))
      const rows = Map.groupBy(things, ({ y }) => Math.round(y))
      expect([viewport.width, new Set([...rows.values()].map((row) => row.length)).size]).toEqual([
        viewport.width,
        1,
      ])
      const { y, height } = await boxOf(card)
      const last = things.at(-1)!
      // The padding of the card, and less than another row.
      expect(y + height - (last.y + last.height)).toBeLessThan(24 + last.height + 16)
    }
  })

  it('the fields of the password popup look as if one could type in them, light and dark', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/security`)
    const popup = await openPopup(page, button(page, 'Change my password'))
    const lookOf = async (locator: Locator) =>
      locator.evaluate((element) => {
        const { backgroundColor, borderTopColor, opacity } = getComputedStyle(element)
        return { backgroundColor, borderTopColor, opacity }
      })
    const fields = await popup.locator('input[type=password]').all()
    expect(fields).toHaveLength(3)
    const grounds = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const) {
      await popup.emulateMedia({ colorScheme })
      const form = await lookOf(popup.getByRole('main'))
      const ground = await lookOf(popup.locator('html'))
      grounds.add(ground.backgroundColor)
      for (const field of fields) {
        expect(await field.isEditable()).toBe(true)
        const look = await lookOf(field)
        // As light as the form and framed; what is disabled is grey as the ground and has a faint frame.
        expect(look.backgroundColor).toBe(form.backgroundColor)
        expect(look.backgroundColor).not.toBe(ground.backgroundColor)
        expect(look.borderTopColor).not.toBe(form.borderTopColor)
        expect(look.opacity).toBe('1')
      }
    }
    expect(grounds.size).toBe(2)
  })

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('the buttons of the tour say what came of it and move nothing, on %s', async (_name, viewport) => {
    const page = await demo.openPage({ viewport })
    await openSignedIn(page, `${demo.origin}/tour`)
    await expectHeading(page, 'Guided tour')
    const stops = page.getByRole('main').locator('.stops > li')
    const tops = async () =>
      stops.evaluateAll((items) =>
        items.map((item) => Math.round(item.getBoundingClientRect().top + scrollY)),
      )
    const outputs = stops.filter({ has: page.locator('output') }).filter({ has: page.getByRole('button') })
    const before = await tops()
    for (const stop of await outputs.all()) {
      await stop.getByRole('button').click()
      const said = stop.locator('output:not(:empty)')
      await expectVisible(said)
      const isCut = async () => said.evaluate((one) => one.scrollHeight > one.clientHeight + 1)
      expect([await said.innerText(), await isCut()]).toEqual([await said.innerText(), false])
      expect(await tops()).toEqual(before)
    }
    expect(await outputs.count()).toBe(6)
  })

  it('toasts lie beside the menu and above the devtools, on neither', async () => {
    const page = await demo.openPage({ viewport: DESK })
    await openSignedIn(page, `${demo.origin}/tour`)
    await button(page, 'Six toasts at once').click()
    const toasts = page.locator('.latchkey-toast')
    await expectVisible(toasts.filter({ hasText: 'The firm was saved.' }))
    // All in one moment: one after the other, a toast may have gone meanwhile.
    const lying = await toasts.evaluateAll((all) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect()
        return { x, y, width, height }
      }),
    )
    expect(lying).toHaveLength(3)
    for (const name of ['.account', '.dock']) {
      const other = await boxOf(page.locator(name).first())
      expect([name, lying.some((toast) => doOverlap(toast, other))]).toEqual([name, false])
    }
  })

  it.each([
    ['light', 'hc-light'],
    ['dark', 'hc-black'],
  ] as const)(
    'the editor has the ground of the page where the user forces colours, and follows to another (%s)',
    async (colorScheme, theme) => {
      const page = await demo.openPage({ viewport: DESK, colorScheme })
      await page.emulateMedia({ forcedColors: 'active' })
      await openSignedIn(page, `${demo.origin}/link-map`)
      await page.getByRole('radio', { name: 'JSON' }).check()
      const editor = page.locator('.monaco-editor').first()
      await expectVisible(editor)
      await expect.poll(() => editor.getAttribute('class')).toContain(theme)
      await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light' })
      await expect.poll(() => editor.getAttribute('class')).not.toContain(theme)
    },
  )

  it('on paper stands the screen, without what only a screen can use', async () => {
    const page = await demo.openPage({ viewport: DESK })
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    await page.emulateMedia({ media: 'print' })
    for (const name of ['aside.side', '.dock', '.session .actions'])
      expect([name, await page.locator(name).first().isVisible()]).toEqual([name, false])
    await expectVisible(page.getByRole('region', { name: 'Session', exact: true }))
    expect((await boxOf(page.getByRole('main'))).x).toBe(0)
  })

  it('the field that searches the link map has a name of its own, the hint stands under the table, and on paper stands the whole of it', async () => {
    const firm = firmById('firm-noorderlicht')!
    const linked = seedLinkMap(firm).filter(({ externalUser }) => externalUser !== null)
    demo.authServer.accounts.replaceLinkMap(firm.id, linked.slice(0, 300))
    const page = await demo.openPage({ viewport: DESK })
    await openSignedIn(page, `${demo.origin}/link-map`)
    const table = page.getByRole('table', { name: 'Link map' })
    await expectVisible(table)
    const field = page.getByRole('searchbox', { name: 'Search users', exact: true })
    await expectVisible(field)
    expect(await field.getAttribute('placeholder')).toBe('Name, address or account')
    const hint = await boxOf(page.getByText('What you have not saved is kept'))
    const shown = await boxOf(table)
    expect(hint.y).toBeGreaterThanOrEqual(shown.y + shown.height)
    const all = Number(await table.getAttribute('aria-rowcount'))
    expect(all).toBe(301)
    expect(await table.locator('[role=row]').count()).toBeLessThan(60)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => table.locator('[role=row]').count()).toBe(all)
    const last = await boxOf(table.locator('[role=row]').last())
    const whole = await boxOf(table)
    expect(last.y + last.height).toBeLessThanOrEqual(whole.y + whole.height + 1)
  })

  it('what belongs to a heading stands beside it at every width, a field is no wider than what is typed in it, and names are whole', async () => {
    const page = await openScreen(demo)
    for (const [path, title] of [
      ['/sessions', 'Sessions'],
      ['/link-map', 'Link map'],
    ] as const) {
      await showScreen(page, path, title)
      for (const viewport of [PHONE, { width: 768, height: 1000 }, DESK]) {
        await resize(page, viewport)
        const heading = await boxOf(page.locator('.page-head h1'))
        const aside = await boxOf(page.locator('.page-head > :nth-child(2)'))
        const isBeside = [aside.y < heading.y + heading.height, aside.x > heading.x]
        expect([path, viewport.width, ...isBeside]).toEqual([path, viewport.width, true, true])
      }
    }
    for (const [path, title] of [
      ['/sessions', 'Sessions'],
      ['/support-access', 'Support access'],
      ['/admin-consent', 'Admin consent'],
    ] as const) {
      await showScreen(page, path, title)
      const field = page.locator('.field input').first()
      await expectVisible(field)
      expect((await boxOf(field)).width).toBeLessThanOrEqual(28 * 16)
    }
    const isWhole = async (locator: Locator) => locator.evaluate((one) => one.scrollWidth <= one.clientWidth)
    const firm = page.locator('aside .account-text > span')
    expect(await firm.innerText()).toBe('Noorderlicht Accountants')
    expect(await isWhole(firm)).toBe(true)
    // The bar above a phone's screen says which screen it is.
    await page.setViewportSize(PHONE)
    const title = page.locator('.top-title')
    await expectVisible(page.getByText('noorderlicht.example').first())
    expect((await title.innerText()).trim()).toBe('Admin consent')
    expect(await isWhole(title)).toBe(true)
  })

  it.each([
    ['2026-03-01T02:00:00', 'Good evening'],
    ['2026-03-01T09:00:00', 'Good morning'],
    ['2026-03-01T14:00:00', 'Good afternoon'],
    ['2026-03-01T23:00:00', 'Good evening'],
  ])('at %s people are greeted with %s', async (time, words) => {
    const { greeting } = await import('../../../demo/app/words.ts')
    expect(greeting(new Date(time))).toBe(words)
  })
})

describe('the countdown of the idle time', { timeout: 120_000 }, () => {
  const demo = useDemo({ auth: { idleTimeoutInMinutes: 1 } })

  it('is large, shows the time that is left as a ring, and lies beside the menu, on a desk and a phone', async () => {
    const page = await demo.openPage()
    await page.clock.install()
    await openSignedIn(page, demo.origin)
    const toast = page.locator('.latchkey-toast').filter({ hasText: /^You will be signed out in \d+ s/ })
    await expectVisible(toast)
    /** What the words say and what the ring shows, of the same frame. */
    const left = async () =>
      toast.evaluate((one) => ({
        seconds: Number(/in (\d+) s/.exec(one.textContent ?? '')?.[1]),
        part: Number.parseFloat(
          one.querySelector('[stroke-dasharray]')?.getAttribute('stroke-dasharray') ?? '',
        ),
      }))
    let before = Number.POSITIVE_INFINITY
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport)
      const box = await boxOf(toast.locator('svg').first())
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(40)
      const letters = await toast.evaluate((one) =>
        Number.parseFloat(getComputedStyle(one.querySelector('span')!).fontSize),
      )
      expect(letters).toBeGreaterThanOrEqual(16)
      const { seconds, part } = await left()
      // The words say whole seconds, the last one begun included.
      expect(Math.abs(seconds - part * 60)).toBeLessThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(before - 20)
      before = seconds
      const account = page.getByRole('complementary', { name: 'Deskwell' }).locator('.account')
      if (await account.isVisible()) expect(doOverlap(await boxOf(toast), await boxOf(account))).toBe(false)
      await page.clock.runFor(20_000)
    }
  })
})

describe('letters twice as large as usual, at 320 px', { timeout: 120_000 }, () => {
  const demo = useDemo()

  it('let no screen be moved sideways, and lie on nothing', async () => {
    const page = await demo.openPage({ viewport: { width: 320, height: 700 } })
    // As the browser's own setting does it, which the media queries follow, too.
    const session = await page.context().newCDPSession(page)
    await session.send('Page.enable')
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    for (const path of ['/', '/tour', '/sessions', '/link-map', '/addresses', '/admin-consent']) {
      await openSignedIn(page, demo.origin + path)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320])
      for (const name of await page.locator('.facts dt').all()) {
        const value = name.locator('xpath=following-sibling::dd')
        const [box, other] = [await boxOf(name), await boxOf(value)]
        const width = await name.evaluate((one) => one.scrollWidth)
        expect([path, doOverlap({ ...box, width }, other)]).toEqual([path, false])
      }
    }
  })
})

describe('letters twice as large as usual, on a desk', () => {
  const demo = useDemo()

  it('lie inside the ring', async () => {
    const page = await demo.openPage({ viewport: DESK })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.enable')
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await openSignedIn(page, demo.origin)
    const ring = await boxOf(page.locator('.ring-track'))
    const middle = { x: ring.x + ring.width / 2, y: ring.y + ring.height / 2 }
    await expectVisible(page.locator('.token-figures p').first())
    const furthest = await page.locator('.token-figures p').evaluateAll((all, { x, y }) => {
      const corners = all.flatMap((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return Array.from(range.getClientRects()).flatMap(({ left, right, top, bottom }) =>
          [left, right].flatMap((across) => [top, bottom].map((down) => Math.hypot(across - x, down - y))),
        )
      })
      return Math.max(...corners)
    }, middle)
    // The line of the ring is 8 of 104 wide.
    expect(furthest).toBeLessThan((ring.width / 2) * (44 / 52))
  })
})

describe('Home behind the dialog of an ended session', () => {
  const demo = useDemo({ auth: { verifyFirstVisit: true } })

  it('keeps its shape at every width, with an empty ring that says so', async () => {
    const context = await demo.openBrowser()
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    demo.authServer.revokeAllSessions()
    await context.clearCookies()
    const auth = await authOf(page)
    await auth.evaluate((own) => own.renew({ force: true }).catch(() => {}))
    await expectVisible(page.getByRole('dialog', { name: 'Your session ended' }))
    for (const viewport of [DESK, { width: 768, height: 1024 }, PHONE]) {
      await resize(page, viewport)
      const facts = await boxOf(page.locator('.session .facts'))
      expect([viewport.width, facts.width > 200, facts.height < 300]).toEqual([viewport.width, true, true])
    }
    expect(await page.locator('.session .badge').innerText()).toBe('Ended')
    expect(await page.locator('.token-clock').innerText()).toBe('The session has ended.')
  })
})
