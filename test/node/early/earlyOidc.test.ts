// The first script of a page with an OpenID Connect provider: the metadata is on its way before the app's files, and the app does not start in its own frame.
import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildEarlyScript, type EarlyScript } from '../../../scripts/earlyScript.ts'
import { metadataKey, sessionMarkerKey } from '../../../src/protocol/storageKeys.ts'
import type { Early } from '../../../src/session/platform/platform.ts'
import { EARLY } from './earlyScene.ts'

const ISSUER = 'https://login.example.com/realms/staff'
const METADATA = `${ISSUER}/.well-known/openid-configuration`
const CLIENT = { authHost: ISSUER, clientId: 'admin' }
const ATTRIBUTES = { issuer: ISSUER, clientId: 'admin' }

let early: EarlyScript
beforeAll(async () => {
  early = await buildEarlyScript('oidc')
})

interface PageOptions {
  attributes?: Record<string, string>
  local?: Record<string, string>
  session?: Record<string, string>
  isOnline?: boolean
  isDenied?: boolean
  windowName?: string
  isDown?: boolean
  left?: Early
  address?: string
}

/** Runs the script in a page. */
function open(options: PageOptions = {}) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  let stops = 0
  const storage = (items: Record<string, string> = {}) => ({
    getItem(key: string) {
      if (options.isDenied) throw new DOMException('denied', 'SecurityError')
      return items[key] ?? null
    },
  })
  const send = async (url: string, init?: RequestInit) => {
    asked.push({ url, init })
    if (options.isDown && asked.length === 1) throw new TypeError('Failed to fetch')
    return new Response(`{"nth":${asked.length}}`)
  }
  const page: { [EARLY]?: Early } = options.left ? { [EARLY]: options.left } : {}
  const window = { name: options.windowName ?? '' }
  const globals = {
    document: { currentScript: { dataset: options.attributes ?? ATTRIBUTES } },
    localStorage: storage(options.local),
    sessionStorage: storage(options.session),
    navigator: { onLine: options.isOnline ?? true },
    window,
    parent: options.windowName === undefined ? window : {},
    fetch: send,
    AbortController,
    stop: () => (stops += 1),
    location: { href: options.address ?? 'https://admin.example.com/' },
    globalThis: page,
  }
  compileFunction(early.text, Object.keys(globals))(...Object.values(globals))
  return { asked, stops, take: async (url = METADATA) => page[EARLY]?.fetch?.(url), left: page[EARLY] }
}

const MINUTE_MS = 60_000
const keptAt = (atMs: number) => ({ [metadataKey(CLIENT)]: JSON.stringify({ document: {}, atMs }) })

describe('the script', () => {
  it('is at most 2,800 bytes, and has the hash that the documentation gives', () => {
    expect(gzipSync(early.text, { level: 9 }).length).toBeLessThanOrEqual(2_800)
    expect(readFileSync('docs/early.md', 'utf8')).toContain(early.hash)
  })

  it('asks for the metadata as the session would, and gives the response once', async () => {
    const page = open()
    expect(page.asked).toEqual([
      {
        url: METADATA,
        init: {
          headers: { accept: 'application/json' },
          credentials: 'omit',
          redirect: 'manual',
          cache: 'no-store',
          signal: expect.any(AbortSignal),
        },
      },
    ])
    expect(await page.take('https://login.example.com/other')).toBeUndefined()
    expect(await (await page.take())?.json()).toEqual({ nth: 1 })
    expect(await page.take()).toBeUndefined()
    expect(page.asked).toHaveLength(1)
  })

  it('gives its request up when the session, which has taken it over, gives up', async () => {
    const page = open()
    const controller = new AbortController()
    void page.left?.fetch?.(METADATA, { signal: controller.signal })
    expect(page.asked[0]?.init?.signal?.aborted).toBe(false)
    controller.abort()
    expect(page.asked[0]?.init?.signal?.aborted).toBe(true)
  })

  it('asks again when its own request has failed', async () => {
    const page = open({ isDown: true })
    expect(await (await page.take())?.json()).toEqual({ nth: 2 })
  })

  it.each([
    [`${ISSUER}/`, METADATA],
    ['https://login.example.com/', 'https://login.example.com/.well-known/openid-configuration'],
  ])('appends the well-known part to the issuer %s', (issuer, url) => {
    expect(open({ attributes: { issuer, clientId: 'admin' } }).asked.map((one) => one.url)).toEqual([url])
  })

  it('asks at another address where the page names one', () => {
    const discoveryUrl = 'https://login.example.com/organizations/v2.0/.well-known/openid-configuration'
    expect(open({ attributes: { ...ATTRIBUTES, discoveryUrl } }).asked[0]?.url).toBe(discoveryUrl)
  })

  it('leaves what the other script has sent to who asks for it', async () => {
    const sent = new Response('code')
    const page = open({
      left: { fetch: (url) => (url === 'https://x.test/' ? Promise.resolve(sent) : undefined) },
    })
    expect(await page.take('https://x.test/')).toBe(sent)
    expect(await (await page.take())?.json()).toEqual({ nth: 1 })
    expect(await page.take('https://x.test/')).toBe(sent)
  })

  it.each<[string, PageOptions]>([
    ['without an issuer', { attributes: { clientId: 'admin' } }],
    ['where storage is denied', { isDenied: true }],
    ['where another tab has the session', { local: { [sessionMarkerKey(CLIENT)]: '{"tabs":["a"]}' } }],
    [
      'where the page comes back from the sign-in page',
      { address: 'https://admin.example.com/?state=x&code=y' },
    ],
  ])('asks nobody %s', async (_where, options) => {
    const page = open(options)
    expect(page.asked).toEqual([])
    expect(await page.take()).toBeUndefined()
  })

  it.each<[string, PageOptions]>([
    ['also where metadata is remembered', { local: keptAt(Date.now() - 59 * MINUTE_MS) }],
    ['where the browser reports no network', { isOnline: false }],
    [
      'whatever stands in the storages',
      { local: { [metadataKey(CLIENT)]: '[', [sessionMarkerKey(CLIENT)]: '7' } },
    ],
  ])('asks %s', (_when, options) => {
    expect(open(options).asked).toHaveLength(1)
  })

  it('stops the page in its own frame, and asks nobody there; in no other frame', () => {
    const own = open({ windowName: 'agent-iframe' })
    expect([own.stops, own.asked]).toEqual([1, []])
    for (const windowName of ['', 'report', 'agent-iframe-2']) {
      const other = open({ windowName })
      expect([other.stops, other.asked.length]).toEqual([0, 1])
    }
  })
})
