// The link map of the user's firm: read, and saved with its effect in sight before the server has agreed (spec §3, §5, §7).
import type { QueryKey } from '@tanstack/react-query'
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
import { sessionOf } from '../session/session.ts'
import { READ_DEFAULTS, WRITE_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import { rememberUser } from './sameUser.ts'
import type { AuthMutation, AuthQuery } from './types.ts'

/** Which users are read. */
export interface LinkMapOptions {
  /** Also those without a link, whose `externalUser` is null. Default false. */
  allUsers?: boolean | undefined
}

/** What a save has shown before the server agreed, to be taken back when it does not. */
export interface ShownLinkMap {
  /** The query whose data was changed. */
  readonly key: QueryKey
  /** Its data before. */
  readonly before: LinkMap
  /** Its data now, unless somebody changed it since. */
  readonly shown: LinkMap
}

const NAME = 'link map'

/**
 * Reads GET /cloudprovider/linkmap.
 *
 * Errors: `not-authenticated`, `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const linkMap = await queryClient.ensureQueryData(linkMapQuery(auth, { allUsers: true }))
 */
export function linkMapQuery(auth: Auth, { allUsers = false }: LinkMapOptions = {}): AuthQuery<LinkMap> {
  return {
    ...READ_DEFAULTS,
    queryKey: authKeys.read(
      auth,
      NAME,
      allUsers ? 'of all users' : 'of linked users',
    ) as AuthQuery<LinkMap>['queryKey'],
    queryFn: async ({ signal }) => {
      const { settings, call } = sessionOf(auth)
      const path = linkMapPath(settings.clientId, { allUsers })
      return readLinkMap(await call({ method: 'GET', path, signal }))
    },
  }
}

/**
 * Replaces the firm's whole link map: who is not in it is not linked any more. Variables: the entries. The map in sight
 * changes at once, goes back when the server refuses, and is read again in both variants.
 *
 * Errors: `invalid-link-map` before any request, `not-authenticated`, `unexpected-status`, `rate-limited`,
 * `unexpected-answer`, `network`, `offline`, `timeout`.
 */
export function saveLinkMapMutation(
  auth: Auth,
): AuthMutation<void, readonly LinkedEntry[], readonly ShownLinkMap[]> {
  const { settings, call } = sessionOf(auth)
  return {
    ...WRITE_DEFAULTS,
    gcTime: 0,
    mutationKey: authKeys.action(auth, 'save link map'),
    mutationFn: async (entries) => {
      const body = checkLinkMap(entries)
      const path = linkMapPath(settings.clientId)
      assertWritten('PUT /cloudprovider/linkmap', await call({ method: 'PUT', path, body }))
    },
    onMutate: async (entries, { client }) => {
      const saved = checkLinkMap(entries)
      const isSameUser = rememberUser(auth)
      // A read on its way would put the old map back.
      await client.cancelQueries({ queryKey: authKeys.read(auth, NAME) })
      return (isSameUser() ? [true, false] : []).flatMap((allUsers) => {
        const key = linkMapQuery(auth, { allUsers }).queryKey
        const before = client.getQueryData<LinkMap>(key)
        if (!before) return []
        const shown = client.setQueryData<LinkMap>(key, allUsers ? applyLinkMap(before, saved) : saved)!
        return [{ key, before, shown }]
      })
    },
    onError: (_error, _entries, result, { client }) => {
      for (const { key, before, shown } of result ?? []) {
        // Not the map of a later save, which the read that follows settles, and not the next user's cache.
        if (client.getQueryData(key) === shown) client.setQueryData(key, before)
      }
    },
    onSettled: (_data, _error, _entries, _result, { client }) => {
      void client.invalidateQueries({ queryKey: authKeys.read(auth, NAME) })
    },
  }
}
