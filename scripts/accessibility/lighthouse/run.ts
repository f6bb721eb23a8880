// npm run lighthouse, after npm run docs:build: what Lighthouse says of documentation and demo, written into evidence/accessibility.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { startDemo } from '../../../demo/startDemo.ts'
import { builtApp } from '../../builtApp.ts'
import { findFreePort } from '../../browsers/freePort.ts'
import { chromiumLaunchOptions } from '../../findChromium.ts'
import { installIn } from '../../installIn.ts'
import { serveFolder } from '../../serveFolder.ts'
import { writePage } from '../../writtenPage.ts'
import { type Inspected, type LighthouseScore, toMarkdown } from '../report.ts'

const FOLDER = dirname(fileURLToPath(import.meta.url))
const RESULTS = 'evidence/results'
// What is behind a sign-in is not for search engines.
const CATEGORIES = {
  documentation: ['accessibility', 'best-practices', 'seo'],
  demo: ['accessibility', 'best-practices'],
}

interface Verdict {
  readonly lhr: {
    readonly lighthouseVersion: string
    readonly categories: Record<
      string,
      { score: number | null; auditRefs: readonly { id: string; weight: number }[] }
    >
    readonly audits: Record<string, { title: string; score: number | null }>
  }
}
type RunLighthouse = (address: string, flags: object, config?: object) => Promise<Verdict>

installIn(FOLDER)
// By a name that the type checker does not follow: it is installed only here, and only when it is wanted.
const PACKAGE = 'lighthouse'
const { default: lighthouse, desktopConfig } = (await import(PACKAGE)) as {
  default: RunLighthouse
  desktopConfig: object
}

const demo = await startDemo({ app: { from: 'build', folder: await builtApp() } })
const site = await serveFolder('site', 'dist')
const port = await findFreePort()
const profile = mkdtempSync(join(tmpdir(), 'latchkey-lighthouse-'))
const { args, ...options } = chromiumLaunchOptions({ hasBackForwardCache: true })
const context = await chromium.launchPersistentContext(profile, {
  ...options,
  args: [...args, `--remote-debugging-port=${port}`],
})
const pages: LighthouseScore[] = []
let version = ''
try {
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(demo.origin)
  await page.locator('button[value="anna"]').click()
  await page.locator('#content').waitFor()
  await page.goto('about:blank')

  for (const path of ['', 'quickStart.html', 'howItWorks.html', 'hooks/useLogin.html'])
    await judge('documentation', path || 'index.html', `${site.origin}/${path}`)
  for (const path of ['/', '/link-map', '/tour']) await judge('demo', path, demo.origin + path)
} finally {
  await context.close()
  await site.close()
  await demo.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}

const browser = /Chromium ([\d.]+)/.exec(
  spawnSync(String(options.executablePath), ['--version']).stdout.toString(),
)
const result = { lighthouse: version, browser: browser?.[1] ?? 'unknown', pages }
mkdirSync(RESULTS, { recursive: true })
writeFileSync(join(RESULTS, 'lighthouse.json'), `${JSON.stringify(result, undefined, 1)}\n`)
const inspected = JSON.parse(readFileSync(join(RESULTS, 'axe.json'), 'utf8')) as Inspected
writePage('evidence/accessibility.md', toMarkdown(inspected, result))

/** Once as a phone, once as a desk; cookies and storage stay, so that the demo is signed in. */
async function judge(part: keyof typeof CATEGORIES, path: string, address: string): Promise<void> {
  const name = `${part}: ${path}`
  for (const [form, config] of [
    ['phone', undefined],
    ['desk', desktopConfig],
  ] as const) {
    const flags = { port, onlyCategories: CATEGORIES[part], disableStorageReset: true, logLevel: 'error' }
    const { lhr } = await lighthouse(address, flags, config)
    version = lhr.lighthouseVersion
    const scores = Object.fromEntries(
      Object.entries(lhr.categories).map(([category, { score }]) => [
        category,
        Math.round((score ?? 0) * 100),
      ]),
    )
    const counted = Object.values(lhr.categories).flatMap(({ auditRefs }) => auditRefs)
    const notPassed = counted
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => lhr.audits[id]?.title ?? id)
    pages.push({ page: name, form, scores, notPassed })
    console.log(`looked at ${name}, ${form}: ${JSON.stringify(scores)} ${notPassed.join('; ')}`)
  }
}
