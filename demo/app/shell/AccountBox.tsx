// Who is signed in, and the way out; at the foot of the navigation.
import { useLogout, useUser, useUserInfo } from 'latchkey'
import { atWork } from '../parts/atWork.ts'
import { Icon } from '../parts/Icon.tsx'
import { readPerson } from '../person.ts'
import { initials } from '../words.ts'

export function AccountBox() {
  const user = useUser()
  const { data, isPending } = useUserInfo({ select: readPerson })
  const logout = useLogout()
  // An id that gives way to the name at once would only flicker.
  const name = data?.name ?? (isPending ? undefined : String(user.userId))
  return (
    <div className="account">
      <span className="face" aria-hidden="true">
        {name !== undefined && initials(name)}
      </span>
      <span className="account-text">
        <strong>{name ?? '\u00A0'}</strong>
        <span>{data?.firmName ?? data?.email ?? '\u00A0'}</span>
      </span>
      <button
        type="button"
        className="button-icon"
        title="Sign out"
        aria-label="Sign out"
        {...atWork(logout.isPending)}
        onClick={() => logout.mutate()}
      >
        <Icon name="signOut" />
      </button>
    </div>
  )
}
