// Remembers the ETag of each link map, which a save sends as If-Match (RFC 9110 §13.1.1).
import { type QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import type { LinkMap } from '../protocol/linkMap.ts'
import { invalidArgument } from '../base/sessionErrors.ts'
import type { AuthQuery } from './defaults.ts'

/** The ETag of a map; `undefined` if the server sent none. A promise while a save is in progress. */
export type Version = string | undefined | Promise<string | undefined>

const versions = new WeakMap<object, Version>()

/** Remembers the version of a map that was read or is being saved. */
export function noteVersion(map: LinkMap, version: Version): void {
  versions.set(map, version)
}

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
  // Prefer a map that a component uses.
  const map = (found.find((query) => query.isActive()) ?? found[0])?.state.data
  return map === undefined ? undefined : versions.get(map as LinkMap)
}

/** TanStack's structural sharing. The array that it makes gets the version of the newer one. */
export function shareVersion(before: unknown, now: unknown): unknown {
  const shared = replaceEqualDeep(before, now)
  const isMap = typeof now === 'object' && now !== null && typeof shared === 'object' && shared !== null
  if (!isMap) return shared
  // An app that changed the cached map based its change on the one before.
  const origin = versions.has(now) ? now : (before as object | undefined)
  if (origin && versions.has(origin)) versions.set(shared, versions.get(origin))
  return shared
}
