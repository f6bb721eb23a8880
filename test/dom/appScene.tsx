// Sets the scene of the React tests: an app under QueryClientProvider and AuthProvider, on a fake page, in StrictMode.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { AuthProvider } from '../../src/provider/AuthProvider.tsx'
import { createScene, type Scene, type SceneOptions } from '../node/session/sessionScene.ts'

export interface AppScene extends Scene {
  queryClient: QueryClient
  view: RenderResult
  /** Lets everything under way come to rest, and React with it. */
  settle(): Promise<void>
  advance(ms: number): Promise<void>
}

export interface AppOptions extends SceneOptions {
  fallback?: ReactNode
  /** Around the provider. */
  queryClient?: QueryClient
  /** A test that counts renders switches StrictMode off. */
  isStrict?: boolean
}

/** Renders an app; start-up has begun and waits to be settled. */
export function renderApp(children: ReactNode, options: AppOptions = {}): AppScene {
  const scene = createScene(options)
  const queryClient = options.queryClient ?? new QueryClient()
  const view = render(
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={scene.auth} fallback={options.fallback}>
        {children}
      </AuthProvider>
    </QueryClientProvider>,
    options.isStrict === false ? { reactStrictMode: false } : {},
  )
  // React draws when `act` ends, and what it draws may ask for more; queries tell their readers a real timer later.
  const settle = async () => {
    for (let round = 0; round < 2; round += 1)
      await act(async () => {
        await scene.host.settle()
        await new Promise((resolve) => setTimeout(resolve, 0))
        await scene.host.settle()
      })
  }
  return {
    ...scene,
    queryClient,
    view,
    settle,
    async advance(ms) {
      await act(() => scene.host.clock.advance(ms))
      await settle()
    },
  }
}

/** The same after start-up. */
export async function startApp(children: ReactNode, options: AppOptions = {}): Promise<AppScene> {
  const app = renderApp(children, options)
  await app.settle()
  return app
}
