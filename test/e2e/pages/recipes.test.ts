// The recipes of the documentation, each run as it stands: built by Vite, in a real browser, with the demo's authorization server.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import type { Auth } from '../../../src/index.ts'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import { stopLongTimers } from '../clock.ts'
import { type TestBrowsers, useBrowsers } from '../fixture.ts'
import { addressOf, expectEventually, expectVisible } from '../page.ts'
import { comeBack, pick } from '../user.ts'
import { mainOf, openRecipeSite, type RecipeApp, type RecipeSite } from './recipeApps.ts'
import { codeOf, importCode } from './recipeCode.ts'

const RECIPES = 'docs/recipes.md'

/** Opens an address in a new browser and picks a user on the sign-in page. */
async function openAs(browsers: TestBrowsers, address: string, who: string): Promise<Page> {
  const page = await browsers.openPage()
  await page.goto(address)
  await pick(page, who)
  return page
}

/** A site of its own with these apps, and the servers that they sign in at. */
function useRecipe(
  apps: (hosts: { authHost: string; billingHost: string }) => RecipeApp[] | Promise<RecipeApp[]>,
  { paths = ['/'], clients = ['admin'] } = {},
) {
  let site: RecipeSite
  let authServer: AuthServer
  let billing: AuthServer
  beforeAll(async () => {
    site = await openRecipeSite()
    const redirectUris = paths.map((path) => site.origin + path)
    const [clientId = '', ...others] = clients
    authServer = await startAuthServer({ host: 'localhost', clientId, redirectUris })
    for (const other of others) authServer.registerApp({ clientId: other, redirectUris })
    billing = await startAuthServer({ host: 'localhost', clientId: 'billing', redirectUris })
    await site.serve(await apps({ authHost: authServer.origin, billingHost: billing.origin }))
  })
  afterEach(() => {
    authServer.faults.clear()
    authServer.revokeAllSessions()
  })
  afterAll(async () => {
    await Promise.all([site.close(), authServer.close(), billing.close()])
  })
  return {
    get origin() {
      return site.origin
    },
    get requests() {
      return site.requests
    },
    get headers() {
      return site.headers
    },
    get authServer() {
      return authServer
    },
    set dataOf(dataOf: RecipeSite['dataOf']) {
      site.dataOf = dataOf
    },
    set refusalOf(refusalOf: RecipeSite['refusalOf']) {
      site.refusalOf = refusalOf
    },
  }
}

/** The first code of a section, with the server of the test in it. */
const code = (heading: string | undefined, authHost: string, page = RECIPES) =>
  codeOf(page, heading)[0]!.replaceAll('https://auth.example.com', authHost)

const createAuthAt = (authHost: string, more = '') => `
import { createAuth } from 'latchkey'
export const auth = createAuth({ authHost: '${authHost}', clientId: 'admin', scopes: ['openid'], ${more} })
`
const WITH_DESK = '<AuthProvider auth={auth}><Authenticated><Desk /></Authenticated></AuthProvider>'
const expectUser = async (page: Page, who: string) =>
  expectVisible(page.getByRole('heading', { name: `Signed in as ${who}` }))

/** The user of a bearer token. */
const userOf = (bearer: string) => {
  const claims: unknown = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString())
  return String(Object(claims).userId ?? Object(claims).sub)
}

const ROUTERS: [name: string, heading: string, alias?: Record<string, string>][] = [
  ['TanStack Router', 'Guards in TanStack Router'],
  ['React Router 8', 'Guards in React Router'],
  ['React Router 7', 'Guards in React Router', { 'react-router': 'react-router-7' }],
]

// A violation of the policy fails any of them.
describe.each(ROUTERS)('guards in %s, under the policy of the recipe,', (_name, heading, alias = {}) => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: `${code(heading, authHost)}\nObject.assign(globalThis, { auth })`,
      main: mainOf('App', '<App />'),
      alias,
    },
  ])
  beforeAll(() => {
    const [, policy = ''] = /^Content-Security-Policy: (.*)$/m.exec(readFileSync(RECIPES, 'utf8')) ?? []
    if (!policy.includes("base-uri 'none'")) throw new Error(`${RECIPES} has no policy`)
    recipe.headers['content-security-policy'] = policy.replaceAll(
      'https://auth.example.com',
      recipe.authServer.origin,
    )
  })

  it('lead back to the guarded page with its data, asked for once and as the user', async () => {
    const page = await openAs(browsers, `${recipe.origin}/invoices?page=2#last`, 'anna')
    await expectVisible(page.getByText('2 invoices'))
    expect(await addressOf(page)).toBe(`${recipe.origin}/invoices?page=2#last`)
    const calls = recipe.requests.filter(({ path }) => path === '/api/invoices')
    expect(calls).toEqual([{ path: '/api/invoices', bearer: expect.stringMatching(/^ey/) }])
  })

  // The same code for either of its versions.
  if (alias['react-router']) return

  it('who turns back on the sign-in page and signs in later is led to the page they wanted', async () => {
    const page = await browsers.openPage()
    await page.goto(`${recipe.origin}/invoices?page=2#last`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await pick(page, 'anna')
    await expectVisible(page.getByText('2 invoices'))
    expect(await addressOf(page)).toBe(`${recipe.origin}/invoices?page=2#last`)
  })

  it('show nothing of one user to the next, who signs in in another tab', async () => {
    const rows = (authorization: string) => (userOf(authorization) === 'anna' ? ['1', '2'] : ['1', '2', '3'])
    recipe.dataOf = (authorization) => rows(authorization).map((id) => ({ id }))
    const context = await browsers.openBrowser()
    const page = await context.newPage()
    await page.goto(`${recipe.origin}/invoices`)
    await pick(page, 'anna')
    await expectVisible(page.getByText('2 invoices'))
    const other = await context.newPage()
    await other.goto(`${recipe.origin}/invoices`)
    await expectVisible(other.getByText('2 invoices'))
    await other.evaluate(() => void (globalThis as unknown as Globals).auth.logout())
    await expectVisible(page.getByRole('button', { name: 'Sign in' }))
    await page.evaluate(() => {
      const seen: string[] = []
      new MutationObserver(() => seen.push(document.body.innerText)).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      })
      Object.assign(globalThis, { seen })
    })
    await other.getByRole('button', { name: 'Sign in' }).click()
    await pick(other, 'bram')
    await expectVisible(page.getByText('3 invoices'))
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
    expect(seen.filter((text) => text.includes('2 invoices'))).toEqual([])
    recipe.dataOf = () => [{ id: '1' }, { id: '2' }]
  })
})

describe('guards in TanStack Router, with loaders that fill a QueryClient and a persister,', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => {
    const router = code('Guards in TanStack Router', authHost)
    const plain = `loader: async () => client.ensureQueryData({
      queryKey: ['invoices'], staleTime: 60_000,
      queryFn: () => auth.fetch<readonly { id: string }[]>('/api/invoices'),
    }),`
    return [
      {
        recipe: `${router.replace(/loader: async [\s\S]*?,\n(?= {2}component)/, `${plain}\n`)}
import { IsRestoringProvider, onlineManager, QueryClient } from '@tanstack/react-query'
import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { persistOptions } from 'latchkey/tanstack-query'
import { useEffect, useRef, useState } from 'react'
export const client = new QueryClient()
client.setMutationDefaults(['note'], { mutationFn: (text) => auth.fetch('/api/notes', { method: 'POST', body: { text } }) })
// Writes a second late, as TanStack's persisters do: the page of a logout is left before that.
let next
const persisted = persistOptions(auth, { queryClient: client, persister: {
  persistClient(kept) {
    if (!next) setTimeout(() => { localStorage.setItem('kept', JSON.stringify(next)); next = undefined }, 1000)
    next = kept
  },
  restoreClient: () => JSON.parse(localStorage.getItem('kept') ?? 'null') ?? undefined,
  removeClient: () => localStorage.removeItem('kept'),
} })
// As PersistQueryClientProvider does it.
export function Persisted({ children }) {
  const [isRestoring, setIsRestoring] = useState(true)
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    void persistQueryClientRestore(persisted)
      .then(() => client.resumePausedMutations())
      .finally(() => setIsRestoring(false))
  }, [])
  useEffect(() => (isRestoring ? undefined : persistQueryClientSubscribe(persisted)), [isRestoring])
  return <IsRestoringProvider value={isRestoring}>{children}</IsRestoringProvider>
}
// Without a network, as TanStack Query sees it: a page that closes would still notice a real one.
const note = (text) => {
  onlineManager.setOnline(false)
  void client.getMutationCache().build(client, { mutationKey: ['note'] }).execute(text)
}
Object.assign(globalThis, { auth, note })
`,
        main: mainOf('App, client as own, Persisted', '<Persisted><App /></Persisted>').replace(
          'client={client}',
          'client={own}',
        ),
      },
    ]
  })

  it('leave nothing on the disk at a sign-out, and ask anew for the next user', async () => {
    const rows = (authorization: string) => (userOf(authorization) === 'anna' ? ['1', '2'] : ['1', '2', '3'])
    recipe.dataOf = (authorization) => rows(authorization).map((id) => ({ id }))
    const calls = () => recipe.requests.filter(({ path }) => path === '/api/invoices').length
    const onDisk = async () =>
      page.evaluate(() => localStorage.getItem('kept')?.includes('invoices') === true)
    const page = await browsers.openPage()
    await page.goto(`${recipe.origin}/invoices`)
    await pick(page, 'anna')
    await expectVisible(page.getByText('2 invoices'))
    await expectEventually(onDisk, true)
    await page.evaluate(() => void (globalThis as unknown as Globals).auth.logout())
    await expectVisible(page.getByRole('button', { name: 'Sign in' }))
    expect(await onDisk()).toBe(false)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await pick(page, 'bram')
    await expectVisible(page.getByText('3 invoices'))
    expect(calls()).toBe(2)
  })

  it('of a page that was closed, give a write that waited for the network to its own user, and nothing to the next', async () => {
    const rows = (authorization: string) => (userOf(authorization) === 'anna' ? ['1', '2'] : ['1', '2', '3'])
    recipe.dataOf = (authorization) => rows(authorization).map((id) => ({ id }))
    const senders = () =>
      recipe.requests.filter(({ path }) => path === '/api/notes').map(({ bearer = '' }) => userOf(bearer))
    recipe.requests.length = 0
    /** The page is closed without a network, directly after its user has written something. */
    const writeAndClose = async (page: Page, text: string) => {
      await expectVisible(page.getByText('2 invoices'))
      await page.evaluate(
        (written) => (globalThis as unknown as { note(text: string): void }).note(written),
        text,
      )
      await expectEventually(
        async () =>
          page.evaluate((written) => localStorage.getItem('kept')?.includes(written) === true, text),
        true,
      )
      const context = page.context()
      await page.close()
      const next = await context.newPage()
      await watchTexts(next)
      return next
    }
    const first = await browsers.openPage()
    await first.goto(`${recipe.origin}/invoices`)
    await pick(first, 'anna')
    const second = await writeAndClose(first, 'first note')
    await second.goto(`${recipe.origin}/invoices`)
    await expectEventually(async () => senders(), ['anna'])

    const third = await writeAndClose(second, 'second note')
    recipe.authServer.revokeAllSessions()
    await third.goto(`${recipe.origin}/invoices`)
    await pick(third, 'bram')
    await expectVisible(third.getByText('3 invoices'))
    const shown = await third.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
    expect([shown.filter((text) => text.includes('2 invoices')), senders()]).toEqual([[], ['anna']])
    expect(await third.evaluate(() => localStorage.getItem('kept')?.includes('second note') ?? false)).toBe(
      false,
    )
  })
})

/** Notes in `seen` every text that the pages of a tab show. */
const watchTexts = async (page: Page) =>
  page.addInitScript(() => {
    const seen: string[] = []
    new MutationObserver(() => seen.push(document.body?.innerText ?? '')).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    Object.assign(globalThis, { seen })
  })

describe('roles', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: code(undefined, authHost, 'docs/claims.md'),
      main: mainOf('Admin, auth', '<AuthProvider auth={auth}><Admin /></AuthProvider>'),
    },
  ])
  const withRoles = (roles: unknown) => {
    recipe.authServer.faults.editTokenAnswer = (answer) => {
      const [head = '', payload = '', signature = ''] = String(answer['access_token']).split('.')
      const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const changed = Buffer.from(JSON.stringify({ ...Object(claims), roles })).toString('base64url')
      return { ...answer, access_token: [head, changed, signature].join('.') }
    }
  }

  it.each([
    ['an administrator sees the screen', ['admin'], 'Firms'],
    ['somebody else reads that it is not for them', ['agent'], 'For administrators.'],
    ['so does somebody whose token says nonsense', { admin: true }, 'For administrators.'],
  ])('%s', async (_name, roles, text) => {
    withRoles(roles)
    const page = await openAs(browsers, recipe.origin, 'anna')
    await expectVisible(page.getByText(text))
  })
})

describe('roles in a router', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: code('Roles in a router', authHost, 'docs/claims.md'),
      main: `
import { createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { connectRouter } from 'latchkey/tanstack-router'
${mainOf(
  'admin',
  '<AuthProvider auth={auth} fallback={<p>Checking…</p>}><RouterProvider router={router} /></AuthProvider>',
).replace(
  'const client =',
  `
const auth = createAuth({ authHost: '${authHost}', clientId: 'admin', scopes: ['openid'], claims: (token) => ({ roles: token.userId === 'anna' ? ['admin'] : [] }) })
void auth.start()
const root = admin.options.getParentRoute()
const route = (path, component) => createRoute({ getParentRoute: () => root, path, component })
const router = createRouter({
  routeTree: root.addChildren([
    route('/', () => <Authenticated><p>Start</p></Authenticated>),
    admin.addChildren([createRoute({ getParentRoute: () => admin, path: '/firms', component: () => <h1>Firms</h1> })]),
  ]),
  context: { auth },
})
connectRouter(router, auth)
const client =`,
)}`,
    },
  ])

  it.each([
    ['anna', 'Firms'],
    ['bram', 'For administrators.'],
  ])('%s sees %s', async (who, text) => {
    const page = await browsers.openPage()
    await page.goto(`${recipe.origin}/admin/firms`)
    await pick(page, who)
    await expectVisible(page.getByText(text))
  })
})

describe('a screen for those who may not', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: createAuthAt(authHost) + code('Error boundary', authHost, 'docs/authenticated.md'),
      main: mainOf('auth, App', '<AuthProvider auth={auth}><App /></AuthProvider>'),
    },
  ])

  it('says in the words of the API why not, and goes on once they may', async () => {
    browsers.expectOnConsole(/React will try to recreate this component tree/)
    recipe.refusalOf = () => 'For the accounts department.'
    const page = await openAs(browsers, recipe.origin, 'bram')
    await expectVisible(page.getByText('Not for bram. For the accounts department.'))
    // Nobody asks again by themselves.
    expect(recipe.requests.filter(({ path }) => path === '/api/invoices')).toHaveLength(1)
    recipe.refusalOf = () => undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByText('2 invoices'))
  })
})

describe('the impersonation banner', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: createAuthAt(authHost) + code('Impersonation banner', authHost),
      main: mainOf(
        'auth, ImpersonationBanner',
        '<AuthProvider auth={auth}><ImpersonationBanner /><Authenticated><Desk /></Authenticated></AuthProvider>',
      ),
    },
  ])

  it('says who works as whom, and stops it', async () => {
    const page = await openAs(browsers, recipe.origin, 'bram~anna')
    await expectVisible(page.getByText('You are anna, working as bram.'))
    await page.getByRole('button', { name: 'Stop' }).click()
    await expectVisible(page.getByText('You are signed out'))
  })

  it('is not there for somebody who works as themselves', async () => {
    const page = await openAs(browsers, recipe.origin, 'bram')
    await expectUser(page, 'bram')
    expect(await page.getByText('working as').count()).toBe(0)
  })
})

describe('work that is not saved', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: createAuthAt(authHost) + code('Work that is not saved', authHost),
      main: mainOf('auth, useSavedBeforeLogout', WITH_DESK).replace(
        'function Desk() {',
        "const save = async () => void (await auth.fetch('/api/draft', { method: 'PUT', body: { text: 'half a sen' } }))\nfunction Desk() {\n  useSavedBeforeLogout(save)",
      ),
    },
  ])

  it('is saved before the page leaves', async () => {
    const page = await openAs(browsers, recipe.origin, 'anna')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expectVisible(page.getByText('You are signed out'))
    expect(recipe.requests.filter(({ path }) => path === '/api/draft')).toEqual([
      { path: '/api/draft', bearer: expect.stringMatching(/^ey/) },
    ])
  })
})

/** What the page of this recipe puts beside its window. */
interface Globals {
  auth: Auth
  openStream(auth: Auth, address: string): Promise<WebSocket>
  readEvents(
    auth: Auth,
    address: string,
    options: { signal: AbortSignal; onData(data: string): void },
  ): Promise<void>
  download(auth: Auth, address: string, name: string): Promise<void>
}

describe('the token itself', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: createAuthAt(authHost) + code('The token itself', authHost),
      main: `${mainOf('auth, openStream', WITH_DESK)}\nObject.assign(globalThis, { auth, openStream })`,
    },
  ])

  it('goes to a stream in its first message', async () => {
    const page = await browsers.openPage()
    const messages: (string | Buffer)[] = []
    await page.routeWebSocket('wss://stream.example.com/', (socket) => {
      socket.onMessage((message) => messages.push(message))
    })
    await page.goto(recipe.origin)
    await pick(page, 'anna')
    await expectUser(page, 'anna')
    await page.evaluate(async () => {
      const { auth, openStream } = globalThis as unknown as Globals
      await openStream(auth, 'wss://stream.example.com/')
    })
    await expectEventually(() => messages.map(String), [expect.stringMatching(/^\{"token":"ey/)])
  })
})

describe('streams, downloads and images', () => {
  const browsers = useBrowsers()
  const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe: createAuthAt(authHost) + code('Streams, downloads and images', authHost),
      main: `${mainOf(
        'auth, readEvents, download, Photo',
        WITH_DESK.replace('<Desk />', '<Desk /><Photo address="/api/photo" alt="Anna" />'),
      )}\nObject.assign(globalThis, { auth, readEvents, download })`,
    },
  ])

  it('have the token, and another one where the API refuses it at a new connection', async () => {
    const page = await browsers.openPage()
    const bearers: string[] = []
    const files: string[] = []
    await page.route('**/api/photo', async (route) => {
      files.push((await route.request().headerValue('authorization')) ?? 'none')
      await route.fulfill({ contentType: 'image/gif', body: PIXEL })
    })
    await page.route('**/api/events', async (route) => {
      const bearer = (await route.request().headerValue('authorization')) ?? 'none'
      bearers.push(bearer)
      const isOld = bearers.length > 1 && bearer === bearers[0]
      const body = bearers.length === 1 ? 'data: one\n\ndata: two\ndata: lines\n\n' : 'data: new\r\n\r\n'
      await route.fulfill(isOld ? { status: 401 } : { contentType: 'text/event-stream', body })
    })
    await page.goto(recipe.origin)
    await pick(page, 'anna')
    await expectUser(page, 'anna')
    await expectEventually(
      async () => page.getByAltText('Anna').evaluate((image: HTMLImageElement) => image.naturalWidth),
      1,
    )
    const heard = async () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
    await page.evaluate(() => {
      const { auth, readEvents } = globalThis as unknown as Globals
      const stop = new AbortController()
      const own: string[] = []
      Object.assign(globalThis, { heard: own, stop })
      void readEvents(auth, '/api/events', { signal: stop.signal, onData: (data) => own.push(data) })
    })
    await expectEventually(async () => (await heard()).slice(0, 3), ['one', 'two\nlines', 'new'])
    await page.evaluate(() => (globalThis as unknown as { stop: AbortController }).stop.abort())
    const [first, refused, fresh] = bearers
    expect([refused === first, fresh === first]).toEqual([true, false])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.evaluate(async () => {
        const { auth, download } = globalThis as unknown as Globals
        await download(auth, '/api/photo', 'anna.gif')
      }),
    ])
    expect(file.suggestedFilename()).toBe('anna.gif')
    expect(files).toEqual([first, fresh])
  })
})

describe('an app below a path', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(
    ({ authHost }) => [
      {
        base: '/admin/',
        recipe: createAuthAt(authHost, "redirectUri: new URL('/admin/', location.origin).href"),
        main: mainOf('auth', WITH_DESK),
      },
    ],
    { paths: ['/admin/'] },
  )

  it('comes back to where the user was, and asks for nothing outside its path', async () => {
    const page = await openAs(browsers, `${recipe.origin}/admin/firms?page=2#last`, 'anna')
    await expectUser(page, 'anna')
    expect(await addressOf(page)).toBe(`${recipe.origin}/admin/firms?page=2#last`)
    await page.reload()
    await expectUser(page, 'anna')
    const outside = recipe.requests.filter(({ path }) => !path.startsWith('/admin/'))
    expect(outside.filter(({ path }) => path !== '/favicon.ico')).toEqual([])
  })
})

describe('several apps on one origin', () => {
  const browsers = useBrowsers()
  const paths = ['/admin/', '/reports/', '/desk/']
  const recipe = useRecipe(
    ({ authHost }) => {
      const own = code('Several apps on one origin', authHost)
      const main = (client: string) =>
        mainOf('createAppAuth', WITH_DESK).replace(
          'const client =',
          `const auth = createAppAuth('${client}')\nconst client =`,
        )
      return [
        { base: '/admin/', recipe: own, main: main('admin') },
        { base: '/reports/', recipe: own, main: main('reports') },
        {
          base: '/desk/',
          recipe: createAuthAt(authHost, "redirectUri: new URL('/desk/', location.origin).href"),
          main: mainOf('auth', WITH_DESK),
        },
      ]
    },
    { paths, clients: ['admin', 'reports'] },
  )
  const open = async (context: BrowserContext, path: string) => {
    const page = await context.newPage()
    await page.goto(recipe.origin + path)
    return page
  }

  /** Anna is signed in to the first app; what is asked of the server counts from now on. */
  const openAdmin = async () => {
    const context = await browsers.openBrowser()
    const admin = await open(context, '/admin/')
    await pick(admin, 'anna')
    await expectUser(admin, 'anna')
    recipe.authServer.requests.clear()
    return { context, admin }
  }

  it('with one clientId share the session, and its end', async () => {
    const { context, admin } = await openAdmin()
    await stopLongTimers(context)
    const desk = await open(context, '/desk/firms')
    await expectUser(desk, 'anna')
    expect(recipe.authServer.requests.count({ path: '/oauth/authorize' })).toBe(0)
    await desk.getByRole('button', { name: 'Sign out' }).click()
    await expectVisible(desk.getByText('You are signed out'))
    await expectVisible(admin.getByText('You are signed out'))
    expect(new URL(desk.url()).pathname).toBe('/desk/firms')
  })

  it('with a clientId each have a session each, and the second asks nothing of the user', async () => {
    const { context, admin } = await openAdmin()
    const reports = await open(context, '/reports/')
    await expectUser(reports, 'anna')
    expect(recipe.authServer.requests.count({ method: 'POST', path: '/oauth/token' })).toBe(1)
    await reports.getByRole('button', { name: 'Sign out' }).click()
    await expectVisible(reports.getByText('You are signed out'))
    await expectUser(admin, 'anna')
  })
})

describe('several clients', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(
    ({ authHost, billingHost }) => [
      {
        recipe: code('Several clients', authHost).replace('https://billing.example.com', billingHost),
        main: mainOf(
          'BillingCard',
          '<AuthProvider auth={auth}><Authenticated><Desk /><BillingCard /></Authenticated></AuthProvider>',
        ).replace(
          'const client =',
          `const auth = createAuth({ authHost: '${authHost}', clientId: 'admin', scopes: ['openid'] })\nconst client =`,
        ),
      },
    ],
    {},
  )

  it('one page is signed in at two servers, and each hook reads the nearest', async () => {
    const page = await openAs(browsers, recipe.origin, 'anna')
    await expectUser(page, 'anna')
    await page.getByRole('button', { name: 'Connect billing' }).click()
    await pick(page, 'bram')
    await expectVisible(page.getByText('Billing as Bram Jansen'))
    await expectUser(page, 'anna')
  })
})

describe('a form with the JSON editor', () => {
  const browsers = useBrowsers()
  const recipe = useRecipe(({ authHost }) => [
    {
      recipe:
        createAuthAt(authHost) +
        codeOf('docs/editor.md', 'Forms').find((text) => text.includes('react-hook-form'))!,
      main: mainOf(
        'auth, LinkMapForm',
        '<AuthProvider auth={auth}><Authenticated><LinkMapForm onSave={save} /></Authenticated></AuthProvider>',
      ).replace(
        'const client =',
        "const save = (body) => void auth.fetch('/api/link-map', { method: 'PUT', body })\nconst client =",
      ),
    },
  ])

  it('sends JSON, and says of anything else that it is none', async () => {
    const page = await openAs(browsers, recipe.origin, 'anna')
    const box = page.getByRole('textbox', { name: 'Link map' })
    const saved = () => recipe.requests.filter(({ path }) => path === '/api/link-map').length
    await box.fill('[{]')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectVisible(page.getByText('This is not JSON yet'))
    expect(saved()).toBe(0)
    await box.fill('[{}]')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectEventually(saved, 1)
  })
})

describe('error services and analytics', () => {
  const browsers = useBrowsers()
  const SPY = `<script>{
    const heard = (globalThis.heard = [])
    const hear = (...what) => heard.push(what.map(String).join(' '))
    hear(location.href, document.referrer)
    for (const name of ['pushState', 'replaceState']) {
      const real = history[name].bind(history)
      history[name] = (state, unused, url) => (hear(JSON.stringify(state), url), real(state, unused, url))
    }
    const realFetch = fetch
    globalThis.fetch = (input, init) => (hear(init?.method, input?.url ?? input), realFetch(input, init))
    for (const name of ['log', 'info', 'warn', 'error']) {
      const real = console[name]
      console[name] = (...what) => (hear(...what), real(...what))
    }
    addEventListener('error', ({ error }) => hear(error?.stack))
    addEventListener('unhandledrejection', ({ reason }) => hear(reason?.stack))
  }</script>`
  const recipe = useRecipe(async ({ authHost }) => [
    {
      head: `<script data-auth-host="${authHost}" data-client-id="admin" data-scopes="openid">${(await buildEarlyScript()).text}</script>${SPY}`,
      recipe: createAuthAt(authHost) + code('Error services and analytics', authHost),
      main: mainOf('auth, reportTo', WITH_DESK).replace(
        'const client =',
        `const sent = (globalThis.sent = [])
reportTo({ setUser: (user) => sent.push({ user }), captureException: (error, details) => sent.push({ error, details }) }, auth)
const client =`,
      ),
    },
  ])
  const told = async (page: Page) =>
    page.evaluate(() => {
      const { heard, sent } = globalThis as unknown as { heard: string[]; sent: unknown[] }
      return { heard: heard.join('\n'), sent: JSON.stringify(sent) }
    })

  it('hear who is signed in and what failed, and no code, token or verifier', async () => {
    const page = await browsers.openPage()
    browsers.expectOnConsole(/./)
    const secrets: string[] = []
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url())
      secrets.push(...searchParams.getAll('code'))
      if (!request.url().endsWith('/oauth/token') || request.method() !== 'POST') return
      const body: unknown = request.postDataJSON()
      secrets.push(
        ...['code', 'code_verifier', 'refresh_token'].map((name) => String(Object(body)[name] ?? '')),
      )
    })
    page.on('response', (response) => {
      if (response.url().endsWith('/oauth/token') && response.request().method() === 'POST')
        void response.json().then(
          (body: object) =>
            secrets.push(
              ...Object.values(body).filter((value) => typeof value === 'string' && value.length > 30),
            ),
          () => {},
        )
    })
    await page.goto(`${recipe.origin}/firms?page=2`)
    await pick(page, 'anna')
    await expectUser(page, 'anna')
    const signedIn = await told(page)
    expect(signedIn.sent).toContain('{"user":{"id":"anna"}}')

    recipe.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 400 })
    await comeBack(page)
    await expectEventually(async () => (await told(page)).sent.includes('"error":{"name":"AuthError"'), true)
    const failed = await told(page)
    expect(failed.sent).toContain('verify existing session')

    const known = [...new Set(secrets.filter((secret) => secret !== ''))]
    expect(known.length).toBeGreaterThanOrEqual(4)
    for (const text of [signedIn, failed].flatMap((all) => [all.heard, all.sent]))
      expect(known.filter((secret) => text.includes(secret))).toEqual([])
  })
})

describe('preview deployments', () => {
  const browsers = useBrowsers()
  let provider: OidcServer
  let site: RecipeSite
  let home: Listening
  let previewOf: (name: string) => string
  beforeAll(async () => {
    site = await openRecipeSite()
    const { port } = new URL(site.origin)
    previewOf = (name) => `http://${name}.localhost:${port}`
    const function_: { sendOn?: (request: Request) => Promise<Response> } = {}
    home = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
      void respond(request, function_.sendOn!).then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.end(Buffer.from(await answer.arrayBuffer()))
      })
    })
    // One address, and no origin but its own: as the strictest provider has it.
    provider = await startOidcServer({ redirectUris: [`${home.origin}/`] })
    const here = (text: string) =>
      text
        .replaceAll('https://return.example.com', home.origin)
        .replaceAll('https://login.example.com', provider.issuer)
        .replaceAll(/https(:.*)\.preview\.example\.com/g, `http$1.localhost:${port}`)
        .replaceAll(String.raw`\.preview\.example\.com`, String.raw`\.localhost`)
        .replaceAll('admin-preview', 'admin')
    const [inApp = ''] = codeOf(RECIPES, 'Preview deployments').map(here)
    const onServer = here(readFileSync('examples/previews/sendOn.ts', 'utf8'))
    Object.assign(function_, await importCode(onServer))
    await site.serve([{ recipe: inApp, main: mainOf('auth', WITH_DESK) }])
  })
  afterAll(async () => Promise.all([site.close(), provider.close(), home.close()]))

  const signInAt = async (page: Page, name: string) => {
    await page.locator('input[name=login]').fill(name)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectUser(page, name)
  }

  it('sign in and out at a provider that knows one address, and come back to where the user was', async () => {
    const page = await browsers.openPage()
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') calls.push(new URL(request.url()).origin)
    })
    await page.goto(`${previewOf('pr-12')}/firms?page=2#last`)
    await signInAt(page, 'anna')
    expect(await addressOf(page)).toBe(`${previewOf('pr-12')}/firms?page=2#last`)
    await page.reload()
    await expectUser(page, 'anna')
    expect(await addressOf(page)).toBe(`${previewOf('pr-12')}/firms?page=2#last`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await expectVisible(page.getByText('You are signed out'))
    expect(new URL(page.url()).origin).toBe(previewOf('pr-12'))
    // The provider allows no preview's origin, and none has asked it.
    expect(new Set(calls)).toEqual(new Set([home.origin]))
  })

  it('of two branches each have a session of their own', async () => {
    const context = await browsers.openBrowser()
    const [first, second] = [await context.newPage(), await context.newPage()]
    await first.goto(previewOf('pr-12'))
    await signInAt(first, 'anna')
    // The session at the provider is one: nothing is asked of the user.
    await second.goto(previewOf('feature-search'))
    await expectUser(second, 'anna')
    expect(new URL(second.url()).origin).toBe(previewOf('feature-search'))
    expect(new URL(first.url()).origin).toBe(previewOf('pr-12'))
  })
})

describe('a sign-in that the provider begins', () => {
  const browsers = useBrowsers()
  let provider: OidcServer
  let site: RecipeSite
  beforeAll(async () => {
    site = await openRecipeSite()
    provider = await startOidcServer()
    const [recipe = ''] = codeOf(RECIPES, 'A sign-in that the provider begins')
    const auth = `
import { createAuth } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
export const auth = createAuth({ server: openIdConnect({ issuer: '${provider.issuer}' }), clientId: 'admin', scopes: ['openid'], autoLogin: false })
`
    const screen = '<AuthProvider auth={auth}><Desk /></AuthProvider>'
    const main = `${mainOf('signInFromPortal', screen)}
import { auth } from './auth'
if (location.pathname === '/portal') void signInFromPortal(auth)
`
    await site.serve([
      {
        recipe: recipe.replaceAll('https://login.example.com/realms/staff', provider.issuer),
        main,
        files: { 'auth.ts': auth },
      },
    ])
  })
  afterAll(async () => Promise.all([site.close(), provider.close()]))

  const portal = (parameters: Record<string, string>) =>
    `${site.origin}/portal?${new URLSearchParams(parameters)}`

  it('asks for the user that it names, and leads to its page, of this app only', async () => {
    const page = await browsers.openPage()
    const target = `${site.origin}/firms?page=2`
    await page.goto(portal({ iss: 'https://other.example.com', target_link_uri: target }))
    await expectVisible(page.getByRole('heading', { name: 'Signed in as' }))
    expect(await addressOf(page)).toContain('/portal?')

    await page.goto(portal({ iss: provider.issuer, login_hint: 'anna', target_link_uri: target }))
    expect(await page.locator('input[name=login]').inputValue()).toBe('anna')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectUser(page, 'anna')
    expect(await addressOf(page)).toBe(target)

    // Signed in there, nobody is asked again; an address elsewhere is none to go to.
    await page.goto(portal({ iss: provider.issuer, target_link_uri: 'https://evil.example.com/' }))
    await expectUser(page, 'anna')
    await expectEventually(async () => new URL(await addressOf(page)).origin, site.origin)
  })
})

/** As a host of functions calls one. */
async function respond(
  incoming: IncomingMessage,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = method === 'POST' ? Buffer.concat(chunks) : null
  const sent = Object.entries(headers).filter(([, value]) => typeof value === 'string') as [string, string][]
  return answer(new Request(`http://${headers.host}${url}`, { method, headers: sent, body }))
}
