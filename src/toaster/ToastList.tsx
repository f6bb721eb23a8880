'use client'
// Draws the visible toasts and handles hover, focus, Escape, close and close all.
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useToasterStore } from 'react-hot-toast/headless'
import type { MessageName, MessageValues } from '../protocol/messages.ts'
import type { ToastView } from './toast.ts'
import { ToastToolsContext } from './ToastCard.tsx'
import { TOASTER_ID, toastQueue } from './notify.tsx'
import { returnFocus, standOnTop, watchMouse } from './toastPlacement.ts'
import { adoptToastStyle } from './toastStyle.ts'

export interface ToastListProps {
  waitingCount: number
  say(name: MessageName, values?: MessageValues): string
  position: string
  /** CSS pixels. */
  offset: { x?: number | undefined; y?: number | undefined }
}

/** Renders only in the browser, because the owner is set after mounting. */
export function ToastList({ waitingCount, say, position, offset }: ToastListProps): ReactNode {
  const { toasts } = useToasterStore(undefined, TOASTER_ID)
  const section = useRef<HTMLElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)
  const newestId = toasts[0]?.id
  const isEmpty = toasts.length === 0
  const tools = useMemo(
    () => ({ close: toastQueue.close, closeLabel: (text: string) => say('closeToast', { text }) }),
    [say],
  )

  useLayoutEffect(() => adoptToastStyle(section.current!), [])
  useLayoutEffect(() => standOnTop(section.current!, newestId !== undefined), [newestId])
  useEffect(
    () =>
      watchMouse(section.current!, {
        enter: () => toastQueue.pause('hover'),
        leave: () => toastQueue.resume('hover'),
      }),
    [],
  )
  useEffect(() => {
    // A toast removed under the pointer or the focus sends no event.
    if (isEmpty) for (const reason of ['hover', 'focus'] as const) toastQueue.resume(reason)
  }, [isEmpty])
  useEffect(() => {
    for (const toast of toasts) if (!toast.visible) toastQueue.heedDismissal(viewOf(toast.message))
  }, [toasts])

  const onFocus = ({ target, relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
    // Only keyboard focus pauses: a click leaves the focus in the toast too.
    if (target.matches(':focus-visible')) toastQueue.pause('focus')
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) toastQueue.resume('focus')
  }

  return (
    <section
      ref={section}
      className="latchkey-toasts"
      data-position={position}
      style={{ '--x': `${offset.x ?? 0}px`, '--y': `${offset.y ?? 0}px` } as CSSProperties}
      aria-label={say('toasts')}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <ToastToolsContext.Provider value={tools}>
        <ol>
          {toasts.toReversed().map(({ id, visible, message }) => (
            <Toast key={id} isLeaving={!visible} view={viewOf(message)} cameFrom={cameFrom}>
              {message as ReactElement}
            </Toast>
          ))}
        </ol>
      </ToastToolsContext.Provider>
      {waitingCount > 0 && (
        <p className="latchkey-toasts-more">
          {say('waitingToasts', { count: waitingCount })}
          <button type="button" onClick={toastQueue.closeAll}>
            {say('closeToasts')}
          </button>
        </p>
      )}
    </section>
  )
}

interface ToastProps {
  view: ToastView
  isLeaving: boolean
  cameFrom: RefObject<EventTarget | null>
  children: ReactNode
}

function Toast({ view, isLeaving, cameFrom, children }: ToastProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isLeaving) returnFocus(row.current!, cameFrom.current)
  }, [isLeaving, cameFrom])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Close only the toast, not an open dialog of the app.
    event.stopPropagation()
    if (view.onClose) view.onClose()
    else toastQueue.close(view.id)
  }
  return (
    <li ref={row} className="latchkey-toast" data-leaving={isLeaving || undefined} onKeyDown={onKeyDown}>
      {children}
    </li>
  )
}

/** Returns the view of a toast. Its message is always a ToastCard of the queue. */
function viewOf(message: unknown): ToastView {
  return (message as ReactElement<{ view: ToastView }>).props.view
}
