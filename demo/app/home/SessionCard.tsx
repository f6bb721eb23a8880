// The session: whose it is, until when its token lives, and the two things one can do with it.
import { useAuthSelector, useLogout, useRenew, useUser } from 'latchkey'
import { Badge } from '../parts/Badge.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LongId } from '../parts/LongId.tsx'
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
  const [tone, text] = !isSignedIn
    ? (['warn', 'Ended'] as const)
    : impersonatorId !== undefined
      ? (['warn', 'On behalf of'] as const)
      : (['good', 'Signed in'] as const)
  return (
    <Card
      title="Session"
      className="session"
      aside={<Badge tone={tone}>{text}</Badge>}
      actions={
        <>
          <Button tone="primary" isBusy={renew.isPending} onClick={() => renew.mutate({ force: true })}>
            <Icon name="renew" size={18} />
            {renew.isPending ? 'Renewing…' : 'Renew now'}
          </Button>
          <Button isBusy={logout.isPending} onClick={() => logout.mutate()}>
            <Icon name="signOut" size={18} />
            {logout.isPending ? 'Signing out…' : 'Sign out'}
          </Button>
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
                <LongId key="id" of="session" value={String(sessionId)} />
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
