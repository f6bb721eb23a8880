'use client'
// Draws the toasts: bottom left, at most three, usable by mouse, keyboard and screen reader.
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStoreBeforePaint } from '../provider/beforePaint.ts'
import { AuthContext, type Say, usePlatform, useSay } from '../provider/context.ts'
import { showFailedMutations } from './failedMutations.ts'
import { showNotices } from './notices.ts'
import { toastQueue } from './notify.tsx'
import { ToastList } from './ToastList.tsx'
import type { ToastOwner } from './toastQueue.ts'

/** Props of `AuthToaster`. */
export interface AuthToasterProps {
  /** The QueryClient whose failed mutations are shown. Default: that of the nearest `QueryClientProvider`. */
  queryClient?: QueryClient | undefined
  /**
   * Whether the notice of a session's end has a button that signs in. `false` where your own page for signed-out users
   * has one. Default true; a mounted `<Authenticated>` that shows its own button needs no `false`.
   */
  signInButton?: boolean | undefined
  /** Where the toasts are. Default 'bottom-left'. */
  position?: ToastPosition | undefined
  /** Moves them away from their edges, for what they must not cover. Default none. */
  offset?: ToastOffset | undefined
}

/** A place for the toasts. */
export type ToastPosition =
  | 'bottom-left'
  | 'bottom-center'
  | 'bottom-right'
  | 'top-left'
  | 'top-center'
  | 'top-right'

/** Distance of the toasts from where they would be, CSS pixels. */
export interface ToastOffset {
  /** From the left or right edge. Default 0. */
  x?: number | undefined
  /** From the upper or lower edge. Default 0. */
  y?: number | undefined
}

const NO_OFFSET: ToastOffset = {}

/**
 * Shows the toasts of `notify`. Inside `AuthProvider` it also shows latchkey's notices: the idle countdown, why a session
 * ended, offline, failed mutations with `meta: { notify: true }`. Render it once, at the top of the app. `messages` of the
 * config, or of the provider, replace the texts; an empty text disables its notice.
 *
 * @example
 * <AuthProvider config={config}>
 *   <App />
 *   <AuthToaster />
 * </AuthProvider>
 */
export function AuthToaster({
  queryClient,
  signInButton = true,
  position = 'bottom-left',
  offset = NO_OFFSET,
}: AuthToasterProps): ReactNode {
  const auth = useContext(AuthContext)
  const nearestClient = useContext(QueryClientContext)
  const client = queryClient ?? nearestClient
  const platform = usePlatform()
  const sayNow = useSay(auth)
  const latest = useRef(sayNow)
  useLayoutEffect(() => {
    latest.current = sayNow
  })
  // The same function in every language: what listens need not begin anew.
  const [say] = useState((): Say => (name, values) => latest.current(name, values))
  const owner: ToastOwner = useMemo(() => ({ platform }), [platform])
  const around = useStoreBeforePaint(toastQueue.subscribe, toastQueue.surroundings, toastQueue.surroundings)
  // A second toaster on the page draws nothing, so that at most three toasts are shown.
  const isOwner = around.owner === owner

  useEffect(() => toastQueue.attach(owner), [owner])
  useEffect(
    () => (auth && isOwner ? showNotices(auth, { queue: toastQueue, say, signInButton }) : undefined),
    [auth, isOwner, say, signInButton],
  )
  useEffect(
    () => (client && isOwner ? showFailedMutations(client, { auth, queue: toastQueue, say }) : undefined),
    [client, auth, isOwner, say],
  )

  const said = (isUrgent: boolean) =>
    around.announcements
      .filter((part) => isOwner && part.isUrgent === isUrgent)
      .map(({ key, text }) => <p key={key}>{text}</p>)

  return (
    <>
      {/* Always rendered: screen readers do not announce a live region that appears together with its text. */}
      {/* No roles status and alert: tests of an app would find an empty one on every page. */}
      <div className="latchkey-toasts-said" aria-live="polite" aria-atomic="true">
        {said(false)}
      </div>
      <div className="latchkey-toasts-said" aria-live="assertive" aria-atomic="true">
        {said(true)}
      </div>
      {isOwner && (
        <ToastList waitingCount={around.waitingCount} say={sayNow} position={position} offset={offset} />
      )}
    </>
  )
}
