// Options for TanStack's persisters: entries on the disk are read for their own user only, and removed when that user signs out.
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

/** The stored data of a persister, as TanStack Query defines it. */
export interface PersistedCache {
  /** When it was written, milliseconds since 1970. */
  timestamp: number
  /** The user, and the app's own `buster`. */
  buster: string
  /** Queries and paused mutations. */
  clientState: DehydratedState
}

/** A persister of TanStack Query, such as that of `createAsyncStoragePersister`. */
export interface CachePersister {
  /** Writes, perhaps later. */
  persistClient(cache: PersistedCache): PromiseLike<void> | void
  /** Reads the last write. */
  restoreClient(): PromiseLike<PersistedCache | undefined> | PersistedCache | undefined
  /** Removes the stored data. */
  removeClient(): PromiseLike<void> | void
}

/** Takes the options of TanStack's `persistQueryClient`. */
export interface PersistOptions {
  /** The QueryClient to persist. */
  queryClient: QueryClient
  /** A persister of TanStack Query, or your own. */
  persister: CachePersister
  /** Older data is discarded, milliseconds. Default: one day. */
  maxAge?: number | undefined
  /** The version of the app's data: data of another version is discarded. Default: none. */
  buster?: string | undefined
  /** TanStack's options for reading. */
  hydrateOptions?: HydrateOptions | undefined
  /** TanStack's options for writing. */
  dehydrateOptions?: DehydrateOptions | undefined
}

/** Only the members that the filters read, so that another release of TanStack's core fits, too. */
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
 * Binds a persisted cache to its user. The disk is read after start-up, and only entries of the signed-in user. It is emptied
 * when that user signs out. Paused mutations are never sent as another user. Latchkey's entries are not written. Call it once,
 * beside `createAuth`.
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
  /** The user for whom the disk is read, and afterwards written. */
  let holding: { readonly owner: string; isRead: boolean } | undefined
  let isFollowing = false

  /** Whether start-up or a redirect is still in progress. */
  const isOpen = () => /^(initializing|redirecting)$/.test(auth.getState().status)
  const ownerNow = () => holderOf(auth) && JSON.stringify(authKeys.scoped(auth))
  const busterOf = (owner: string) => `${owner} ${buster}`
  // A clock that was wrong may have dated it in the future.
  const isTooOld = ({ timestamp }: PersistedCache) =>
    Math.abs(internalsOf(auth).platform.now() - timestamp) > maxAge

  /** Returns the stored data of the current user. Entries of other users are removed. */
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
    // Not read yet: a user who returns to an expired session finds it.
    if (!holding && reason && REASONS[reason].isAwaited) return undefined
    holding = undefined
    // TanStack's persisters write a second late: then this write counts, not the user's last one.
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
