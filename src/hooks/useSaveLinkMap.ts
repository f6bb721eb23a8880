'use client'
// Saves the link map of the user's firm.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { LinkedEntry } from '../protocol/linkMap.ts'
import { useAuthObject } from '../provider/context.ts'
import { saveLinkMapMutation, type SaveLinkMapOptions, type ShownLinkMap } from '../queries/linkMap.ts'

/**
 * Replaces the whole link map of the user's firm. The cached map changes at once. Variables: the entries. If somebody else
 * has changed the map since it was read, the mutation fails with `conflict` and overwrites nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useSaveLinkMap().mutate([{ internalUser: 'anna', externalUser: { id: 'cloud-7' } }])
 */
export function useSaveLinkMap(
  options?: SaveLinkMapOptions,
): UseMutationResult<void, AuthError, readonly LinkedEntry[], readonly ShownLinkMap[]> {
  return useMutation(saveLinkMapMutation(useAuthObject(), options))
}
