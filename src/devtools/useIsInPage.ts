'use client'
// Whether this is drawn in a page: a server knows neither times nor storages, so the devtools draw nothing there.
import { useSyncExternalStore } from 'react'

const never = () => () => {}

export function useIsInPage(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
