// The packed package's whole editor in webpack and Rspack: its workers load, and nothing is asked of another origin.
import { chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { serveFolder } from '../../scripts/serveFolder.ts'
import { type Bundler, runBundler } from './bundlers.ts'
import { EDITOR_APP, EDITOR_POLICY } from './editorApp.ts'
import { pageWith, type Sandboxes } from './sandbox.ts'

export const EDITOR_BUNDLERS = ['webpack', 'rspack'] as const satisfies readonly Bundler[]

/** What docs/editor.md says that webpack and Rspack have to be told. */
const RULES = "[{ test: /\\.css$/, type: 'css' }, { test: /\\.ttf$/, type: 'asset/resource' }]"

const PACKAGES = [
  'react',
  'react-dom',
  'monaco-editor',
  '@monaco-editor/react',
  '@tanstack/react-query',
  'webpack@5.112.2',
  '@rspack/core@2.3.2',
]

/** Builds an app with the editor for production, serves it under the documented policy and uses what has a worker. */
export async function checkEditor(sandboxes: Sandboxes, bundler: Bundler): Promise<string> {
  const sandbox = sandboxes.open('editor', PACKAGES)
  const folder = `dist-${bundler}`
  sandbox.write({ 'src/main.js': EDITOR_APP, [`${folder}/index.html`]: pageWith('/main.js', 'Editor') })
  runBundler(sandbox, bundler, { entry: 'src/main.js', folder, experiments: { css: true }, rules: RULES })
  const server = await serveFolder(sandbox.path, folder, { 'content-security-policy': EDITOR_POLICY })
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    const count = await tryEditor(await browser.newPage(), server.origin)
    return `the whole editor under the documented policy: ${count} workers, 0 requests to other origins`
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Gives how many workers ran; throws when anything is not as it should be. */
async function tryEditor(page: Page, origin: string): Promise<number> {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) faults.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(?:data|blob):/.test(url) && new URL(url).origin !== origin) faults.push(`asked for ${url}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !response.url().endsWith('/favicon.ico'))
      faults.push(`${response.status()} for ${response.url()}`)
  })
  const workers = new Set<string>()
  page.on('worker', (worker) => workers.add(worker.url()))
  page.setDefaultTimeout(60_000)
  const status = page.locator('.lkje-status [role=status]')
  await page.goto(`${origin}/`)
  await page.locator('.lkje[data-surface=full]').waitFor()
  await status.getByText('Valid JSON').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.lkje-compare .line-insert').first().waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('textbox', { name: 'Map' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  // The editor closes the bracket.
  await page.keyboard.type('[')
  await status.getByText('At least 1 element').waitFor()
  if (workers.size !== 3) faults.push(`these workers ran: ${[...workers].join(', ')}`)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return workers.size
}
