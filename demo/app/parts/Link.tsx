// A link to a screen of this app; new tabs and other habits of the browser stay as they are.
import type { MouseEvent, ReactNode } from 'react'
import { addressOf, goTo } from '../router.ts'

export interface LinkProps {
  to: string
  className?: string
  isCurrent?: boolean
  onFollow?: () => void
  children: ReactNode
}

export function Link({ to, className, isCurrent = false, onFollow, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(to)
    onFollow?.()
  }
  return (
    <a
      href={addressOf(to)}
      className={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
