// Reads the link map of the user's firm, and saves it with an optimistic update.
import { type QueryClient, type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import { assertWritten } from '../protocol/answers.ts'
import { linkMapPath } from '../protocol/endpoints.ts'
import {
  applyLinkMap,
  checkLinkMap,
  type LinkedEntry,
  type LinkMap,
  readLinkMap,
} from '../protocol/linkMap.ts'
import type { Auth } from '../session/auth.ts'
import { invalidArgument, notAuthenticated } from '../base/sessionErrors.ts'
import type { TaggedAnswer } from '../session/http/send.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, type AuthQuery, READ_DEFAULTS, writeMutation } from './defaults.ts'
import { authKeys, rememberUser } from './keys.ts'

/** Options of reading the link map. */
export interface LinkMapOptions {
  /** Whether to read users without a link too; their `externalUser` is null. Default false. */
  allUsers?: boolean | undefined
}

const NAME = 'link map'

/** The read of `useLinkMap`. */
export function linkMapQuery(auth: Auth, { allUsers = false }: LinkMapOptions = {}): AuthQuery<LinkMap> {
  return {
    ...READ_DEFAULTS,
    queryKey: authKeys.read<LinkMap>(auth, NAME, allUsers ? 'of all users' : 'of linked users'),
    queryFn: async ({ signal }) => {
      const { settings, call } = internalsOf(auth)
      const path = linkMapPath(settings.clientId, { allUsers })
      const answer = (await call({ method: 'GET', path, isTagged: true, signal })) as TaggedAnswer
      const map = readLinkMap(answer.body)
      versions.set(map, answer.etag)
      return map
    },
    structuralSharing: shareVersion,
  }
}

/** Options of saving the link map. */
export interface SaveLinkMapOptions {
  /** The map that the user edited, as `useLinkMap` returned it. Default: the cached map when the save begins. */
  base?: LinkMap | undefined
}

/** The write of `useSaveLinkMap`. */
export function saveLinkMapMutation(
  auth: Auth,
  { base }: SaveLinkMapOptions = {},
): AuthMutation<void, readonly LinkedEntry[]> {
  const { settings, call } = internalsOf(auth)
  const save = writeMutation<void, readonly LinkedEntry[]>(
    auth,
    'save link map',
    async (entries, { client }) => {
      const body = checkLinkMap(entries)
      const isSameUser = rememberUser(auth)
      const queryKey = authKeys.read(auth, NAME)
      const reads = [true, false].map((allUsers) => linkMapQuery(auth, { allUsers }).queryKey)
      // A read in progress would restore the old map.
      await client.cancelQueries({ queryKey })
      // After cancelQueries, so that an earlier optimistic update is found in the cache.
      const basis = versionToSave(client, reads, base)
      let settle: (version: string | undefined) => void = () => {}
      const version = new Promise<string | undefined>((resolve) => {
        settle = resolve
      })
      const updates = (isSameUser() ? reads : []).flatMap((key, index) => {
        const before = client.getQueryData(key)
        if (!before) return []
        const next = index === 0 ? applyLinkMap(before, body) : [...body]
        versions.set(next, version)
        return [{ key, before, shown: client.setQueryData(key, next) }]
      })
      // Saves run one after the other: an edit of an unsaved map is based on the version that its save creates.
      const ifMatch = await basis
      const readAgain = () => client.invalidateQueries({ queryKey })
      try {
        // The user may have changed while it waited for the save before it.
        if (!isSameUser()) throw notAuthenticated()
        const path = linkMapPath(settings.clientId)
        const answer = (await call({ method: 'PUT', path, body, ifMatch, isTagged: true })) as TaggedAnswer
        assertWritten('PUT /cloudprovider/linkmap', answer.body)
        settle(answer.etag)
        void readAgain()
      } catch (error) {
        settle(ifMatch)
        for (const { key, before, shown } of updates) {
          // Restore only this update. A later save has changed the map again, and another user has another cache.
          if (client.getQueryData(key) === shown) client.setQueryData(key, before)
        }
        const reading = readAgain()
        // On a conflict, the callbacks of the app find the current map in the cache.
        if (error instanceof AuthError && error.code === 'conflict') await reading
        throw error
      }
    },
  )
  return { ...save, gcTime: 0 }
}

/** The ETag of a map, which a save sends as If-Match (RFC 9110 §13.1.1); `undefined` if the server sent none. A promise while a save is in progress. */
type Version = string | undefined | Promise<string | undefined>

const versions = new WeakMap<object, Version>()

/** Wraps an app's `select`: its result gets the version of the map, so that a save accepts it as `base`. */
export const selectWithVersion =
  <Selected>(select: (map: LinkMap) => Selected) =>
  (map: LinkMap): Selected => {
    const selected = select(map)
    const isObject = typeof selected === 'object' && selected !== null
    if (isObject && !versions.has(selected)) versions.set(selected, versions.get(map))
    return selected
  }

/**
 * Returns the version that a save sends: that of `base`, else that of the cached map.
 *
 * @throws AuthError `invalid-argument` for a map that was never read
 */
function versionToSave(client: QueryClient, reads: readonly QueryKey[], base: LinkMap | undefined): Version {
  if (base !== undefined) {
    if (!versions.has(base)) {
      throw invalidArgument(
        'base is not a link map that was read',
        'Pass the very array that useLinkMap gave, not a copy.',
      )
    }
    return versions.get(base)
  }
  const found = reads.flatMap((queryKey) => client.getQueryCache().find({ queryKey, exact: true }) ?? [])
  // Prefer a map that a component uses.
  const map = (found.find((query) => query.isActive()) ?? found[0])?.state.data
  return map === undefined ? undefined : versions.get(map as LinkMap)
}

/** TanStack's structural sharing. The array that it makes gets the version of the newer one. */
function shareVersion(before: unknown, now: unknown): unknown {
  const shared = replaceEqualDeep(before, now)
  // An app that changed the cached map based its change on the one before.
  const origin = [now, before].find((map) => versions.has(map as object))
  if (origin && Array.isArray(shared)) versions.set(shared, versions.get(origin))
  return shared
}
