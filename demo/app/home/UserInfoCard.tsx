// What the authorization server knows of the user, read with the access token.
import type { ReactNode } from 'react'
import { appConfig } from 'virtual:app-config'
import { serverHas } from '../auth.ts'
import { Badge } from '../parts/Badge.tsx'
import { IconButton } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Reading } from '../parts/Reading.tsx'
import { type Person, usePerson } from '../person.ts'

export function UserInfoCard() {
  const person = usePerson()
  const { isFetching, refetch } = person
  return (
    <Card
      title="User info"
      className="bare"
      about={`GET ${new URL(appConfig.userInfoUrl).pathname}, with the bearer token`}
      aside={
        <IconButton
          icon="renew"
          title="Read again"
          label="Read the user info again"
          isBusy={isFetching}
          onClick={() => void refetch()}
        />
      }
    >
      <Reading of={person} what="the user info" count={5}>
        {(data) => (
          <Facts
            facts={[
              ['Name', data.name ?? 'unknown'],
              ['Email', data.email ?? 'unknown'],
              ...(serverHas('firm') ? ofTheFirm(data) : []),
            ]}
          />
        )}
      </Reading>
    </Card>
  )
}

const ofTheFirm = ({ title, role, firm }: Person): (readonly [string, ReactNode])[] => [
  ['Position', title ?? 'unknown'],
  [
    'Role',
    <Badge key="role" tone={role === 'administrator' ? 'good' : 'plain'}>
      {role ?? 'unknown'}
    </Badge>,
  ],
  ['Firm', [firm['name'], firm['city']].filter(Boolean).join(', ') || 'unknown'],
]
