'use client'
// Whether a component renders in a page. On a server the devtools render nothing, because it has no storages.
import { useSyncExternalStore } from 'react'

const never = () => () => {}

export function useIsInPage(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
