'use client'
// Buttons that cause faults, for development.
import { type ReactNode, useId } from 'react'
import type { Auth } from '../session/auth.ts'
import { faultsOf } from './faults.ts'
import { Section } from './parts.tsx'
import type { Snapshot } from './snapshot.ts'
import { watchOf } from './watch.ts'

export function FaultsSection({ auth, snapshot }: { auth: Auth; snapshot: Snapshot }): ReactNode {
  const { isOffline, isConnectionCut, blockers } = snapshot.faults
  const faults = faultsOf(auth)
  const press = (fault: () => unknown) => () => {
    void Promise.resolve(fault()).finally(watchOf(auth).look)
  }
  return (
    <Section title="Faults">
      <ul className="latchkey-dt-faults">
        <Fault
          name="Expire token"
          about="The next call renews it."
          blocker={blockers.expireToken}
          onPress={press(faults.expireToken)}
        />
        <Fault
          name={isOffline ? 'Go online' : 'Go offline'}
          about="For the session, and for all that listen to the browser."
          isOn={isOffline}
          onPress={press(() => faults.setOffline(!isOffline))}
        />
        <Fault
          name={isConnectionCut ? 'Restore real time' : 'Drop real time'}
          about="In this tab."
          isOn={isConnectionCut}
          blocker={blockers.realtimeCut}
          onPress={press(() => faults.setRealtimeCut(!isConnectionCut))}
        />
        <Fault
          name="Clash"
          about="Sign in with another browser."
          blocker={blockers.clash}
          onPress={press(faults.clash)}
        />
      </ul>
    </Section>
  )
}

function Fault({
  name,
  about,
  isOn,
  blocker,
  onPress,
}: {
  name: string
  about: string
  /** Absent if the fault cannot be switched off. */
  isOn?: boolean
  blocker?: string | undefined
  onPress(): void
}) {
  const aboutId = useId()
  return (
    <li>
      <button
        type="button"
        data-on={isOn}
        disabled={blocker !== undefined && isOn !== true}
        aria-describedby={aboutId}
        onClick={onPress}
      >
        {name}
      </button>
      <span id={aboutId} className="latchkey-dt-soft">
        {blocker ?? about}
      </span>
    </li>
  )
}
