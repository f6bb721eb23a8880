// A session expires behind `<Authenticated expired>`: calls of its user wait for the sign-in, then go out as the same user, or reject.
import { useMutation } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useAuthed } from '../../../src/hooks/useAuthed.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { Authenticated, type AuthenticatedProps } from '../../../src/provider/Authenticated.tsx'
import { AuthError } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { type AppScene, renderApp } from '../appScene.tsx'

/** How a promise has ended so far. */
function ending(promise: Promise<unknown>) {
  const seen: { is: unknown } = { is: 'waits' }
  promise.then(
    (value) => (seen.is = value),
    (error: unknown) => (seen.is = error instanceof AuthError ? error.code : (error as Error).name),
  )
  return seen
}

const SAVE = { method: 'PUT', body: { title: 'Second draft' } } as const

/** Alice at a form, with an API that says whose token a save came with. */
async function startForm(props: Partial<AuthenticatedProps> = {}) {
  const saved: string[] = []
  const refusal = { status: 200 }
  const app: AppScene = renderApp(
    <Authenticated expired={<p>sign in again</p>} {...props}>
      {props.children ?? <p>form</p>}
    </Authenticated>,
    {
      host: {
        async fetch(input, init) {
          const url = input instanceof Request ? input.url : String(input)
          if (!url.startsWith('https://app.test/api/')) return app.server.fetch(input, init)
          await Promise.resolve()
          const { status } = refusal
          if (status !== 200) return Response.json({}, { status })
          const bearer = new Headers(init?.headers).get('authorization') ?? ''
          const user = String((app.server.userInfo(bearer).body as { sub?: string }).sub)
          saved.push(user)
          return Response.json({ user })
        },
      },
    },
  )
  await app.settle()
  const { auth, server, host } = app
  return {
    ...app,
    saved,
    refusal,
    /** The server ends the session, and the next renewal learns of it. */
    async expire() {
      end()
      await act(async () => auth.renew({ force: true }).catch(() => {}))
      await app.settle()
      expect(screen.getByText('sign in again')).toBeDefined()
    },
    end,
    async signIn(userId: string) {
      auth.login({ display: 'popup' }).catch(() => {})
      await app.settle()
      const popup = host.popups.at(-1)!
      server.user = createFakeUser({ userId, sessionId: 's2' })
      popup.post({ type: 'signInAnswer', address: server.callbackOf(popup.urls.at(-1)!) })
      await app.settle()
      expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId } })
    },
  }
  function end() {
    server.revokeAll()
    server.user = undefined
  }
}

/** The ways of a call to the session's token. */
const WAYS: readonly (readonly [name: string, call: (auth: Auth) => Promise<unknown>])[] = [
  ['auth.fetch', (auth) => auth.fetch<{ user: string }>('/api/invoices/1', SAVE).then(({ user }) => user)],
  [
    'auth.fetch.native',
    (auth) =>
      auth.fetch
        .native('/api/invoices/1', { method: 'PUT', body: '{}' })
        .then((response) => response.json())
        .then(({ user }) => user),
  ],
  ['getAccessToken', (auth) => auth.getAccessToken().then(() => 'alice')],
  ['getAccessToken, forced', (auth) => auth.getAccessToken({ force: true }).then(() => 'alice')],
]

it.each(WAYS)('%s waits for the sign-in, then goes out as the same user', async (_, call) => {
  const form = await startForm()
  await form.expire()
  const save = ending(call(form.auth))
  await form.advance(60_000)
  expect(save.is).toBe('waits')
  await form.signIn('alice')
  expect(save.is).toBe('alice')
})

it.each(WAYS)('%s, the call that learns that the session has ended, waits too', async (_, call) => {
  const form = await startForm()
  form.end()
  // The token is over when the machine wakes, and this call is the first to ask for another.
  form.host.clock.sleep(700_000)
  const save = ending(call(form.auth))
  await form.settle()
  expect([save.is, screen.queryByText('sign in again') !== null]).toEqual(['waits', true])
  await form.signIn('alice')
  expect(save.is).toBe('alice')
})

it('a save that the API refused with 401 because the session has ended is sent again after the sign-in', async () => {
  const form = await startForm()
  form.end()
  form.refusal.status = 401
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.settle()
  expect([save.is, screen.queryByText('sign in again') !== null]).toEqual(['waits', true])
  form.refusal.status = 200
  await form.signIn('alice')
  expect([save.is, form.saved]).toEqual([{ user: 'alice' }, ['alice']])
})

it('a save under way when the session expires is answered, and not sent twice', async () => {
  const form = await startForm()
  const { fetch } = form.host
  let answer = () => {}
  form.host.fetch = async (input, init) => {
    if (input === '/api/invoices/1' || JSON.stringify(input).includes('/api/'))
      await new Promise<void>((resolve) => (answer = resolve))
    return fetch(input, init)
  }
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.settle()
  await form.expire()
  answer()
  await form.settle()
  expect([save.is, form.saved.length]).toEqual([{ user: 'undefined' }, 1])
})

it("hooks wait as well: a mutation of the app, a query of useAuthed and latchkey's own reads", async () => {
  const Form = () => {
    const { auth } = useAuth()
    const save = useMutation({ mutationFn: () => auth.fetch('/api/invoices/1', SAVE) })
    const { refetch, data } = useAuthed({
      queryKey: ['invoice'],
      queryFn: () => auth.fetch<{ user: string }>('/api/invoices/1'),
    })
    const info = useUserInfo()
    return (
      <>
        <button type="button" onClick={() => [save.mutate(), void refetch(), void info.refetch()]}>
          save
        </button>
        <p>
          {save.status} {String(data?.user)} {info.fetchStatus} {String(info.data?.['sub'])}
        </p>
      </>
    )
  }
  const form = await startForm({ children: <Form /> })
  await form.expire()
  fireEvent.click(screen.getByText('save'))
  await form.advance(60_000)
  expect(screen.getByText('pending alice fetching alice')).toBeDefined()
  await form.signIn('alice')
  expect(screen.getByText('success alice idle alice')).toBeDefined()
})

it('another user who signs in is not who asked: the call rejects, and nothing is sent', async () => {
  const form = await startForm()
  await form.expire()
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  const token = ending(form.auth.getAccessToken())
  await form.settle()
  await form.signIn('bob')
  expect([save.is, token.is, form.saved]).toEqual(['not-authenticated', 'not-authenticated', []])
})

it('a sign-out instead of the sign-in rejects what waits', async () => {
  const form = await startForm()
  await form.expire()
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.settle()
  void form.auth.logout()
  await form.settle()
  expect([save.is, form.saved]).toEqual(['not-authenticated', []])
})

it.each([
  [undefined, 600],
  [20, 20],
])('waits as long as callsWaitInSeconds says (%s), then rejects', async (callsWaitInSeconds, seconds) => {
  const form = await startForm({ callsWaitInSeconds })
  await form.expire()
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.advance(seconds * 1000 - 1)
  expect(save.is).toBe('waits')
  await form.advance(1)
  expect(save.is).toBe('not-authenticated')
  await form.signIn('alice')
  expect(form.saved).toEqual([])
})

it('waits without an end where callsWaitInSeconds is Infinity', async () => {
  const form = await startForm({ callsWaitInSeconds: Infinity })
  await form.expire()
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.advance(3_600_000)
  expect(save.is).toBe('waits')
})

it.each([
  ['with callsWaitInSeconds 0', { callsWaitInSeconds: 0 }],
  ['without a screen for an expired session', { expired: undefined }],
])('%s a call rejects at once', async (_, props) => {
  const form = await startForm(props)
  form.end()
  await act(async () => form.auth.renew({ force: true }).catch(() => {}))
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.settle()
  expect(save.is).toBe('not-authenticated')
})

it("the caller's AbortSignal ends the wait", async () => {
  const form = await startForm()
  await form.expire()
  const caller = new AbortController()
  const { signal } = caller
  const save = ending(form.auth.fetch.native('/api/invoices/1', { method: 'PUT', signal }))
  await form.settle()
  caller.abort()
  await form.settle()
  expect(save.is).toBe('AbortError')
  await form.signIn('alice')
  expect(form.saved).toEqual([])
})

it('explain() says that a call waits, and that the sign-in did not come in time', async () => {
  const form = await startForm()
  await form.expire()
  for (let time = 0; time < 3; time += 1) void ending(form.auth.getAccessToken())
  await form.advance(600_000)
  const steps = form.auth.explain().filter(({ step }) => step === 'wait for the sign-in')
  expect(steps.map(({ outcome }) => outcome)).toEqual(['started', 'failed'])
})

it('leaves no timer and no listener when the wait is over', async () => {
  const form = await startForm()
  await form.expire()
  const { timers } = form.host.counts()
  const save = ending(form.auth.fetch('/api/invoices/1', SAVE))
  await form.settle()
  expect(form.host.counts().timers).toBe(timers + 1)
  form.auth.dispose()
  await vi.dynamicImportSettled()
  await form.settle()
  expect(save.is).toBe('not-authenticated')
})
