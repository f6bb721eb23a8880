// Something came out well, or came out as nothing at all: said once, and to people who cannot see it, too.
import type { ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'

export function GoodNotice({
  title,
  tone = 'good',
  children,
}: {
  title: string
  tone?: 'good' | 'plain'
  children?: ReactNode
}) {
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
