// Who is signed in, and the way out; at the foot of the navigation.
import { useLogout, useUser, useUserInfo } from 'latchkey'
import { Icon } from '../parts/Icon.tsx'
import { readPerson } from '../person.ts'
import { initials } from '../words.ts'

export function AccountBox() {
  const user = useUser()
  const { data } = useUserInfo({ select: readPerson })
  const logout = useLogout()
  const name = data?.name ?? String(user.userId)
  return (
    <div className="account">
      <span className="face" aria-hidden="true">
        {initials(name)}
      </span>
      <span className="account-text">
        <strong>{name}</strong>
        <span>{data?.firmName ?? data?.email ?? '\u00A0'}</span>
      </span>
      <button
        type="button"
        className="button-icon"
        title="Sign out"
        aria-label="Sign out"
        disabled={logout.isPending}
        onClick={() => logout.mutate()}
      >
        <Icon name="signOut" />
      </button>
    </div>
  )
}
