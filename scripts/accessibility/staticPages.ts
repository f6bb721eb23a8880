// Looks at every page of a folder of static pages, look by look: the documentation as it is built.
import { globSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { serveFolder } from '../serveFolder.ts'
import { type Finding, inspect, LOOKS, watchRequests } from './inspect.ts'

export async function inspectDocumentation(browser: Browser): Promise<Finding[]> {
  const folder = 'site/dist'
  const pages = globSync('**/*.html', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    // The demo is looked at where it has servers of its own.
    .filter((path) => !path.startsWith('try/'))
  if (pages.length < 50) throw new Error(`only ${pages.length} pages in ${folder}: npm run docs:build`)
  const server = await serveFolder('site', 'dist')
  const findings: Finding[] = []
  try {
    for (const { name, ...options } of LOOKS) {
      const context = await browser.newContext(options)
      const elsewhere = watchRequests(context)
      const page = await context.newPage()
      for (const path of pages.toSorted()) {
        await page.goto(`${server.origin}/${path}`)
        await page.locator('h1').first().waitFor()
        await untilDrawn(page)
        findings.push(await inspect(page, { part: 'documentation', page: path, look: name }, elsewhere))
      }
      await context.close()
    }
  } finally {
    await server.close()
  }
  return findings
}

/** Diagrams are drawn in the browser; a text that stays one is a fault. */
async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('pre.diagram') === null)
}
