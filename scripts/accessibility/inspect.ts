// Looks at one page as it is now: what axe finds, whether it is wider than the screen, what it asked of other origins.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright'

/** How a page is looked at. */
export const LOOKS = [
  { name: 'light, 1440 px', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, 1440 px', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'light, 360 px', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'dark, 360 px', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const
export type Look = (typeof LOOKS)[number]

/** What was found on one page in one look. */
export interface Finding {
  readonly part: 'demo' | 'documentation' | 'catalogue'
  readonly page: string
  readonly look: string
  /** Rules of axe that had something to look at here, and were kept. */
  readonly passedRules: number
  /** A line for each element that breaks a rule. */
  readonly violations: readonly string[]
  readonly widerBy: number
  readonly requestsElsewhere: readonly string[]
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// Somebody else's panel in a page of ours, marked there.
const CONTEXT = { exclude: ['[data-third-party]'] }

/** Written down from now on: requests of these pages that leave this computer. */
export function watchRequests(context: BrowserContext): string[] {
  const elsewhere: string[] = []
  context.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url())
    if (/^(?:http|ws)/.test(protocol) && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
      elsewhere.push(href)
  })
  return elsewhere
}

export async function inspect(
  page: Page,
  about: Pick<Finding, 'part' | 'page' | 'look'>,
  elsewhere: string[],
): Promise<Finding> {
  await atRest(page)
  await page.evaluate(axeSource)
  const { violations, passes } = await page.evaluate(
    (context) => (window as unknown as { axe: { run(on: object): Promise<AxeResults> } }).axe.run(context),
    CONTEXT,
  )
  const widerBy = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  console.log(`looked at ${about.page}, ${about.look}`)
  return {
    ...about,
    passedRules: passes.length,
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    ),
    widerBy,
    requestsElsewhere: elsewhere.splice(0),
  }
}

/** Waits until nothing is being read and nothing fades any more. */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true], .bar') === null)
  await page.evaluate(async () => {
    for (let count = 0; count < 3; count += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
