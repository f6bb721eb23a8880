// The user's account at the cloud provider: linked, confirmed and unlinked in popups, and its access token.
import {
  type CloudUserInfo,
  useCloudUserInfo,
  useLinkCloudAccount,
  useReauthenticateCloudAccount,
  useUnlinkCloudAccount,
  useUserInfo,
} from 'latchkey'
import type { ReactNode } from 'react'
import { Nothing } from '../cloud/Nothing.tsx'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { ReadNotice } from '../cloud/ReadNotice.tsx'
import { TokenCard } from '../cloud/TokenCard.tsx'
import { useIsAdministrator } from '../cloud/useIsAdministrator.ts'
import { atWork } from '../parts/atWork.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts, FactsLoading } from '../parts/Facts.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { dayAndTime } from '../words.ts'
import '../cloud/cloud.css'

export function CloudAccount() {
  const { data: account, error, isPending, isFetching, refetch } = useCloudUserInfo()
  const isAdministrator = useIsAdministrator() ?? false
  const { isPending: isReading } = useUserInfo()
  const isLinked = account?.['linked'] === true
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
            <span className="badge-place" data-known={account !== undefined}>
              <Badge tone={isLinked ? 'good' : 'plain'}>{isLinked ? 'Linked' : 'Not linked'}</Badge>
            </span>
          }
        >
          <div className="account-place">
            {isPending && <FactsLoading count={5} label="Reading your cloud account" />}
            {error && (
              <ReadNotice
                error={error}
                title="Your cloud account could not be read"
                forbidden="Ask an administrator of your firm."
                isBusy={isFetching}
                onRetry={() => void refetch()}
              />
            )}
            {account && <Account account={account} isLinked={isLinked} />}
          </div>
        </Card>
        <TokenCard isAdministrator={isAdministrator} isReading={isReading} />
      </div>
    </>
  )
}

function Account({ account, isLinked }: { account: CloudUserInfo; isLinked: boolean }) {
  const link = useLinkCloudAccount()
  const confirm = useReauthenticateCloudAccount()
  const unlink = useUnlinkCloudAccount()
  const isBusy = link.isPending || confirm.isPending || unlink.isPending
  const forget = () => {
    for (const popup of [link, confirm, unlink]) if (!popup.isPending) popup.reset()
  }
  const openLink = () => {
    forget()
    link.mutate()
  }
  const openConfirm = () => {
    forget()
    confirm.mutate()
  }
  const openUnlink = () => {
    forget()
    unlink.mutate()
  }
  const text = (name: string): ReactNode => {
    const value = account[name]
    return typeof value === 'string' ? value : 'unknown'
  }
  return (
    <>
      {isLinked ? (
        <Facts
          facts={[
            ['Name', text('name')],
            ['Email', text('email')],
            ['Account', <code key="id">{text('id')}</code>],
            ['Linked', dayAndTime(account['linkedAt'])],
            ['Confirmed', dayAndTime(account['confirmedAt'])],
          ]}
        />
      ) : (
        <Nothing
          icon="cloud"
          title="No account is linked"
          text="Link your account to work with the firm's files and calendars from here."
        >
          <button type="button" className="button button-primary" {...atWork(isBusy)} onClick={openLink}>
            Link my account
          </button>
        </Nothing>
      )}
      {isLinked && (
        <div className="actions">
          <button type="button" className="button" {...atWork(isBusy)} onClick={openConfirm}>
            Confirm it is me
          </button>
          <button type="button" className="button button-danger" {...atWork(isBusy)} onClick={openUnlink}>
            Unlink
          </button>
        </div>
      )}
      <PopupNotice
        popup={link}
        done="Your account is linked"
        unchanged="No account was linked"
        onRetry={openLink}
      />
      <PopupNotice
        popup={confirm}
        done="Thank you, the link is confirmed"
        unchanged="The link was not confirmed"
        onRetry={openConfirm}
      />
      <PopupNotice
        popup={unlink}
        done="Your account is unlinked"
        unchanged="The account is still linked"
        onRetry={openUnlink}
      />
    </>
  )
}
