// Keeps the query cache on a disk for its own user: it is read when that user is signed in, and emptied when they go.
import type { QueryClient } from '@tanstack/react-query'
import { type Persister, persistQueryClient } from '@tanstack/query-persist-client-core'
import { type Auth, authKeys, shouldDehydrateMutation, shouldDehydrateQuery } from 'latchkey'

const NOTHING = { buster: '', timestamp: 0, clientState: { mutations: [], queries: [] } }

/** Call it once, beside `createAuth`. */
export function keepOnDisk(auth: Auth, queryClient: QueryClient, persister: Persister): void {
  let stop: (() => void) | undefined
  // A logout waits for this, for 5 seconds at most.
  auth.onUserGone(() => {
    stop?.()
    stop = undefined
    // TanStack's persisters write a second late: then this, not the last of the user.
    void persister.persistClient(NOTHING)
    return persister.removeClient()
  })
  const keep = () => {
    if (stop || auth.getState().status !== 'authenticated') return
    let isGone = false
    const [end, restored] = persistQueryClient({
      queryClient,
      persister: {
        persistClient: (kept) => persister.persistClient(kept),
        // What a slow disk gives back after its user has gone is for nobody.
        async restoreClient() {
          const kept = await persister.restoreClient()
          return isGone ? undefined : kept
        },
        removeClient: () => (isGone ? undefined : persister.removeClient()),
      },
      // Another user's disk is thrown away unread.
      buster: JSON.stringify(authKeys.scoped(auth)),
      dehydrateOptions: { shouldDehydrateQuery, shouldDehydrateMutation },
    })
    restored.catch(() => {
      // TanStack reports a disk that cannot be read, and throws it away.
    })
    stop = () => {
      isGone = true
      end()
    }
  }
  auth.subscribe(keep)
  keep()
}
