// What the measured page offers to the bench, and what is counted in it from its first moment on.
import type { Auth } from 'latchkey'

/** On the window of the measured page. */
export interface BenchPage {
  readonly auth: Auth
  /** When the page's own script began, on the page's clock, and what had been painted by then. */
  readonly scriptStarted: { atMs: number; paints: number }
  /** When the state first was `authenticated`. */
  readonly signedInAtMs: number | undefined
  /** Renders of each component that uses `useAuth`. */
  readonly renders: readonly number[]
  mount(): void
  unmount(): void
  /** Says so many different toasts in one tick, and watches what becomes of them. */
  raiseToastStorm(count: number): Promise<ToastStorm>
}

/** What a storm of toasts did to the page. */
export interface ToastStorm {
  /** The loop that said them. */
  readonly saidMs: number
  /** Toasts in the page at once. */
  readonly largestCount: number
  /** 0 where no task was long enough for the browser to tell of it. */
  readonly longestLaterTaskMs: number
  readonly tasks: readonly { readonly startMs: number; readonly durationMs: number }[]
}

/** What is alive in the page. */
export interface LiveCounts {
  listeners: number
  timers: number
  channels: number
  frames: number
}

/** On the window too, put there before any script of the page runs. */
export interface Instruments {
  counts(): LiveCounts
  /** Timers that went off so far. */
  timersFired: number
  /** Pictures that were painted so far. */
  paints: number
  /** What had happened when the hidden frame opened; the first time only. */
  frameOpened: { atMs: number; timersFired: number; paints: number; requests: number } | undefined
  /** Lets the wall clock run ahead, as in a machine that slept. */
  sleep(ms: number): void
}

declare global {
  interface Window {
    bench: BenchPage
    instruments: Instruments
  }
}

/** Runs in the page before its scripts; it must not use anything of this module. */
export function installInstruments(): void {
  const live = { listeners: new Map<EventTarget, Set<string>>(), timers: new Set<number>(), channels: 0 }
  const names = new Map<unknown, number>()
  const nameOf = (value: unknown) => {
    if (!names.has(value)) names.set(value, names.size)
    return names.get(value)
  }
  const keyOf = (type: string, listener: unknown, options: unknown) => {
    const isCapture =
      typeof options === 'object' && options !== null ? 'capture' in options : options === true
    return `${type} ${nameOf(listener)} ${isCapture}`
  }
  // Listeners of the page as a whole: those of an element go with it.
  const isOfPage = (target: EventTarget | null) => target === null || target === window || target === document

  const { addEventListener, removeEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function add(this: EventTarget | null, ...request) {
    if (isOfPage(this)) {
      const target = this ?? window
      live.listeners.set(target, (live.listeners.get(target) ?? new Set()).add(keyOf(...request)))
    }
    addEventListener.apply(this ?? window, request)
  }
  EventTarget.prototype.removeEventListener = function remove(this: EventTarget | null, ...request) {
    if (isOfPage(this)) live.listeners.get(this ?? window)?.delete(keyOf(...request))
    removeEventListener.apply(this ?? window, request)
  }

  const { setTimeout: setReal, clearTimeout: clearReal } = window
  window.setTimeout = ((callback: () => void, delayMs?: number) => {
    const timer: number = setReal(() => {
      live.timers.delete(timer)
      window.instruments.timersFired += 1
      callback()
    }, delayMs)
    live.timers.add(timer)
    return timer
  }) as typeof window.setTimeout
  window.clearTimeout = (timer) => {
    live.timers.delete(timer as number)
    clearReal(timer)
  }

  window.BroadcastChannel = class extends BroadcastChannel {
    #isOpen = true
    constructor(name: string) {
      super(name)
      live.channels += 1
    }
    override close() {
      if (this.#isOpen) live.channels -= 1
      this.#isOpen = false
      super.close()
    }
  }

  let offsetMs = 0
  const realNow = Date.now
  Date.now = () => realNow() + offsetMs

  const paint = () => {
    window.instruments.paints += 1
    requestAnimationFrame(paint)
  }
  requestAnimationFrame(paint)
  new MutationObserver(() => {
    if (window.instruments.frameOpened || !document.querySelector('iframe')) return
    const isCall = ({ initiatorType }: PerformanceEntry & { initiatorType?: string }) =>
      initiatorType === 'fetch'
    window.instruments.frameOpened = {
      atMs: performance.now(),
      timersFired: window.instruments.timersFired,
      paints: window.instruments.paints,
      requests: performance.getEntriesByType('resource').filter(isCall).length,
    }
  }).observe(document, { childList: true, subtree: true })

  window.instruments = {
    timersFired: 0,
    paints: 0,
    frameOpened: undefined,
    counts: () => ({
      listeners: [...live.listeners.values()].reduce((sum, { size }) => sum + size, 0),
      timers: live.timers.size,
      channels: live.channels,
      frames: document.querySelectorAll('iframe').length,
    }),
    sleep(ms) {
      offsetMs += ms
    },
  }
}
