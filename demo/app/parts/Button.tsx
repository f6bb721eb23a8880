// Buttons, with words or with an icon alone.
import type { ComponentProps, MouseEvent } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface Busy {
  /** What it has begun is not over: a second press does nothing. */
  isBusy?: boolean
}

export interface ButtonProps extends ComponentProps<'button'>, Busy {
  tone?: 'primary' | 'danger'
}

export function Button({ tone, isBusy = false, ...button }: ButtonProps) {
  const className = tone === undefined ? 'button' : `button button-${tone}`
  return <button type="button" className={className} {...button} {...(isBusy && AT_WORK)} />
}

export interface IconButtonProps extends ComponentProps<'button'>, Busy {
  icon: IconName
  /** What it does, for people who cannot see it. */
  label: string
  size?: number
}

export function IconButton({ icon, label, size = 20, isBusy = false, ...button }: IconButtonProps) {
  return (
    <button type="button" className="button-icon" aria-label={label} {...button} {...(isBusy && AT_WORK)}>
      <span className={isBusy && icon === 'renew' ? 'turning' : undefined}>
        <Icon name={icon} size={size} />
      </span>
    </button>
  )
}

/** A disabled button would lose the focus, and who uses a keyboard their place. */
const AT_WORK = {
  'aria-disabled': true,
  onClickCapture(event: MouseEvent) {
    event.preventDefault()
    event.stopPropagation()
  },
}
