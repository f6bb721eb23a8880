// What this app reads from the user info; anything that is not there or not a text stays away.
import type { UserInfo } from 'latchkey'

export interface Person {
  name?: string
  email?: string
  title?: string
  role?: string
  firmName?: string
  firmCity?: string
}

export function readPerson(userInfo: UserInfo): Person {
  const firm = isRecord(userInfo['firm']) ? userInfo['firm'] : {}
  return {
    ...text('name', userInfo['name']),
    ...text('email', userInfo['email']),
    ...text('title', userInfo['title']),
    ...text('role', userInfo['role']),
    ...text('firmName', firm['name']),
    ...text('firmCity', firm['city']),
  }
}

const text = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' ? { [name]: value } : {}) as { [key in Name]?: string }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
