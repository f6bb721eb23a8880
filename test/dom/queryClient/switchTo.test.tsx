// The same user works for another firm: the screens begin anew, and the QueryClient has nothing of the firm before.
import { QueryClient, QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useSwitchTo } from '../../../src/hooks/serverCalls.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { authed } from '../../../src/queries/authed.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { CONFIG } from '../../node/session/sessionScene.ts'
// The file of the switch, which would load beside the fake clock.
import '../../../src/session/later.ts'
import { dataOf } from './cacheContents.ts'

it('a switch to another firm mounts the screens anew and empties the QueryClient; one that is refused touches neither', async () => {
  const browser = createFakeBrowser()
  const server = createFakeAuthServer({ user: createFakeUser({ firmId: 'f1' }) })
  const host = createFakeHost('https://app.test/', {
    browser,
    fetch: server.fetch,
    onFrame: (frame) =>
      queueMicrotask(() => {
        if (frame.url.includes('firm=f2')) server.user = createFakeUser({ firmId: 'f2' })
        server.answerFrame(frame)
      }),
  })
  const auth = createAuth(CONFIG, { platform: host.platform })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const settle = async () => {
    for (let round = 0; round < 3; round += 1)
      await act(async () => {
        await browser.clock.advance(1_000)
        await new Promise((resolve) => setTimeout(resolve, 0))
      })
  }

  function Desk() {
    'use no memo'
    const { user } = useAuth()
    const firm = String(user?.firmId)
    const plain = useQuery({ queryKey: ['plans'], queryFn: async () => `plans of ${firm}` })
    const own = useQuery(
      authed(auth, queryOptions({ queryKey: ['staff'], queryFn: async () => `staff of ${firm}` })),
    )
    const switchTo = useSwitchTo()
    const ask = (wanted: string) =>
      switchTo.mutate({ firmId: wanted, parameters: { firm: wanted }, display: 'silent' })
    return (
      <>
        <p role="status">{[firm, plain.data, own.data, switchTo.error?.code].filter(Boolean).join(', ')}</p>
        <input aria-label="Note" />
        <button type="button" onClick={() => ask('f2')}>
          to f2
        </button>
        <button type="button" onClick={() => ask('f3')}>
          to f3
        </button>
      </>
    )
  }

  render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={auth}>
        <Authenticated>
          <Desk />
        </Authenticated>
      </AuthProvider>
    </QueryClientProvider>,
  )
  await settle()
  const shown = () => screen.getByRole('status').textContent
  const kept = () => JSON.stringify(dataOf(client))
  const note = () => screen.getByLabelText<HTMLInputElement>('Note')
  expect(shown()).toBe('f1, plans of f1, staff of f1')
  const field = note()
  fireEvent.change(field, { target: { value: 'for f1 only' } })
  client.setQueryData(['seen before'], 'a list of f1')

  fireEvent.click(screen.getByRole('button', { name: 'to f3' }))
  await vi.waitFor(async () => {
    await settle()
    expect(shown()).toContain('switch-refused')
  })
  expect(note()).toBe(field)
  expect(field.value).toBe('for f1 only')
  expect(kept()).toContain('a list of f1')

  fireEvent.click(screen.getByRole('button', { name: 'to f2' }))
  await vi.waitFor(async () => {
    await settle()
    expect(shown()).toBe('f2, plans of f2, staff of f2')
  })
  expect(note()).not.toBe(field)
  expect(note().value).toBe('')
  expect(kept()).not.toMatch(/\bf1\b/)
  auth.dispose()
  cleanup()
})
