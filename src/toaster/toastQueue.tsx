'use client'
// The queue before react-hot-toast: at most three toasts in its store, the most urgent first, each text once.
import { toast } from 'react-hot-toast/headless'
import { LARGEST_TIMER_DELAY_MS, LARGEST_TOAST_COUNT, TOAST_DURATION_MS } from '../base/constants.ts'
import type { Toast, ToastRequest } from './toast.ts'
import { ToastCard } from './ToastCard.tsx'
import { EXIT_MS } from './toastStyle.ts'

/** The id of latchkey's toaster in react-hot-toast. Toasters of the app have other ids. */
export const TOASTER_ID = 'latchkey'

const POLITE = { role: 'status', 'aria-live': 'polite' } as const
const URGENT = { role: 'alert', 'aria-live': 'assertive' } as const

interface Item extends Toast {
  phase: 'waiting' | 'shown' | 'leaving'
  /** Identifies this version of it in the store. */
  message: unknown
  /** Whether the store has reported this version of it. */
  isStaged: boolean
  /** Shown during a pause: its time begins with the end of the pause. */
  isFresh: boolean
}

type ToastQueue = ReturnType<typeof createToastQueue>

const isEndless = ({ durationMs }: Toast) => durationMs === Infinity

/** The most urgent first; of equals, those that hide automatically. */
const byUrgency = (a: Toast, b: Toast) => a.urgency - b.urgency || Number(isEndless(a)) - Number(isEndless(b))

/** A request with defaults. */
function contentOf({ durationMs = 0, ...request }: ToastRequest) {
  const { kind, text, action, urgency = kind === 'error' ? 1 : 2, label = text } = request
  const usualMs = kind === 'loading' || action ? Infinity : TOAST_DURATION_MS
  const wishedMs = durationMs > 0 ? durationMs : usualMs
  return {
    // These end with the toast that is replaced.
    action: undefined,
    onClose: undefined,
    leftPart: undefined,
    ...request,
    urgency,
    label,
    // Longer than any timer.
    durationMs: wishedMs > LARGEST_TIMER_DELAY_MS ? Infinity : wishedMs,
  }
}

function createToastQueue() {
  const listeners = new Set<() => void>()
  const owners: symbol[] = []
  // In order of arrival.
  let items: Item[] = []
  let serial = 0
  let isPaused = false

  const waiting = () => items.filter(({ phase }) => phase === 'waiting')
  const onStage = () => items.filter(({ phase }) => phase !== 'waiting')
  const find = (id: string | undefined) => items.find((item) => item.id === id)
  /** Adds it to the store or replaces it there; starts its time. */
  const show = (item: Item) => {
    const shown = { ...item }
    const { id, durationMs: duration, kind, urgency } = shown
    const message = ({ visible }: { visible: boolean }) => (
      <ToastCard toast={shown} isLeaving={!visible} onClose={() => closeByUser(id)} />
    )
    const ariaProps = kind === 'error' || urgency === 0 ? URGENT : POLITE
    toast.custom(message, { id, duration, ariaProps, removeDelay: EXIT_MS, toasterId: TOASTER_ID })
    Object.assign(item, { phase: 'shown', isStaged: false, isFresh: isPaused, message })
  }
  const close = (item: Item | undefined) => {
    if (!item || item.phase === 'leaving') return
    // A toaster that mounts later must not show it leave.
    if (item.phase === 'waiting' || owners.length === 0) {
      toast.remove(item.id, TOASTER_ID)
      items = items.filter((other) => other !== item)
    } else {
      item.phase = 'leaving'
      toast.dismiss(item.id, TOASTER_ID)
    }
  }
  const fill = () => {
    for (let [first] = waiting().toSorted(byUrgency); first; [first] = waiting().toSorted(byUrgency)) {
      if (onStage().length === LARGEST_TOAST_COUNT && !makeRoom(first)) return
      show(first)
    }
  }
  /** The idle countdown gets a place at once. Others replace only toasts that follow them in the order and do not hide automatically. */
  const makeRoom = (first: Item) => {
    if (onStage().some(({ phase }) => phase === 'leaving')) return false
    const isBehind = (item: Item) =>
      item.urgency > 0 && (first.urgency === 0 || (isEndless(item) && byUrgency(item, first) > 0))
    const [last] = onStage()
      .filter(isBehind)
      .toSorted((a, b) => byUrgency(b, a))
    if (!last) return false
    toast.remove(last.id, TOASTER_ID)
    Object.assign(last, { phase: 'waiting', isSilent: true })
    return true
  }
  /** Every change: then the places are filled, and the toasters notified. */
  const change = <Result,>(act: () => Result): Result => {
    const result = act()
    if (owners.length > 0) fill()
    for (const listener of listeners) listener()
    return result
  }
  const closeByUser = (id: string) => {
    const item = find(id)
    if (item?.onClose) item.onClose()
    else change(() => close(item))
  }

  const admit = (request: ToastRequest): string => {
    const { id, kind, text, action, leftPart } = request
    const named = find(id)
    if (named?.kind === 'loading' && named.count > 1) {
      // Two operations share one loading toast. The first to end gets its own toast.
      named.count -= 1
      if (named.phase === 'shown') show(named)
      return admit({ ...request, id: undefined })
    }
    const same = items.find((item) => item.kind === kind && item.text === text && item.phase !== 'leaving')
    const item = named ?? (id === undefined ? same : undefined)
    if (!item) {
      serial += 1
      const own = { id: id ?? `latchkey-${serial}`, count: 1, isSilent: false, message: undefined }
      items.push({ ...contentOf(request), ...own, phase: 'waiting', isStaged: false, isFresh: false })
      return own.id
    }
    if (named) {
      // The close button of a countdown keeps its name.
      const label = leftPart !== undefined && named.leftPart !== undefined ? { label: named.label } : {}
      Object.assign(item, contentOf(request), { count: 1 }, label)
    } else Object.assign(item, { count: item.count + 1, action: action ?? item.action })
    if (item.phase !== 'waiting') show(item)
    return item.id
  }

  return {
    /** Shows a toast or queues it; returns its id. */
    add: (request: ToastRequest): string => change(() => admit(request)),
    close: (id: string): void => change(() => close(find(id))),
    closeByUser,
    /** Closes all toasts except the idle countdown. */
    closeAll: (): void =>
      change(() => {
        for (const item of items) if (item.urgency > 0 || item.phase === 'waiting') close(item)
      }),
    /** Removes everything at once, for a change of user. */
    clear: (): void =>
      change(() => {
        for (const { id } of onStage()) toast.remove(id, TOASTER_ID)
        items = []
      }),
    /** Receives the store's toasts: one may have expired, or the app dismissed it. */
    settle: (staged: readonly { id: string; visible: boolean; message: unknown }[]): void =>
      change(() => {
        for (const item of onStage()) {
          const found = staged.find(({ id }) => id === item.id)
          if (!found && item.isStaged) items = items.filter((other) => other !== item)
          // An older version does not concern this one.
          if (found?.message !== item.message) continue
          item.isStaged = true
          if (!found?.visible) item.phase = 'leaving'
        }
      }),
    setPaused(next: boolean): void {
      isPaused = next
      for (const item of onStage()) if (!next && item.isFresh && item.phase === 'shown') show(item)
    },
    /** The first attached toaster draws. Without one, every toast waits. Returns the removal. */
    attach(owner: symbol): () => void {
      change(() => owners.push(owner))
      return () => change(() => owners.splice(owners.indexOf(owner), 1))
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The toaster that draws. Others draw nothing. */
    owner: (): symbol | undefined => owners[0],
    waitingCount: (): number => waiting().length,
  }
}

/** The toasts of this page. */
export const toastQueue: ToastQueue = /* @__PURE__ */ createToastQueue()
