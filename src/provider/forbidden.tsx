'use client'
// The screen for a user without permission: latchkey's own, or that of the nearest `<Authenticated>`.
import { type Context, createContext, type ReactNode, useContext, useRef } from 'react'
import type { AuthError } from '../base/errors.ts'
import type { User } from '../protocol/claims.ts'
import { adoptStyle } from './adoptedStyle.ts'
import { useSay, useBeforePaint } from './context.ts'

/** Shown to a user without permission. `error` is present when a call was refused, and absent when `allow` refused. */
export type ForbiddenContent = ReactNode | ((user: User, error?: AuthError) => ReactNode)

/** Props of the nearest `<Authenticated>` for the screens below. */
interface Gate {
  readonly forbidden?: ForbiddenContent
  readonly appName?: string | undefined
  readonly mark?: ReactNode
  /** The user whose content is shown; it stays when their session has expired. */
  readonly shown?: User | undefined
}

export const GateContext: Context<Gate> = createContext<Gate>({})

/** The app's mark and name, where it gave them. */
export function Brand(): ReactNode {
  const { appName, mark } = useContext(GateContext)
  return (
    (mark || appName) && (
      <span className="latchkey-brand">
        {mark}
        {appName}
      </span>
    )
  )
}

/** The app's screen, or latchkey's own. */
export function showForbidden(
  content: ForbiddenContent,
  user: User | undefined,
  error?: AuthError,
): ReactNode {
  if (typeof content !== 'function') return content ?? <Refused said={error?.description} />
  return user ? content(user, error) : null
}

function Refused({ said }: { said: string | undefined }): ReactNode {
  const say = useSay()
  return (
    <OwnScreen isAlert title={say('forbidden')}>
      {said !== undefined && <p>{said}</p>}
    </OwnScreen>
  )
}

/** One of latchkey's own screens, presentable without a style of the app. */
export function OwnScreen({
  title,
  isAlert = false,
  children,
}: {
  title: string
  isAlert?: boolean
  children?: ReactNode
}): ReactNode {
  const screen = useRef<HTMLDivElement>(null)
  useBeforePaint(() => {
    const element = screen.current!
    // The page around it may have a main part already.
    if (!element.ownerDocument.querySelector('main,[role=main]')) element.setAttribute('role', 'main')
    return adoptStyle(element)
  }, [])
  return (
    <div ref={screen} className="latchkey-gate">
      <div role={isAlert ? 'alert' : undefined}>
        <Brand />
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
