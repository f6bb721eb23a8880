'use client'
// Draws the toasts: bottom left, three at most, within reach of mouse, keyboard and screen reader (spec §9; contract §9).
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { type MessageName, type Messages, type MessageValues, textOf } from '../protocol/messages.ts'
import { internalsOf } from '../session/internals.ts'
import { AuthContext } from '../provider/context.ts'
import { usePlatform } from '../provider/usePlatform.ts'
import { showFailedMutations } from './failedMutations.ts'
import { showNotices } from './notices.ts'
import { toastQueue } from './notify.tsx'
import { ToastList } from './ToastList.tsx'
import type { ToastOwner } from './toastQueue.ts'

/** Props of `AuthToaster`. */
export interface AuthToasterProps {
  /** Whose failed mutations are shown. Default: the client of the nearest `QueryClientProvider`. */
  queryClient?: QueryClient | undefined
}

const NO_MESSAGES: Messages = {}

/**
 * Shows the toasts of `notify`, and inside `AuthProvider` latchkey's own notices: the idle countdown, why a session ended,
 * offline, failed mutations with `meta: { notify: true }`. Render it once, at the top of the app. Texts are replaced
 * through the config's `messages`; an empty text switches its notice off.
 *
 * @example
 * <AuthProvider config={config}>
 *   <App />
 *   <AuthToaster />
 * </AuthProvider>
 */
export function AuthToaster({ queryClient }: AuthToasterProps): ReactNode {
  const auth = useContext(AuthContext)
  const nearestClient = useContext(QueryClientContext)
  const client = queryClient ?? nearestClient
  const platform = usePlatform()
  const messages = auth ? internalsOf(auth).settings.messages : NO_MESSAGES
  const say = useMemo(
    () => (name: MessageName, values?: MessageValues) => textOf(messages, name, values),
    [messages],
  )
  const owner: ToastOwner = useMemo(() => ({ platform }), [platform])
  const around = useSyncExternalStore(toastQueue.subscribe, toastQueue.surroundings, toastQueue.surroundings)
  // A second toaster on the page draws nothing: three toasts are three, whoever shows them.
  const isOwner = around.owner === owner

  useEffect(() => toastQueue.attach(owner), [owner])
  useEffect(
    () => (auth && isOwner ? showNotices(auth, { queue: toastQueue, say }) : undefined),
    [auth, isOwner, say],
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
      {/* They stand here before there is anything to say: a region that comes with its text is not read out. */}
      {/* Without the roles status and alert: an app's own tests would find an empty one on every page. */}
      <div className="latchkey-toasts-said" aria-live="polite" aria-atomic="true">
        {said(false)}
      </div>
      <div className="latchkey-toasts-said" aria-live="assertive" aria-atomic="true">
        {said(true)}
      </div>
      {isOwner && <ToastList waitingCount={around.waitingCount} say={say} />}
    </>
  )
}
