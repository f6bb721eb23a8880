// The session: whose it is, until when its token lives, and the two things one can do with it.
import { useAuthSelector, useLogout, useRenew, useUser } from 'latchkey'
import { atWork } from '../parts/atWork.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { LongId } from '../parts/LongId.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useTimeline } from '../useTimeline.ts'
import { TokenClock } from './TokenClock.tsx'

export function SessionCard() {
  const { userId, firmId, sessionId, impersonatorId } = useUser()
  const isSignedIn = useAuthSelector(({ status }) => status === 'authenticated')
  const renew = useRenew()
  const logout = useLogout()
  const renewalCount = useTimeline().filter(
    ({ step, outcome }) => step === 'renew token' && outcome === 'done',
  ).length

  return (
    <Card
      title="Session"
      className="session"
      aside={
        !isSignedIn ? (
          <Badge tone="warn">Ended</Badge>
        ) : impersonatorId === undefined ? (
          <Badge tone="good">Signed in</Badge>
        ) : (
          <Badge tone="warn">On behalf of</Badge>
        )
      }
      actions={
        <>
          <button
            type="button"
            className="button button-primary"
            {...atWork(renew.isPending)}
            onClick={() => renew.mutate({ force: true })}
          >
            <Icon name="renew" size={18} />
            {renew.isPending ? 'Renewing…' : 'Renew now'}
          </button>
          <button
            type="button"
            className="button"
            {...atWork(logout.isPending)}
            onClick={() => logout.mutate()}
          >
            <Icon name="signOut" size={18} />
            {logout.isPending ? 'Signing out…' : 'Sign out'}
          </button>
        </>
      }
    >
      <div className="session-body">
        <TokenClock />
        <Facts
          facts={[
            ['User', <code key="user">{userId}</code>],
            ['Firm', <code key="firm">{firmId ?? 'none'}</code>],
            [
              'Session',
              sessionId === undefined ? (
                'not named'
              ) : (
                <LongId key="session" of="session" value={String(sessionId)} />
              ),
            ],
            ...(impersonatorId === undefined
              ? []
              : ([['Acted by', <code key="impersonator">{impersonatorId}</code>]] as const)),
            ['Renewals', <span key="renewals" data-testid="renewals">{`${renewalCount} in this tab`}</span>],
          ]}
        />
      </div>
      {renew.error && <ErrorNotice error={renew.error} title="The token could not be renewed" />}
    </Card>
  )
}
