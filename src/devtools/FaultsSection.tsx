'use client'
// Buttons that cause faults, for development.
import { type ReactNode, useId } from 'react'
import type { Auth } from '../session/auth.ts'
import { faultsOf } from './faults.ts'
import { Section } from './sections.tsx'
import type { Snapshot } from './snapshot.ts'
import { watchOf } from './watch.ts'

interface Fault {
  name: string
  about: string
  /** Absent if the fault cannot be switched off. */
  isOn?: boolean
  blocker?: string | undefined
  cause(): unknown
}

export function FaultsSection({ auth, snapshot }: { auth: Auth; snapshot: Snapshot }): ReactNode {
  const { isOffline, isConnectionCut, blockers } = snapshot.faults
  const faults = faultsOf(auth)
  const id = useId()
  const list: readonly Fault[] = [
    {
      name: 'Expire token',
      about: 'The next call renews it.',
      blocker: blockers.expireToken,
      cause: faults.expireToken,
    },
    {
      name: isOffline ? 'Go online' : 'Go offline',
      about: 'For the session, and for all that listen to the browser.',
      isOn: isOffline,
      cause: () => faults.setOffline(!isOffline),
    },
    {
      name: isConnectionCut ? 'Restore real time' : 'Drop real time',
      about: 'In this tab.',
      isOn: isConnectionCut,
      blocker: blockers.realtimeCut,
      cause: () => faults.setRealtimeCut(!isConnectionCut),
    },
    { name: 'Clash', about: 'Sign in with another browser.', blocker: blockers.clash, cause: faults.clash },
  ]
  return (
    <Section title="Faults">
      <ul className="latchkey-dt-faults">
        {list.map(({ name, about, isOn, blocker, cause }, index) => (
          <li key={about}>
            <button
              type="button"
              data-on={isOn}
              disabled={blocker !== undefined && isOn !== true}
              aria-describedby={`${id}${index}`}
              onClick={() => void Promise.resolve(cause()).finally(watchOf(auth).look)}
            >
              {name}
            </button>
            <span id={`${id}${index}`} className="latchkey-dt-soft">
              {blocker ?? about}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
