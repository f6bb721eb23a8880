'use client'
// The screen for a user without permission: latchkey's own, or that of the nearest `<Authenticated>`.
import { type Context, createContext, type ReactNode, useContext, useRef } from 'react'
import type { AuthError } from '../base/errors.ts'
import type { User } from '../protocol/claims.ts'
import { adoptStyle, BUTTON_CSS } from './adoptedStyle.ts'
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

// System colours follow the color-scheme of the page.
const CSS = `
div:where(.latchkey-gate){box-sizing:border-box;max-width:27rem;margin:12vh auto;padding:32px;border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-radius:var(--latchkey-radius,10px);background:Canvas;color:CanvasText;font:15px/1.45 var(--latchkey-font,system-ui,sans-serif);overflow-wrap:anywhere}
h1:where(.latchkey-gate>h1){margin:0 0 16px;font:600 22px/1.3 var(--latchkey-font,system-ui,sans-serif);letter-spacing:-.01em;text-wrap:balance}
p:where(.latchkey-gate p){margin:0 0 16px}
details:where(.latchkey-gate>details){margin:24px 0 0;padding:16px 0 0;border-top:1px solid color-mix(in srgb,CanvasText 22%,Canvas);font-size:14px}
summary:where(.latchkey-gate summary){cursor:pointer}
p:where(.latchkey-gate details p){margin:8px 0 0}
:where(.latchkey-gate>:last-child){margin-bottom:0}
@media(max-width:30rem){div:where(.latchkey-gate){margin:16px;padding:24px 20px}}
`
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
  useBeforePaint(() => adoptStyle(screen.current!, BUTTON_CSS, CSS), [])
  return (
    <div ref={screen} className="latchkey-gate" role={isAlert ? 'alert' : undefined}>
      <Brand />
      <h1>{title}</h1>
      {children}
    </div>
  )
}
