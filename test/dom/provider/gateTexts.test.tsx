// Every word that latchkey's own gate and dialog say can be replaced by the app: nothing English is left on the screen.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { AuthError, type AuthErrorCode } from '../../../src/base/errors.ts'
import { ENGLISH, type MessageName, type Messages } from '../../../src/protocol/messages.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import { AUTH_ERROR_CODES, createAuthError } from '../../../src/testing/errors.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'

const names = Object.keys(ENGLISH) as MessageName[]
const OWN: Messages = Object.fromEntries(names.map((name) => [name, `[${name}]`]))
/** What is on the screen beside the app's own texts. */
const foreign = () => document.body.textContent.replace(/\[\w+\]/g, '')
const show = (state: TestState, content: ReactNode = <Authenticated>inside</Authenticated>) => {
  const auth = createTestAuth({ state })
  render(
    <TestAuthProvider auth={auth} messages={OWN}>
      {content}
    </TestAuthProvider>,
  )
  return auth
}
// jsdom has no modal dialogs.
HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
  this.open = true
}
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false
}
afterEach(cleanup)

it.each(['none', 'cancelled'] as const)('the gate of somebody who was not signed in (%s)', (reason) => {
  show({ status: 'unauthenticated', reason })
  expect(document.body.textContent).toBe('[notSignedIn][signIn]')
})

it.each([
  ['signed-out', 'signedOut'],
  ['idle', 'idleSignedOut'],
  ['session-clash', 'signedOut'],
  ['expired', 'sessionEnded'],
] as const)('the gate of somebody who is signed out (%s)', (reason, name) => {
  show({ status: 'unauthenticated', reason })
  expect(screen.getByRole('alert').textContent).toBe(`[${name}][signIn]`)
})

it.each<[AuthErrorCode, MessageName]>([
  ['network', 'errorNetwork'],
  ['timeout', 'errorTimeout'],
  ['offline', 'errorOffline'],
  ['rate-limited', 'errorBusy'],
  ['redirect-loop', 'errorRedirectLoop'],
  ['storage-unavailable', 'errorStorage'],
  ['invalid-metadata', 'errorSetup'],
])('the gate of a start-up that failed (%s)', (code, name) => {
  show({ status: 'failed', error: new AuthError(code, 'English'), retryAtMs: Date.now() + 9_000 })
  expect(document.body.textContent).toBe(
    `[signInFailed][${name}][tryingAgainIn][tryAgain][whatHappened]English${code}`,
  )
})

it.each([400, 422])(
  'the gate of a start-up that the server refused with %i asks nobody to correct anything',
  (status) => {
    const body = { error: 'invalid_grant', error_description: 'Code not valid' }
    show({ status: 'failed', error: new AuthError('unexpected-status', 'English', { status, body }) })
    expect(document.querySelector('.latchkey-problem')!.textContent).toBe('[errorDenied]')
    expect(document.querySelector('details')!.textContent).toContain('Code not valid')
  },
)

it.each(AUTH_ERROR_CODES)('the gate of a start-up that failed says "try again" once at most (%s)', (code) => {
  render(
    <TestAuthProvider auth={createTestAuth({ state: { status: 'failed', error: createAuthError(code) } })}>
      <Authenticated>inside</Authenticated>
    </TestAuthProvider>,
  )
  // What is for developers is read on request.
  document.querySelector('details')?.remove()
  expect(document.body.textContent.match(/try again/gi)?.length ?? 0).toBeLessThanOrEqual(1)
})

it('the gate of a user who may not', () => {
  show({ status: 'authenticated' }, <Authenticated allow={() => false}>inside</Authenticated>)
  expect(document.body.textContent).toBe('[forbidden]')
})

it('the dialog over an expired page, while its window is open and after it was closed', async () => {
  const auth = show({ status: 'unauthenticated', reason: 'expired' }, <SignInAgainDialog />)
  const shown = [document.body.textContent]
  let close = (_error: AuthError) => {}
  auth.login = async () =>
    new Promise((_resolve, reject) => {
      close = reject
    })
  fireEvent.click(screen.getByText('[signIn]'))
  shown.push(document.body.textContent)
  await act(async () => close(new AuthError('popup-closed', 'English')))
  shown.push(document.body.textContent)
  expect(foreign()).toBe('')
  expect(shown).toEqual([
    '[signInAgain][signInAgainKeeps][signIn]',
    '[signInAgain][signInWindow][showWindow]',
    '[signInAgain][signInAgainKeeps][errorPopupClosed][signIn][signInPage]',
  ])
})
