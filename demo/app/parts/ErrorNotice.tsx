// An error as the user sees it: what happened, what to do next, and the code that support asks for.
import { AuthError } from 'latchkey'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { breakable } from './breakable.ts'

export interface ErrorNoticeProps {
  error: unknown
  /** What the user tried, in words: 'User info could not be read'. Default: the error's own message. */
  title?: string
  /** A button that tries again, for example. */
  children?: ReactNode
  /** Tells it at once to people who cannot see it. Default true. */
  isAnnounced?: boolean
}

export function ErrorNotice({ error, title, children, isAnnounced = true }: ErrorNoticeProps) {
  const message = error instanceof Error ? error.message : 'Something went wrong'
  const { code, status, remedy } = error instanceof AuthError ? error : {}
  return (
    <div className="notice notice-bad" role={isAnnounced ? 'alert' : undefined}>
      <Icon name="alert" />
      <div>
        <p className="notice-title">{title ?? breakable(message)}</p>
        {title !== undefined && title !== message && <p>{breakable(message)}</p>}
        {remedy !== undefined && <p>{remedy}</p>}
        {code !== undefined && (
          <p className="soft small">
            Code <code>{code}</code>
            {status !== undefined && `, status ${status}`}
          </p>
        )}
        {children !== undefined && <div className="actions">{children}</div>}
      </div>
    </div>
  )
}
