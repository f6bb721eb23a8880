// The first screen: who is signed in, how long the token lives, what the server knows.
import { SessionCard } from '../home/SessionCard.tsx'
import { TryCard } from '../home/TryCard.tsx'
import { UserInfoCard } from '../home/UserInfoCard.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { usePerson } from '../person.ts'
import { useNow } from '../useNow.ts'
import { greeting } from '../words.ts'

const EVERY_MINUTE_MS = 60_000

export function Home() {
  const now = new Date(useNow(EVERY_MINUTE_MS))
  const { data } = usePerson()
  const firstName = data?.name?.split(' ')[0]
  return (
    <>
      <PageHead
        title={firstName === undefined ? greeting(now) : `${greeting(now)}, ${firstName}`}
        about={now.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })}
      />
      <div className="home">
        <SessionCard />
        <UserInfoCard />
        <TryCard />
      </div>
    </>
  )
}
