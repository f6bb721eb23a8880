// An error as the user reads it, and below it what a developer reads: the library's own words, its remedy and the code.
import { AuthError, useUserText } from 'latchkey'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { breakable } from './breakable.ts'

export interface ErrorNoticeProps {
  error: unknown
  /** What the user tried, in words: 'User info could not be read'. Default: the library's text for users. */
  title?: string
  /** A button that tries again, for example. */
  children?: ReactNode
  /** Tells it at once to people who cannot see it. Default true. */
  isAnnounced?: boolean
  /** Outside the app: leaves out what only a developer reads, which stands under "What happened". Default false. */
  isForUsers?: boolean
}

export function ErrorNotice({
  error,
  title,
  children,
  isAnnounced = true,
  isForUsers = false,
}: ErrorNoticeProps) {
  const say = useUserText()
  const { code, status, remedy, message } = error instanceof AuthError ? error : {}
  const text = say(error)
  return (
    <div className="notice notice-bad" role={isAnnounced ? 'alert' : undefined}>
      <Icon name="alert" />
      <div>
        <p className="notice-title">{title ?? text}</p>
        {title !== undefined && <p>{text}</p>}
        {!isForUsers && message !== undefined && !text.startsWith(message) && (
          <p className="soft small">{breakable(message)}</p>
        )}
        {!isForUsers && remedy !== undefined && <p className="soft small">{remedy}</p>}
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
