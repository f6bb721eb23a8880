// The user changes the language while the app runs: everything that latchkey says follows, and nothing begins anew.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { memo, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DUTCH } from '../../../examples/texts/dutch.ts'
import { GERMAN } from '../../../examples/texts/german.ts'
import { createAuthError } from '../../../src/testing/errors.ts'
import { type UserTextOptions, useUserText } from '../../../src/hooks/useErrors.ts'
import type { Messages } from '../../../src/protocol/messages.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { createTestAuth, type TestAuthOptions } from '../../../src/testing/testAuth.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { toastQueue } from '../../../src/toaster/toastQueue.ts'
import { saidTexts, toastTexts } from '../toaster/toastsScene.tsx'

beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = () => {}
  HTMLDialogElement.prototype.close = () => {}
})
afterEach(() => act(() => toastQueue.clear()))

let starts = 0
/** A screen that no parent draws anew. */
const Gate = memo(function Gate() {
  return (
    <Authenticated expired={<SignInAgainDialog />}>
      <Draft />
    </Authenticated>
  )
})
function Draft() {
  useState(() => (starts += 1))
  const textOf = useUserText()
  return (
    <>
      <input aria-label="draft" />
      <p>{textOf(createAuthError('offline'))}</p>
    </>
  )
}

function open(options: TestAuthOptions = {}, first?: Messages) {
  const auth = createTestAuth(options)
  const client = new QueryClient()
  let speak: (messages: Messages | undefined) => void = () => {}
  function App() {
    const [messages, setMessages] = useState(first)
    speak = (next) => act(() => setMessages(next))
    return (
      <AuthProvider auth={auth} messages={messages}>
        <Gate />
        <AuthToaster />
      </AuthProvider>
    )
  }
  render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  )
  return { auth, speak: (messages?: Messages) => speak(messages) }
}

const buttonNames = () => screen.getAllByRole('button', { hidden: true }).map((button) => button.textContent)

describe('another language', () => {
  it('is that of the screen for signed-out users, at once', () => {
    const { speak } = open({ state: { status: 'unauthenticated', reason: 'signed-out' } })
    expect(buttonNames()).toEqual(['Sign in'])
    speak(GERMAN)
    expect([screen.getByText('Sie sind abgemeldet.').tagName, ...buttonNames()]).toEqual(['H1', 'Anmelden'])
    speak(DUTCH)
    expect(buttonNames()).toEqual([DUTCH.signIn])
    speak()
    expect(buttonNames()).toEqual(['Sign in'])
  })

  it('is that of a failure and of the dialog over a page', () => {
    const { auth, speak } = open({ state: { status: 'failed', error: createAuthError('network') } }, GERMAN)
    expect(screen.getByText(String(GERMAN.errorNetwork)).textContent).not.toBe('')
    speak(DUTCH)
    expect(screen.getByText(String(DUTCH.errorNetwork)).textContent).not.toBe('')
    act(() => auth.setState({ status: 'authenticated', user: {} }))
    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    expect(screen.getByText(String(DUTCH.signInAgain)).textContent).not.toBe('')
    speak(GERMAN)
    expect(screen.getByText(String(GERMAN.signInAgain)).textContent).not.toBe('')
  })

  it('changes what hooks say of errors, and keeps what was typed: nothing is mounted anew', () => {
    starts = 0
    const { speak } = open()
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    const before = starts
    expect(screen.getByText('That did not work, because you are offline.')).toBeDefined()
    speak(GERMAN)
    expect(screen.getByText('Das ging nicht, weil Sie offline sind.')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('draft').value).toBe('half a sentence')
    expect(starts).toBe(before)
  })

  it('names the toasts, and the notices from then on; one that is shown is not announced again', () => {
    const { auth, speak } = open()
    act(() => void notify.info('saved'))
    act(() => auth.setState({ ...auth.getState(), isOnline: false }))
    expect(toastTexts()).toContain('You are offline. Changes cannot be saved now.')
    const said = saidTexts()
    speak(GERMAN)
    expect(screen.getByRole('region', { name: 'Benachrichtigungen' })).toBeDefined()
    expect(saidTexts()).toEqual(said)
    act(() => auth.setState({ ...auth.getState(), isOnline: true }))
    expect(toastTexts()).toContain(GERMAN.backOnline)
  })

  it('replaces the texts of the config', () => {
    const { speak } = open({
      state: { status: 'unauthenticated', reason: 'signed-out' },
      config: { messages: { signIn: 'Entrez' } },
    })
    expect(buttonNames()).toEqual(['Entrez'])
    speak(GERMAN)
    expect(buttonNames()).toEqual(['Anmelden'])
    speak({ signedOut: 'Abgemeldet' })
    expect(buttonNames()).toEqual(['Sign in'])
  })
})

describe("an app's own words for errors", () => {
  const problem = Object.assign(new Error('[PUT] 422'), {
    status: 422,
    data: { title: 'Invalid firm', detail: 'The name\nis taken.' },
  })
  const said = (options?: UserTextOptions) => {
    const { result } = renderHook(() => useUserText(options))
    return result.current(problem)
  }

  it('come before those of the server, which come before those of latchkey', () => {
    const map = () => 'Choose another name.'
    expect(said({ map, problemDetails: true })).toBe('Choose another name.')
    expect(said({ map: () => undefined, problemDetails: true })).toBe('The name is taken.')
    expect(said({ map: () => undefined })).toBe(
      'Something you entered is not valid. Correct it, then try again.',
    )
  })

  it("the server's words are shown only where the app asks for them", () => {
    expect(said()).not.toContain('taken')
  })
})
