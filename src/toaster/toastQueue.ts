// Decides which toasts are shown and for how long: at most three, the most urgent first, each text once.
import { LARGEST_TIMER_DELAY_MS, LARGEST_TOAST_COUNT } from '../constants.ts'
import type { Platform } from '../session/platform/platform.ts'
import { type Announcement, createAnnouncements } from './announcements.ts'
import type { ToastRequest, ToastView } from './toast.ts'
import { byUrgency, createItem, contentOf, isEndless, type ToastItem } from './toastItem.ts'

/** Duration of the exit animation in toastStyle.ts. */
export const EXIT_MS = 200

/** Where toasts are drawn: react-hot-toast's store. */
export interface ToastStage {
  put(view: ToastView): void
  /** Starts the exit animation. */
  leave(id: string): void
  remove(id: string): void
}

/** A mounted toaster with its clock and page events. */
export interface ToastOwner {
  readonly platform: Pick<Platform, 'monotonicNow' | 'setTimer' | 'on' | 'isVisible'>
}

/** What the toaster shows beside the toasts. */
export interface ToastSurroundings {
  /** The toaster that draws. Others draw nothing. */
  readonly owner: ToastOwner | undefined
  readonly waitingCount: number
  readonly announcements: readonly Announcement[]
}

/** Why the time of the toasts is paused. */
export type PauseReason = 'hover' | 'focus' | 'hidden'

export interface ToastQueue {
  /** Shows a toast or queues it; returns its id. */
  add(request: ToastRequest): string
  close(id: string): void
  /** Closes all toasts except the idle countdown. */
  closeAll(): void
  /** Removes everything at once, for a change of user. */
  clear(): void
  /** Handles a toast that the app dismissed through react-hot-toast. */
  heedDismissal(view: ToastView): void
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
  /** The first attached toaster draws. Without one, every toast waits. Returns the removal. */
  attach(owner: ToastOwner): () => void
  subscribe(listener: () => void): () => void
  surroundings(): ToastSurroundings
}

export function createToastQueue(stage: ToastStage): ToastQueue {
  const announcements = createAnnouncements()
  const pauses = new Set<PauseReason>()
  const listeners = new Set<() => void>()
  const owners: ToastOwner[] = []
  // In order of arrival.
  let items: ToastItem[] = []
  let serial = 0
  let seenMs = 0
  let cancelTimer = () => {}
  let surroundings: ToastSurroundings = { owner: undefined, waitingCount: 0, announcements: [] }

  const waiting = () => items.filter(({ phase }) => phase === 'waiting')
  const firstWaiting = () =>
    waiting().reduce<ToastItem | undefined>(
      (first, item) => (first && byUrgency(first, item) <= 0 ? first : item),
      undefined,
    )
  const onStage = () => items.filter(({ phase }) => phase !== 'waiting')
  const find = (id: string | undefined) => items.find((item) => item.id === id)
  const findSame = ({ kind, text }: ToastRequest) =>
    items.find(
      (item) =>
        item.kind === kind && item.text === text && (item.phase !== 'leaving' || item.comesBackForMs > 0),
    )

  const put = (item: ToastItem) => {
    const { id, kind, text, count, action, onClose, leftPart } = item
    announce(item)
    item.phase = 'shown'
    item.comesBackForMs = 0
    item.view = { id, kind, text, label: item.announced ?? text, count, action, onClose, leftPart }
    stage.put(item.view)
  }
  /** Counts, countdowns and toasts shown again are not announced again. */
  const announce = (item: ToastItem) => {
    const text = item.announcement ?? item.text
    const wasAnnounced = item.announcement !== undefined && item.announced !== undefined
    if (wasAnnounced || item.announced === text) return
    item.announced = text
    announcements.add(text, item.kind === 'error' || item.urgency === 0)
  }
  const leave = (item: ToastItem, comesBackForMs = 0) => {
    item.phase = 'leaving'
    item.leftMs = EXIT_MS
    item.comesBackForMs = comesBackForMs
    stage.leave(item.id)
  }
  const forget = (item: ToastItem) => {
    items = items.filter((other) => other !== item)
  }

  const elapse = () => {
    const nowMs = owners[0]?.platform.monotonicNow() ?? seenMs
    const passedMs = nowMs - seenMs
    seenMs = nowMs
    for (const item of onStage()) {
      if (item.phase === 'leaving' || pauses.size === 0) item.leftMs -= passedMs
    }
    announcements.elapse(passedMs)
  }
  const endPhases = () => {
    for (const item of onStage()) {
      if (item.leftMs > 0) continue
      if (item.phase === 'shown') leave(item)
      else {
        stage.remove(item.id)
        if (item.comesBackForMs > 0) Object.assign(item, { phase: 'waiting', leftMs: item.comesBackForMs })
        else forget(item)
      }
    }
  }
  const fill = () => {
    let first = firstWaiting()
    while (first && onStage().length < LARGEST_TOAST_COUNT) {
      put(first)
      first = firstWaiting()
    }
    if (first) makeRoom(first)
  }
  /** The idle countdown gets a place at once. Others replace only toasts that follow them in the order and do not hide automatically. */
  const makeRoom = (first: ToastItem) => {
    if (onStage().some(({ phase }) => phase === 'leaving')) return
    const isBehind = (item: ToastItem) =>
      item.urgency > 0 && (first.urgency === 0 || (isEndless(item) && byUrgency(item, first) > 0))
    const [last] = onStage()
      .filter(isBehind)
      .toSorted((a, b) => byUrgency(b, a))
    if (last) leave(last, last.leftMs)
  }
  const schedule = ({ platform }: ToastOwner) => {
    cancelTimer()
    const running = onStage().filter(({ phase }) => phase === 'leaving' || pauses.size === 0)
    const delayMs = Math.min(announcements.leftMs, ...running.map(({ leftMs }) => leftMs))
    if (delayMs === Infinity) return
    const longestMs = Math.min(delayMs, LARGEST_TIMER_DELAY_MS)
    cancelTimer = platform.setTimer(() => change(() => {}), longestMs)
  }
  const tell = (next: ToastSurroundings) => {
    const isSame =
      next.owner === surroundings.owner &&
      next.waitingCount === surroundings.waitingCount &&
      next.announcements === surroundings.announcements
    if (isSame) return
    surroundings = next
    for (const listener of listeners) listener()
  }
  /** Every change: first the time passes, then the change applies, then the visible toasts are chosen again. */
  const change = <Result>(act: () => Result): Result => {
    elapse()
    const result = act()
    const [owner] = owners
    if (owner) {
      endPhases()
      fill()
      schedule(owner)
    }
    tell({ owner, waitingCount: waiting().length, announcements: announcements.list })
    return result
  }

  const create = (request: ToastRequest) => {
    serial += 1
    const item = createItem(request, `latchkey-${serial}`)
    items = [...items, item]
    return item.id
  }
  const repeat = (item: ToastItem, { action }: ToastRequest) => {
    item.count += 1
    item.action = action ?? item.action
    if (item.phase === 'shown') {
      item.leftMs = item.durationMs
      put(item)
    }
    return item.id
  }
  const replace = (item: ToastItem, request: ToastRequest) => {
    Object.assign(item, contentOf(request), { count: 1 })
    item.leftMs = item.durationMs
    if (item.phase !== 'waiting') put(item)
    return item.id
  }
  const admit = (request: ToastRequest): string => {
    const named = find(request.id)
    if (named?.kind === 'loading' && named.count > 1) {
      // Two operations share one loading toast. The first to end gets its own toast.
      named.count -= 1
      if (named.phase === 'shown') put(named)
      return admit({ ...request, id: undefined })
    }
    if (named) return replace(named, request)
    const same = request.id === undefined ? findSame(request) : undefined
    return same ? repeat(same, request) : create(request)
  }
  const close = (item: ToastItem | undefined) => {
    if (item?.phase === 'waiting') forget(item)
    else if (item?.phase === 'leaving') item.comesBackForMs = 0
    else if (item) leave(item)
  }

  return {
    add: (request) => change(() => admit(request)),
    close: (id) => change(() => close(find(id))),
    closeAll: () =>
      change(() => {
        for (const item of items) if (item.urgency > 0 || item.phase === 'waiting') close(item)
      }),
    clear: () =>
      change(() => {
        for (const { id } of onStage()) stage.remove(id)
        items = []
        announcements.clear()
      }),
    heedDismissal: (view) =>
      change(() => {
        // Ignore a dismissal of an older view.
        const item = find(view.id)
        if (item?.view === view && item.phase === 'shown') leave(item)
      }),
    pause: (reason) => change(() => pauses.add(reason)),
    resume: (reason) => change(() => pauses.delete(reason)),
    attach(owner) {
      const { platform } = owner
      const look = () => change(() => (platform.isVisible() ? pauses.delete('hidden') : pauses.add('hidden')))
      const removals = [platform.on('hidden', look), platform.on('visible', look)]
      if (owners.push(owner) === 1) seenMs = platform.monotonicNow()
      look()
      return () => {
        elapse()
        for (const remove of removals) remove()
        cancelTimer()
        owners.splice(owners.indexOf(owner), 1)
        // The next toaster has its own clock.
        seenMs = owners[0]?.platform.monotonicNow() ?? 0
        change(() => {
          pauses.delete('hover')
          pauses.delete('focus')
        })
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    surroundings: () => surroundings,
  }
}
