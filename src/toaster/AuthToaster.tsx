'use client'
// Draws the toasts: bottom left, at most three, usable by mouse, keyboard and screen reader.
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { AuthContext, useSay, useBeforePaint, useStoreBeforePaint } from '../provider/context.ts'
import { Overlay } from '../provider/Overlay.tsx'
import { onKey } from '../session/platform/browserOverlay.ts'
import { showFailedMutations, showNotices } from './notices.ts'
import { ToastList } from './ToastList.tsx'
import { toastQueue } from './toastQueue.ts'

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
}

/** A place for the toasts. */
export type ToastPosition = `${'bottom' | 'top'}-${'left' | 'center' | 'right'}`

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
}: AuthToasterProps): ReactNode {
  const auth = useContext(AuthContext)
  const nearestClient = useContext(QueryClientContext)
  const client = queryClient ?? nearestClient
  const say = useSay()
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
        <ToastList position={position} />
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
