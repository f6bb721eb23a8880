// The queue before react-hot-toast: at most three toasts in its store, the most urgent first, each text once.
import { LARGEST_TIMER_DELAY_MS, LARGEST_TOAST_COUNT, TOAST_DURATION_MS } from '../base/constants.ts'
import type { Toast, ToastRequest } from './toast.ts'

/** The store of react-hot-toast. */
export interface ToastStage {
  /** Adds or replaces; starts its time. Returns the message by which the store knows this version of it. */
  put(toast: Toast): unknown
  /** Starts the exit animation. */
  dismiss(id: string): void
  remove(id: string): void
}

interface Item extends Toast {
  phase: 'waiting' | 'shown' | 'leaving'
  message: unknown
  /** Whether the store has reported this version of it. */
  isStaged: boolean
  /** Shown during a pause: its time begins with the end of the pause. */
  isFresh: boolean
}

/** What the toaster shows beside the toasts. */
interface Surroundings {
  /** The toaster that draws. Others draw nothing. */
  owner: symbol | undefined
  waitingCount: number
}

export type ToastQueue = ReturnType<typeof createToastQueue>

const isEndless = ({ durationMs }: Toast) => durationMs === Infinity

/** The most urgent first; of equals, those that hide automatically. */
const byUrgency = (a: Toast, b: Toast) => a.urgency - b.urgency || Number(isEndless(a)) - Number(isEndless(b))

/** A request with defaults. */
function contentOf({ durationMs = 0, ...request }: ToastRequest) {
  const { kind, text, action, urgency = kind === 'error' ? 1 : 2, label = text } = request
  const usualMs = kind === 'loading' || action ? Infinity : TOAST_DURATION_MS
  const wishedMs = durationMs > 0 ? durationMs : usualMs
  return {
    // Of a toast that is replaced these end.
    action: undefined,
    onClose: undefined,
    leftPart: undefined,
    ...request,
    urgency,
    label,
    // No timer holds more.
    durationMs: wishedMs > LARGEST_TIMER_DELAY_MS ? Infinity : wishedMs,
  }
}

export function createToastQueue(stage: ToastStage) {
  const listeners = new Set<() => void>()
  const owners: symbol[] = []
  // In order of arrival.
  let items: Item[] = []
  let serial = 0
  let isPaused = false
  let surroundings: Surroundings = { owner: undefined, waitingCount: 0 }

  const waiting = () => items.filter(({ phase }) => phase === 'waiting')
  const onStage = () => items.filter(({ phase }) => phase !== 'waiting')
  const find = (id: string | undefined) => items.find((item) => item.id === id)
  const firstWaiting = () =>
    waiting().reduce<Item | undefined>(
      (first, item) => (first && byUrgency(first, item) <= 0 ? first : item),
      undefined,
    )
  const show = (item: Item) => {
    Object.assign(item, {
      phase: 'shown',
      isStaged: false,
      isFresh: isPaused,
      message: stage.put({ ...item }),
    })
  }
  const close = (item: Item | undefined) => {
    if (item?.phase === 'waiting') items = items.filter((other) => other !== item)
    if (item?.phase !== 'shown') return
    item.phase = 'leaving'
    stage.dismiss(item.id)
  }
  const fill = () => {
    for (let first = firstWaiting(); first; first = firstWaiting()) {
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
    stage.remove(last.id)
    Object.assign(last, { phase: 'waiting', isSilent: true })
    return true
  }
  /** Every change: then the places are filled, and the toasters notified. */
  const change = <Result>(act: () => Result): Result => {
    const result = act()
    if (owners.length > 0) fill()
    const next = { owner: owners[0], waitingCount: waiting().length }
    if (next.owner !== surroundings.owner || next.waitingCount !== surroundings.waitingCount) {
      surroundings = next
      for (const listener of listeners) listener()
    }
    return result
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
      const added: Item = {
        ...contentOf(request),
        id: id ?? `latchkey-${serial}`,
        phase: 'waiting',
        count: 1,
        isSilent: false,
        isStaged: false,
        isFresh: false,
        message: undefined,
      }
      items.push(added)
      return added.id
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
    closeByUser(id: string): void {
      const item = find(id)
      if (item?.onClose) item.onClose()
      else change(() => close(item))
    },
    /** Closes all toasts except the idle countdown. */
    closeAll: (): void =>
      change(() => {
        for (const item of items) if (item.urgency > 0 || item.phase === 'waiting') close(item)
      }),
    /** Removes everything at once, for a change of user. */
    clear: (): void =>
      change(() => {
        for (const { id } of onStage()) stage.remove(id)
        items = []
      }),
    /** What the store has now: the time of a toast is over, or the app dismissed it. */
    settle: (staged: readonly { id: string; visible: boolean; message: unknown }[]): void =>
      change(() => {
        for (const item of onStage()) {
          const found = staged.find(({ id }) => id === item.id)
          if (!found && item.isStaged) items = items.filter((other) => other !== item)
          // An older version says nothing of this one.
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
    surroundings: (): Surroundings => surroundings,
  }
}
