// What the authorization server knows of the user, read with the access token.
import { useUserInfo } from 'latchkey'
import type { ReactNode } from 'react'
import { appConfig } from 'virtual:app-config'
import { serverHas } from '../auth.ts'
import { atWork } from '../parts/atWork.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts, FactsLoading } from '../parts/Facts.tsx'
import { Icon } from '../parts/Icon.tsx'
import { type Person, readPerson } from '../person.ts'

export function UserInfoCard() {
  const { data, error, isPending, isFetching, refetch } = useUserInfo({ select: readPerson })
  return (
    <Card
      title="User info"
      className="bare"
      about={`GET ${new URL(appConfig.userInfoUrl).pathname}, with the bearer token`}
      aside={
        <button
          type="button"
          className="button-icon"
          title="Read again"
          aria-label="Read the user info again"
          {...atWork(isFetching)}
          onClick={() => void refetch()}
        >
          <span className={isFetching ? 'turning' : ''}>
            <Icon name="renew" />
          </span>
        </button>
      }
    >
      {isPending && <FactsLoading count={5} label="Reading the user info" />}
      {error && (
        <ErrorNotice error={error} title="The user info could not be read">
          <button type="button" className="button" {...atWork(isFetching)} onClick={() => void refetch()}>
            Try again
          </button>
        </ErrorNotice>
      )}
      {data && (
        <Facts
          facts={[
            ['Name', data.name ?? 'unknown'],
            ['Email', data.email ?? 'unknown'],
            ...(serverHas('firm') ? ofTheFirm(data) : []),
          ]}
        />
      )}
    </Card>
  )
}

const ofTheFirm = (data: Person): (readonly [string, ReactNode])[] => [
  ['Position', data.title ?? 'unknown'],
  [
    'Role',
    <Badge key="role" tone={data.role === 'administrator' ? 'good' : 'plain'}>
      {data.role ?? 'unknown'}
    </Badge>,
  ],
  ['Firm', [data.firmName, data.firmCity].filter(Boolean).join(', ') || 'unknown'],
]
