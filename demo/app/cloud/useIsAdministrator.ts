// Whether the user may change what belongs to the firm; the server decides in the end.
import { useUserInfo } from 'latchkey'
import { readPerson } from '../person.ts'

/** `undefined` while it is not known. */
export function useIsAdministrator(): boolean | undefined {
  const { data } = useUserInfo({ select: (userInfo) => readPerson(userInfo).role })
  return data === undefined ? undefined : data === 'administrator'
}
