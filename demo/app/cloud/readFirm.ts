// What the firm screen reads from the user info; what is not there is said to be unknown.
import type { UserInfo } from 'latchkey'

export interface FirmFacts {
  id: string
  name: string
  city: string
  cloudProviderId: string | undefined
}

export function readFirm(userInfo: UserInfo): FirmFacts {
  const { firm } = userInfo as { firm?: Partial<Record<string, unknown>> | null }
  const text = (name: string) => (typeof firm?.[name] === 'string' ? firm[name] : undefined)
  return {
    id: text('id') ?? '',
    name: text('name') ?? 'unknown',
    city: text('city') ?? 'unknown',
    cloudProviderId: text('cloudProviderId'),
  }
}
