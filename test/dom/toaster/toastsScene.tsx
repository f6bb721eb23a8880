// Sets the scene of the toast, gate and idle tests: a fake page, a fake server, a provider, and the queue emptied in between.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { sessionName } from '../../../src/protocol/identity.ts'
import { endedSessionsKey, sessionMarkerKey } from '../../../src/protocol/storageKeys.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'

const CLIENT = { authHost: 'https://auth.test', clientId: 'admin' }

export interface ToastsScene {
  host: FakeHost
  server: FakeAuthServer
  auth: Auth
  client: QueryClient
  unmount(): void
  /** Lets time pass on the fake machine, with React awaited. */
  advance(ms: number): Promise<void>
  settle(): Promise<void>
}

export interface ToastsSceneOptions {
  config?: Partial<AuthConfig>
  host?: FakeHostOptions
  address?: string
  /** Default true. */
  isSignedIn?: boolean
  /** An earlier page's host and server, for the next page or another tab. */
  from?: { host: FakeHost; server: FakeAuthServer }
}

/** Renders inside a provider and waits until start-up has ended. */
export async function showScene(ui: ReactNode, options: ToastsSceneOptions = {}): Promise<ToastsScene> {
  const server = options.from?.server ?? createFakeAuthServer()
  if (options.isSignedIn === false) server.user = undefined
  const host = createFakeHost(options.address ?? 'https://app.test/', {
    fetch: server.fetch,
    onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
    ...(options.from && { browser: options.from.host.browser }),
    ...options.host,
  })
  const auth = createAuth(
    {
      ...CLIENT,
      scopes: ['openid'],
      autoLogin: false,
      ...options.config,
    } as AuthConfig,
    { platform: host.platform },
  )
  const client = new QueryClient()
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={auth}>{ui}</AuthProvider>
    </QueryClientProvider>,
  )
  const settle = () => act(host.settle)
  // The first page of a file loads parts of the session that the fake clock knows nothing of.
  while (auth.getState().status === 'initializing') await settle()
  return { host, server, auth, client, unmount, settle, advance: (ms) => act(() => host.clock.advance(ms)) }
}

/** Another tab has ended the session, and this page could not hear of it: it was frozen. */
export function endElsewhere({ host, auth }: Pick<ToastsScene, 'host' | 'auth'>): void {
  const state = auth.getState()
  if (state.status !== 'authenticated') throw new Error('Nobody is signed in')
  host.localStorage.remove(sessionMarkerKey(CLIENT))
  host.localStorage.set(endedSessionsKey(CLIENT), JSON.stringify([sessionName(state.user, '')]))
}

/** Texts of the toasts in the page, in reading order. */
export function toastTexts(): string[] {
  return [...document.querySelectorAll('.latchkey-toast:not([data-leaving])')].map(
    (toast) => toast.querySelector('[dir=auto]')?.textContent ?? '',
  )
}

/** What the live regions say now. */
export function saidTexts(): { polite: string; assertive: string } {
  return {
    polite: document.querySelector('[aria-live=polite]')?.textContent ?? '',
    assertive: document.querySelector('[aria-live=assertive]')?.textContent ?? '',
  }
}
