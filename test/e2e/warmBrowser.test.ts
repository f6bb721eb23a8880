// Tests of one worker share a warm browser: nothing that one of them leaves there reaches the next.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowsers } from './fixture.ts'

/** How often the file was sent that a browser may keep for a year. */
let keptFileSent = 0
let preflights = 0

const FILES: Readonly<Record<string, string>> = {
  '/': '<!doctype html><title>A page</title>',
  '/worker.js':
    "let count = 0\nonconnect = ({ ports: [port] }) => port.postMessage({ count: ++count })\nnew BroadcastChannel('left').onmessage = ({ target }) => target.postMessage('a worker is here')",
  '/service.js':
    "addEventListener('fetch', (event) => event.request.url.endsWith('/asked') && event.respondWith(new Response('service worker')))",
  '/kept.js': 'export const kept = true',
  '/asked': 'server',
}

function startServer(): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (path === '/kept.js') {
      keptFileSent += 1
      response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    }
    if (path === '/other') {
      if (request.method === 'OPTIONS') preflights += 1
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'x-own')
      response.setHeader('access-control-max-age', '600')
    }
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(FILES[path] ?? '')
  })
}

const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`

/** All that a page can leave behind. */
const leaveEverything = async (page: Page, other: string) =>
  page.evaluate(async (otherOrigin) => {
    document.cookie = 'left=1; path=/; max-age=6000'
    localStorage.setItem('left', '1')
    sessionStorage.setItem('left', '1')
    history.pushState({ left: 1 }, '', '?left=1')
    await new Promise((resolve) => {
      const opening = indexedDB.open('left', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('left')
      // Left open, as an app leaves it.
      opening.onsuccess = resolve
    })
    await (await caches.open('left')).put('/cached', new Response('left'))
    const worker = new SharedWorker('/worker.js')
    worker.port.start()
    await new Promise((resolve) => worker.port.addEventListener('message', resolve))
    await new Promise((resolve) => {
      void navigator.locks.request('left', async () => {
        resolve(undefined)
        await new Promise(() => {})
      })
    })
    const channel = new BroadcastChannel('left')
    channel.addEventListener('message', () => channel.postMessage('a page is here'))
    await fetch('/kept.js')
    await fetch(`${otherOrigin}/other`, { headers: { 'x-own': '1' } })
    window.open('/?window', 'left', 'popup')
    window.name = 'left'
  }, other)

/** What a page finds of others. */
const findAnything = async (page: Page) =>
  page.evaluate(async () => {
    const heard = await new Promise((resolve) => {
      const channel = new BroadcastChannel('left')
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data))
      channel.postMessage('is anybody here?')
      setTimeout(resolve, 300, 'nothing')
    })
    const worker = new SharedWorker('/worker.js')
    const counted = await new Promise((resolve) => {
      worker.port.addEventListener('message', ({ data }: MessageEvent<{ count: number }>) =>
        resolve(data.count),
      )
      worker.port.start()
    })
    const { held = [], pending = [] } = await navigator.locks.query()
    return {
      cookie: document.cookie,
      local: localStorage.length,
      session: sessionStorage.length,
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      registrations: (await navigator.serviceWorker.getRegistrations()).length,
      answeredBy: await (await fetch('/asked')).text(),
      locks: [...held, ...pending].map(({ name }) => name),
      heard,
      worker: counted,
      history: history.length,
      name: window.name,
    }
  })

const lookOf = async (page: Page) =>
  page.evaluate(() => ({
    width: innerWidth,
    height: innerHeight,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }))

const permissionsOf = async (page: Page) =>
  page.evaluate(async () => {
    const names = ['clipboard-read' as PermissionName, 'geolocation'] as const
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state))
  })

const NOTHING = {
  cookie: '',
  local: 0,
  session: 0,
  databases: [],
  caches: [],
  registrations: 0,
  answeredBy: 'server',
  locks: [],
  heard: 'nothing',
  worker: 1,
  history: 2,
  name: '',
}

describe('a browser that the test before has used', () => {
  const browsers = useBrowsers()
  const [server, other] = [startServer(), startServer()]
  const lent: BrowserContext[] = []
  const heard: string[] = []

  beforeAll(async () => {
    await Promise.all(
      [server, other].map(
        async (each) => new Promise((done) => void each.listen(0, '127.0.0.1', () => done(0))),
      ),
    )
  })
  afterAll(() => {
    for (const each of [server, other]) {
      each.close()
      each.closeAllConnections()
    }
  })

  const open = async (look?: BrowserContextOptions) => {
    const page = await browsers.openPage(look)
    await page.goto(originOf(server))
    return page
  }

  it.each([1, 2, 3])('has nothing of it, time %i', async (time) => {
    const page = await open()
    const context = page.context()
    lent.push(context)
    expect(context.pages()).toEqual([page])
    expect(await findAnything(page)).toEqual(NOTHING)
    await leaveEverything(page, originOf(other))
    await context.addCookies([{ name: 'hidden', value: '1', url: originOf(server), httpOnly: true }])
    // Each test is sent every file, and asks before each call to another origin, as in a new browser.
    expect([keptFileSent, preflights]).toEqual([time, time])
    expect(await context.cookies()).toHaveLength(2)
  })

  it('is the same each time, or the tests above say nothing', () => {
    expect(new Set(lent).size).toBe(1)
  })

  it('is another when a service worker stays behind', async () => {
    const page = await open()
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service.js')
      await navigator.serviceWorker.ready
    })
    expect(lent).toContain(page.context())
  })

  it('has no service worker again', async () => {
    const page = await open()
    expect(lent).not.toContain(page.context())
    expect(await findAnything(page)).toEqual(NOTHING)
  })

  it('is another when a test may have changed it for good', async () => {
    const page = await open()
    await page.context().route('**/asked', async (route) => route.fulfill({ body: 'route' }))
    expect(await page.evaluate(async () => (await fetch('/asked')).text())).toBe('route')
  })

  it('is another when a test has set its clock', async () => {
    const page = await open()
    expect(lent).not.toContain(page.context())
    expect(await findAnything(page)).toEqual(NOTHING)
    lent.push(page.context())
    await page.clock.install({ time: 0 })
  })

  it('has the time of the day again', async () => {
    const page = await open()
    expect(lent).not.toContain(page.context())
    expect(await page.evaluate(() => new Date().getFullYear())).toBeGreaterThan(2000)
  })

  it('is another for the second page of a test, and for the third', async () => {
    const pages = [await open(), await open(), await open()]
    await pages[0]!.evaluate(() => localStorage.setItem('left', '1'))
    for (const page of pages.slice(1)) expect(await page.evaluate(() => localStorage.length)).toBe(0)
    const contexts = pages.map((page) => page.context())
    expect(new Set(contexts).size).toBe(3)
    lent.splice(0, lent.length, ...contexts.slice(0, 2))
  })

  it('has two contexts that stay', async () => {
    const contexts = [await open(), await open()].map((page) => page.context())
    expect(new Set(contexts)).toEqual(new Set(lent))
  })

  it('stays when a test takes the network away', async () => {
    const page = await open()
    await page.context().setOffline(true)
    expect(await page.evaluate(() => navigator.onLine)).toBe(false)
  })

  it('has the network again', async () => {
    const page = await open()
    expect(lent).toContain(page.context())
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    expect(await page.evaluate(async () => (await fetch('/asked')).text())).toBe('server')
  })

  it('stays when a test gives pages a permission', async () => {
    const page = await open({ permissions: ['clipboard-read', 'geolocation'] })
    expect(lent).toContain(page.context())
    expect(await permissionsOf(page)).toEqual(['granted', 'granted'])
  })

  it('has no more permissions than a new one', async () => {
    const page = await open()
    expect(lent).toContain(page.context())
    const stranger = await (await browsers.openBrowser()).newPage()
    await stranger.goto(originOf(server))
    const usual = await permissionsOf(stranger)
    expect(usual).not.toContain('granted')
    expect(await permissionsOf(page)).toEqual(usual)
  })

  it('stays when a test listens to it', async () => {
    const page = await open()
    page.context().on('request', (request) => heard.push(request.url()))
    await page.evaluate(async () => fetch('/asked'))
    expect(heard).toHaveLength(1)
  })

  it('no longer tells the test before', async () => {
    const page = await open()
    expect(lent).toContain(page.context())
    await page.evaluate(async () => fetch('/asked'))
    expect(heard).toHaveLength(1)
  })

  it('stays when a test asks for another look', async () => {
    const page = await open({
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      reducedMotion: 'no-preference',
    })
    expect(lent).toContain(page.context())
    expect(await lookOf(page)).toEqual({ width: 360, height: 740, isDark: true, isStill: false })
  })

  it('looks as before again, and stands still', async () => {
    const page = await open()
    expect(lent).toContain(page.context())
    expect(await lookOf(page)).toEqual({ width: 1280, height: 720, isDark: false, isStill: true })
  })
})
