// An app that uses the built package's editor, built for production and served under a strict policy: its workers load, nothing leaves its origin.

// @module-tag thorough

import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { build, createServer as createViteServer } from 'vite'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import { EDITOR_APP, EDITOR_POLICY } from '../../consumers/editorApp.ts'
import { expectEventually } from '../page.ts'

const WITHOUT_INLINE_STYLES = EDITOR_POLICY.replace(" 'unsafe-inline'", '')
const WITHOUT_STYLE_ELEMENTS = `${WITHOUT_INLINE_STYLES}; style-src-attr 'unsafe-inline'`

const APP = `
import { version } from 'react'
document.title = version
globalThis.showOwnMonaco = () => import('./ownMonaco.js')
${EDITOR_APP}`
/** The app has Monaco with a language of its own, set up as Monaco's documentation says: not at all. */
const OWN_MONACO = `
import { editor } from 'monaco-editor/editor'
import 'monaco-editor/languages/features/json/register'
const place = document.body.appendChild(document.createElement('div'))
editor.create(place, { model: editor.createModel('[1,', 'json') })
editor.onDidChangeMarkers(([uri]) => (place.dataset.faults = editor.getModelMarkers({ resource: uri })[0]?.message))
`
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title></head><body><div id="root"></div><script type="module" src="/main.js"></script></body></html>`
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
}

// Inside the repository, so that React and Monaco are found as an app finds its own.
const folder = join(import.meta.dirname, '../../../.cache/editor-consumer')
const built = join(folder, 'dist')
/** The second one is another origin, for the pages whose files lie elsewhere. */
let servers: Server[] = []
let browser: Browser | undefined
let policy = EDITOR_POLICY

const originOf = (server: Server | undefined) => `http://127.0.0.1:${(server!.address() as AddressInfo).port}`

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\/$/, '/index.html')
    readFile(join(built, path)).then(
      (body) => {
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
        response.setHeader('content-security-policy', policy)
        response.setHeader('access-control-allow-origin', '*')
        response.end(body)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return server
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  const packed = join(folder, 'node_modules/latchkey')
  await mkdir(packed, { recursive: true })
  if (!existsSync('dist/editor/index.js')) throw new Error('There is no built package: npm run build')
  await cp('dist', join(packed, 'dist'), { recursive: true })
  await cp('package.json', join(packed, 'package.json'))
  // A package of its own: inside ours `latchkey` would name ours.
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'main.js'), APP)
  await writeFile(join(folder, 'ownMonaco.js'), OWN_MONACO)
  servers = await Promise.all([serve(), serve()])
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    base: `${originOf(servers[0])}/`,
    // The oldest React that is supported; the development server below has the newest.
    resolve: {
      alias: [
        { find: /^react(?=$|\/)/, replacement: 'react-18' },
        { find: /^react-dom(?=$|\/)/, replacement: 'react-dom-18' },
      ],
    },
    build: { outDir: built, reportCompressedSize: false },
  })
  browser = await chromium.launch(chromiumLaunchOptions())
})
afterEach(async () => {
  await Promise.all(browser!.contexts().map(async (context) => context.close()))
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.close()
})

/** Patient: a development server bundles Monaco while the page waits. */
async function openPage(): Promise<Page> {
  const page = await browser!.newPage()
  page.setDefaultTimeout(120_000)
  return page
}

interface Visit {
  readonly page: Page
  /** Requests that go anywhere else. */
  readonly elsewhere: string[]
  readonly missing: string[]
  readonly complaints: string[]
}

async function visit(by: string, from = servers[0]): Promise<Visit> {
  policy = by
  const origin = originOf(from)
  const page = await openPage()
  const [elsewhere, missing, complaints] = [[], [], []] as string[][] as [string[], string[], string[]]
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      elsewhere.push(request.url())
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) missing.push(response.url())
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${origin}/`)
  return { page, elsewhere, missing, complaints }
}

const status = (page: Page) => page.locator('.lkje-status [role=status]')
/** The workers' files, without what the bundler adds to their names. */
const workersOf = (page: Page) =>
  page
    .workers()
    .map((worker) => /(\w+)\.worker[^/]*\.js"?$/.exec(decodeURIComponent(worker.url()))?.[1] ?? worker.url())
    .toSorted((one, other) => one.localeCompare(other))

it('works in full under the documented policy on React 18.3: every worker loads, nothing is asked of another origin', async () => {
  const { page, elsewhere, missing, complaints } = await visit(EDITOR_POLICY)
  expect(await page.title()).toMatch(/^18\.3\./)
  await page.locator('.lkje[data-surface=full]').waitFor()
  await status(page).getByText('Valid JSON').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.lkje-compare .line-insert').first().waitFor()
  await expectEventually(() => workersOf(page), ['check', 'editor', 'json'])
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('textbox', { name: 'Map' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type('[')
  await page.keyboard.press('Delete')
  await status(page).getByText('1 error').waitFor()
  await page.keyboard.type(']')
  await status(page).getByText('At least 1 element').waitFor()
  expect([elsewhere, missing, complaints.filter((text) => !text.includes('favicon'))]).toEqual([[], [], []])
})

it('starts its workers where the app’s files come from another origin', async () => {
  const files = originOf(servers[0])
  const by = EDITOR_POLICY.replaceAll("'self'", files).replace('worker-src', 'worker-src data:')
  const { page, missing, complaints } = await visit(by, servers[1])
  await page.locator('.lkje[data-surface=full]').waitFor()
  await status(page).getByText('Valid JSON').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.lkje-compare .line-insert').first().waitFor()
  await expectEventually(() => workersOf(page), ['check', 'editor', 'json'])
  expect([missing, complaints.filter((text) => !text.includes('favicon'))]).toEqual([[], []])
})

it('leaves the languages of the app, which has Monaco too, their own workers', async () => {
  const { page, complaints } = await visit(EDITOR_POLICY)
  await page.locator('.lkje[data-surface=full]').waitFor()
  await page.evaluate('showOwnMonaco()')
  await page.locator('[data-faults="Value expected"]').waitFor()
  expect(complaints).toEqual([])
})

it.each([
  ['no inline styles', WITHOUT_INLINE_STYLES],
  ['no style elements', WITHOUT_STYLE_ELEMENTS],
])('stays the textarea, with its check and its actions, where the policy allows %s', async (_what, by) => {
  const { page, elsewhere, missing } = await visit(by)
  await page.getByText('Content Security Policy keeps the full editor out').waitFor()
  await status(page).getByText('Valid JSON').waitFor()
  await expectEventually(() => workersOf(page), ['check'])
  // Its own look comes all the same.
  expect(await page.locator('.lkje-frame').evaluate((frame) => getComputedStyle(frame).borderRadius)).toBe(
    '6px',
  )
  await page.locator('textarea').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(']')
  await status(page).getByText('1 error').waitFor()
  expect([elsewhere, missing]).toEqual([[], []])
})

it('finds its workers in the development server of the app as well, without configuration', async () => {
  const dev = await createViteServer({
    root: folder,
    configFile: false,
    cacheDir: join(folder, '.vite'),
    logLevel: 'silent',
    // What an app has in its own folder lies in the repository's here.
    server: { host: '127.0.0.1', port: 0, fs: { allow: [process.cwd()] } },
  })
  try {
    await dev.listen()
    const { port } = dev.httpServer!.address() as AddressInfo
    const page = await openPage()
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) missing.push(response.url())
    })
    await page.goto(`http://127.0.0.1:${port}/`)
    await expectEventually(() => page.title(), expect.stringMatching(/^19\./))
    await page.locator('.lkje[data-surface=full]').waitFor()
    await status(page).getByText('Valid JSON').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('.lkje-compare .line-insert').first().waitFor()
    const files = () => page.workers().map((worker) => /(\w+)\.worker\.js/.exec(worker.url())?.[1])
    await expectEventually(() => new Set(files()), new Set(['check', 'editor', 'json']))
    expect(missing).toEqual([])
  } finally {
    await dev.close()
  }
})
