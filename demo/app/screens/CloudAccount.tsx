// The user's account at the cloud provider: linked, confirmed and unlinked in popups, and its access token.
import {
  type CloudUserInfo,
  useCloudUserInfo,
  useLinkCloudAccount,
  useReauthenticateCloudAccount,
  useUnlinkCloudAccount,
} from 'latchkey'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { TokenCard } from '../cloud/TokenCard.tsx'
import { KnownBadge } from '../parts/Badge.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Nothing } from '../parts/Notice.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { ADMINISTRATORS_KNOW, Reading } from '../parts/Reading.tsx'
import { dayAndTime } from '../words.ts'
import '../cloud/cloud.css'

export function CloudAccount() {
  const account = useCloudUserInfo()
  const isLinked = account.data?.['linked'] === true
  return (
    <>
      <PageHead
        title="Cloud account"
        about="Your account at the firm's cloud provider. Linking, confirming and unlinking happen on the provider's own pages, in a window of their own."
      />
      <div className="screen-columns">
        <Card
          title="Linked account"
          about="GET /cloudprovider/userinfo"
          aside={
            <KnownBadge isKnown={account.data !== undefined} tone={isLinked ? 'good' : 'plain'}>
              {isLinked ? 'Linked' : 'Not linked'}
            </KnownBadge>
          }
        >
          <div className="account-place">
            <Reading of={account} what="your cloud account" count={5} forbidden={ADMINISTRATORS_KNOW}>
              {(data) => <Account account={data} isLinked={isLinked} />}
            </Reading>
          </div>
        </Card>
        <TokenCard />
      </div>
    </>
  )
}

function Account({ account, isLinked }: { account: CloudUserInfo; isLinked: boolean }) {
  const link = useLinkCloudAccount()
  const confirm = useReauthenticateCloudAccount()
  const unlink = useUnlinkCloudAccount()
  const popups = [
    [link, 'Your account is linked', 'No account was linked'],
    [confirm, 'Thank you, the link is confirmed', 'The link was not confirmed'],
    [unlink, 'Your account is unlinked', 'The account is still linked'],
  ] as const
  const isBusy = popups.some(([{ isPending }]) => isPending)
  /** Opens one, and forgets what came of the others. */
  const open = ({ mutate }: { mutate(): void }) => {
    for (const [popup] of popups) if (!popup.isPending) popup.reset()
    mutate()
  }
  const text = (name: string) => (typeof account[name] === 'string' ? account[name] : 'unknown')
  return (
    <>
      {isLinked ? (
        <>
          <Facts
            facts={[
              ['Name', text('name')],
              ['Email', text('email')],
              ['Account', <code key="id">{text('id')}</code>],
              ['Linked', dayAndTime(account['linkedAt'])],
              ['Confirmed', dayAndTime(account['confirmedAt'])],
            ]}
          />
          <div className="actions">
            <Button isBusy={isBusy} onClick={() => open(confirm)}>
              Confirm it is me
            </Button>
            <Button tone="danger" isBusy={isBusy} onClick={() => open(unlink)}>
              Unlink
            </Button>
          </div>
        </>
      ) : (
        <Nothing
          icon="cloud"
          title="No account is linked"
          text="Link your account to work with the firm's files and calendars from here."
        >
          <Button tone="primary" isBusy={isBusy} onClick={() => open(link)}>
            Link my account
          </Button>
        </Nothing>
      )}
      {popups.map(([popup, done, unchanged]) => (
        <PopupNotice key={done} popup={popup} done={done} unchanged={unchanged} onRetry={() => open(popup)} />
      ))}
    </>
  )
}
