// The mistakes that people make when they set latchkey up, each in a real browser: what they see first names it and its mending.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { createAuth } from '../../../src/index.ts'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import { PATIENCE_MS, type TestBrowsers, useBrowsers } from '../fixture.ts'
import { expectVisible } from '../page.ts'
import { pick } from '../user.ts'
import type { Setup } from './mistakePage/main.tsx'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** How the page is served that somebody has set up. */
interface Serving extends Setup {
  /** Further headers of the page. */
  headers?: Record<string, string>
  /** Put at the start of the head, or at the end of the body. */
  head?: string
  foot?: string
  /** A package that the app did not install. */
  isMissing?: RegExp
  /** The page's host. */
  host?: string
  /** What the sign-in page sends back in place of a code. */
  refusal?: string
}

let folder = ''
let pages: Listening
let authServer: AuthServer
let provider: OidcServer
let early = ''
let serving: Serving = { config: {} }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-mistakes-'))
  early = (await buildEarlyScript()).text
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'mistakePage'),
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [react()],
    resolve: { tsconfigPaths: true },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        // Not installed.
        external: [/^monaco-editor/, '@monaco-editor/react'],
        // So that a test can leave the package out.
        output: {
          chunkFileNames: ({ moduleIds }) =>
            moduleIds.some((id) => id.includes('node_modules/pubnub/'))
              ? 'assets/pubnub.js'
              : 'assets/[name]-[hash].js',
        },
        checks: { moduleLevelDirective: false },
      },
    },
  })
  pages = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    void serve(request.url ?? '/').then(({ type, text }) => {
      response.setHeader('content-type', `${type}; charset=utf-8`)
      for (const [name, value] of Object.entries(serving.headers ?? {})) response.setHeader(name, value)
      response.end(text)
    })
  })
  authServer = await startAuthServer({
    host: 'localhost',
    clientId: 'admin',
    redirectUris: [`${pages.origin}/`],
  })
  provider = await startOidcServer()
})
beforeEach(() => {
  authServer.faults.clear()
  authServer.revokeAllSessions()
})
afterEach(() => {
  serving = { config: {} }
})
afterAll(async () => {
  await Promise.all([pages.close(), authServer.close(), provider.close()])
  await rm(folder, { recursive: true, force: true })
})

/** Knows the start page only, as that of an app which was never tried with a query. */
const SERVICE_WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).searchParams.has('code')) event.respondWith(Response.redirect('/', 302))
})`

async function serve(url: string): Promise<{ type: string; text: string }> {
  const [path = '/'] = url.split(/[?#]/)
  const {
    head = '',
    foot = '',
    isMissing,
    headers: _headers,
    host: _host,
    refusal: _refusal,
    ...setup
  } = serving
  if (path === '/setup.js')
    return { type: 'text/javascript', text: `globalThis.setup = ${JSON.stringify(setup)}` }
  if (isMissing?.test(path) === true)
    return {
      type: 'text/javascript',
      text: 'throw new Error("Could not resolve the package. Is it installed?")',
    }
  if (path === '/early.js') return { type: 'text/javascript', text: early }
  if (path === '/sw.js') return { type: 'text/javascript', text: SERVICE_WORKER }
  if (path.startsWith('/assets/'))
    return { type: TYPES[extname(path)] ?? '', text: await readFile(join(folder, path), 'utf8') }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const text = page.replace('<head>', () => `<head>${head}`).replace('</body>', () => `${foot}</body>`)
  return { type: 'text/html', text }
}

let browsers: TestBrowsers

/** `docs/troubleshooting.md`: each mistake of the first table, and in code what the developer sees. */
const rows = new Map(
  [
    ...(readFileSync('docs/troubleshooting.md', 'utf8')
      .split('\n## Setting up')[1]
      ?.split('\n## ')[0]
      ?.matchAll(/^\| (.+?) +\| `(.+?)`(?::.*)? +\|$/gm) ?? []),
  ].map(([, mistake = '', sight = '']) => [mistake, sight]),
)

/** Opens the app; everything that it shows on the console and on the screen can be read. */
async function open(given: Partial<Serving>) {
  const { host = 'localhost', ...others } = given
  serving = { config: { authHost: authServer.origin }, ...others }
  const page = await browsers.openPage()
  const { refusal } = serving
  if (refusal !== undefined)
    await page.route(`${authServer.origin}/oauth/authorize*`, async (route) => {
      const { searchParams } = new URL(route.request().url())
      const answer = new URLSearchParams({ error: 'invalid_request', error_description: refusal })
      answer.set('state', searchParams.get('state') ?? '')
      await route.fulfill({
        status: 302,
        headers: { location: `${searchParams.get('redirect_uri')}?${answer}` },
      })
    })
  browsers.expectOnConsole(/./)
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  page.on('pageerror', ({ message, stack }) => lines.push(stack ?? message))
  await page.goto(`${pages.origin.replace('localhost', host)}/firms`)
  const screen = async () =>
    page
      .locator('body')
      .innerText({ timeout: 1000 })
      .catch(() => '')
  const seen = async () => [...lines, await screen()].join('\n')
  return { page, seen }
}

type Look = Awaited<ReturnType<typeof open>>
type Mistake = [name: string, given: () => Partial<Serving>, act?: (look: Look) => Promise<void>]

const atProvider = async ({ page }: Look) => {
  await page.locator('input[name=login]').fill('anna')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
const asAnna = async ({ page }: Look) => pick(page, 'anna')
const host = () => ({ authHost: authServer.origin })
/** A reload asks the server. */
const asking = () => ({ ...host(), betweenPages: false })
/** The frame fails for want of a word; the redirect after it shows the server's own page. */
const impatient = () => ({ ...host(), iframeTimeoutInSeconds: 2, verifyFirstVisit: true })
const earlyScript = (scopes: string) =>
  `<script data-auth-host="${authServer.origin}" data-client-id="admin" data-scopes="${scopes}">${early}</script>`
const lateScript = () =>
  `<script defer src="/early.js" data-auth-host="${authServer.origin}" data-client-id="admin" data-scopes="openid profile"></script>`

const mistakes: Mistake[] = [
  ['no `QueryClientProvider`', () => ({ mistake: 'no query client' })],
  ['a hook outside `<AuthProvider>`', () => ({ mistake: 'hook outside' })],
  ['two auth objects on one page', () => ({ mistake: 'two clients' }), asAnna],
  ['a path in `authHost`', () => ({ config: { authHost: `${authServer.origin}/oauth` } })],
  ['a misspelt option', () => ({ config: { ...host(), autologin: true } })],
  ['the router reads the URL first', () => ({ mistake: 'router first' }), asAnna],
  [
    'the token endpoint has no CORS',
    () => {
      authServer.faults.add({ path: '/oauth/token', method: 'OPTIONS', status: 403 })
      return {}
    },
    asAnna,
  ],
  [
    'the server sends `X-Frame-Options`',
    () => {
      authServer.faults.refuseFraming = 'x-frame-options'
      return { config: impatient() }
    },
  ],
]

const others: Mistake[] = [
  ['no `authHost`', () => ({ config: {} })],
  ['`authHost` by http', () => ({ config: { authHost: 'http://auth.example.com' } })],
  ['`scopes` as one text', () => ({ config: { ...host(), scopes: 'openid profile' } })],
  [
    'a redirect URI that is not registered',
    () => ({ config: { ...impatient(), redirectUri: `${pages.origin}/callback` } }),
  ],
  ['the app at `127.0.0.1`, registered at `localhost`', () => ({ host: '127.0.0.1', config: impatient() })],
  [
    'the app at `127.0.0.1`, `redirectUri` at `localhost`',
    () => ({ host: '127.0.0.1', config: { ...impatient(), redirectUri: `${pages.origin}/` } }),
  ],
  ['a client that the server does not know', () => ({ config: { ...impatient(), clientId: 'adnim' } })],
  [
    'the server’s `frame-ancestors` lacks the app',
    () => {
      authServer.faults.refuseFraming = 'csp'
      return { config: impatient() }
    },
  ],
  [
    'the app’s `frame-src` lacks the server',
    // A first visit needs no frame.
    () => ({
      config: { ...host(), verifyFirstVisit: true },
      headers: { 'content-security-policy': "frame-src 'none'" },
    }),
  ],
  [
    'the app’s `connect-src` lacks the server',
    () => ({ headers: { 'content-security-policy': "connect-src 'self'" } }),
  ],
  [
    'a popup after an `await`',
    // A browser that is driven by a test blocks no windows by itself.
    () => ({ mistake: 'popup after await', head: '<script>window.open = () => null</script>' }),
    async (look) => {
      await asAnna(look)
      await look.page.getByRole('button', { name: 'Link' }).click()
    },
  ],
  ['the early script has other attributes', () => ({ head: earlyScript('openid') })],
  [
    '`pubnub` is not installed',
    () => ({
      isMissing: /assets\/pubnub\.js/,
      config: host(),
      realtime: { publishKey: 'a', subscribeKey: 'b', allowUnprotected: true },
    }),
    asAnna,
  ],
  [
    'real-time keys without access control',
    () => ({
      isMissing: /assets\/pubnub\.js/,
      config: host(),
      realtime: { publishKey: 'a', subscribeKey: 'b' },
    }),
    asAnna,
  ],
  [
    'a proxy responds in the server’s place',
    () => {
      authServer.faults.add({ path: '/oauth/token', method: 'POST', body: 'html' })
      return {}
    },
    asAnna,
  ],
  [
    'the server refuses PKCE',
    () => ({
      config: { ...host(), verifyFirstVisit: false },
      refusal: 'code_challenge_method S256 is not supported',
    }),
  ],
  [
    'the access token has no user',
    () => {
      authServer.faults.editTokenAnswer = (answer) => ({ ...answer, access_token: 'opaque' })
      return {}
    },
    asAnna,
  ],
  [
    'another issuer than the metadata’s',
    () => ({
      config: {},
      provider: {
        issuer: `${provider.issuer}/staff`,
        discoveryUrl: `${provider.issuer}/.well-known/openid-configuration`,
      },
    }),
  ],
  [
    'an issuer that serves no metadata',
    () => ({ config: {}, provider: { issuer: `${provider.issuer}/staff` } }),
  ],
  [
    '`{tenantid}` in `issuer`',
    () => ({ config: {}, provider: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' } }),
  ],
  [
    'the provider sends no refresh token',
    () => ({
      config: { scopes: ['openid', 'offline_access'], autoRefreshToken: true },
      provider: { issuer: provider.issuer },
    }),
    atProvider,
  ],
  [
    'the browser blocks the server’s cookies in frames',
    () => ({ config: asking() }),
    async (look) => {
      await asAnna(look)
      await expectSignedInAs('anna', look)
      await look.page.route(`${authServer.origin}/oauth/authorize*`, async (route) => {
        if (route.request().frame() === look.page.mainFrame()) return route.continue()
        // What the server says to who has no cookies.
        const response = await fetch(route.request().url())
        return route.fulfill({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        })
      })
      // However slow the machine is: the sign-in page lets the user in at once.
      await look.page.clock.setFixedTime(Date.now())
      await look.page.reload()
    },
  ],
  [
    '`Cross-Origin-Opener-Policy: same-origin`',
    () => ({ headers: { 'cross-origin-opener-policy': 'same-origin' } }),
    async (look) => {
      await asAnna(look)
      await look.page.getByRole('button', { name: 'Link' }).click()
    },
  ],
  ['the early script comes after the app', () => ({ foot: lateScript() })],
  [
    '`Cross-Origin-Embedder-Policy` of the app',
    () => ({ config: impatient(), headers: { 'cross-origin-embedder-policy': 'require-corp' } }),
  ],
  [
    'a service worker drops the query',
    () => ({ config: asking(), head: "<script>navigator.serviceWorker.register('/sw.js')</script>" }),
    async (look) => {
      await asAnna(look)
      await expectSignedInAs('anna', look)
      await look.page.evaluate(async () => void (await navigator.serviceWorker.ready))
      authServer.revokeAllSessions()
      await look.page.reload()
      await asAnna(look)
    },
  ],
  ['Monaco is not installed', () => ({ mistake: 'editor' })],
  [
    'no `openid` in `scopes` (OpenID Connect)',
    () => ({ config: { scopes: ['profile'] }, provider: { issuer: provider.issuer } }),
  ],
]

const expectSignedInAs = async (who: string, { page }: Look) =>
  expectVisible(page.getByRole('heading', { name: `Signed in as ${who}` }))

const ON_A_SERVER = '`auth.start()` on a server'

async function expectSight([name, given, act]: Mistake): Promise<void> {
  const sight = rows.get(name)
  expect(sight).toBeDefined()
  const look = await open(given())
  await act?.(look)
  await expect.poll(look.seen, { timeout: PATIENCE_MS, interval: 100 }).toContain(sight)
}

it('docs/troubleshooting.md lists these mistakes and no others', () => {
  expect([...rows.keys()]).toEqual([...[...mistakes, ...others].map(([name]) => name), ON_A_SERVER])
})

describe('what the developer sees first names the mistake and the mending:', () => {
  browsers = useBrowsers()

  it.each(mistakes)('%s', async (...mistake) => expectSight(mistake))

  it.each(others)('%s', async (...mistake) => expectSight(mistake))

  it(ON_A_SERVER, async () => {
    const auth = createAuth({ authHost: authServer.origin, clientId: 'admin', scopes: ['openid'] })
    const error: unknown = await auth.start().catch((thrown: unknown) => thrown)
    // What Node prints of a rejection that nobody handles.
    expect(error instanceof Error && error.stack).toContain(rows.get(ON_A_SERVER))
    expect(auth.getState().status).toBe('initializing')
  })

  it('none, if the clock of the device is a day off: the user gets in', async () => {
    const look = await open({
      head: '<script>{ const now = Date.now; Date.now = () => now() - 864e5 }</script>',
      provider: { issuer: provider.issuer },
      config: {},
    })
    await atProvider(look)
    await expectSignedInAs('anna', look)
    expect(new URL(look.page.url()).pathname).toBe('/firms')
  })
})
