'use client'
// Whether a component renders in a page. On a server the devtools render nothing, because it has no storages; in latchkey's own frame nobody sees them.
import { useSyncExternalStore } from 'react'
import { isOwnWindow } from '../protocol/storageKeys.ts'
import { windowName } from '../session/platform/browserFrame.ts'

const never = () => () => {}

export function useIsInPage(): boolean {
  return useSyncExternalStore(
    never,
    () => !isOwnWindow(windowName()),
    () => false,
  )
}
