// Says each toast once to people who do not see it, errors at once and the others when there is a pause (contract §9).
import type { ToastAnnouncement, ToastItem } from './toast.ts'

/** Long enough to be heard of; gone before somebody reads the page by hand and meets it twice. */
const ANNOUNCEMENT_MS = 1000

export interface ToastSpeech {
  readonly announcements: readonly ToastAnnouncement[]
  /** Time to the next end of an announcement; `Infinity` when there is none. */
  readonly leftMs: number
  /** Says a toast unless the same was said of it before: a count or a countdown is not news. */
  say(item: ToastItem): void
  elapse(passedMs: number): void
  clear(): void
}

export function createToastSpeech(): ToastSpeech {
  let announcements: (ToastAnnouncement & { leftMs: number })[] = []
  let serial = 0

  return {
    get announcements() {
      return announcements
    },
    get leftMs() {
      return Math.min(Infinity, ...announcements.map(({ leftMs }) => leftMs))
    },
    say(item) {
      const text = item.announcement ?? item.text
      // What has a text of its own for this is said once, however its toast changes.
      const isTold = item.announcement !== undefined && item.announced !== undefined
      if (isTold || item.announced === text) return
      item.announced = text
      const isUrgent = item.kind === 'error' || item.rank === 0
      announcements = [
        ...announcements,
        { key: String((serial += 1)), text, isUrgent, leftMs: ANNOUNCEMENT_MS },
      ]
    },
    elapse(passedMs) {
      if (passedMs === 0 || announcements.length === 0) return
      announcements = announcements
        .filter(({ leftMs }) => leftMs > passedMs)
        .map((part) => ({ ...part, leftMs: part.leftMs - passedMs }))
    },
    clear() {
      announcements = []
    },
  }
}
