'use client'
// Reads the link map of the user's firm.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { LinkMap } from '../protocol/linkMap.ts'
import { linkMapQuery, type LinkMapOptions } from '../queries/linkMap.ts'
import type { ReadOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'

/**
 * Reads the link map of the user's firm; with `allUsers`, also users without a link. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: linkMap } = useLinkMap({ allUsers: true })
 */
export function useLinkMap<Selected = LinkMap>({
  allUsers,
  ...options
}: LinkMapOptions & ReadOptions<LinkMap, Selected> = {}): UseQueryResult<Selected, AuthError> {
  return useRead((auth) => linkMapQuery(auth, { allUsers }), options as ReadOptions<LinkMap, Selected>)
}
