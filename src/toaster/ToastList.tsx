'use client'
// Draws the toasts of react-hot-toast's store, and pauses its clock for the mouse, the keyboard and a hidden page.
import {
  type FocusEvent,
  type PointerEvent as ReactPointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useToaster } from 'react-hot-toast/headless'
import { adoptStyle } from '../provider/adoptedStyle.ts'
import { usePlatform, useSay } from '../provider/context.ts'
import { letFocusIn, onKey } from '../session/platform/browserOverlay.ts'
import type { Toast } from './toast.ts'
import { ToastCard } from './ToastCard.tsx'
import { TOASTER_ID, toastQueue } from './toastQueue.ts'
import { TOAST_CSS } from './toastStyle.ts'

/** Renders only in the browser, because the owner is set after mounting. */
export function ToastList({ position }: { position: string }): ReactNode {
  const say = useSay()
  const { toasts, handlers } = useToaster(undefined, TOASTER_ID)
  const section = useRef<HTMLElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)
  const clock = useRef(handlers)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHidden = useIsHidden()
  const waitingCount = useSyncExternalStore(toastQueue.subscribe, toastQueue.waitingCount)
  const newestId = toasts[0]?.id
  const isEmpty = newestId === undefined
  const isPaused = isHidden || isHovered || isFocused
  // A toast removed under the pointer or the focus sends no event.
  if (isEmpty && isHovered) setHovered(false)
  if (isEmpty && isFocused) setFocused(false)

  useLayoutEffect(() => adoptStyle(section.current!, TOAST_CSS), [])
  useLayoutEffect(() => letFocusIn(section.current!), [])
  // No modal lets Tab out.
  useLayoutEffect(() => onKey('F8', () => focusFirst(section.current!)), [])
  useLayoutEffect(() => standOnTop(section.current!, !isEmpty), [newestId, isEmpty])
  useLayoutEffect(() => {
    clock.current = handlers
    toastQueue.settle(toasts)
  })
  useEffect(() => returnFocus(section.current!, cameFrom.current), [toasts])
  useEffect(() => {
    if (!isPaused) return undefined
    clock.current.startPause()
    toastQueue.setPaused(true)
    return () => {
      clock.current.endPause()
      toastQueue.setPaused(false)
    }
  }, [isPaused])
  useEffect(() => {
    if (!isHovered) return undefined
    const page = section.current!.ownerDocument
    const look = (event: PointerEvent) => setHovered(event.composedPath().includes(section.current!))
    page.addEventListener('pointermove', look, { capture: true, passive: true })
    return () => page.removeEventListener('pointermove', look, true)
  }, [isHovered])

  const onFocus = ({ target, relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
    // Only keyboard focus pauses: a click leaves the focus in the toast too.
    if (target.matches(':focus-visible')) setFocused(true)
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setFocused(false)
  }
  // Touch does not hover.
  const onPointerEnter = ({ pointerType }: ReactPointerEvent) => setHovered(pointerType !== 'touch')

  return (
    <section
      ref={section}
      className="latchkey-toasts"
      data-position={position}
      aria-label={isEmpty ? undefined : say('toasts')}
      aria-keyshortcuts={isEmpty ? undefined : 'F8'}
      onFocus={onFocus}
      onBlur={onBlur}
      onPointerEnter={onPointerEnter}
      onPointerLeave={() => setHovered(false)}
    >
      {/* Always rendered: screen readers do not announce a live region that appears together with its text. */}
      {/* No roles status and alert: tests of an app would find an empty one on every page. */}
      {(['assertive', 'polite'] as const).map((live) => (
        <ol key={live} aria-live={live}>
          {toasts
            .filter(({ ariaProps }) => ariaProps['aria-live'] === live)
            .toReversed()
            .map(({ id, message, visible }) => (
              <ToastCard key={id} toast={message as unknown as Toast} isLeaving={!visible} />
            ))}
        </ol>
      ))}
      {waitingCount > 0 && (
        <p className="latchkey-toasts-more">
          {say('waitingToasts', { count: waitingCount })}
          <button type="button" className="latchkey-button" onClick={toastQueue.closeAll}>
            {say('closeToasts')}
          </button>
        </p>
      )}
    </section>
  )
}

function useIsHidden(): boolean {
  const platform = usePlatform()
  const [subscribe] = useState(() => (listener: () => void) => {
    const removals = [platform.on('hidden', listener), platform.on('visible', listener)]
    return () => removals.forEach((remove) => remove())
  })
  return useSyncExternalStore(
    subscribe,
    () => !platform.isVisible(),
    () => false,
  )
}

/** Puts the toasts into the top layer, above dialogs, if the browser has one. */
function standOnTop(section: HTMLElement, isNeeded: boolean): void {
  if (typeof section.showPopover !== 'function') return
  section.popover = 'manual'
  const isOpen = section.matches(':popover-open')
  // A dialog opened later covers the toasts. Reopening the popover would take the focus out of it, so wait while it has it.
  const isCovered =
    isOpen && section.ownerDocument.querySelector(':modal') !== null && !section.matches(':focus-within')
  if (isOpen && (isCovered || !isNeeded)) section.hidePopover()
  if (isNeeded && (isCovered || !isOpen)) section.showPopover()
}

const firstButton = (section: HTMLElement, of = 'button') =>
  section.querySelector<HTMLElement>(`li:not([data-leaving]) ${of}`)

function focusFirst(section: HTMLElement): boolean {
  firstButton(section)?.focus()
  return section.matches(':focus-within')
}

/** Moves the focus out of a toast that leaves: to the next toast for keyboard users, else to where it came from. */
function returnFocus(section: HTMLElement, cameFrom: EventTarget | null): void {
  const focused = (section.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null
  if (!focused?.closest('.latchkey-toast[data-leaving]') || !section.contains(focused)) return
  const next = focused.matches(':focus-visible') ? firstButton(section, '.latchkey-toast-close') : undefined
  const before = cameFrom as HTMLElement | null
  const target = next ?? (before?.isConnected ? before : undefined)
  if (target) target.focus({ preventScroll: true })
  else focused.blur()
}
