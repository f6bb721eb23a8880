// A signed-in page for stories: a fake browser with a manual clock, an in-memory server, and the provider around the story.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { AuthConfig } from '../src/protocol/config.ts'
import { AuthProvider } from '../src/provider/AuthProvider.tsx'
import type { Auth } from '../src/session/auth.ts'
import { createAuth } from '../src/session/createAuth.ts'
import { internalsOf } from '../src/session/internals.ts'
import { createFakeAuthServer } from '../src/testing/authServer.ts'
import { createFakeHost, type FakeHost } from '../src/testing/fakeHost.ts'

/** A page of one story. */
export interface AuthScene {
  host: FakeHost
  auth: Auth
  client: QueryClient
}

/** Starts a session; resolves when start-up has ended and, for a signed-in user, idle time counts. */
export async function createAuthScene(
  options: { isSignedIn?: boolean; config?: Partial<AuthConfig> } = {},
): Promise<AuthScene> {
  const server = createFakeAuthServer()
  if (options.isSignedIn === false) server.user = undefined
  const host = createFakeHost('https://app.test/', {
    server,
  })
  const auth = createAuth(
    {
      authHost: 'https://auth.test',
      clientId: 'admin',
      scopes: ['openid'],
      autoLogin: false,
      ...options.config,
    } as AuthConfig,
    { platform: host.platform },
  )
  void auth.start()
  while (auth.getState().status === 'initializing') await host.settle()
  while (auth.getState().status === 'authenticated' && !internalsOf(auth).idle()) await host.settle()
  return { host, auth, client: new QueryClient() }
}

const TICK_MS = 200

/** The provider of a scene; while mounted, the fake clock follows the real one. */
export function InScene({ scene, children }: { scene: AuthScene; children: ReactNode }): ReactNode {
  const { clock } = scene.host
  useEffect(() => {
    const shown = new AbortController()
    const tick = async () => {
      while (!shown.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, TICK_MS))
        if (!shown.signal.aborted) await clock.advance(TICK_MS)
      }
    }
    void tick()
    return () => shown.abort()
  }, [clock])
  return (
    <QueryClientProvider client={scene.client}>
      <AuthProvider auth={scene.auth}>{children}</AuthProvider>
    </QueryClientProvider>
  )
}
