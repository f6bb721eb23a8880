// The link map of the user's firm: read, and saved with its effect in sight before the server has agreed (spec §3, §5, §7).
import type { QueryClient, QueryKey } from '@tanstack/react-query'
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
import type { TaggedAnswer } from '../session/http/call.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS, WRITE_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import { noteVersion, shareVersion, type Version, versionToSave } from './linkMapVersion.ts'
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
    queryKey: authKeys.read<LinkMap>(auth, NAME, allUsers ? 'of all users' : 'of linked users'),
    queryFn: async ({ signal }) => {
      const { settings, call } = internalsOf(auth)
      const path = linkMapPath(settings.clientId, { allUsers })
      const answer = (await call({ method: 'GET', path, isTagged: true, signal })) as TaggedAnswer
      const map = readLinkMap(answer.body)
      noteVersion(map, answer.etag)
      return map
    },
    structuralSharing: shareVersion,
  }
}

/** From which map a save began. */
export interface SaveLinkMapOptions {
  /** The map that the user began to change, as `useLinkMap` gave it. Default: the map in sight when the save begins. */
  base?: LinkMap | undefined
}

/** Saves that are on their way, by their entries. */
const saves = new WeakMap<object, { basis: Version; settle(version: string | undefined): void }>()

/**
 * Replaces the firm's whole link map: who is not in it is not linked any more. Variables: the entries. The map in sight
 * changes at once, goes back when the server refuses, and is read again in both variants. Where the server names versions
 * (ETag), nobody's change is overwritten: it fails with `conflict` when the map is not the one that the save began from.
 *
 * Errors: `invalid-link-map` and `invalid-argument` before any request, `conflict`, `not-authenticated`, `unexpected-status`, `rate-limited`,
 * `unexpected-answer`, `network`, `offline`, `timeout`.
 */
export function saveLinkMapMutation(
  auth: Auth,
  { base }: SaveLinkMapOptions = {},
): AuthMutation<void, readonly LinkedEntry[], readonly ShownLinkMap[]> {
  const { settings, call } = internalsOf(auth)
  const reads = [true, false].map((allUsers) => linkMapQuery(auth, { allUsers }))
  const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: authKeys.read(auth, NAME) })
  return {
    ...WRITE_DEFAULTS,
    gcTime: 0,
    mutationKey: authKeys.action(auth, 'save link map'),
    mutationFn: async (entries) => {
      const body = checkLinkMap(entries)
      const path = linkMapPath(settings.clientId)
      const save = saves.get(entries)
      // One after the other: what was changed on top of an unsaved map begins from what the server makes of that one.
      const ifMatch = await save?.basis
      try {
        const answer = (await call({ method: 'PUT', path, body, ifMatch, isTagged: true })) as TaggedAnswer
        assertWritten('PUT /cloudprovider/linkmap', answer.body)
        save?.settle(answer.etag)
      } catch (error) {
        save?.settle(ifMatch)
        throw error
      }
    },
    onMutate: async (entries, { client }) => {
      const saved = checkLinkMap(entries)
      const isSameUser = rememberUser(auth)
      // A read on its way would put the old map back.
      await client.cancelQueries({ queryKey: authKeys.read(auth, NAME) })
      // Now, when a save that began a moment ago is in sight.
      const basis = versionToSave(client, reads, base)
      const version = new Promise<string | undefined>((settle) => saves.set(entries, { basis, settle }))
      return (isSameUser() ? [true, false] : []).flatMap((allUsers) => {
        const key = linkMapQuery(auth, { allUsers }).queryKey
        const before = client.getQueryData<LinkMap>(key)
        if (!before) return []
        const next = allUsers ? applyLinkMap(before, saved) : [...saved]
        noteVersion(next, version)
        const shown = client.setQueryData<LinkMap>(key, next)!
        return [{ key, before, shown }]
      })
    },
    onError: (_error, _entries, result, { client }) => {
      for (const { key, before, shown } of result ?? []) {
        // Not the map of a later save, which the read that follows settles, and not the next user's cache.
        if (client.getQueryData(key) === shown) client.setQueryData(key, before)
      }
    },
    async onSettled(_data, error, _entries, _result, { client }) {
      const reading = readAgain(client)
      // Whoever hears of a conflict finds the other's map in the cache.
      if (error?.code === 'conflict') await reading
    },
  }
}
