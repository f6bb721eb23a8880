// What came of something: well, or as nothing at all; an empty place; a word above everything else.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

export interface NoticeProps {
  title: string
  tone?: 'good' | 'plain'
  children?: ReactNode
}

/** Said once, and to people who cannot see it, too. */
export function Notice({ title, tone = 'plain', children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role="status">
      <Icon name={tone === 'good' ? 'check' : 'info'} />
      <div>
        <p className="notice-title">{title}</p>
        {children}
      </div>
    </div>
  )
}

/** An empty place, with what could be here and how it gets here. */
export function Nothing({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="nothing">
      <Icon name={icon} size={36} />
      <p>
        <strong>{title}</strong>
      </p>
      <p className="soft">{text}</p>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  )
}

/** Stays in sight while the page scrolls. */
export function Banner({ title, text }: { title: string; text: string }) {
  return (
    <div className="banner" role="status">
      <Icon name="offline" size={18} />
      <span>
        <strong>{title}</strong> {text}
      </span>
    </div>
  )
}

export const OfflineBanner = () => (
  <Banner
    title="You are offline."
    text="What is on the screen stays; new data comes when the network is back."
  />
)
