// Whose session it is, as names and values.
import { useUser } from 'latchkey'
import type { ReactNode } from 'react'
import { Facts } from '../parts/Facts.tsx'
import { LongId } from '../parts/LongId.tsx'

export function SessionFacts({ more }: { more: readonly (readonly [name: string, value: ReactNode])[] }) {
  const { userId, firmId, sessionId, impersonatorId } = useUser()
  const session = sessionId === undefined ? 'not named' : <LongId of="session" value={String(sessionId)} />
  return (
    <Facts
      facts={[
        ['User', <code key="user">{userId}</code>],
        ['Firm', <code key="firm">{firmId ?? 'none'}</code>],
        ['Session', session],
        ...(impersonatorId === undefined
          ? []
          : ([['Acted by', <code key="impersonator">{impersonatorId}</code>]] as const)),
        ...more,
      ]}
    />
  )
}
