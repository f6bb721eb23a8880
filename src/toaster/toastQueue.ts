// The queue before react-hot-toast: at most three toasts in its store, the most urgent first, each text once.
import { toast as hotToast } from 'react-hot-toast/headless'
import { LARGEST_TIMER_DELAY_MS, LARGEST_TOAST_COUNT, TOAST_DURATION_MS } from '../base/constants.ts'
import { cleanText } from '../protocol/redaction.ts'
import { isBrowser } from '../session/platform/browserPlatform.ts'
import type { Toast, ToastRequest } from './toast.ts'
import { EXIT_MS } from './toastStyle.ts'

/** The id of latchkey's toaster in react-hot-toast. Toasters of the app have other ids. */
export const TOASTER_ID = 'latchkey'

const POLITE = { role: 'status', 'aria-live': 'polite' } as const
const URGENT = { role: 'alert', 'aria-live': 'assertive' } as const

interface Item {
  /** A new object for every change. It is the message in the store. */
  toast: Toast
  phase: 'waiting' | 'shown' | 'leaving'
  /** Whether the store has reported this version of it. */
  isStaged: boolean
  /** Shown during a pause: its time begins with the end of the pause. */
  isFresh: boolean
}

type ToastQueue = ReturnType<typeof createToastQueue>

const isEndless = ({ toast }: Item) => toast.durationMs === Infinity

/** The most urgent first; of equals, those that hide automatically. */
const byUrgency = (a: Item, b: Item) =>
  a.toast.urgency - b.toast.urgency || Number(isEndless(a)) - Number(isEndless(b))

/** A request with defaults. */
function createToast(request: ToastRequest, id: string): Toast {
  const { kind, action, durationMs = 0, urgency = kind === 'error' ? 1 : 2 } = request
  const usualMs = kind === 'loading' || action ? Infinity : TOAST_DURATION_MS
  const wishedMs = durationMs > 0 ? durationMs : usualMs
  // Longer than any timer.
  const shownMs = wishedMs > LARGEST_TIMER_DELAY_MS ? Infinity : wishedMs
  return { ...request, id, urgency, durationMs: shownMs, count: 1, isSilent: false }
}

/** The idle countdown gets a place at once. Others replace only toasts that follow them in the order and do not hide automatically. */
function findReplaced(first: Item, onStage: readonly Item[]): Item | undefined {
  if (onStage.some(({ phase }) => phase === 'leaving')) return undefined
  const isBehind = (item: Item) =>
    item.toast.urgency > 0 && (first.toast.urgency === 0 || (isEndless(item) && byUrgency(item, first) > 0))
  return onStage.toSorted((a, b) => byUrgency(b, a)).find(isBehind)
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
  const find = (id: string | undefined) => items.find(({ toast }) => toast.id === id)
  const drop = (item: Item) => {
    items = items.filter((other) => other !== item)
  }
  /** Adds it to the store or replaces it there; starts its time. */
  const show = (item: Item) => {
    const { id, durationMs: duration, kind, urgency } = item.toast
    const ariaProps = kind === 'error' || urgency === 0 ? URGENT : POLITE
    const options = { id, duration, ariaProps, removeDelay: EXIT_MS, toasterId: TOASTER_ID }
    hotToast.custom(item.toast as never, options)
    Object.assign(item, { phase: 'shown', isStaged: false, isFresh: isPaused })
  }
  const replace = (item: Item, toast: Toast) => {
    item.toast = toast
    if (item.phase !== 'waiting') show(item)
  }
  const close = (item: Item | undefined) => {
    if (!item || item.phase === 'leaving') return
    // A toaster that mounts later must not show it leave.
    if (item.phase === 'waiting' || owners.length === 0) {
      hotToast.remove(item.toast.id, TOASTER_ID)
      drop(item)
    } else {
      item.phase = 'leaving'
      hotToast.dismiss(item.toast.id, TOASTER_ID)
    }
  }
  const fill = () => {
    for (let [first] = waiting().toSorted(byUrgency); first; [first] = waiting().toSorted(byUrgency)) {
      if (onStage().length === LARGEST_TOAST_COUNT) {
        const last = findReplaced(first, onStage())
        if (!last) return
        hotToast.remove(last.toast.id, TOASTER_ID)
        Object.assign(last, { phase: 'waiting', toast: { ...last.toast, isSilent: true } })
      }
      show(first)
    }
  }
  /** Every change: then the places are filled, and the toasters notified. */
  const change = <Result>(act: () => Result): Result => {
    const result = act()
    if (owners.length > 0) fill()
    for (const listener of listeners) listener()
    return result
  }

  const admit = (request: ToastRequest): string => {
    const { id, kind, text, action } = request
    const named = find(id)
    if (named?.toast.kind === 'loading' && named.toast.count > 1) {
      // Two operations share one loading toast. The first to end gets its own toast.
      replace(named, { ...named.toast, count: named.toast.count - 1 })
      return admit({ ...request, id: undefined })
    }
    const isSame = ({ toast, phase }: Item) =>
      toast.kind === kind && toast.text === text && phase !== 'leaving'
    const same = id === undefined ? items.find(isSame) : undefined
    if (same) {
      const { toast } = same
      replace(same, { ...toast, count: toast.count + 1, action: action ?? toast.action })
      return toast.id
    }
    serial += 1
    const toast = createToast(request, id ?? `latchkey-${serial}`)
    if (named) replace(named, toast)
    else items.push({ toast, phase: 'waiting', isStaged: false, isFresh: false })
    return toast.id
  }

  return {
    /** Shows a toast or queues it, unless its text is empty; returns its id. */
    add(request: ToastRequest): string {
      const text = cleanText(request.text)
      // A server has no page, and all users would share the queue.
      if (!isBrowser || text === '') return request.id ?? ''
      return change(() => admit({ ...request, text }))
    },
    close: (id: string): void => change(() => close(find(id))),
    closeByUser(id: string): void {
      const item = find(id)
      if (item?.toast.onClose) item.toast.onClose()
      else change(() => close(item))
    },
    /** Closes all toasts except the idle countdown. */
    closeAll: (): void =>
      change(() => {
        for (const item of items) if (item.toast.urgency > 0 || item.phase === 'waiting') close(item)
      }),
    /** Removes everything at once, for a change of user. */
    clear: (): void =>
      change(() => {
        hotToast.removeAll(TOASTER_ID)
        items = []
      }),
    /** Receives the store's toasts: one may have expired, or the app dismissed it. */
    settle: (staged: readonly { id: string; visible: boolean; message: unknown }[]): void =>
      change(() => {
        for (const item of onStage()) {
          const found = staged.find(({ id }) => id === item.toast.id)
          if (!found && item.isStaged) drop(item)
          // An older version does not concern this one.
          if (found?.message !== item.toast) continue
          item.isStaged = true
          if (!found.visible) item.phase = 'leaving'
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
