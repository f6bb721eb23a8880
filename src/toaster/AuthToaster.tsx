'use client'
// Draws the toasts: bottom left, at most three, usable by mouse, keyboard and screen reader.
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { AuthContext, type Say, useSay, useBeforePaint, useStoreBeforePaint } from '../provider/context.ts'
import { Overlay } from '../provider/Overlay.tsx'
import { onKey } from '../session/platform/browserOverlay.ts'
import { showFailedMutations, showNotices } from './notices.ts'
import { ToastList } from './ToastList.tsx'
import { toastQueue } from './toastQueue.tsx'

/** Props of `AuthToaster`. */
export interface AuthToasterProps {
  /** The QueryClient whose failed mutations are shown. Default: that of the nearest `QueryClientProvider`. */
  queryClient?: QueryClient | undefined
  /**
   * Whether the notice of a session's end has a button that signs in. `false` where your own page for signed-out users
   * has one. Default true; a mounted `<Authenticated>` that shows its own button needs no `false`.
   */
  signInButton?: boolean | undefined
  /** Position of the toasts. Default 'bottom-left'. */
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
  const sayNow = useSay(auth)
  const latest = useRef(sayNow)
  useBeforePaint(() => {
    latest.current = sayNow
  })
  // The same function in every language: what listens need not begin anew.
  const [say] = useState((): Say => (name, values) => latest.current(name, values))
  const [owner] = useState(() => Symbol('toaster'))
  // A second toaster on the page draws nothing, so that at most three toasts are shown.
  const isOwner = useStoreBeforePaint(toastQueue.subscribe, toastQueue.owner, toastQueue.owner) === owner

  useEffect(() => toastQueue.attach(owner), [owner])
  // Before any modal of the app listens: Escape closes the focused toast, and not the modal.
  useBeforePaint(() => onKey('Escape', closeFocused), [])
  useEffect(
    () => (auth && isOwner ? showNotices(auth, say, signInButton) : undefined),
    [auth, isOwner, say, signInButton],
  )
  useEffect(
    () => (client && isOwner ? showFailedMutations(client, auth, say) : undefined),
    [client, auth, isOwner, say],
  )
  return (
    isOwner && (
      <Overlay>
        <ToastList say={sayNow} position={position} offset={offset} />
      </Overlay>
    )
  )
}

function closeFocused(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() as HTMLElement[]
  const id = target?.closest<HTMLElement>('.latchkey-toast')?.dataset['id']
  if (id !== undefined) toastQueue.closeByUser(id)
  return id !== undefined
}
