// A page with the real session, a fake browser and an in-memory server, for stories of how a state arises.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type Auth, type AuthConfig, AuthProvider, createAuth } from 'latchkey'
import {
  createFakeAuthServer,
  createFakeHost,
  type FakeAuthServer,
  type FakeFrame,
  type FakeHost,
} from 'latchkey/testing'
import type { ReactNode } from 'react'
import { SessionScreen } from './SessionScreen.tsx'

/** A page, its surroundings, and the story's controls. */
export interface StartedPage {
  readonly host: FakeHost
  readonly server: FakeAuthServer
  readonly auth: Auth
  readonly client: QueryClient
}

export interface StartOptions {
  config?: Partial<AuthConfig>
  /** Address of the page. */
  address?: string
  /** Sets up the page before the start: a sign-in attempt, a network that is down. */
  prepare?(page: StartedPage): void
  /** Replaces the server's response to the hidden frame. */
  onFrame?(frame: FakeFrame): void
  /** Simulates the user or an event once start-up has ended. */
  after?(page: StartedPage): unknown
}

/** Starts a session; resolves when start-up and the work after it have ended. */
export async function startPage(options: StartOptions = {}): Promise<StartedPage> {
  const server = createFakeAuthServer()
  const host = createFakeHost(options.address ?? 'https://app.test/', {
    fetch: server.fetch,
    // A little later, like a real frame.
    onFrame: (frame) =>
      queueMicrotask(() => (options.onFrame ? options.onFrame(frame) : server.answerFrame(frame))),
  })
  const auth = createAuth(
    {
      authHost: server.authHost,
      clientId: 'admin',
      scopes: ['openid'],
      autoLogin: false,
      ...options.config,
    } as AuthConfig,
    { platform: host.platform },
  )
  const page = { host, server, auth, client: new QueryClient() }
  options.prepare?.(page)
  void auth.start()
  // Chunks load over the real network, which the fake clock cannot wait for.
  while (auth.getState().status === 'initializing') await host.settle()
  await options.after?.(page)
  await host.settle()
  return page
}

/** The session screen on a page. */
export function OnPage({ page, children }: { page: unknown; children?: ReactNode }): ReactNode {
  const { auth, client } = page as StartedPage
  return (
    <QueryClientProvider client={client}>
      <AuthProvider auth={auth} fallback={<p role="status">Checking your session</p>}>
        {children ?? <SessionScreen />}
      </AuthProvider>
    </QueryClientProvider>
  )
}
