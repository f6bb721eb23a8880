// What this app reads from the user info; what is not there or not a text stays away.
import { type User, useUserInfo, type UserInfo } from 'latchkey'

export type Person = ReturnType<typeof readPerson>

export function readPerson(userInfo: UserInfo) {
  const { name, email, title, role } = textsOf(userInfo)
  return { name, email, title, role, firm: textsOf(userInfo['firm']) }
}

const textsOf = (value: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

export const usePerson = () => useUserInfo({ select: readPerson })

/** Whether the user may change what belongs to the firm, by the role that `claims` of this app's config reads. The server decides in the end. */
export const isAdministrator = (user: User): boolean => 'role' in user && user.role === 'administrator'
