// Decides which tab of a browser leads: the one that holds the lock; the next one in the queue follows it.
import type { TabsPort } from '../session/platform/platform.ts'

export type Leadership = ReturnType<typeof createLeadership>

export interface LeadershipOptions {
  readonly lock: NonNullable<TabsPort['lock']>
  /** Of the lock: the same in all tabs that share a leader. */
  readonly name: string
  /** This tab leads from now on. */
  readonly onLead: () => void
  /** The lock cannot be had at all: this tab is alone. */
  readonly onAlone: () => void
}

export function createLeadership({ lock, name, onLead, onAlone }: LeadershipOptions) {
  let isLeading = false
  /** Gives the lock back, or leaves the queue; `undefined` in neither. */
  let giveUp: (() => void) | undefined

  return {
    get isLeading() {
      return isLeading
    },
    /** Waits for its turn; leads until `resign`. */
    compete() {
      if (giveUp) return
      const waiting = new AbortController()
      let release: (() => void) | undefined
      giveUp = () => {
        waiting.abort()
        release?.()
      }
      const lead = () =>
        new Promise<void>((resolve) => {
          if (waiting.signal.aborted) return resolve()
          release = resolve
          isLeading = true
          onLead()
        })
      lock(name, { signal: waiting.signal }, lead).catch(() => {
        // A page without an origin of its own has locks that refuse.
        if (!waiting.signal.aborted) onAlone()
      })
    },
    resign() {
      isLeading = false
      giveUp?.()
      giveUp = undefined
    },
  }
}
