// Says why the link map was not saved, and what can be done about it; what was typed stays.
import { type AuthError, type AuthErrorCode, useStepUp } from 'latchkey'
import { useEffect, useRef } from 'react'
import { Button } from '../parts/Button.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Notice } from '../parts/Notice.tsx'
import { ServersWords } from '../parts/ServersWords.tsx'

/** The user has turned back or closed the window: nothing went wrong, and the question stands as before. */
const TURNED_BACK: readonly AuthErrorCode[] = ['access-denied', 'popup-closed']

interface LinkMapNotSavedProps {
  error: AuthError
  /** What stays: "my changes". */
  kept: string
  isReading: boolean
  onRead(): void
  /** Saves the same again: the user has confirmed that it is they. */
  onConfirmed(): void
  /** The page is about to be left: what was typed is kept for the next one. */
  onLeave(): void
}

export function LinkMapNotSaved({ error, kept, isReading, onRead, ...confirm }: LinkMapNotSavedProps) {
  if (error.code === 'step-up-required') return <Confirm error={error} kept={kept} {...confirm} />
  return (
    <ErrorNotice
      error={error}
      title={
        error.code === 'conflict' ? 'Somebody else has changed the link map' : 'The link map was not saved'
      }
    >
      <Button isBusy={isReading} onClick={onRead}>
        Read it again and keep {kept}
      </Button>
    </ErrorNotice>
  )
}

type ConfirmProps = Pick<LinkMapNotSavedProps, 'error' | 'kept' | 'onConfirmed' | 'onLeave'>

/** In a window, so that the page stays; on the page only when no window could be had, and the user says so. */
function Confirm({ error, kept, onConfirmed, onLeave }: ConfirmProps) {
  const stepUp = useStepUp()
  const { error: refusal } = stepUp
  const hasTurnedBack = refusal !== null && TURNED_BACK.includes(refusal.code)
  const box = useRef<HTMLDivElement>(null)
  // The table is long, and a bar covers the foot of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
    box.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [refusal])
  const confirmed = () => {
    // This box goes: the keyboard goes on at the button that is at work now, as if it had been pressed again.
    box.current?.parentElement?.querySelector<HTMLElement>('.map-save .button-primary')?.focus()
    onConfirmed()
  }
  const inWindow = () => stepUp.mutate({ error, display: 'popup' }, { onSuccess: confirmed })
  const onPage = () => {
    onLeave()
    stepUp.mutate({ error })
  }
  return (
    <div ref={box}>
      <Notice title="Confirm that it is you">
        <p>
          {stepUp.isPending
            ? 'The window is open. Your change is saved as soon as you have confirmed there.'
            : `Your firm asks for it before the link map changes. ${kept === 'my text' ? 'Your text stays' : 'Your changes stay'} here.`}
        </p>
        <div className="actions">
          <Button tone="primary" onClick={inWindow}>
            {stepUp.isPending ? 'Show the window' : 'Confirm and save'}
          </Button>
        </div>
      </Notice>
      {hasTurnedBack && <ServersWords body={refusal.body} />}
      {refusal && !hasTurnedBack && (
        <ErrorNotice error={refusal} title="You have not confirmed that it is you">
          <Button onClick={onPage}>Confirm on the sign-in page</Button>
        </ErrorNotice>
      )}
    </div>
  )
}
