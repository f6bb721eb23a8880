// Every screen in every state of the session at three widths: no text in a column too narrow to read, nothing taller than the screen.

// @module-tag night

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { type TestDemo, useDemo } from '../fixture.ts'
import { expectHeading, expectVisible, resize } from '../page.ts'
import { button, openSignedIn, openSignedOut } from '../user.ts'

const SIZES = [
  { width: 1280, height: 900 },
  { width: 768, height: 1000 },
  { width: 360, height: 740 },
]

/** Parts that a user has to see as a whole. */
const WHOLE =
  '.page-head, .card-head, .facts, .session-body, .token-clock, .notice, .banner, .account, .actions, .latchkey-toast, .latchkey-dialog, .gate-card > h1'

async function flawsOf(page: Page): Promise<string[]> {
  return page.evaluate((whole) => {
    const found: string[] = []
    const nameOf = (one: Element) => `${one.tagName.toLowerCase()}.${String(one.getAttribute('class'))}`
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px too wide`)
    for (const part of document.querySelectorAll(whole)) {
      const { height } = part.getBoundingClientRect()
      if (height > innerHeight) found.push(`${nameOf(part)} is ${Math.round(height)} px high`)
    }
    for (const { scrollWidth: wide, clientWidth: room, textContent } of document.querySelectorAll(
      'main .card',
    ))
      if (wide > room) found.push(`${wide - room} px out of its card: ${textContent?.slice(0, 60)}`)
    const pen = document.createElement('canvas').getContext('2d')!
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { parentElement: parent, textContent: words } = texts.currentNode
      if (!parent?.checkVisibility() || parent.closest('.hidden, [data-third-party], .lkje, script, style'))
        continue
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
      const block = [parent, parent.parentElement!].find((one) => getComputedStyle(one).display !== 'inline')
      if (lines < 2 || !block) continue
      pen.font = getComputedStyle(parent).font
      const characters = block.clientWidth / pen.measureText('0').width
      if (characters < 12) found.push(`${lines} lines of ${Math.floor(characters)} characters: ${words}`)
    }
    return found
  }, WHOLE)
}

async function expectShapes(page: Page, where: string): Promise<void> {
  for (const size of SIZES) {
    await resize(page, size)
    expect([where, size.width, await flawsOf(page)]).toEqual([where, size.width, []])
  }
}

/** Goes through the screens inside the app, so that the state stays. */
async function onEveryScreen(page: Page, look?: (title: string) => Promise<void>): Promise<void> {
  const links = await page
    .locator('aside .navigation a')
    .evaluateAll((all) =>
      all.map((link) => [(link as HTMLAnchorElement).href, link.textContent.trim()] as const),
    )
  expect(links.length).toBeGreaterThan(10)
  for (const [address, title] of links) {
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
    await page
      .locator('main h1')
      .filter({ hasText: title === 'Home' ? /^Good / : title })
      .waitFor()
    await expectVisible(page.locator('main .card').first())
    await look?.(title)
  }
}

describe('every screen keeps its shape', { timeout: 300_000 }, () => {
  const demo = useDemo({ accessTokenLifetimeSeconds: 10, realtime: true, environments: true })

  /** One after the other, in one page. The files of all screens come in the first. */
  const STATES: readonly [name: string, enter: (page: Page, of: TestDemo) => Promise<unknown>][] = [
    ['signed in', async () => {}],
    [
      'offline',
      async (page) => {
        await page.context().setOffline(true)
        await expectVisible(page.getByText('You are offline.'))
      },
    ],
    [
      'with a server out of reach',
      async (page, { authServer }) => {
        authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 503 })
        await page.context().setOffline(false)
        await expectVisible(page.getByText('The server cannot be reached.').first())
      },
    ],
    [
      'behind the dialog of an ended session',
      async (page, { authServer }) => {
        authServer.faults.clear()
        authServer.revokeAllSessions()
        await page.context().clearCookies()
        await expectVisible(page.getByRole('dialog', { name: 'Your session ended' }))
      },
    ],
  ]

  it.each(['anna', 'bram~anna'])('in every state of %s', async (who) => {
    demo.expectOnConsole(/./)
    const context = await demo.openBrowser({ viewport: SIZES[0]! })
    const page = await context.newPage()
    await openSignedIn(page, demo.origin, who)
    await expectHeading(page, /^Good /)
    // On behalf of a colleague, the names alone are longer.
    for (const [name, enter] of who === 'anna' ? STATES : STATES.slice(0, 1)) {
      await enter(page, demo)
      await onEveryScreen(page, async (title) => expectShapes(page, `${title}, ${name}`))
    }
  })
})

describe('every page outside of the app keeps its shape', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it('signed out, cancelled and failed', async () => {
    const page = await openSignedOut(demo)
    await expectShapes(page, 'signed out')
    await button(page, 'Sign in').click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectHeading(page, 'The sign-in was cancelled')
    await expectShapes(page, 'cancelled')
    demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 503 })
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, 'We could not sign you in')
    await page.getByText('What happened').click()
    await expectShapes(page, 'failed')
  })
})
