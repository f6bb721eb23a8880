// The session could not be established: what went wrong, what to do, and a button that tries again.
import type { AuthError } from 'latchkey'
import { Button } from '../parts/Button.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { useNow } from '../useNow.ts'
import { GatePage } from './GatePage.tsx'

export interface FailedProps {
  error: AuthError
  retry: () => void
  retryAtMs?: number | undefined
}

export function Failed({ error, retry, retryAtMs }: FailedProps) {
  const isOffline = error.code === 'offline'
  return (
    <GatePage
      title={isOffline ? 'You are offline' : 'We could not sign you in'}
      actions={
        <Button tone="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>
        {isOffline
          ? 'Deskwell reconnects automatically.'
          : 'This page stays where it is, and you come back to it once you are signed in.'}
      </p>
      <ErrorNotice error={error} isForUsers />
      {retryAtMs !== undefined && <CountDown untilMs={retryAtMs} />}
    </GatePage>
  )
}

function CountDown({ untilMs }: { untilMs: number }) {
  const seconds = Math.max(0, Math.ceil((untilMs - useNow()) / 1000))
  return <p role="timer">Next attempt in {seconds} s.</p>
}
