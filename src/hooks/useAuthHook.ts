'use client'
// Sets one of the four hooks while a component is mounted.
import { useLayoutEffect } from 'react'
import type { HookName, Hooks } from '../protocol/eventHooks.ts'
import { useAuthObject } from '../provider/context.ts'

/**
 * Sets a hook while the component is mounted, and restores the previous one afterwards.
 *
 * @throws AuthError `no-provider`, `unsupported-hook`, `invalid-hook`
 * @example
 * useAuthHook('beforeLogout', () => saveDraft())
 */
export function useAuthHook<Name extends HookName>(name: Name, hook: Hooks[Name]): void {
  const auth = useAuthObject()
  // A layout effect: the hook must be set before the session calls afterLogin.
  useLayoutEffect(() => auth.setHook(name, hook), [auth, name, hook])
}
