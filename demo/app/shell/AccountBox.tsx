// Who is signed in, and the way out; at the foot of the navigation.
import { useLogout, useUser } from 'latchkey'
import { initials } from '../../initials.ts'
import { breakable } from '../parts/breakable.ts'
import { IconButton } from '../parts/Button.tsx'
import { usePerson } from '../person.ts'

export function AccountBox() {
  const user = useUser()
  const { data, isPending } = usePerson()
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
        <span>{breakable(data?.firm['name'] ?? data?.email ?? '\u00A0')}</span>
      </span>
      <IconButton
        icon="signOut"
        title="Sign out"
        label="Sign out"
        isBusy={logout.isPending}
        onClick={() => logout.mutate()}
      />
    </div>
  )
}
