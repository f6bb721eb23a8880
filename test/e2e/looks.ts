// How a page looks: to a screen reader, on a phone and on a desk, in light and dark.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'

const LOOKS = [
  ['a phone, light', { width: 360, height: 740 }, 'light'],
  ['a phone, dark', { width: 360, height: 740 }, 'dark'],
  ['a desk, dark', { width: 1440, height: 900 }, 'dark'],
  ['a desk, light', { width: 1440, height: 900 }, 'light'],
] as const

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The page as it is now has no barrier that axe finds, and nothing sticks out of the screen: in every look. */
export async function expectGoodLooks(page: Page): Promise<void> {
  const found: string[] = []
  for (const [name, size, colorScheme] of LOOKS) {
    await page.setViewportSize(size)
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
    for (const barrier of [...(await barriersOf(page)), ...(await overflowOf(page))])
      found.push(`${name}: ${barrier}`)
  }
  expect(found).toEqual([])
}

async function barriersOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axe)
  const { violations } = await page.evaluate(async () =>
    (window as unknown as { axe: { run(context: object): Promise<AxeResults> } }).axe.run({
      exclude: ['[data-third-party]'],
    }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

async function overflowOf(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return pixels > 0 ? [`${pixels} px wider than the screen`] : []
}
