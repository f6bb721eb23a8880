'use client'
// What a user sees who may not: one of latchkey's own screens, or what the nearest `<Authenticated>` has for it.
import { type Context, createContext, type ReactNode, useRef } from 'react'
import type { AuthError } from '../errors.ts'
import type { User } from '../protocol/claims.ts'
import type { Auth } from '../session/auth.ts'
import { adoptStyle, BUTTON_CSS } from './adoptedStyle.ts'
import { useSay } from './context.ts'
import { useBeforePaint } from './beforePaint.ts'

/** Shown to a user who may not. `error` is there when a call was refused, and not when `allow` refused. */
export type ForbiddenContent = ReactNode | ((user: User, error?: AuthError) => ReactNode)

/** That of the nearest `<Authenticated>`. */
export const ForbiddenContext: Context<ForbiddenContent> = createContext<ForbiddenContent>(undefined)

/** What is shown of it; latchkey's own screen where the app has none. */
export function showForbidden(
  auth: Auth,
  content: ForbiddenContent,
  user: User | undefined,
  error?: AuthError,
): ReactNode {
  if (typeof content !== 'function') return content ?? <Refused auth={auth} said={error?.description} />
  return user ? content(user, error) : null
}

function Refused({ auth, said }: { auth: Auth; said: string | undefined }): ReactNode {
  const say = useSay(auth)
  return (
    <OwnScreen isAlert>
      <p>{say('forbidden')}</p>
      {said !== undefined && <p>{said}</p>}
    </OwnScreen>
  )
}

// System colours follow the color-scheme of the page.
const CSS = `
div:where(.latchkey-gate){box-sizing:border-box;max-width:26rem;margin:10vh auto;padding:20px;border:1px solid color-mix(in srgb,CanvasText 22%,Canvas);border-radius:var(--latchkey-radius,10px);background:Canvas;color:CanvasText;font:15px/1.45 var(--latchkey-font,system-ui,sans-serif);overflow-wrap:anywhere}
p:where(.latchkey-gate>p){margin:0 0 12px}
p:where(.latchkey-gate>p:last-child){margin:0}
@media(max-width:30rem){div:where(.latchkey-gate){margin:16px}}
`
/** One of latchkey's own screens, presentable without a style of the app. */
export function OwnScreen({
  isAlert = false,
  children,
}: {
  isAlert?: boolean
  children: ReactNode
}): ReactNode {
  const screen = useRef<HTMLDivElement>(null)
  useBeforePaint(() => adoptStyle(screen.current!, BUTTON_CSS, CSS), [])
  return (
    <div ref={screen} className="latchkey-gate" role={isAlert ? 'alert' : undefined}>
      {children}
    </div>
  )
}
