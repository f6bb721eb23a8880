// Sets the scene of the screen tests: a page on which somebody is signed in, its QueryClient, and what was asked of the server.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import {
  createFakeCloudServer,
  type FakeCloudServer,
  type FakeCloudServerOptions,
} from '../../../src/testing/cloudServer.ts'
import type { FakeHost, FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import {
  comeBackToKeptPage,
  createScene,
  type Scene,
  type SceneOptions,
} from '../../node/session/sessionScene.ts'

export interface CloudScene extends Scene {
  cloud: FakeCloudServer
  client: QueryClient
  /** Shows something inside the provider and waits until nothing moves any more. */
  show(ui: ReactNode, options?: { reactStrictMode: boolean }): Promise<void>
  /** Takes everything out of the page. */
  unmount(): void
  /** Does something and waits until nothing moves any more. */
  does(work: () => unknown): Promise<void>
  /** Lets time pass. */
  passes(ms: number): Promise<void>
  /** Signs out, and another user in. */
  changeUser(userId: string): Promise<void>
  /** Requests to one path, of one method. */
  asked(method: string, path: string): FakeHost['requests']
}

export interface CloudSceneOptions extends SceneOptions {
  cloud?: FakeCloudServerOptions
  /** Answers before the fake servers do; `undefined`: leaves it to them. */
  answer?: ((request: Request) => Response | Promise<Response> | undefined) | undefined
}

/** Somebody is signed in. */
export async function openCloudScene(options: CloudSceneOptions = {}): Promise<CloudScene> {
  const server = createFakeAuthServer(options.server)
  const cloud = createFakeCloudServer(server, options.cloud)
  // Node forgets the signal of a request that nobody holds, and a request that hangs would never hear of its end.
  const held: Request[] = []
  const fetch: FakeHostOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    held.push(request)
    return options.answer?.(request) ?? cloud.fetch(input, init)
  }
  const { host, auth } = createScene({
    ...options,
    host: { ...options.host, fetch, server },
  })
  const client = new QueryClient()
  // Queries tell their readers a real timer later than their answers come.
  const settle = async () => {
    await host.settle()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const rest = async () => {
    await settle()
    for (let round = 0; round < 5 && client.isFetching() > 0; round += 1) await settle()
    await settle()
  }
  const does: CloudScene['does'] = async (work) => {
    await act(async () => {
      await work()
      await rest()
    })
    // React draws when `act` ends, and what it draws may ask for more.
    await act(rest)
  }
  /** Parts of the session load while it starts, and a busy machine takes its time for that. */
  const start = async () => {
    await does(() => void auth.start())
    for (let round = 0; round < 50 && auth.getState().status === 'initializing'; round += 1)
      await does(() => {})
  }
  await start()
  return {
    host,
    server,
    auth,
    cloud,
    client,
    does,
    unmount: cleanup,
    async show(ui, renderOptions) {
      render(
        <QueryClientProvider client={client}>
          <AuthProvider auth={auth}>{ui}</AuthProvider>
        </QueryClientProvider>,
        renderOptions,
      )
      await does(() => {})
    },
    passes: (ms) => does(() => host.clock.advance(ms)),
    async changeUser(userId) {
      await does(() => auth.logout())
      await does(() => comeBackToKeptPage({ host, server }))
      server.user = createFakeUser({ userId, sessionId: `session of ${userId}` })
      // Back from the server's pages, as the browser shows a page that it had kept.
      await does(() => host.emit('restored'))
      auth.dispose()
      await start()
    },
    asked: (method, path) =>
      host.requests.filter((request) => request.method === method && new URL(request.url).pathname === path),
  }
}
