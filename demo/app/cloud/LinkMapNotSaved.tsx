// Says why the link map was not saved, and keeps what was typed while it is read again.
import type { AuthError } from 'latchkey'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'

interface LinkMapNotSavedProps {
  error: AuthError
  /** What stays: "my changes". */
  kept: string
  isReading: boolean
  onRead(): void
}

export function LinkMapNotSaved({ error, kept, isReading, onRead }: LinkMapNotSavedProps) {
  return (
    <ErrorNotice
      error={error}
      title={
        error.code === 'conflict' ? 'Somebody else has changed the link map' : 'The link map was not saved'
      }
    >
      <button type="button" className="button" disabled={isReading} onClick={onRead}>
        Read it again and keep {kept}
      </button>
    </ErrorNotice>
  )
}
