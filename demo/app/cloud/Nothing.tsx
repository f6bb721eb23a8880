// An empty place, with what could be here and how it gets here.
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/Icon.tsx'

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
