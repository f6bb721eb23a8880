'use client'
// Timers and page events for what may also stand outside an AuthProvider: the provider's own, else the page's (architecture rule 3).
import { useContext } from 'react'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import type { Platform } from '../session/platform/platform.ts'
import { internalsOf } from '../session/internals.ts'
import { AuthContext } from './context.ts'

const PAGE: Platform = /* @__PURE__ */ createBrowserPlatform()

/** The platform of the nearest provider; without one, the page's. */
export function usePlatform(): Platform {
  const auth = useContext(AuthContext)
  return auth ? internalsOf(auth).platform : PAGE
}
