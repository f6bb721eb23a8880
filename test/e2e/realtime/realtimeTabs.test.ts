// Real tabs of real Chromium with the real SDK: one line per browser, whatever happens to the tab that holds it.

// @module-tag thorough

import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { chromium } from 'playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'

import { startRealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import type { RealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import { PATIENCE_MS } from '../fixture.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
const ROOM = 'auth-session-42'
const soon = { timeout: PATIENCE_MS, interval: 20 }

let folder: string
let pages: Server
let address: string
let browser: Browser
let server: RealtimeServer
const contexts: BrowserContext[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-realtime-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'realtimePage'),
    base: '../',
    logLevel: 'error',
    build: { outDir: join(folder, 'dist'), emptyOutDir: true },
  })
  pages = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/blank' || path === '/sandboxed') {
      const frame = '<iframe sandbox="allow-scripts" src="/index.html"></iframe>'
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<title>x</title>${path === '/blank' ? '' : frame}`)
      return
    }
    readFile(join(folder, 'dist', path)).then(
      (body) => {
        const type = TYPES[extname(path)] ?? 'application/octet-stream'
        response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => {
    pages.listen(0, '127.0.0.1', resolve)
  })
  const bound = pages.address()
  address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
  browser = await chromium.launch(chromiumLaunchOptions())
})

beforeEach(async () => {
  server = await startRealtimeServer()
})

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  await server.close()
})

afterAll(async () => {
  await browser.close()
  pages.closeAllConnections()
  await new Promise((resolve) => {
    pages.close(resolve)
  })
  await rm(folder, { recursive: true })
})

async function openBrowser(of = browser): Promise<BrowserContext> {
  const context = await of.newContext()
  contexts.push(context)
  return context
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${address}/index.html`)
  await startTab(page)
  return page
}

/** Two tabs of one browser, each with a process of its own; the first holds the connection. */
async function openTwoTabs(of = browser) {
  const context = await openBrowser(of)
  const leader = await openTab(context)
  await connected(leader)
  const other = await openTab(context)
  await connected(other)
  return { context, leader, other }
}

const startTab = (page: Page) =>
  page.evaluate((options) => testTab.start(options), {
    origin: server.origin,
    agentId: 'aaaaaaaa-1111-4222-8333-444455556666',
    sessionId: 'session-a',
    sinceMs: 1000,
  })

async function connected(...tabs: Page[]): Promise<void> {
  const all = tabs.map(() => 'connected')
  await expect
    .poll(() => Promise.all(tabs.map((tab) => tab.evaluate(() => testTab.statuses.at(-1)))), soon)
    .toEqual(all)
}
const heard = (tab: Page) => tab.evaluate(() => testTab.heard)
const note = (data: unknown) => server.publish('user_42', { topic: 'note', messageType: 'new', data })
// A poll ends with each message, also the tab's own, and the next one comes a moment later.
const onePoll = () => expect.poll(() => server.heldPolls(), soon).toBe(1)
const left = () => server.requests.filter(({ operation }) => operation === 'leave').length

it('eight tabs of a browser hold one poll, and all of them hear', async () => {
  const context = await openBrowser()
  const tabs = await Promise.all(Array.from({ length: 8 }, () => openTab(context)))
  await connected(...tabs)
  await onePoll()
  expect(server.occupants(ROOM)).toHaveLength(1)
  note('hello')
  for (const tab of tabs) await expect.poll(() => heard(tab), soon).toEqual(['hello'])
  await onePoll()
  expect(server.mostHeldPolls()).toBe(1)
  const count = (name: string) => server.requests.filter(({ operation }) => operation === name).length
  expect(count('publish')).toBe(1)
  // Tabs that open within three seconds of each other ask once; a slow machine opens them further apart.
  expect(count('here-now')).toBeLessThan(8)
})

it('the next tab takes over when the leader is closed, and no message is lost', async () => {
  const context = await openBrowser()
  const tabs: Page[] = []
  for (let count = 0; count < 3; count += 1) tabs.push(await openTab(context))
  const [leader, ...others] = tabs
  await connected(...tabs)
  note(1)
  for (const tab of others) await expect.poll(() => heard(tab), soon).toEqual([1])
  await leader!.close()
  note(2)
  for (const tab of others) await expect.poll(() => heard(tab), soon).toEqual([1, 2])
  await connected(...others)
  note(3)
  for (const tab of others) await expect.poll(() => heard(tab), soon).toEqual([1, 2, 3])
  await onePoll()
  expect(left()).toBe(0)
})

it('the next tab takes over when the leader crashes', async () => {
  const { context, leader, other } = await openTwoTabs()
  note(1)
  await expect.poll(() => heard(other), soon).toEqual([1])
  const crash = await context.newCDPSession(leader)
  crash.send('Page.crash').catch(() => undefined)
  await leader.waitForEvent('crash')
  note(2)
  await expect.poll(() => heard(other), soon).toEqual([1, 2])
})

it('a leader in the back-forward cache starves nobody, and comes back with what it missed', async () => {
  // A browser with windows: three times the work for a page.
  const whole = await chromium.launch(chromiumLaunchOptions({ hasBackForwardCache: true }))
  onTestFinished(() => whole.close())
  const { leader, other } = await openTwoTabs(whole)
  note(1)
  await expect.poll(() => heard(leader), soon).toEqual([1])
  await leader.goto(`${address}/blank`)
  note(2)
  await expect.poll(() => heard(other), soon).toEqual([1, 2])
  // A page from the cache has no load event.
  await leader.goBack({ waitUntil: 'commit' })
  const isThawed = await leader.evaluate(() => testTab.heard.length > 0)
  expect(isThawed).toBe(true)
  await expect.poll(() => heard(leader), soon).toEqual([1, 2])
  note(3)
  await expect.poll(() => heard(leader), soon).toEqual([1, 2, 3])
  await onePoll()
})

it('the last tab says goodbye when it is closed', async () => {
  const context = await openBrowser()
  const tab = await openTab(context)
  await connected(tab)
  expect(server.occupants(ROOM)).toHaveLength(1)
  await tab.goto(`${address}/blank`)
  await expect.poll(() => server.occupants(ROOM), soon).toEqual([])
})

it('the SDK is not loaded before a line is opened', async () => {
  const context = await openBrowser()
  const page = await context.newPage()
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      scripts.push(
        response.body().then(
          ({ length }) => length,
          () => NaN,
        ),
      )
  })
  const sizes = () => Promise.all(scripts)
  await page.goto(`${address}/index.html`, { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(0)
  expect((await sizes()).filter((size) => !(size < 60_000))).toEqual([])
  await startTab(page)
  await expect.poll(async () => (await sizes()).some((size) => size > 200_000), soon).toBe(true)
})

const disturbances: [string, (frame: HTMLIFrameElement) => void][] = [
  ['takes it out of the page', (frame) => frame.remove()],
  ['moves it in the page', (frame) => document.body.prepend(frame)],
  [
    'replaces the body that it is in',
    () => {
      document.body = document.createElement('body')
    },
  ],
]
const disturb = (tab: Page, work: (frame: HTMLIFrameElement) => void) =>
  tab.evaluate(`(${String(work)})(document.querySelector('iframe'))`)

it('a line whose SDK’s frame is disturbed heals, again and again: something takes it out of the page, moves it, replaces the body', async () => {
  const tab = await openTab(await openBrowser())
  await connected(tab)
  const notes: string[] = []
  for (const [name, work] of disturbances) {
    await disturb(tab, work)
    for (const text of [name, `${name}, and goes on`]) {
      note(text)
      notes.push(text)
      await expect.poll(() => heard(tab), soon).toEqual(notes)
    }
  }
})

it('a line whose SDK’s frame is taken out of the page in the middle of an answer heals', async () => {
  const tab = await openTab(await openBrowser())
  await connected(tab)
  await onePoll()
  // An answer that has been read, but not yet been handed over when the frame goes, neither comes nor fails.
  await tab.evaluate(`{
    const frame = document.querySelector('iframe')
    const { prototype } = frame.contentWindow.Response
    const read = prototype.arrayBuffer
    prototype.arrayBuffer = function () {
      setTimeout(() => frame.remove())
      return read.call(this)
    }
  }`)
  note(1)
  await expect.poll(() => heard(tab), soon).toEqual([1])
})

it('a sandboxed page without an origin of its own has its line all the same', async () => {
  const context = await openBrowser()
  const page = await context.newPage()
  await page.goto(`${address}/sandboxed`)
  const frame = await (await page.waitForSelector('iframe')).contentFrame()
  await frame!.waitForFunction(() => 'testTab' in globalThis)
  await frame!.evaluate((options) => testTab.start(options), {
    origin: server.origin,
    agentId: 'aaaaaaaa-1111-4222-8333-444455556666',
    sessionId: 'session-a',
    sinceMs: 1000,
  })
  await expect.poll(() => frame!.evaluate(() => testTab.statuses.at(-1)), soon).toBe('connected')
  note(1)
  await expect.poll(() => frame!.evaluate(() => testTab.heard), soon).toEqual([1])
})
