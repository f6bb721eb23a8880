// Guarded routes in an app with slow loaders, looked at after every change of the page: what they returned for one user is never on the screen with the next one.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link as TanStackLink,
  Outlet as TanStackOutlet,
  RouterProvider as TanStackProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, Link, Outlet, RouterProvider, useLoaderData, useRouteError } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import type { Auth, User } from '../../../src/index.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import {
  connectRouter as connectReactRouter,
  requireUser,
  signedInRoute as reactSignedInRoute,
} from '../../../src/react-router/index.ts'
import { connectRouter, signedInRoute } from '../../../src/tanstack-router/index.ts'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'

const LOADER_MS = 30
const settle = (forMs = 4 * LOADER_MS) =>
  act(async () => {
    await new Promise((resolve) => setTimeout(resolve, forMs))
  })
const userOf = (auth: Auth) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
}
/** `unsure`: the app has written an async function, whose promise counts as no. */
const allow = ({ userId }: User) =>
  userId === 'unsure' ? (Promise.resolve(true) as unknown as boolean) : userId !== 'visitor'
const pending = <p>Loading…</p>
/** Where the app is opened. */
let entry = '/invoices'
/** What the app's own server refuses with. */
let refusal: Error | undefined
let loads = 0
/** What the router keeps of loaders. */
let held: () => unknown
/** The app's own server, which takes its time. */
const load = async (auth: Auth) => {
  loads += 1
  const text = `invoices of ${userOf(auth)}`
  await new Promise((resolve) => setTimeout(resolve, LOADER_MS))
  if (refusal) throw refusal
  return text
}

function Screen({ text, more = '' }: { text: string; more?: string }) {
  const { user } = useAuth()
  return (
    <main>
      <h1>Signed in as {user?.userId}</h1>
      <p>{text}</p>
      <p>{more}</p>
    </main>
  )
}

function reactRouterApp(auth: Auth): ReactNode {
  async function loadInvoices() {
    await requireUser(auth)
    return load(auth)
  }
  const Invoices = () => <Screen text={useLoaderData<typeof loadInvoices>()} />
  const Failed = () => <p>Failed: {String(useRouteError())}</p>
  const router = createMemoryRouter(
    [
      {
        ...reactSignedInRoute(auth, {
          Outlet,
          ErrorBoundary: Failed,
          pending,
          allow,
          forbidden: 'Not for you.',
        }),
        children: [{ path: '/invoices', loader: loadInvoices, Component: Invoices }],
      },
      { path: '/', element: <Link to="/invoices">Open invoices</Link> },
    ],
    { initialEntries: [entry] },
  )
  connectReactRouter(router, auth)
  held = () => router.state.loaderData
  return <RouterProvider router={router} />
}

function tanStackRouterApp(auth: Auth): ReactNode {
  const root = createRootRouteWithContext<{ auth: Auth }>()({ component: TanStackOutlet })
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <TanStackLink to="/invoices">Open invoices</TanStackLink>,
  })
  const staff = createRoute({
    getParentRoute: () => root,
    id: 'staff',
    ...signedInRoute({ Outlet: TanStackOutlet, pending, allow, forbidden: 'Not for you.' }),
    errorComponent: ({ error }) => <p>Failed: {String(error)}</p>,
  })
  const invoices = createRoute({
    getParentRoute: () => staff,
    path: '/invoices',
    loader: async ({ context }) => load(context.auth),
    component: () => (
      <Screen text={invoices.useLoaderData()} more={`context of ${invoices.useRouteContext().user.userId}`} />
    ),
    errorComponent: ({ error }) => <p>Failed: {String(error)}</p>,
  })
  const router = createRouter({
    routeTree: root.addChildren([home, staff.addChildren([invoices])]),
    context: { auth },
    history: createMemoryHistory({ initialEntries: [entry] }),
  })
  connectRouter(router, auth)
  held = () => router.state.matches.map(({ loaderData }) => loaderData)
  return <TanStackProvider router={router as never} />
}

let stop = () => {}
afterEach(() => {
  stop()
  entry = '/invoices'
  refusal = undefined
  loads = 0
})

const ANNA: TestState = { status: 'authenticated', user: { userId: 'anna' } }
const SIGNED_OUT: TestState = { status: 'unauthenticated', reason: 'signed-out' }

async function start(app: (auth: Auth) => ReactNode, state = ANNA) {
  const auth = createTestAuth({ state })
  const seen: string[] = []
  const look = () => {
    const text = document.body.textContent
    if (seen.at(-1) !== text) seen.push(text)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  stop = () => observer.disconnect()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider auth={auth}>{app(auth)}</AuthProvider>
    </QueryClientProvider>,
  )
  await settle()
  return { auth, mixed: (user: string, former: string) => mixedOf(seen, user, former), seen }
}
const mixedOf = (seen: readonly string[], user: string, former: string) =>
  seen.filter((text) => text.includes(`Signed in as ${user}`) && text.includes(`of ${former}`))
const become = async (auth: TestAuth, userId: string, forMs?: number) => {
  act(() => auth.setState({ status: 'authenticated', user: { userId } }))
  await settle(forMs)
}
const enter = async (auth: TestAuth, state: TestState) => {
  act(() => auth.setState(state))
  await settle()
}
const expectShown = async (text: string | RegExp) =>
  expect(await screen.findByText(text, {}, { timeout: 10_000 })).toBeDefined()

describe.each([
  ['React Router', reactRouterApp],
  ['TanStack Router', tanStackRouterApp],
])('guarded routes of %s', (_name, app) => {
  it('show nothing of the user before, directly after a change', async () => {
    const { auth, mixed } = await start(app)
    await expectShown('invoices of anna')
    await become(auth, 'bob')
    await expectShown('invoices of bob')
    expect(mixed('bob', 'anna')).toEqual([])
  })

  it('show nothing of either user before, when the user changes again while loaders run', async () => {
    const { auth, mixed } = await start(app)
    await become(auth, 'bob', LOADER_MS / 3)
    await become(auth, 'carl')
    await expectShown('invoices of carl')
    expect([...mixed('bob', 'anna'), ...mixed('carl', 'anna'), ...mixed('carl', 'bob')]).toEqual([])
  })

  it('show nothing of the user before, when another signs in after a sign-out', async () => {
    const { auth, mixed } = await start(app)
    await enter(auth, SIGNED_OUT)
    await expectShown(/signed out/)
    expect(JSON.stringify(held())).not.toContain('anna')
    expect(screen.queryByText('invoices of anna')).toBeNull()
    await become(auth, 'bob')
    await expectShown('invoices of bob')
    expect(mixed('bob', 'anna')).toEqual([])
  })

  it('keep the screen when the same user’s token is renewed', async () => {
    const { auth } = await start(app)
    await expectShown('invoices of anna')
    const before = screen.getByText('invoices of anna')
    await become(auth, 'anna')
    expect(screen.getByText('invoices of anna')).toBe(before)
    expect(loads).toBe(1)
  })

  it('ask for a sign-in where the user wanted to be, run no loader before it, and each once after it', async () => {
    const { auth } = await start(app, SIGNED_OUT)
    await expectShown(/signed out/)
    expect(loads).toBe(0)
    await enter(auth, ANNA)
    await expectShown('invoices of anna')
    expect(loads).toBe(1)
  })

  it('ask for a sign-in at once when a link of a public page leads to them', async () => {
    entry = '/'
    await start(app, SIGNED_OUT)
    act(() => screen.getByText('Open invoices').click())
    await settle()
    await expectShown(/signed out/)
  })

  it('show `forbidden` to a user whom `allow` refuses', async () => {
    const { auth, seen } = await start(app, { status: 'authenticated', user: { userId: 'visitor' } })
    await expectShown('Not for you.')
    expect(seen.filter((text) => text.includes('invoices of visitor'))).toEqual([])
    await become(auth, 'anna')
    await expectShown('invoices of anna')
  })

  it('let nobody in whom `allow` answers with a promise, and TanStack Router runs no loader for them', async () => {
    const { seen } = await start(app, { status: 'authenticated', user: { userId: 'unsure' } })
    await expectShown('Not for you.')
    expect(seen.filter((text) => text.includes('invoices of unsure'))).toEqual([])
    expect(app === tanStackRouterApp ? loads : 0).toBe(0)
  })

  it('show an error of a loader on the app’s own screen, and its data when the server is back', async () => {
    refusal = new Error('out of reach')
    const { auth } = await start(app, { ...ANNA, isOnline: false })
    await expectShown(/Failed: Error: out of reach/)
    refusal = undefined
    await enter(auth, { ...ANNA, isOnline: true })
    await expectShown('invoices of anna')
  })

  it('show why start-up failed, and the screen when it has worked', async () => {
    const error = new AuthError('network', 'down', { retryable: true })
    const { auth } = await start(app, { status: 'failed', error })
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
    await enter(auth, ANNA)
    await expectShown('invoices of anna')
  })

  it('say that their router is not connected with the auth object of the provider', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(console, 'warn').mockReturnValue()
    const auth = createTestAuth({ state: ANNA })
    const element = app(createTestAuth({ state: ANNA }))
    render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider auth={auth}>{element}</AuthProvider>
      </QueryClientProvider>,
    )
    await settle()
    await expectShown(/No router is connected with the auth object of the provider/)
    log.mockRestore()
  })
})
