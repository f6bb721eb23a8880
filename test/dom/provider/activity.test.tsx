// A part of the app that React hides and shows again: nothing runs while it is hidden, and the session is as it was (F36).
import * as React from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { createScene } from '../../node/session/sessionScene.ts'

// React 18.3 has none.
const Activity = (React as Partial<Pick<typeof React, 'Activity'>>).Activity

function Name() {
  const { status, user } = useAuth() as { status: string; user?: { userId: string } }
  return <p>{`${status} ${user?.userId ?? ''}`}</p>
}

it.runIf(Activity)(
  'is held by nothing while it is hidden, and needs no request when it is shown again',
  async () => {
    const Part = Activity!
    const scene = createScene({ config: { autoRefreshToken: true } })
    const client = new QueryClient()
    const tree = (mode: 'visible' | 'hidden') => (
      <QueryClientProvider client={client}>
        <Part mode={mode}>
          <AuthProvider auth={scene.auth}>
            <AuthToaster />
            <Name />
          </AuthProvider>
        </Part>
      </QueryClientProvider>
    )
    const view = render(tree('visible'))
    const settle = () => act(() => scene.host.clock.advance(5_000))
    await settle()
    expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
    const atRest = scene.host.counts()
    const { length } = scene.host.requests

    for (let round = 0; round < 3; round += 1) {
      view.rerender(tree('hidden'))
      await settle()
      expect(Object.values(scene.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
      view.rerender(tree('visible'))
      await settle()
      expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
      expect(scene.host.counts()).toEqual(atRest)
    }
    expect(scene.host.requests).toHaveLength(length)
    view.unmount()
    await settle()
    expect(Object.values(scene.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  },
)
