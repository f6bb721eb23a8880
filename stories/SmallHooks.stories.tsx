// The hooks without a call of their own: one value of the state, the four hooks of a session, text that is still being typed.
import {
  useAuthHook,
  useAuthSelector,
  useDebouncedCallback,
  useDebouncedValue,
  useRenew,
  useStepUp,
} from 'latchkey'
import { createAuthError, TestAuthProvider } from 'latchkey/testing'
import { useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'

const meta = preview.meta({
  title: 'Small hooks',
  component: TestAuthProvider,
  parameters: {
    docs: {
      description: {
        component:
          'Hooks without a call of their own. Reference: [useAuthSelector](./?path=/docs/hooks-useauthselector--docs), [useAuthHook](./?path=/docs/hooks-useauthhook--docs), [useStepUp](./?path=/docs/hooks-usestepup--docs), [useDebouncedValue](./?path=/docs/hooks-usedebouncedvalue--docs), [useDebouncedCallback](./?path=/docs/hooks-usedebouncedcallback--docs)',
      },
    },
  },
})

function FirmName() {
  const firmId = useAuthSelector((state) =>
    state.status === 'authenticated' ? state.user.firmId : undefined,
  )
  return <h1>{firmId === undefined ? 'No firm' : `Firm ${firmId}`}</h1>
}

export const OneValueOfTheState = meta.story({
  args: { children: <FirmName /> },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('Firm f1'),
})
export const OneValueOfAnotherState = meta.story({
  args: { children: <FirmName />, state: { status: 'unauthenticated' } },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('No firm'),
})

function RenewalBell() {
  const renew = useRenew()
  const [count, setCount] = useState(0)
  useAuthHook('afterRefreshToken', () => setCount((before) => before + 1))
  return (
    <main>
      <h1>Renewals</h1>
      <p role="status">{count} heard</p>
      <button type="button" onClick={() => renew.mutate({ force: true })}>
        Renew
      </button>
    </main>
  )
}

export const HookCalledAfterRenewal = meta.story({
  args: { children: <RenewalBell /> },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button'))
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('1 heard'))
  },
})

const NEEDED = createAuthError('step-up-required')

function PayOut() {
  const stepUp = useStepUp()
  return (
    <main>
      <h1>Pay out</h1>
      <p role="alert">{NEEDED.message}</p>
      <button type="button" onClick={() => stepUp.mutate({ error: NEEDED })}>
        Sign in again
      </button>
    </main>
  )
}

export const StrongerSignIn = meta.story({
  args: { children: <PayOut /> },
  async play({ canvas, userEvent }) {
    await expect(canvas.getByRole('alert')).toHaveTextContent('This needs a stronger sign-in')
    await userEvent.click(canvas.getByRole('button'))
  },
})

function Search() {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<readonly string[]>([])
  const settled = useDebouncedValue(text)
  const send = useDebouncedCallback((words: string) => setSent((before) => [...before, words]))
  return (
    <main>
      <h1>Search</h1>
      <label>
        Name{' '}
        <input
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            send(target.value)
          }}
        />
      </label>
      <p role="status">
        Shown: {settled}. Sent {sent.length}: {sent.join(', ')}
      </p>
    </main>
  )
}

export const TypedQuicklySentOnce = meta.story({
  args: { children: <Search /> },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole('textbox'), 'anna')
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Shown: anna. Sent 1: anna'))
  },
})
