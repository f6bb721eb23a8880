// How a page looks: to a screen reader, on a phone and on a desk, in light and dark.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { resize } from '../page.ts'

const PHONE = { width: 360, height: 740 }

/** The rules of axe that other colours can break. The others have judged the same elements on such a screen just before. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const LOOKS = [
  ['a phone, light', PHONE, 'light', undefined],
  ['a phone, dark', PHONE, 'dark', COLOUR_RULES],
  ['a desk, dark', { width: 1440, height: 900 }, 'dark', undefined],
  ['a small desk, light', { width: 1280, height: 900 }, 'light', COLOUR_RULES],
] as const

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The page as it is now has no barrier that axe finds, nothing sticks out of the page or of what is clicked, no word is torn, no hint cut: in every look. */
export async function expectGoodLooks(page: Page): Promise<void> {
  const found: string[] = []
  for (const [name, size, colorScheme, rules] of LOOKS) {
    await resize(page, size)
    await page.emulateMedia({ colorScheme })
    // A colour half-way to another one says nothing.
    await page.evaluate(async () =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map(async ({ finished }) => finished),
      ),
    )
    const flaws = [barriersOf(page, rules), overflowOf(page), outgrownOf(page), tornOf(page), cutOf(page)]
    for (const flaw of (await Promise.all(flaws)).flat()) found.push(`${name}: ${flaw}`)
  }
  expect(found).toEqual([])
}

async function barriersOf(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axe)
  return page.evaluate(async (only) => {
    const engine = (
      window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }
    ).axe
    const { violations } = await engine.run(
      { exclude: ['[data-third-party]'] },
      // Of what passes it would write down every element.
      { resultTypes: ['violations'], ...(only && { runOnly: only }) },
    )
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }, runOnly)
}

async function overflowOf(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return pixels > 0 ? [`${pixels} px wider than the screen`] : []
}

/** Buttons, links and labels whose words are wider than they are. */
async function outgrownOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, a, label):not(.hidden)')]
      .filter((one) => !one.closest('[data-third-party], .lkje'))
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .map(({ textContent }) => `wider than its place: ${textContent}`),
  )
}

/** Words that go on in the next line, identifiers aside, and cards that leave the column of their screen. */
async function tornOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const torn: string[] = []
    const main = document.querySelector('main')
    if (!main) return torn
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      if (text.parentElement?.closest('code, pre, textarea, [data-third-party]')) continue
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1)
          torn.push(`torn: ${word}`)
      }
    }
    const { right } = main.getBoundingClientRect()
    const edge = right - Number.parseFloat(getComputedStyle(main).paddingRight)
    for (const card of main.querySelectorAll('.card'))
      if (card.getBoundingClientRect().right > edge + 1) torn.push(`out of its column: ${card.className}`)
    return torn
  })
}

/** What a field says while it is empty, where it is longer than the field. */
async function cutOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')!
    return [...document.querySelectorAll<HTMLInputElement>('main input[placeholder]')].flatMap((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      pen.font = font
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return pen.measureText(field.placeholder).width > room ? [`cut: ${field.placeholder}`] : []
    })
  })
}

/** What gets the focus on the way through the page, there and back, and lies under something else then. */
export async function coveredOf(page: Page): Promise<string[]> {
  const covered: string[] = []
  for (const key of ['Tab', 'Shift+Tab'])
    for (let press = 0; press < 30; press += 1) {
      await page.keyboard.press(key)
      const name = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused?.closest('main')) return undefined
        const { x, y, width, height } = focused.getBoundingClientRect()
        const isSeen = focused.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        return isSeen ? undefined : focused.textContent
      })
      if (name !== undefined) covered.push(name)
    }
  return covered
}
