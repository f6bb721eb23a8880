// Decides which toasts are on stage and for how long: three at most, each text once, by a clock that nobody sets (spec §9; contract §9).
import { LARGEST_TIMER_DELAY_MS, LARGEST_TOAST_COUNT, TOAST_DURATION_MS } from '../constants.ts'
import {
  contentOf,
  type PauseReason,
  type ToastItem,
  type ToastOwner,
  type ToastRequest,
  type ToastStage,
  type ToastSurroundings,
  type ToastView,
  turnMs,
} from './toast.ts'
import { createToastLine } from './toastLine.ts'
import { createToastSpeech } from './toastSpeech.ts'

/** How long a toast takes to go; the style's animation is as long. */
export const EXIT_MS = 200

export interface ToastQueue {
  add(request: ToastRequest): string
  close(id: string): void
  /** The user wants none of them; what must be seen stays. */
  closeAll(): void
  /** They are nobody's business any more: gone at once. */
  clear(): void
  /** Somebody else has sent it off the stage. */
  heedDismissal(view: ToastView): void
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
  /** Draws while it is first among those attached; until somebody is, everything waits. */
  attach(owner: ToastOwner): () => void
  subscribe(listener: () => void): () => void
  surroundings(): ToastSurroundings
}

export function createToastQueue(stage: ToastStage): ToastQueue {
  const line = createToastLine()
  const speech = createToastSpeech()
  const byId = new Map<string, ToastItem>()
  const byText = new Map<string, ToastItem>()
  const pauses = new Set<PauseReason>()
  const listeners = new Set<() => void>()
  const owners: ToastOwner[] = []
  let staged: ToastItem[] = []
  let serial = 0
  let seenMs = 0
  let timerAtMs = Infinity
  let cancelTimer = () => {}
  let surroundings: ToastSurroundings = { owner: undefined, waitingCount: 0, announcements: [] }

  const newId = () => `latchkey-${(serial += 1)}`
  const textKey = ({ kind, text }: Pick<ToastItem, 'kind' | 'text'>) => `${kind} ${text}`
  const remember = (item: ToastItem) => {
    byId.set(item.id, item)
    if (!byText.has(textKey(item))) byText.set(textKey(item), item)
  }
  const forgetText = (item: ToastItem) => {
    if (byText.get(textKey(item)) === item) byText.delete(textKey(item))
  }
  const forget = (item: ToastItem) => {
    forgetText(item)
    byId.delete(item.id)
  }
  const create = (request: ToastRequest): ToastItem => {
    const item: ToastItem = {
      ...contentOf(request),
      id: request.id ?? newId(),
      count: 1,
      phase: 'waiting',
      leftMs: 0,
      comesBackForMs: 0,
      announced: undefined,
      view: undefined,
    }
    item.leftMs = turnMs(item)
    remember(item)
    return item
  }

  const put = (item: ToastItem) => {
    const { id, kind, text, count, action, onClose } = item
    item.phase = 'shown'
    item.comesBackForMs = 0
    speech.say(item)
    item.view = { id, kind, text, label: item.announced ?? text, count, action, onClose }
    stage.put(item.view)
  }
  const leave = (item: ToastItem, comesBackForMs = 0) => {
    item.phase = 'leaving'
    item.leftMs = EXIT_MS
    item.comesBackForMs = comesBackForMs
    if (comesBackForMs === 0) forgetText(item)
    stage.leave(item.id)
  }
  const unstage = (item: ToastItem) => {
    staged = staged.filter((other) => other !== item)
    stage.remove(item.id)
    if (item.comesBackForMs === 0) return forget(item)
    item.phase = 'waiting'
    item.leftMs = item.comesBackForMs
    // Cut off in its time: on with it next. Had its turn: behind the others.
    line.bringBack(item, item.durationMs < Infinity ? 'first' : 'last')
  }

  /** Lets the time pass that has passed. */
  const elapse = () => {
    const nowMs = owners[0]?.platform.monotonicNow() ?? seenMs
    const passedMs = nowMs - seenMs
    seenMs = nowMs
    for (const item of staged) {
      if (item.phase === 'leaving' || pauses.size === 0) item.leftMs -= passedMs
    }
    speech.elapse(passedMs)
  }
  const next = (owner: ToastOwner): ToastItem | undefined => {
    const waiting = line.shift()
    if (waiting || line.surplusCount === 0) return waiting
    const text = owner.more(line.takeSurplus())
    return text === '' ? undefined : create({ kind: 'info', text })
  }
  /** Endless toasts take turns with those that wait; what must be seen takes a place at once. */
  const giveWay = () => {
    const { first } = line
    if (!first || staged.some(({ phase }) => phase === 'leaving')) return
    const hadItsTurn = ({ durationMs, leftMs, rank }: ToastItem) =>
      pauses.size === 0 && durationMs === Infinity && leftMs <= 0 && rank >= first.rank
    const [gone] = staged
      .filter((item) => item.rank > 0 && (first.rank === 0 || hadItsTurn(item)))
      .toSorted((a, b) => b.rank - a.rank)
    if (gone) leave(gone, gone.durationMs < Infinity ? gone.leftMs : TOAST_DURATION_MS)
  }
  const move = (owner: ToastOwner) => {
    for (const item of staged) {
      if (item.leftMs > 0) continue
      if (item.phase === 'leaving') unstage(item)
      else if (item.durationMs < Infinity) leave(item)
    }
    while (staged.length < LARGEST_TOAST_COUNT) {
      const item = next(owner)
      if (!item) break
      staged = [...staged, item]
      put(item)
    }
    giveWay()
  }
  const schedule = (owner: ToastOwner) => {
    const running = staged.filter(
      ({ phase, leftMs }) => phase === 'leaving' || (pauses.size === 0 && leftMs > 0),
    )
    const delayMs = Math.min(speech.leftMs, ...running.map(({ leftMs }) => leftMs))
    // A storm adds a thousand toasts to the line and changes nothing here.
    if (Math.abs(seenMs + delayMs - timerAtMs) < 1) return
    stopTimer()
    if (delayMs === Infinity) return
    timerAtMs = seenMs + delayMs
    cancelTimer = owner.platform.setTimer(
      () => {
        stopTimer()
        advance()
      },
      Math.min(delayMs, LARGEST_TIMER_DELAY_MS),
    )
  }
  const stopTimer = () => {
    cancelTimer()
    timerAtMs = Infinity
  }
  const advance = () => {
    elapse()
    const [owner] = owners
    if (owner) {
      move(owner)
      schedule(owner)
    }
    surroundings = { owner, waitingCount: line.length, announcements: speech.announcements }
    for (const listener of listeners) listener()
  }

  const enqueue = (item: ToastItem) => {
    for (const dropped of line.push(item)) forget(dropped)
    return item.id
  }
  const repeat = (item: ToastItem, { action }: ToastRequest) => {
    item.count += 1
    item.action = action ?? item.action
    if (item.phase === 'shown') {
      item.leftMs = turnMs(item)
      put(item)
    }
    return item.id
  }
  const replace = (item: ToastItem, request: ToastRequest) => {
    forgetText(item)
    line.remove(item)
    Object.assign(item, contentOf(request), { count: 1 })
    item.leftMs = turnMs(item)
    remember(item)
    if (item.phase === 'waiting') return enqueue(item)
    put(item)
    return item.id
  }
  const admit = (request: ToastRequest): string => {
    const named = request.id === undefined ? undefined : byId.get(request.id)
    if (named?.kind === 'loading' && named.count > 1) {
      // Several are under way behind one text: one of them has ended, and says so by itself.
      named.count -= 1
      if (named.phase === 'shown') put(named)
      return admit({ ...request, id: undefined })
    }
    if (named) return replace(named, request)
    const same = request.id === undefined ? byText.get(textKey(request)) : undefined
    return same ? repeat(same, request) : enqueue(create(request))
  }
  const pause = (reason: PauseReason) => {
    if (pauses.has(reason)) return
    elapse()
    pauses.add(reason)
    advance()
  }
  const resume = (reason: PauseReason) => {
    elapse()
    if (pauses.delete(reason)) advance()
  }
  const whenShown = (id: string, act: (item: ToastItem) => void) => {
    const item = byId.get(id)
    if (item?.phase !== 'shown') return
    act(item)
    advance()
  }

  return {
    add(request) {
      elapse()
      const id = admit(request)
      advance()
      return id
    },
    close(id) {
      elapse()
      const item = byId.get(id)
      if (item?.phase === 'waiting') {
        line.remove(item)
        forget(item)
        advance()
      } else if (item?.phase === 'leaving') {
        item.comesBackForMs = 0
        forgetText(item)
      } else whenShown(id, leave)
    },
    closeAll() {
      elapse()
      for (const item of line.clear()) forget(item)
      for (const item of staged) if (item.rank > 0) leave(item)
      advance()
    },
    clear() {
      for (const item of [...line.clear(), ...staged]) forget(item)
      for (const { id } of staged) stage.remove(id)
      staged = []
      speech.clear()
      advance()
    },
    heedDismissal(view) {
      // An older view than the one on stage says nothing about it.
      elapse()
      if (byId.get(view.id)?.view === view) whenShown(view.id, leave)
    },
    pause,
    resume,
    attach(owner) {
      const { platform } = owner
      const look = () => (platform.isVisible() ? resume('hidden') : pause('hidden'))
      const removals = [platform.on('hidden', look), platform.on('visible', look)]
      elapse()
      owners.push(owner)
      if (owners[0] === owner) seenMs = platform.monotonicNow()
      look()
      advance()
      return () => {
        elapse()
        for (const remove of removals) remove()
        stopTimer()
        owners.splice(owners.indexOf(owner), 1)
        seenMs = owners[0]?.platform.monotonicNow() ?? 0
        pauses.delete('hover')
        pauses.delete('focus')
        advance()
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    surroundings: () => surroundings,
  }
}
