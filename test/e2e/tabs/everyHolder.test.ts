// Twelve ways for an app to hold a user's data, and five for its user to change: nothing of Anna is left when Bram is there.

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Auth } from '../../../src/index.ts'
import { useBrowsers } from '../fixture.ts'
import { expectVisible } from '../page.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'
import { watchLeaks } from './leaks.ts'
import { comeBack } from '../user.ts'
import { openAsAnna, type Place, SERVERS, userOf } from './twoServers.ts'

const HOLDERS = [
  'plain query',
  'infinite query',
  'mutation result',
  'useState',
  'context',
  'router loader',
  'prefetch',
  'suspense query',
  'persisted cache',
  'placeholder data',
  'service worker cache',
  'optimistic update',
] as const

const appOf = (server: string) => `
import { keepPreviousData, QueryClient, QueryClientProvider, useInfiniteQuery, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { Authenticated, AuthProvider, createAuth, useAuth } from 'latchkey'
import { persistOptions } from 'latchkey/tanstack-query'
import { openIdConnect } from 'latchkey/oidc'
import { createContext, StrictMode, Suspense, use, useEffect, useState } from 'react'
import { persistQueryClient } from '@tanstack/query-persist-client-core'

const auth = createAuth({ ${server}, clientId: 'admin', scopes: ['openid'] })
void auth.start()
const ask = async (what) => what + ' of ' + (await auth.fetch('/api/' + encodeURIComponent(what)))
const client = new QueryClient({ defaultOptions: { queries: { staleTime: 600_000, retry: false } } })
persistQueryClient(persistOptions(auth, { queryClient: client, persister: {
  persistClient: (kept) => localStorage.setItem('disk', JSON.stringify(kept)),
  restoreClient: () => JSON.parse(localStorage.getItem('disk') ?? 'null') ?? undefined,
  removeClient: () => localStorage.removeItem('disk'),
} }))

const root = createRootRoute({ component: Outlet })
const staff = createRoute({
  getParentRoute: () => root,
  id: 'staff',
  component: () => (
    <Authenticated expired={<Again />}>
      <Outlet />
    </Authenticated>
  ),
})
const desk = createRoute({
  getParentRoute: () => staff,
  path: '/',
  loader: async () => {
    await auth.start()
    return auth.getState().status === 'authenticated' ? ask('router loader') : undefined
  },
  pendingComponent: () => <p>loading</p>,
  component: Desk,
})
const router = createRouter({ routeTree: root.addChildren([staff.addChildren([desk])]) })
auth.onUserGone(async () => {
  void router.invalidate({ forcePending: true })
  localStorage.removeItem('draft')
  await caches.delete('api')
})

const Held = createContext('')
function Desk() {
  const { user } = useAuth()
  const [text, setText] = useState('')
  return (
    <Held value={text}>
      <h1>Signed in as {user?.userId}</h1>
      <Suspense fallback={<p>waiting</p>}>
        <Holders fillContext={setText} />
      </Suspense>
    </Held>
  )
}
function Holders({ fillContext }) {
  const own = useQueryClient()
  const plain = useQuery({ queryKey: ['plain'], queryFn: () => ask('plain query') })
  const infinite = useInfiniteQuery({ queryKey: ['infinite'], queryFn: () => ask('infinite query'), initialPageParam: 0, getNextPageParam: () => undefined })
  const suspense = useSuspenseQuery({ queryKey: ['suspense'], queryFn: () => ask('suspense query') })
  const persisted = useQuery({ queryKey: ['persisted'], queryFn: () => ask('persisted cache') })
  const [page, setPage] = useState(0)
  const placeholder = useQuery({ queryKey: ['placeholder', page], queryFn: () => (page === 0 ? ask('placeholder data') : new Promise(() => {})), placeholderData: keepPreviousData })
  const optimistic = useQuery({ queryKey: ['optimistic'], queryFn: () => ask('optimistic update') })
  const saving = useMutation({ mutationFn: () => ask('mutation result') })
  const renaming = useMutation({
    mutationFn: () => new Promise(() => {}),
    onMutate: async (text) => {
      const before = own.getQueryData(['optimistic'])
      own.setQueryData(['optimistic'], text)
      return before
    },
    onError: (_error, _text, before) => own.setQueryData(['optimistic'], before),
  })
  const [state, setState] = useState('')
  const [stored, setStored] = useState('')
  const context = use(Held)
  const loaded = desk.useLoaderData()
  const fill = async () => {
    setState(await ask('useState'))
    fillContext(await ask('context'))
    saving.mutate()
    await own.prefetchQuery({ queryKey: ['prefetch'], queryFn: () => ask('prefetch') })
    const cache = await caches.open('api')
    await cache.put('/api/kept', new Response(await ask('service worker cache')))
    localStorage.setItem('draft', await ask('draft'))
    setStored(await (await caches.match('/api/kept')).text())
    renaming.mutate(await ask('optimistic update') + ', renamed')
    setPage(1)
  }
  const shown = {
    'plain query': plain.data,
    'infinite query': infinite.data?.pages.join(),
    'mutation result': saving.data,
    useState: state,
    context,
    'router loader': loaded,
    'suspense query': suspense.data,
    'persisted cache': persisted.data,
    'placeholder data': placeholder.data,
    'service worker cache': stored,
    'optimistic update': optimistic.data,
  }
  return (
    <>
      <button onClick={() => void fill()}>Fill</button>
      <ul>{Object.entries(shown).map(([name, text]) => <li key={name} data-holder={name}>{text}</li>)}</ul>
    </>
  )
}
const inWindow = () => void auth.login({ display: 'popup', prompt: 'login' }).catch(() => {})
const stepUp = () => void auth.fetch('/api/strong').catch((error) => auth.stepUp(error)).catch(() => {})
const Again = () => <button onClick={inWindow}>Sign in again</button>

Object.assign(globalThis, { auth, client, router })
export const App = () => (
  <StrictMode>
    <QueryClientProvider client={client}>
      <button onClick={stepUp}>Confirm that it is you</button>
      <AuthProvider auth={auth} fallback={<p>starting</p>}><RouterProvider router={router} /></AuthProvider>
    </QueryClientProvider>
  </StrictMode>
)
`
const MAIN = `import { createRoot } from 'react-dom/client'
import { App } from './app'
createRoot(document.getElementById('root')!).render(<App />)
`

interface Globals {
  auth: Auth
  client: {
    getQueryCache(): { getAll(): { queryKey: unknown; state: { data: unknown } }[] }
    getMutationCache(): { getAll(): { state: object }[] }
  }
  router: { state: { matches: { loaderData?: unknown }[] } }
  leaks: string[]
}

/** What can be read in the page, wherever it is held. */
const heldIn = (page: Page) =>
  page.evaluate(async () => {
    const { client, router, leaks } = globalThis as unknown as Globals
    const kept = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        return Promise.all((await cache.keys()).map(async (request) => (await cache.match(request))?.text()))
      }),
    )
    const queries = client
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => [queryKey, state.data])
    const mutations = client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state)
    const loaded = router.state.matches.map(({ loaderData }) => loaderData)
    return {
      screen: document.body.innerHTML,
      leaks: leaks ?? [],
      memory: JSON.stringify([queries, mutations, loaded]),
      disk: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), kept]),
    }
  })

interface Story {
  context: BrowserContext
  page: Page
  place: Place
  origin: string
}

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).click()
/** The session ends, and what Anna saw stands behind a question. */
const expire = async ({ context, page, place }: Story) => {
  place.revokeAllSessions()
  await context.clearCookies()
  await page.evaluate(() => (globalThis as unknown as Globals).auth.renew({ force: true }).catch(() => {}))
  await expectVisible(page.getByRole('button', { name: 'Sign in again' }))
}

const WAYS: Record<string, (story: Story) => Promise<void>> = {
  'sign-out in another tab': async ({ context, page, place, origin }) => {
    const other = await context.newPage()
    await other.goto(origin)
    await expectVisible(other.getByText('Signed in as anna'))
    await other.evaluate(() => void (globalThis as unknown as Globals).auth.logout())
    await place.confirmSignOut?.(other)
    await expectVisible(page.getByText('You are signed out'))
    await signIn(other)
    await place.signIn(other, 'bram')
  },
  // The API wants a stronger sign-in, and somebody else gives it: they are not taken for Anna, nor is she signed in any more.
  'step-up by another user': async ({ context, page, place }) => {
    await context.clearCookies()
    await context.route('**/api/strong', async (route) =>
      route.fulfill({
        status: 401,
        headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="0"' },
      }),
    )
    await page.getByRole('button', { name: 'Confirm that it is you' }).click()
    await place.signIn(page, 'bram')
    await signIn(page)
  },
  // A link with a token, opened in another tab while what Anna saw stands behind the dialog of her expired session.
  'passthrough of another user': async (story) => {
    const { context, place, origin } = story
    await expire(story)
    const other = await context.newPage()
    await other.goto(`${origin}/?token=${place.mintAccessToken!({ userId: 'bram' })}`)
    await expectVisible(other.getByText('Signed in as bram'))
  },
}

describe('an app whose user changes', () => {
  const browsers = useBrowsers()
  let site: RecipeSite
  let place: Place
  beforeAll(async () => {
    site = await openRecipeSite()
    site.dataOf = (authorization) => userOf(authorization)
    place = await SERVERS['authHost']!(site.origin)
    await site.serve([
      {
        recipe: '',
        main: MAIN,
        files: { 'app.jsx': appOf(place.server) },
      },
    ])
  })
  afterEach(() => place.revokeAllSessions())
  afterAll(async () => {
    await Promise.all([site.close(), place.close()])
  })

  it.each(Object.keys(WAYS))(
    `%s leaves nothing in any of ${HOLDERS.length} holders: ${HOLDERS.join(', ')}`,
    async (way) => {
      const { context, page } = await openAsAnna(browsers, place, site.origin)
      await expectVisible(page.getByText('Signed in as anna'))
      // A frame finds the session: from then on a frame that finds nobody says that it has ended.
      await comeBack(page)
      await expectVisible(page.getByText('Signed in as anna'))
      await page.getByRole('button', { name: 'Fill' }).click()
      const holder = (one: string) => page.locator(`[data-holder="${one}"]`)
      // Each holds something of Anna's before, else this test could not fail.
      for (const one of HOLDERS)
        if (one !== 'prefetch') await expectVisible(holder(one).getByText(`${one} of anna`))
      expect((await heldIn(page)).memory).toContain('prefetch of anna')
      // Out of sight too.
      await watchLeaks(page, { words: 'of anna', text: 'textContent' })
      browsers.expectOnConsole(/401 \(Unauthorized\)|400 \(Bad Request\)/)
      site.requests.length = 0
      await WAYS[way]!({ context, page, place, origin: site.origin })
      await expectVisible(page.getByText('Signed in as bram'))
      for (const one of [
        'plain query',
        'infinite query',
        'router loader',
        'suspense query',
        'persisted cache',
        'placeholder data',
        'optimistic update',
      ])
        await expectVisible(holder(one).getByText(`${one} of bram`))
      const held = await heldIn(page)
      const leftOf = (text: string) => HOLDERS.filter((one) => text.includes(`${one} of anna`))
      expect({
        screen: leftOf(held.screen),
        memory: leftOf(held.memory),
        disk: leftOf(held.disk),
        seen: held.leaks.flatMap(leftOf),
        draft: held.disk.includes('draft of anna'),
      }).toEqual({ screen: [], memory: [], disk: [], seen: [], draft: false })
      const asked = site.requests.filter(
        ({ path, bearer }) => path.startsWith('/api/') && bearer?.startsWith('ey'),
      )
      const firstOfBram = asked.findIndex(({ bearer = '' }) => userOf(bearer) === 'bram')
      expect(firstOfBram).toBeGreaterThanOrEqual(0)
      expect(asked.slice(firstOfBram).map(({ bearer = '' }) => userOf(bearer))).not.toContain('anna')
    },
  )
})
