// What the library says by itself: why a session ended, offline, failed mutations; once, and nothing of one user to the next.
import { type MutationOptions, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { AuthError, network, unexpectedStatus } from '../../../src/base/errors.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { toastQueue } from '../../../src/toaster/toastQueue.ts'
import {
  endElsewhere,
  holdToastClock,
  saidTexts,
  showScene,
  toastTexts,
  type ToastsScene,
} from './toastsScene.tsx'

holdToastClock()
afterEach(() => act(() => toastQueue.clear()))

const buttons = () => screen.getAllByRole('button').map((button) => button.textContent)
const idleSignOut = async ({ host, auth, settle, advance }: ToastsScene) => {
  await settle()
  await advance(30 * 60_000)
  await settle()
  expect(auth.getState().status).toBe('redirecting')
  return new URL(host.navigations[0]!).searchParams.get('state')!
}

/** The server has ended the session, and the page finds that out. */
async function endAtServer({ server, auth, settle }: Pick<ToastsScene, 'server' | 'auth' | 'settle'>) {
  await settle()
  server.revokeAll()
  server.user = undefined
  await act(() => auth.renew({ force: true }).catch(() => {}))
  await settle()
}

describe('the end of a session', () => {
  it('is told after an idle logout, on the page that the user comes back to', async () => {
    const first = await showScene(null)
    const state = await idleSignOut(first)
    first.unmount()
    const host = first.host.openNext(`https://app.test/?state=${state}`)
    const next = await showScene(<AuthToaster />, {
      from: { host, server: first.server },
      host: { sessionStorage: host.sessionStorage },
      address: host.address,
    })
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    expect(toastTexts()).toEqual(['You were signed out, because nothing had happened for a while.'])
    await next.advance(600_000)
    expect(toastTexts()).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await next.settle()
    expect(next.host.navigations[0]).toContain('/oauth/authorize')
  })

  it('is told when the user signed out in another tab', async () => {
    const { host, auth, settle } = await showScene(<AuthToaster />)
    await settle()
    endElsewhere({ host, auth })
    act(() => host.emit('focus'))
    expect(toastTexts()).toEqual(['You signed out in another tab.'])
    expect(saidTexts().polite).toBe('You signed out in another tab.')
  })

  it('is told when the server ended it, and the way back is a click', async () => {
    const { server, auth, settle } = await showScene(<AuthToaster />)
    await settle()
    server.revokeAll()
    server.user = undefined
    await act(() => auth.renew({ force: true }).catch(() => {}))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    expect(toastTexts()).toEqual(['Your session has ended.'])
    expect(buttons()).toContain('Sign in')
  })

  it.each<[string, ReactNode, string[]]>([
    ["by the gate's own screen alone, with its button", <Authenticated key="1" />, []],
    [
      'with its own button where the gate shows a page of the app',
      <Authenticated key="2" unauthenticated="Goodbye" />,
      ['Your session has ended.'],
    ],
    ['with its own button where there is no gate', null, ['Your session has ended.']],
  ])('is told %s', async (_, gate, expected) => {
    const { server, auth, settle } = await showScene(
      <>
        <AuthToaster />
        {gate}
      </>,
    )
    await endAtServer({ server, auth, settle })
    expect(toastTexts()).toEqual(expected)
    expect(screen.getAllByText('Your session has ended.')).toHaveLength(1)
    expect(buttons().filter((text) => text === 'Sign in')).toEqual(['Sign in'])
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  })

  it('is told without a button where the page of the app has one', async () => {
    const { server, auth, settle } = await showScene(
      <>
        <AuthToaster signInButton={false} />
        <Authenticated
          unauthenticated={(_, signIn) => (
            <button type="button" onClick={signIn}>
              Sign in
            </button>
          )}
        />
      </>,
    )
    await endAtServer({ server, auth, settle })
    expect(toastTexts()).toEqual(['Your session has ended.'])
    expect(screen.getAllByRole('button', { name: 'Sign in' })).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  })

  it('is told once where the dialog over the page tells it', async () => {
    const { server, auth, settle } = await showScene(
      <>
        <AuthToaster />
        <Authenticated expired={<SignInAgainDialog />}>content</Authenticated>
      </>,
    )
    // jsdom has no modal dialogs.
    HTMLDialogElement.prototype.showModal ??= () => {}
    HTMLDialogElement.prototype.close ??= () => {}
    await endAtServer({ server, auth, settle })
    expect(screen.getByText(/Your session (?:has )?ended/)).toBeDefined()
    expect(toastTexts()).toEqual([])
  })

  it('is told with one button on the page that the user comes back to, too', async () => {
    const first = await showScene(null)
    const state = await idleSignOut(first)
    first.unmount()
    const host = first.host.openNext(`https://app.test/?state=${state}`)
    await showScene(
      <>
        <AuthToaster />
        <Authenticated />
      </>,
      {
        from: { host, server: first.server },
        host: { sessionStorage: host.sessionStorage },
        address: host.address,
      },
    )
    expect(toastTexts()).toEqual([])
    expect(screen.getByRole('alert').textContent).toBe(
      'You were signed out, because nothing had happened for a while.Sign in',
    )
  })

  it('is told after a logout without a network: here it is over, the server hears of it later', async () => {
    const { host, auth, settle } = await showScene(<AuthToaster />)
    act(() => host.setOnline(false))
    await act(() => auth.logout())
    await settle()
    expect(toastTexts()).toContain(
      'You are signed out here. The server will be told when you are online again.',
    )
  })

  it('is not told to those who signed out by themselves, or were never signed in', async () => {
    const { auth, unmount, settle } = await showScene(<AuthToaster />)
    await act(() => auth.logout())
    await settle()
    expect(toastTexts()).toEqual([])
    unmount()
    await showScene(<AuthToaster />, { isSignedIn: false })
    expect(toastTexts()).toEqual([])
  })

  it('is told once, though the toaster is mounted again', async () => {
    const first = await showScene(null)
    const state = await idleSignOut(first)
    first.unmount()
    const host = first.host.openNext(`https://app.test/?state=${state}`)
    const { auth, client, settle, unmount } = await showScene(<AuthToaster />, {
      from: { host, server: first.server },
      host: { sessionStorage: host.sessionStorage },
      address: host.address,
    })
    expect(toastTexts()).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
    unmount()
    await settle()
    act(() => toastQueue.clear())
    render(
      <QueryClientProvider client={client}>
        <AuthProvider auth={auth}>
          <AuthToaster />
        </AuthProvider>
      </QueryClientProvider>,
    )
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    expect(toastTexts()).toEqual([])
  })

  it('is told no more once a user is signed in, also where no toaster was mounted then', async () => {
    const user = { userId: 'alice', firmId: 'f1' }
    const auth = createTestAuth({ user })
    const client = new QueryClient()
    const show = (hasToaster: boolean) => (
      <AuthProvider auth={auth} queryClient={client}>
        {hasToaster && <AuthToaster />}
      </AuthProvider>
    )
    const { rerender } = render(show(true))
    const end = () => act(() => auth.setState({ status: 'unauthenticated', reason: 'signed-out' }))
    end()
    expect(toastTexts()).toEqual(['You signed out in another tab.'])
    rerender(show(false))
    act(() => auth.setState({ status: 'authenticated', user }))
    rerender(show(true))
    expect(document.querySelectorAll('.latchkey-toast')).toHaveLength(0)
    end()
    expect(toastTexts()).toEqual(['You signed out in another tab.'])
    act(() => auth.setState({ status: 'authenticated', user }))
    expect(toastTexts()).toEqual([])
  })

  it('takes the toasts of that user off the page at once', async () => {
    const { host, auth, settle } = await showScene(<AuthToaster />)
    await settle()
    act(() => ['a', 'b', 'c', 'd'].forEach((text) => notify.info(`of Alice: ${text}`)) as never)
    endElsewhere({ host, auth })
    act(() => host.emit('focus'))
    expect(document.body.textContent).not.toContain('of Alice')
    expect(toastTexts()).toEqual(['You signed out in another tab.'])
  })
})

describe('toasts of the app', () => {
  it.each([
    ['another user', { userId: 'bob' }, []],
    ['the same person for another firm', { firmId: 'f2' }, []],
    ['an impersonator', { impersonatorId: 'root' }, []],
    ['the same user with new claims', { sessionId: 's2' }, ['Invoice 17 of Acme is saved']],
  ])('and %s comes: what stays is of them alone', async (_who, next, stays) => {
    const user = { userId: 'alice', firmId: 'f1' }
    const auth = createTestAuth({ user })
    const client = new QueryClient()
    render(
      <AuthProvider auth={auth} queryClient={client}>
        <AuthToaster />
      </AuthProvider>,
    )
    act(() => void notify.success('Invoice 17 of Acme is saved'))
    // Its answer comes when somebody else is there; the app keeps plain mutations of its own.
    let fail: (error: Error) => void = () => {}
    const options = {
      mutationFn: () => new Promise<never>((_resolve, reject) => (fail = reject)),
      meta: { notify: 'Invoice 18 of Acme is not saved' },
    }
    const saving = client.getMutationCache().build(client, options).execute(undefined)
    await act(async () => {})
    act(() => auth.setState({ status: 'authenticated', user: { ...user, ...next } }))
    expect(toastTexts()).toEqual(stays)
    fail(new Error('late'))
    await act(async () => saving.catch(() => {}))
    expect(toastTexts().filter((text) => stays.length === 0 && text.includes('Acme'))).toEqual([])
  })
})

describe('a link with a token of another user', () => {
  const linkOf = (userId: string) => `https://app.test/?token=${createAccessToken({ userId })}`

  it('is told to the user who is signed in, once, in words that an app can replace', async () => {
    const { auth, settle, advance, unmount } = await showScene(<AuthToaster />, { address: linkOf('bob') })
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(toastTexts()).toEqual(['This link was meant for another user.'])
    expect(saidTexts().polite).toBe('This link was meant for another user.')
    await advance(6_000)
    expect(toastTexts()).toEqual([])
    unmount()
    render(<AuthToaster />)
    expect(toastTexts()).toEqual([])
  })

  it('is not told when the link was for this user, or held several tokens', async () => {
    const own = await showScene(<AuthToaster />, { address: linkOf('alice') })
    await own.settle()
    expect(toastTexts()).toEqual([])
    own.unmount()
    const several = await showScene(<AuthToaster />, {
      address: `${linkOf('bob')}&jwt=${createAccessToken({ userId: 'bob', jti: 'other' })}`,
    })
    await several.settle()
    expect(several.auth.getState().status).toBe('authenticated')
    expect(toastTexts()).toEqual([])
  })
})

describe('the network', () => {
  it('is told when it goes, for as long as it is gone, and when it comes back', async () => {
    const { host, advance } = await showScene(<AuthToaster />)
    act(() => host.setOnline(false))
    expect(toastTexts()).toEqual(['You are offline. Changes cannot be saved now.'])
    await advance(600_000)
    expect(toastTexts()).toHaveLength(1)
    act(() => host.setOnline(true))
    expect(toastTexts()).toEqual(['You are online again.'])
    await advance(5000)
    expect(toastTexts()).toEqual([])
  })

  it('makes no storm when it comes and goes', async () => {
    const { host, advance } = await showScene(<AuthToaster />)
    for (let round = 0; round < 50; round += 1) {
      act(() => host.setOnline(false))
      act(() => host.setOnline(true))
    }
    await advance(5200)
    expect(document.querySelectorAll('.latchkey-toast')).toHaveLength(0)
  })

  it('is not told to an app that gives its notice an empty text', async () => {
    const { host } = await showScene(<AuthToaster />, {
      config: { messages: { offline: '', backOnline: 'Weer online' } },
    })
    act(() => host.setOnline(false))
    expect(toastTexts()).toEqual([])
    act(() => host.setOnline(true))
    expect(toastTexts()).toEqual(['Weer online'])
  })
})

describe('failed mutations', () => {
  const fail = (client: QueryClient, meta: MutationOptions['meta'], error: unknown = new Error('secret')) =>
    act(async () => {
      await client
        .getMutationCache()
        .build(client, { mutationFn: () => Promise.reject(error as Error), ...(meta && { meta }) })
        .execute(undefined)
        .catch(() => {})
    })

  it('are told when they ask for it, in the words of the user and without the text of the error', async () => {
    const { client } = await showScene(<AuthToaster />)
    await fail(client, { notify: true }, new Error('GET https://api.test/?token=secret'))
    expect(toastTexts()).toEqual(['That did not work.'])
    expect(saidTexts().assertive).toBe('That did not work.')
  })

  it.each<[string, AuthError, string]>([
    ['network', network('PUT /api/firms'), 'The server could not be reached.'],
    ['403', unexpectedStatus('PUT', { status: 403, body: {} }), 'You are not allowed to do that.'],
    ['401', unexpectedStatus('PUT', { status: 401, body: {} }), 'The server does not accept your sign-in.'],
    ['429', unexpectedStatus('PUT', { status: 429, body: {} }), 'The server is busy. Give it a moment.'],
    ['503', unexpectedStatus('PUT', { status: 503, body: {} }), 'The server is busy. Give it a moment.'],
    [
      '409',
      unexpectedStatus('PUT', { status: 409, body: {} }),
      'Somebody else changed this meanwhile. Look at their change, then save again.',
    ],
    [
      'a blocked popup',
      new AuthError('popup-blocked', 'The browser blocked the window'),
      'Your browser blocked the window. Allow windows of this site.',
    ],
  ])('are told by their code: %s', async (_, error, text) => {
    const { client } = await showScene(<AuthToaster />)
    await fail(client, { notify: true }, error)
    expect(toastTexts()).toEqual([text])
  })

  it('are told in the words of the app when it gives them', async () => {
    const { client } = await showScene(<AuthToaster />)
    await fail(client, { notify: 'Saving the firm failed.' })
    expect(toastTexts()).toEqual(['Saving the firm failed.'])
  })

  it('are not told when they do not ask, or say false', async () => {
    const { client } = await showScene(<AuthToaster />)
    await fail(client, undefined)
    await fail(client, { notify: false })
    expect(toastTexts()).toEqual([])
  })

  it('are told without an AuthProvider, by a client that is handed over', async () => {
    const client = new QueryClient()
    render(<AuthToaster queryClient={client} />)
    await fail(client, { notify: true })
    expect(toastTexts()).toEqual(['That did not work.'])
  })

  it('of a user who has gone are not told to whoever sits there now', async () => {
    const { client, host, auth, settle } = await showScene(<AuthToaster />)
    await settle()
    let reject: (error: Error) => void = () => {}
    const running = client
      .getMutationCache()
      .build(client, {
        mutationFn: () => new Promise((_, refuse) => (reject = refuse)),
        meta: { notify: 'Saving the file of Mr Jones failed.' },
      })
      .execute(undefined)
      .catch(() => {})
    await settle()
    endElsewhere({ host, auth })
    act(() => host.emit('focus'))
    await act(async () => {
      reject(new Error('too late'))
      await running
    })
    expect(document.body.textContent).not.toContain('Jones')
  })

  it('are told no more when the toaster has gone', async () => {
    const { client, unmount } = await showScene(<AuthToaster />)
    unmount()
    await fail(client, { notify: true })
    render(<AuthToaster />)
    expect(toastTexts()).toEqual([])
  })
})
