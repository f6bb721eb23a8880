'use client'
// Sets one of the four hooks for as long as a component is mounted (spec §4 "Hooks").
import { useLayoutEffect } from 'react'
import type { HookName, Hooks } from '../protocol/eventHooks.ts'
import { useAuthObject } from '../provider/context.ts'

/**
 * Sets a hook while mounted, and puts the one before back afterwards.
 *
 * @throws AuthError `no-provider`, `unsupported-hook`, `invalid-hook`
 * @example
 * useAuthHook('beforeLogout', () => saveDraft())
 */
export function useAuthHook<Name extends HookName>(name: Name, hook: Hooks[Name]): void {
  const auth = useAuthObject()
  // Before the session's own next step: afterLogin fires when the components that wait for it have mounted.
  useLayoutEffect(() => auth.setHook(name, hook), [auth, name, hook])
}
