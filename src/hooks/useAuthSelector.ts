'use client'
// Reads one value of the state and renders when that value changes.
import { useSyncExternalStore } from 'react'
import { useAuthObject } from '../provider/context.ts'
import type { AuthState } from '../session/state.ts'

/**
 * Reads one value of the state. Values are compared with `Object.is`: select a primitive or a member, and do not create an
 * object.
 *
 * @throws AuthError `no-provider`
 * @example
 * const firmId = useAuthSelector((state) => (state.status === 'authenticated' ? state.user.firmId : undefined))
 */
export function useAuthSelector<Selected>(select: (state: AuthState) => Selected): Selected {
  const auth = useAuthObject()
  const getSelected = () => select(auth.getState())
  return useSyncExternalStore(auth.subscribe, getSelected, getSelected)
}
