// Options for TanStack's persisters: what they keep on a disk is read for its own user only, and removed when they go.
import {
  defaultShouldDehydrateMutation,
  defaultShouldDehydrateQuery,
  type DehydratedState,
  type DehydrateOptions,
  hydrate,
  type HydrateOptions,
  type Mutation,
  type Query,
  type QueryClient,
} from '@tanstack/react-query'
import { REASONS, type SignedOutReason } from '../protocol/signedOutReasons.ts'
import type { Auth, GoneUser } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { untilChanged } from '../session/store.ts'
import { authKeys, holderOf, isForDisk, isLatchkeyKey } from './keys.ts'

/** What a persister keeps, as TanStack Query has it. */
export interface PersistedCache {
  /** When it was written, milliseconds since 1970. */
  timestamp: number
  /** Whose it is, and the app's own `buster`. */
  buster: string
  /** Queries and paused mutations. */
  clientState: DehydratedState
}

/** A persister of TanStack Query, such as that of `createAsyncStoragePersister`. */
export interface CachePersister {
  /** Writes, perhaps later. */
  persistClient(cache: PersistedCache): PromiseLike<void> | void
  /** Reads what was written last. */
  restoreClient(): PromiseLike<PersistedCache | undefined> | PersistedCache | undefined
  /** Removes what was written. */
  removeClient(): PromiseLike<void> | void
}

/** Takes the options of TanStack's `persistQueryClient`. */
export interface PersistOptions {
  /** The one that is persisted. */
  queryClient: QueryClient
  /** Where it is kept: of TanStack Query, or your own. */
  persister: CachePersister
  /** What is older is thrown away, milliseconds. Default: one day. */
  maxAge?: number | undefined
  /** The version of the app's data: what another version wrote is thrown away. Default: none. */
  buster?: string | undefined
  /** As TanStack Query has them, for what is read. */
  hydrateOptions?: HydrateOptions | undefined
  /** As TanStack Query has them, for what is written. */
  dehydrateOptions?: DehydrateOptions | undefined
}

/** The members that the filters read: so another release of TanStack's core fits, too. */
type Filters = {
  shouldDehydrateQuery(query: Pick<Query, 'queryKey' | 'meta'>): boolean
  shouldDehydrateMutation(mutation: { options: Pick<Mutation['options'], 'mutationKey'> }): boolean
}

/**
 * For `persistOptions` of TanStack's `PersistQueryClientProvider`, and for its `persistQueryClient`. The members that their
 * types need: `hydrateOptions` of another release of TanStack's core would not fit.
 */
export interface UserPersistOptions {
  /** As given. */
  queryClient: QueryClient
  /** The given one, bound to the user. */
  persister: CachePersister
  /** As given, milliseconds. */
  maxAge: number
  /** As given. */
  buster: string
  /** As given, and skips latchkey's entries. */
  dehydrateOptions: Omit<DehydrateOptions, keyof Filters> & Filters
}

const DAY_MS = 86_400_000
const NOTHING: PersistedCache = { buster: '', timestamp: 0, clientState: { mutations: [], queries: [] } }

/**
 * Binds a persisted cache to its user. The disk is read once it is known who is signed in, and only what was written for them.
 * It is emptied when they go. Paused mutations are never sent as another user. Latchkey's entries are not written. Call it
 * once, beside `createAuth`.
 *
 * @example
 * const persisted = persistOptions(auth, { queryClient, persister })
 * <PersistQueryClientProvider client={queryClient} persistOptions={persisted}>
 */
export function persistOptions(auth: Auth, options: PersistOptions): UserPersistOptions {
  const {
    queryClient,
    persister,
    maxAge = DAY_MS,
    buster = '',
    hydrateOptions = {},
    dehydrateOptions,
  } = options
  /** For whom the disk is read and, once it was read, written. */
  let holding: { readonly owner: string; isRead: boolean } | undefined
  let isFollowing = false

  /** Whether it is still to be settled who is signed in. */
  const isOpen = () => /^(initializing|redirecting)$/.test(auth.getState().status)
  const ownerNow = () => holderOf(auth) && JSON.stringify(authKeys.scoped(auth))
  const busterOf = (owner: string) => `${owner} ${buster}`
  // A clock that was wrong may have dated it in the future.
  const isTooOld = ({ timestamp }: PersistedCache) =>
    Math.abs(internalsOf(auth).platform.now() - timestamp) > maxAge

  /** Returns what was written for the current user. Entries of other users are removed. */
  const read = async (): Promise<PersistedCache | undefined> => {
    const owner = ownerNow()
    const turn = owner === undefined ? undefined : { owner, isRead: false }
    holding = turn
    // The user may sign out while a slow disk is being read: then its entries are discarded.
    const isOver = () => !internalsOf(auth).stillCounts() || holding !== turn || ownerNow() !== owner
    try {
      const kept = await persister.restoreClient()
      if (isOver() || !kept) return undefined
      const isTheirs = owner === undefined ? !isEnded(auth) : kept.buster === busterOf(owner)
      if (!isTheirs || isTooOld(kept)) await persister.removeClient()
      else if (turn) return { ...kept, buster }
      return undefined
    } catch (error) {
      if (isOver()) return undefined
      throw error
    } finally {
      if (turn) turn.isRead = true
    }
  }

  /** A user has signed in, without a page load, after the disk was read while signed out or for another user. */
  const follow = async () => {
    const owner = ownerNow()
    if (owner === undefined || holding?.owner === owner) return
    const kept = await read()
    if (!kept || ownerNow() !== owner) return
    hydrate(queryClient, kept.clientState, hydrateOptions)
    await queryClient.resumePausedMutations()
  }
  const followSafely = () =>
    void follow().catch((error: unknown) =>
      internalsOf(auth).platform.warn('The persisted queries could not be read', error),
    )

  // A logout waits for this, for 5 seconds at most.
  const forget = (_user: GoneUser, reason?: SignedOutReason) => {
    // Not read yet: who comes back to an expired session finds it.
    if (!holding && reason && REASONS[reason].isAwaited) return undefined
    holding = undefined
    // TanStack's persisters write a second late: then this, not the last of the user.
    const writing = (async () => persister.persistClient(NOTHING))()
    writing.catch(() => {})
    return persister.removeClient()
  }
  internalsOf(auth).caches.attach({ clear: forget })

  const given = <Name extends keyof Filters>(name: Name) =>
    dehydrateOptions?.[name] ?? queryClient.getDefaultOptions().dehydrate?.[name]

  return {
    ...options,
    maxAge,
    buster,
    persister: {
      persistClient: (cache) =>
        holding?.isRead && internalsOf(auth).stillCounts() && holding.owner === ownerNow()
          ? persister.persistClient({ ...cache, buster: busterOf(holding.owner) })
          : undefined,
      async restoreClient() {
        if (isOpen()) await untilChanged(auth, () => !isOpen())
        try {
          return await read()
        } finally {
          if (!isFollowing) auth.subscribe(followSafely)
          isFollowing = true
          followSafely()
        }
      },
      removeClient: () => persister.removeClient(),
    },
    dehydrateOptions: {
      ...dehydrateOptions,
      shouldDehydrateQuery: (query) =>
        isForDisk(query) && (given('shouldDehydrateQuery') ?? defaultShouldDehydrateQuery)(query as Query),
      shouldDehydrateMutation: (mutation) =>
        !isLatchkeyKey(mutation.options.mutationKey) &&
        (given('shouldDehydrateMutation') ?? defaultShouldDehydrateMutation)(mutation as Mutation),
    },
  }
}

/** The last session of this browser has ended for good: its stored entries are not needed any more. */
function isEnded(auth: Auth): boolean {
  const state = auth.getState()
  return state.status === 'unauthenticated' && REASONS[state.reason].clearsDisk === true
}
