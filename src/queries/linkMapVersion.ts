// Which version of the link map an edit began from: the ETag of its read, sent as If-Match with the save (RFC 9110 §13.1.1).
import { type QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import type { LinkMap } from '../protocol/linkMap.ts'
import { invalidArgument } from '../sessionErrors.ts'
import type { AuthQuery } from './types.ts'

/** The server's name for what was read; `undefined` where it gives none. A promise while a save is on its way. */
export type Version = string | undefined | Promise<string | undefined>

const versions = new WeakMap<object, Version>()

/** Notes the version of a map that was read or is being saved. */
export function noteVersion(map: LinkMap, version: Version): void {
  versions.set(map, version)
}

/**
 * The version to be named in a save: that of the map the user began from, else that of the map in sight.
 *
 * @throws AuthError `invalid-argument` for a map that was never read
 */
export function versionToSave(
  client: QueryClient,
  reads: readonly AuthQuery<LinkMap>[],
  base: LinkMap | undefined,
): Version {
  if (base !== undefined) {
    if (!versions.has(base)) {
      throw invalidArgument(
        'base is not a link map that was read',
        'Pass the very array that useLinkMap gave, not a copy.',
      )
    }
    return versions.get(base)
  }
  const found = reads.flatMap(({ queryKey }) => client.getQueryCache().find({ queryKey, exact: true }) ?? [])
  // What a screen shows comes before what only lies in the cache.
  const map = (found.find((query) => query.isActive()) ?? found[0])?.state.data
  return map === undefined ? undefined : versions.get(map as LinkMap)
}

/** TanStack's structural sharing, which makes another array of two: it has the version of the newer one. */
export function shareVersion(before: unknown, now: unknown): unknown {
  const shared = replaceEqualDeep(before, now)
  const isMap = typeof now === 'object' && now !== null && typeof shared === 'object' && shared !== null
  if (!isMap) return shared
  // An app that changes the map in the cache began from the one that was there.
  const origin = versions.has(now) ? now : (before as object | undefined)
  if (origin && versions.has(origin)) versions.set(shared, versions.get(origin))
  return shared
}
