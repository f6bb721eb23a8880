// The guards of the documentation in an app with slow loaders, looked at after every change of the page: what they returned for one user is never on the screen with the next one.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet as TanStackOutlet,
  redirect as tanStackRedirect,
  RouterProvider as TanStackProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, Outlet, redirect, RouterProvider, useLoaderData } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { useAuth, useUser } from '../../../src/hooks/useAuth.ts'
import type { Auth, User } from '../../../src/index.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'

const LOADER_MS = 30
const settle = (forMs = 4 * LOADER_MS) =>
  act(async () => {
    await new Promise((resolve) => setTimeout(resolve, forMs))
  })
const userOf = (auth: Auth) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
}
/** User, firm and impersonator: what a token is renewed with changes none of them. */
const nameOf = ({ userId, firmId, impersonatorId }: User) => [userId, firmId, impersonatorId].join(' ')
/** The app's own server, which takes its time. */
const load = async (auth: Auth) => {
  const text = `invoices of ${userOf(auth)}`
  await new Promise((resolve) => setTimeout(resolve, LOADER_MS))
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
  async function requireUser(request: Request) {
    await auth.start()
    const { pathname, search } = new URL(request.url)
    const state = auth.getState()
    if (state.status !== 'authenticated')
      // oxlint-disable-next-line typescript/only-throw-error -- how the router is told
      throw redirect(`/welcome?${new URLSearchParams({ returnTo: pathname + search })}`)
    return state.user
  }
  const loadUser = async ({ request }: { request: Request }) => nameOf(await requireUser(request))
  async function loadInvoices({ request }: { request: Request }) {
    await requireUser(request)
    return load(auth)
  }
  const Invoices = () => <Screen text={useLoaderData<typeof loadInvoices>()} />
  const LoadedScreens = () => {
    const loadedFor = useLoaderData<typeof loadUser>()
    return loadedFor === nameOf(useUser()) ? <Outlet /> : <p>Loading…</p>
  }
  const Staff = () => (
    <Authenticated>
      <LoadedScreens />
    </Authenticated>
  )
  const router = createMemoryRouter(
    [
      { path: '/welcome', element: <p>Welcome.</p> },
      {
        Component: Staff,
        loader: loadUser,
        HydrateFallback: () => <p>Checking your session…</p>,
        children: [{ path: '/invoices', loader: loadInvoices, Component: Invoices }],
      },
    ],
    { initialEntries: ['/invoices'] },
  )
  auth.onUserGone(() => void router.revalidate())
  return <RouterProvider router={router} />
}

function tanStackRouterApp(auth: Auth): ReactNode {
  const root = createRootRouteWithContext<{ auth: Auth }>()({ component: TanStackOutlet })
  const welcome = createRoute({
    getParentRoute: () => root,
    path: '/welcome',
    component: () => <p>Welcome.</p>,
  })
  const staff = createRoute({
    getParentRoute: () => root,
    id: 'staff',
    component: () => (
      <Authenticated>
        <LoadedScreens />
      </Authenticated>
    ),
    beforeLoad: async ({ context }) => {
      await context.auth.start()
      const state = context.auth.getState()
      // oxlint-disable-next-line typescript/only-throw-error -- how the router is told
      if (state.status !== 'authenticated') throw tanStackRedirect({ to: '/welcome' } as never)
      return { user: state.user }
    },
  })
  function LoadedScreens() {
    const { user } = staff.useRouteContext()
    return nameOf(user) === nameOf(useUser()) ? <TanStackOutlet /> : <p>Loading…</p>
  }
  const invoices = createRoute({
    getParentRoute: () => staff,
    path: '/invoices',
    loader: async ({ context }) => load(context.auth),
    component: () => (
      <Screen text={invoices.useLoaderData()} more={`context of ${invoices.useRouteContext().user.userId}`} />
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([welcome, staff.addChildren([invoices])]),
    context: { auth },
    history: createMemoryHistory({ initialEntries: ['/invoices'] }),
  })
  auth.onUserGone(() => void router.invalidate({ forcePending: true }))
  return <TanStackProvider router={router as never} />
}

let stop = () => {}
afterEach(() => stop())

async function start(app: (auth: Auth) => ReactNode) {
  const auth = createTestAuth({ state: { status: 'authenticated', user: { userId: 'anna' } } })
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
  expect(screen.getByText('invoices of anna')).toBeDefined()
  return { auth, mixed: (user: string, former: string) => mixedOf(seen, user, former), seen }
}
const mixedOf = (seen: readonly string[], user: string, former: string) =>
  seen.filter((text) => text.includes(`Signed in as ${user}`) && text.includes(`of ${former}`))
const become = async (auth: TestAuth, userId: string, forMs?: number) => {
  act(() => auth.setState({ status: 'authenticated', user: { userId } }))
  await settle(forMs)
}

describe.each([
  ['React Router', reactRouterApp],
  ['TanStack Router', tanStackRouterApp],
])('the guards for %s', (_name, app) => {
  it('show nothing of the user before, directly after a change', async () => {
    const { auth, mixed } = await start(app)
    await become(auth, 'bob')
    expect(screen.getByText('invoices of bob')).toBeDefined()
    expect(mixed('bob', 'anna')).toEqual([])
  })

  it('show nothing of either user before, when the user changes again while loaders run', async () => {
    const { auth, mixed } = await start(app)
    await become(auth, 'bob', LOADER_MS / 3)
    await become(auth, 'carl')
    expect(screen.getByText('invoices of carl')).toBeDefined()
    expect([...mixed('bob', 'anna'), ...mixed('carl', 'anna'), ...mixed('carl', 'bob')]).toEqual([])
  })

  it('keep the screen when the same user’s token is renewed', async () => {
    const { auth } = await start(app)
    const shown = screen.getByText('invoices of anna')
    await become(auth, 'anna')
    expect(screen.getByText('invoices of anna')).toBe(shown)
  })
})
