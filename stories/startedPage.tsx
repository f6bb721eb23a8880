// A page on which the real session runs, with a fake browser around it and a server in memory, for stories of how a state comes about.
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

/** A page, what is around it, and the story's hand on it. */
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
  /** Does to the page what went before it: a sign-in attempt, a network that is down. */
  prepare?(page: StartedPage): void
  /** Takes the place of the server's answer to the hidden frame. */
  onFrame?(frame: FakeFrame): void
  /** Does what a user or the world does once start-up has ended. */
  after?(page: StartedPage): unknown
}

/** Starts a session; resolves when start-up has ended and what follows it has come to rest. */
export async function startPage(options: StartOptions = {}): Promise<StartedPage> {
  const server = createFakeAuthServer()
  const host = createFakeHost(options.address ?? 'https://app.test/', {
    fetch: server.fetch,
    // A little later, as a real frame does.
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
  // Chunks come over the network here, which the fake clock cannot wait for.
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
