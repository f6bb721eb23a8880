// A read that failed: what was to be read, why not, and once more; for those who may not, who may.
import { useForbidden } from 'latchkey/tanstack-query'
import { atWork } from '../parts/atWork.ts'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Nothing } from './Nothing.tsx'

export interface ReadNoticeProps {
  error: unknown
  title: string
  /** Who may, when this user may not. */
  forbidden: string
  isBusy: boolean
  onRetry(): void
}

export function ReadNotice({ error, title, forbidden, isBusy, onRetry }: ReadNoticeProps) {
  const refused = useForbidden(error)
  if (refused) return <Nothing icon="security" title="Not for you to see" text={forbidden} />
  return (
    <ErrorNotice error={error} title={title}>
      <button type="button" className="button" {...atWork(isBusy)} onClick={onRetry}>
        Try again
      </button>
    </ErrorNotice>
  )
}
