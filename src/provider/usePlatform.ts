'use client'
// Timers and page events for components that also work outside an AuthProvider.
import { useContext } from 'react'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import type { Platform } from '../session/platform/platform.ts'
import { internalsOf } from '../session/internals.ts'
import { AuthContext } from './context.ts'

const PAGE: Platform = /* @__PURE__ */ createBrowserPlatform()

/** Returns the platform of the nearest provider; without one, that of the page. */
export function usePlatform(): Platform {
  const auth = useContext(AuthContext)
  return auth ? internalsOf(auth).platform : PAGE
}
