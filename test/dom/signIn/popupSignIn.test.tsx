// Signing in in a window from a component: the window opens in the click, and the component keeps what was typed.
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useLogin } from '../../../src/hooks/serverCalls.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { startApp } from '../appScene.tsx'

function Letter() {
  const { status } = useAuth()
  const login = useLogin()
  return (
    <>
      <textarea aria-label="letter" />
      <button type="button" onClick={() => login.mutate({ display: 'popup' })}>
        sign in
      </button>
      <p>{`${status}, ${login.status}, ${login.error?.code ?? 'no error'}`}</p>
    </>
  )
}

it('useLogin opens the window before any task after the click, and knows when the user is signed in', async () => {
  const { host, server, settle } = await startApp(<Letter />, {
    config: { autoLogin: false },
    server: { user: undefined },
  })
  fireEvent.change(screen.getByLabelText('letter'), { target: { value: 'Dear Sir' } })
  fireEvent.click(screen.getByText('sign in'))
  // Microtasks only: browsers let nothing later open a window.
  await act(async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  })
  expect(host.popups.map(({ urls }) => urls[0])).toEqual(['about:blank'])
  await settle()
  screen.getByText('unauthenticated, pending, no error')
  const [popup] = host.popups
  server.user = createFakeUser()
  popup!.post({ type: 'signInAnswer', address: server.callbackOf(popup!.urls.at(-1)!) })
  await settle()
  screen.getByText('authenticated, success, no error')
  expect(screen.getByLabelText<HTMLTextAreaElement>('letter').value).toBe('Dear Sir')
})

it('useLogin says why no window opened', async () => {
  const { host, settle } = await startApp(<Letter />, {
    config: { autoLogin: false },
    server: { user: undefined },
  })
  host.isPopupBlocked = true
  fireEvent.click(screen.getByText('sign in'))
  await settle()
  screen.getByText('unauthenticated, error, popup-blocked')
  expect(host.navigations).toEqual([])
})
