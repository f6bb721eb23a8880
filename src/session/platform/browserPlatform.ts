// The Platform of a real browser.
import { early, sharedByPage, takeTabName, tellOfStay } from './browserShared.ts'
import { createBrowserLock, createBrowserTabs } from './browserTabs.ts'
import { openReadableFrame, windowName } from './browserFrame.ts'
import { loadLater, withLater } from '../laterFile.ts'
import { takeFirstTabLock } from '../../base/firstTabLock.ts'
import { createBrowserStorage } from './browserStorage.ts'
import type { Platform, PlatformEvent } from './platform.ts'

/** False on a server. */
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
    get crypto() {
      const { crypto, isSecureContext } = globalThis as Partial<typeof globalThis>
      const randomBytes = (length: number) => crypto!.getRandomValues(new Uint8Array(length))
      return {
        randomBytes: typeof crypto?.getRandomValues === 'function' ? randomBytes : undefined,
        subtle: crypto?.subtle,
        isSecureContext: isSecureContext === true,
      }
    },
    fetch: (input, init) =>
      early()
        ?.fetch?.(input, init)
        ?.catch((error: unknown) => {
          // The stack of an inline script's error has the page's URL, with the code.
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
      // Routers that have read the URL already listen to this.
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

/** After two seconds where the browser (Safari) reports no idle moments. */
function whenIdle(callback: () => void) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => callback())
  else setTimeout(callback, 2_000)
}

/** A prerendered page may not load frames, and may never be shown. */
const untilActive = () =>
  (document as { prerendering?: boolean }).prerendering
    ? new Promise<void>((resolve) => {
        document.addEventListener('prerenderingchange', () => resolve(), { once: true })
      })
    : undefined

const isVisible = () => document.visibilityState === 'visible'

/** After a redirect of the server, the referrer or the `activation` shows its origin, or this one. Not every browser reports it. */
function isOpenedByUser(authHost: string): boolean | 'back' {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { type = 'navigate', name = '', workerStart = 0 } = visit ?? {}
  if (type !== 'navigate') return type === 'back_forward' ? 'back' : true
  const { activation } = (globalThis as { navigation?: { activation?: { from: unknown } } }).navigation ?? {}
  const origins = [location.origin, new URL(authHost).origin]
  // Other code, or a service worker, may have removed the response from the URL; some servers send no referrer.
  const isAnswered = workerStart > 0 || name.includes('state=')
  return (
    activation?.from === null &&
    !isAnswered &&
    !origins.some((origin) => document.referrer.startsWith(origin))
  )
}

/** Events with another name or a condition. */
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
  // In the capture phase, events of the document pass the window.
  const options = { capture: true, passive: true }
  addEventListener(type, listen, options)
  return () => removeEventListener(type, listen, options)
}

/** Activity in the page's own window, without scrolling. `beforeinput`: dictation and on-screen keyboards send no keys. */
const ACTIVITIES = 'pointerdown pointermove keydown beforeinput wheel touchstart touchmove'.split(' ')

/** For frames and other windows: once the page has started. */
const ELSEWHERE_AFTER_MS = 1_000

/** Ignores events of scripts. */
function listenToActivity(listener: () => void): () => void {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal }
  const receive = (event: Event) => {
    if (event.isTrusted) listener()
  }
  const listenIn = (target: EventTarget) => {
    for (const type of ACTIVITIES) target.addEventListener(type, receive, options)
  }
  listenIn(window)
  setTimer(() => {
    if (!end.signal.aborted) void withLater({ setTimer }, (file) => file.listenElsewhere(listenIn, options))
  }, ELSEWHERE_AFTER_MS)
  return () => end.abort()
}
