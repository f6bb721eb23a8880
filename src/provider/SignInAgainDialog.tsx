'use client'
// Asks a user whose session has expired to sign in again, in a popup, while the page behind keeps typed text.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { AuthError } from '../base/errors.ts'
import { signInText } from '../protocol/userText.ts'
import type { LoginOptions } from '../session/auth.ts'
import { isExpired } from '../session/state.ts'
import { adoptStyle } from './adoptedStyle.ts'
import { dialogs, signInPages, useAuthObject, useSay, useStoreBeforePaint } from './context.ts'
import { Brand } from './forbidden.tsx'
import { Overlay } from './Overlay.tsx'

/** Props of `SignInAgainDialog`. */
export interface SignInAgainDialogProps {
  /** Options of `login`; the dialog sets `display`. */
  options?: Omit<LoginOptions, 'display'> | undefined
}

/**
 * A dialog over the page of a user whose session has expired. Its button signs in in a window, so that the page keeps what
 * was typed. It leaves the page only on a second button, when the window was blocked or closed. Draws nothing in any other
 * state. Put it into the `expired` prop of `<Authenticated>`, which keeps the page behind it mounted.
 *
 * @throws AuthError `no-provider`
 * @example
 * <Authenticated expired={<SignInAgainDialog />}>
 *   <Invoices />
 * </Authenticated>
 */
export function SignInAgainDialog({ options }: SignInAgainDialogProps): ReactNode {
  const auth = useAuthObject()
  const state = useStoreBeforePaint(auth.subscribe, auth.getState, auth.getState)
  return (
    isExpired(state) && (
      <Overlay>
        <Dialog options={options} />
      </Overlay>
    )
  )
}

function Dialog({ options }: SignInAgainDialogProps): ReactNode {
  const auth = useAuthObject()
  const [error, setError] = useState<AuthError>()
  const [isOpen, setIsOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const say = useSay()

  // Closed before it unmounts: the focus returns to the field where the user was typing.
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const removals = [adoptStyle(current), signInPages.add(auth), dialogs.add(auth)]
    current.showModal()
    return () => {
      current.close()
      for (const remove of removals) remove()
    }
  }, [auth])

  const signIn = (display: 'popup' | 'page') => {
    setError(undefined)
    setIsOpen(display === 'popup')
    auth
      .login({ ...options, display })
      .catch((cause: unknown) => setError(cause as AuthError))
      .finally(() => setIsOpen(false))
  }
  return (
    <dialog
      ref={dialog}
      className="latchkey-dialog"
      aria-labelledby={TITLE}
      onCancel={keepOpen}
      onClose={openAgain}
    >
      <Brand />
      <h2 id={TITLE}>{say('signInAgain')}</h2>
      <p role="status">{isOpen ? say('signInWindow') : say('signInAgainKeeps')}</p>
      {error && <p role="alert">{signInText(error, say)}</p>}
      <div>
        <button type="button" className="latchkey-button latchkey-main" onClick={() => signIn('popup')}>
          {isOpen ? say('showWindow') : say('signIn')}
        </button>
        {error && (
          <button type="button" className="latchkey-button" onClick={() => signIn('page')}>
            {say('signInPage')}
          </button>
        )}
      </div>
    </dialog>
  )
}

const TITLE = 'latchkey-sign-in-again'

/** Nothing behind it can be used without a session. */
const keepOpen = (event: { preventDefault(): void }) => event.preventDefault()

/** Some browsers close it with a second Escape, although `cancel` is prevented. */
const openAgain = ({ currentTarget }: { currentTarget: HTMLDialogElement }) => {
  if (currentTarget.isConnected) currentTarget.showModal()
}
