// A page that lies in the back/forward cache: it runs no timer, hears and says nothing, and gets its responses when it is back.
import type { Platform, TabsPort } from '../../../src/session/platform/platform.ts'

/** What a page does where nothing of it runs, and how it comes back. */
export interface Away {
  readonly is: boolean
  /** From now on nothing of the page runs. */
  go(): void
  /** Is here again, tells the page by its events, and lets come what was due meanwhile. */
  back(tell: () => void): void
}

/** Holds back what reaches the page of this platform while it is away. */
export function createAway(platform: Platform): Away {
  const { setTimer, fetch, tabs, on } = platform
  let isAway = false
  let due: (() => void)[] = []
  /** Now, or once the page is back. */
  const whenHere = (work: () => void) => (isAway ? void due.push(work) : work())
  const openChannel =
    (open: NonNullable<TabsPort['openChannel']>): typeof open =>
    (name, listen) => {
      // A page in the cache misses what is said meanwhile.
      const channel = open(name, (message) => isAway || listen(message))
      return { ...channel, post: (message) => isAway || channel.post(message) }
    }
  Object.assign(platform, {
    on: (event, listener) => on(event, () => isAway || listener()),
    setTimer(callback, delayMs) {
      let isCancelled = false
      const cancel = setTimer(() => whenHere(() => isCancelled || callback()), delayMs)
      return () => {
        isCancelled = true
        cancel()
      }
    },
    async fetch(input, init) {
      try {
        return await fetch(input, init)
      } finally {
        if (isAway) await new Promise<void>((resolve) => void due.push(resolve))
      }
    },
    tabs() {
      const port = tabs()
      return { ...port, openChannel: port.openChannel && openChannel(port.openChannel) }
    },
  } satisfies Partial<Platform>)
  return {
    get is() {
      return isAway
    },
    go() {
      isAway = true
    },
    back(tell) {
      isAway = false
      tell()
      const works = due
      due = []
      for (const work of works) work()
    },
  }
}
