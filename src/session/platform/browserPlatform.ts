// The real browser behind the Platform: the one file that names window, document, timers and storages.
import { early, sharedByPage, takeTabName } from './browserShared.ts'
import { createBrowserLock, createBrowserTabs } from './browserTabs.ts'
import { openReadableFrame, windowName } from './browserFrame.ts'
import { loadLater, withLater } from '../laterFile.ts'
import { takeFirstTabLock } from '../../base/firstTabLock.ts'
import { createBrowserStorage } from './browserStorage.ts'
import { tellOfStay } from './browserStay.ts'
import type { Platform, PlatformEvent } from './platform.ts'

/** Whether this code runs in a page, not on a server. */
export const isBrowser: boolean = typeof document !== 'undefined'

/** The page's own platform. Reads no global until it is used, so importing it on a server is safe. */
export function createBrowserPlatform(): Platform {
  return {
    isServer: !isBrowser,
    now: () => Date.now(),
    monotonicNow: () => performance.now(),
    setTimer,
    untilActive,
    whenIdle,
    crypto: {
      get randomBytes() {
        return typeof globalThis.crypto?.getRandomValues === 'function'
          ? (length: number) => crypto.getRandomValues(new Uint8Array(length))
          : undefined
      },
      get subtle() {
        return globalThis.crypto?.subtle
      },
      get isSecureContext() {
        return globalThis.isSecureContext
      },
    },
    fetch: (input, init) =>
      early()
        ?.fetch?.(input, init)
        ?.catch((error: unknown) => {
          // One that was made by a script in the page itself names the page's address, with the code, in its stack.
          throw new TypeError((error as Error).message)
        }) ?? fetch(input, init),
    address: () => location.href,
    baseAddress: () => document.baseURI,
    get early() {
      return early()
    },
    shared: sharedByPage,
    takeLock: (name, forMs) =>
      early()?.claim?.(name) ?? takeFirstTabLock({ lock: createBrowserLock(), setTimer }, name, forMs),
    replaceAddress: (address, isSilent) => {
      history.replaceState(history.state, '', address)
      // Routers that have read the address already listen to this.
      if (!isSilent) dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
    },
    get isStayTold() {
      return 'navigation' in globalThis
    },
    navigate(url) {
      tellOfStay()
      location.assign(url)
    },
    sessionStorage: createBrowserStorage(() => sessionStorage),
    localStorage: createBrowserStorage(() => localStorage),
    isOnline: () => navigator.onLine,
    isFocusElsewhere: async () => (await loadLater({ setTimer })).isFocusElsewhere(),
    isVisible,
    on: listenTo,
    isOpenedByUser,
    watchPolicy,
    openFrame: openReadableFrame,
    takeTabName,
    windowName,
    closeWindow: () => close(),
    tabs: createBrowserTabs,
    tell: (message) => console.info(`[latchkey] ${message}`),
    warn: (message, cause) => console.warn(`[latchkey] ${message}`, ...(cause === undefined ? [] : [cause])),
  }
}

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** Safari tells of no idle moment: a page is at rest after two seconds. */
function whenIdle(callback: () => void) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => callback())
  else setTimeout(callback, 2_000)
}

/** A prerendered page has its frames held back, and may never be opened. */
const untilActive = () =>
  (document as { prerendering?: boolean }).prerendering
    ? new Promise<void>((resolve) => {
        document.addEventListener('prerenderingchange', () => resolve(), { once: true })
      })
    : undefined

const isVisible = () => document.visibilityState === 'visible'

/** What a server sends back comes straight from a page of this origin, or says where it is from. Not every browser tells. */
function isOpenedByUser(authHost: string): boolean | 'back' {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { type = 'navigate', name = '', workerStart = 0 } = visit ?? {}
  if (type !== 'navigate') return type === 'back_forward' ? 'back' : true
  const { activation } = (globalThis as { navigation?: { activation?: { from: unknown } } }).navigation ?? {}
  const origins = [location.origin, new URL(authHost).origin]
  // Other code may have taken the response out of the address, a service worker before it came; some servers send no referrer.
  const isAnswered = workerStart > 0 || name.includes('state=')
  return (
    activation?.from === null &&
    !isAnswered &&
    !origins.some((origin) => document.referrer.startsWith(origin))
  )
}

function watchPolicy(origin: string): () => boolean {
  let isForbidden = false
  const look = ({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent) => {
    const isRequest = disposition === 'enforce' && effectiveDirective === 'connect-src'
    isForbidden ||= isRequest && blockedURI.startsWith(origin)
  }
  document.addEventListener('securitypolicyviolation', look)
  return () => {
    document.removeEventListener('securitypolicyviolation', look)
    return isForbidden
  }
}

/** What goes by another name, or is meant only at times. */
const OTHERS: Partial<Record<PlatformEvent, readonly [type: string, isMeant?: (event: Event) => boolean]>> = {
  visible: ['visibilitychange', isVisible],
  hidden: ['visibilitychange', () => !isVisible()],
  restored: ['pageshow', (event) => (event as PageTransitionEvent).persisted],
}

function listenTo(event: PlatformEvent, listener: () => void): () => void {
  if (event === 'activity') return listenToActivity(listener)
  const [type, isMeant] = OTHERS[event] ?? [event]
  const listen = (domEvent: Event) => {
    if (!isMeant || isMeant(domEvent)) listener()
  }
  // On its way down an event of the document passes the window.
  const options = { capture: true, passive: true }
  addEventListener(type, listen, options)
  return () => removeEventListener(type, listen, options)
}

/** What the user does in the page's own window: not scrolling. Text may come without keys: dictation, an on-screen keyboard. */
const ACTIVITIES = 'pointerdown pointermove keydown beforeinput wheel touchstart touchmove'.split(' ')

/** Frames and further windows are listened to once the page has started. */
const ELSEWHERE_AFTER_MS = 1_000

/** Calls the listener for what the user does, and for nothing that a script does. */
function listenToActivity(listener: () => void): () => void {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal }
  const hear = (event: Event) => {
    if (event.isTrusted) listener()
  }
  const listenIn = (target: EventTarget) => {
    for (const type of ACTIVITIES) target.addEventListener(type, hear, options)
  }
  listenIn(window)
  setTimer(() => {
    if (!end.signal.aborted) void withLater({ setTimer }, (file) => file.listenElsewhere(listenIn, options))
  }, ELSEWHERE_AFTER_MS)
  return () => end.abort()
}
