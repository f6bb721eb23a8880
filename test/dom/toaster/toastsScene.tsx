// Sets the scene of the toast, gate and idle tests: a fake page, a fake server, a provider, and the queue emptied in between.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, vi } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { sessionMarkerKey, sessionRecordKey } from '../../../src/protocol/storageKeys.ts'
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
    server,
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
  return { host, server, auth, client, unmount, settle, advance: (ms) => passTime(ms, host) }
}

/**
 * React-hot-toast has no port for its clock: in the tests of this file what it plans waits for `passTime`. What is due at once
 * is not held, because the fake host and Testing Library wait for it; nor is what TanStack Query plans for in five minutes.
 */
export function holdToastClock(): void {
  beforeEach(() => {
    const real = { setTimeout, clearTimeout }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const fake = { setTimeout, clearTimeout }
    const held = new Set<unknown>()
    const plan = (callback: () => void, ms = 0) => {
      if (ms <= 0 || ms > 60_000) return real.setTimeout(callback, ms)
      const timer = fake.setTimeout(callback, ms)
      held.add(timer)
      return timer
    }
    const forget = (timer: ReturnType<typeof setTimeout>) =>
      (held.has(timer) ? fake : real).clearTimeout(timer)
    Object.assign(globalThis, { setTimeout: plan, clearTimeout: forget })
    return () => {
      vi.useRealTimers()
      Object.assign(globalThis, real)
    }
  })
}

/** Lets time pass on the fake machine and for react-hot-toast, with React awaited. */
export async function passTime(ms: number, host?: FakeHost): Promise<void> {
  const isHeld = vi.isFakeTimers()
  let leftMs = ms
  do {
    // What a toast does starts the next timer only when React has drawn it.
    const stepMs = isHeld && vi.getTimerCount() > 0 ? Math.min(leftMs, 100) : leftMs
    await act(async () => {
      await host?.clock.advance(stepMs)
      if (isHeld) vi.advanceTimersByTime(stepMs)
    })
    leftMs -= stepMs
  } while (leftMs > 0)
}

/** Another tab has ended the session, and this page could not hear of it: it was frozen. */
export function endElsewhere({ host, auth }: Pick<ToastsScene, 'host' | 'auth'>): void {
  const state = auth.getState()
  if (state.status !== 'authenticated') throw new Error('Nobody is signed in')
  host.localStorage.remove(sessionMarkerKey(CLIENT))
  host.localStorage.set(sessionRecordKey(CLIENT), JSON.stringify({ id: 'another', reason: 'signed-out' }))
}

/** Texts of the toasts in the page, in reading order. */
export function toastTexts(): string[] {
  return [...document.querySelectorAll('.latchkey-toast:not([data-leaving])')].map(
    (toast) => toast.querySelector('[dir=auto]')?.textContent ?? '',
  )
}

/** The texts of the toasts that are announced, by how. */
export function saidTexts(): { polite: string; assertive: string } {
  const textsIn = (live: string) =>
    [...document.querySelectorAll(`ol[aria-live=${live}] [dir=auto]`)]
      .filter((text) => !text.closest('[aria-live=off]'))
      .map(({ textContent }) => textContent)
      .join()
  return { polite: textsIn('polite'), assertive: textsIn('assertive') }
}
