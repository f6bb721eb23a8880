// Gauges in every contestant's page, counting from its start; the adjustable clock; the click on its button.
declare global {
  interface Window {
    peer: PeerPage
    gauges: Gauges
  }
}

/** The handles of every page; see `page/offer.jsx`. */
export interface PeerPage {
  renders: number
  /** By the wall clock. */
  signedInAtMs: number | undefined
  ask(): Promise<unknown>
  renew(): Promise<unknown>
  /** A call to the app's own server, where the library makes it. */
  call?(): Promise<unknown>
  signOut?(): Promise<unknown>
}

export interface Gauges {
  /** Advances the wall clock, as in a machine that slept. */
  sleep(ms: number): void
  counts(): { listeners: number; timers: number; frames: number }
}

export interface GaugeOptions {
  /** Presses the button as soon as it is there, until the user is signed in. */
  signsIn: boolean
}

/** Runs in the page before its scripts; must not use anything of this module. */
export function installGauges({ signsIn }: GaugeOptions): void {
  // Not in hidden frames: gauges there would count as work of the library that opened the frame.
  if (window !== window.top) return
  const NativeDate = Date
  const nativeNow = Date.now
  let offsetMs = 0
  const now = () => nativeNow() + offsetMs
  globalThis.Date = new Proxy(NativeDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [now()], newTarget) as Date,
    apply: () => new NativeDate(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  })

  // Listeners of the whole page: those of an element disappear with it.
  const listeners = new Map<EventTarget, Map<unknown, Set<string>>>()
  const isOfPage = (target: EventTarget | null) => target === null || target === window || target === document
  const keyOf = (type: string, options: unknown) =>
    `${type} ${typeof options === 'object' && options !== null ? 'capture' in options && Boolean(options.capture) : options === true}`
  const { addEventListener, removeEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function add(this: EventTarget | null, type, listener, options) {
    const target = this ?? window
    if (isOfPage(target)) {
      const known = listeners.get(target) ?? new Map<unknown, Set<string>>()
      listeners.set(target, known.set(listener, (known.get(listener) ?? new Set()).add(keyOf(type, options))))
    }
    addEventListener.call(target, type, listener, options)
  }
  EventTarget.prototype.removeEventListener = function remove(
    this: EventTarget | null,
    type,
    listener,
    options,
  ) {
    const target = this ?? window
    listeners.get(target)?.get(listener)?.delete(keyOf(type, options))
    removeEventListener.call(target, type, listener, options)
  }

  const timers = new Set<number>()
  const {
    setTimeout: setOnce,
    clearTimeout: clearOnce,
    setInterval: setEach,
    clearInterval: clearEach,
  } = window
  window.setTimeout = ((callback: TimerHandler, delayMs?: number, ...values: unknown[]) => {
    if (typeof callback !== 'function') return setOnce(callback, delayMs)
    const timer: number = setOnce(() => {
      timers.delete(timer)
      callback(...values)
    }, delayMs)
    timers.add(timer)
    return timer
  }) as typeof window.setTimeout
  window.setInterval = ((...values: Parameters<typeof window.setInterval>) => {
    const timer = setEach(...values)
    timers.add(timer)
    return timer
  }) as typeof window.setInterval
  const forget = (timer: unknown) => timers.delete(Number(timer))
  window.clearTimeout = (timer) => {
    forget(timer)
    clearOnce(timer)
  }
  window.clearInterval = (timer) => {
    forget(timer)
    clearEach(timer)
  }

  window.gauges = {
    sleep(ms) {
      offsetMs += ms
    },
    counts: () => ({
      listeners: [...listeners.values()]
        .flatMap((known) => [...known.values()])
        .reduce((total, { size }) => total + size, 0),
      timers: timers.size,
      frames: document.querySelectorAll('iframe').length,
    }),
  }

  if (!signsIn) return
  const watching = new MutationObserver(() => {
    const button = document.querySelector<HTMLButtonElement>('html[data-status="unauthenticated"] button')
    if (button || document.documentElement?.dataset['status'] === 'authenticated') watching.disconnect()
    button?.click()
  })
  watching.observe(document, { attributes: true, childList: true, subtree: true })
}
