// The page outside the app: one message, what can be done about it, and how it came to this.
import { useAuthSelector } from 'latchkey'
import { type ReactNode, useId } from 'react'
import { Brand } from '../parts/Brand.tsx'
import { OfflineBanner } from '../parts/Notice.tsx'
import { useFocusOnChange } from '../shell/useFocusOnChange.ts'
import { Steps } from '../parts/Steps.tsx'
import { useTimeline } from '../useTimeline.ts'

export interface GatePageProps {
  title: string
  actions: ReactNode
  children: ReactNode
}

export function GatePage({ title, actions, children }: GatePageProps) {
  const isOnline = useAuthSelector((state) => state.isOnline)
  const steps = useTimeline()
  const mainRef = useFocusOnChange(title)
  const headingId = useId()
  return (
    <>
      {!isOnline && <OfflineBanner />}
      <main ref={mainRef} className="gate" tabIndex={-1} aria-labelledby={headingId}>
        <title>{`${title} · Deskwell`}</title>
        <div className="card gate-card">
          <Brand />
          <h1 id={headingId}>{title}</h1>
          {children}
          <div className="actions">{actions}</div>
          <details>
            <summary>What happened</summary>
            <Steps steps={steps} />
          </details>
        </div>
      </main>
    </>
  )
}
