'use client'
// Reads and saves the link map of the user's firm.
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { LinkedEntry, LinkMap } from '../protocol/linkMap.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  type LinkMapOptions,
  linkMapQuery,
  saveLinkMapMutation,
  type SaveLinkMapOptions,
  type ShownLinkMap,
} from '../queries/linkMap.ts'
import { selectWithVersion } from '../queries/linkMapVersion.ts'
import type { ReadOptions, WriteOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'
import { useWrite } from './useWrite.ts'

/**
 * Reads the link map of the user's firm; with `allUsers`, also users without a link. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: linkMap } = useLinkMap({ allUsers: true })
 */
export function useLinkMap<Selected = LinkMap>({
  allUsers,
  select,
  ...options
}: LinkMapOptions & ReadOptions<LinkMap, Selected> = {}): UseQueryResult<Selected, AuthError> {
  return useRead((auth) => linkMapQuery(auth, { allUsers }), {
    ...options,
    ...(select && { select: selectWithVersion(select) }),
  })
}

/**
 * Replaces the whole link map of the user's firm. The cached map changes at once. Variables: the entries. If someone else
 * has changed the map since it was read, the mutation fails with `conflict` and overwrites nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useSaveLinkMap().mutate([{ internalUser: 'anna', externalUser: { id: 'cloud-7' } }])
 */
export function useSaveLinkMap<OnMutate = readonly ShownLinkMap[]>({
  base,
  onMutate,
  ...options
}: SaveLinkMapOptions & WriteOptions<void, readonly LinkedEntry[], OnMutate> = {}): UseMutationResult<
  void,
  AuthError,
  readonly LinkedEntry[],
  OnMutate
> {
  const save = saveLinkMapMutation(useAuthObject(), { base })
  return useWrite<void, readonly LinkedEntry[], OnMutate>(() => save, {
    ...options,
    // The app's own comes after the one that changes the cached map.
    onMutate: async (...given) => {
      const shown = await save.onMutate?.(...given)
      return onMutate ? onMutate(...given) : (shown as OnMutate)
    },
  })
}
