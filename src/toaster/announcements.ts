// Holds the texts for screen readers: each toast once, errors assertively, the others politely.

/** A text in one of the two live regions. */
export interface Announcement {
  readonly key: string
  readonly text: string
  readonly isUrgent: boolean
}

export interface Announcements {
  readonly list: readonly Announcement[]
  /** Time until the next announcement leaves its region; `Infinity` when both are empty. */
  readonly leftMs: number
  add(text: string, isUrgent: boolean): void
  elapse(passedMs: number): void
  clear(): void
}

/** Long enough for a screen reader to notice; short enough that its user does not find the text again when reading the page. */
const ANNOUNCEMENT_MS = 1000

export function createAnnouncements(): Announcements {
  let list: (Announcement & { leftMs: number })[] = []
  let serial = 0

  return {
    get list() {
      return list
    },
    get leftMs() {
      return Math.min(Infinity, ...list.map(({ leftMs }) => leftMs))
    },
    add(text, isUrgent) {
      serial += 1
      list = [...list, { key: String(serial), text, isUrgent, leftMs: ANNOUNCEMENT_MS }]
    },
    elapse(passedMs) {
      for (const announcement of list) announcement.leftMs -= passedMs
      if (list.some(({ leftMs }) => leftMs <= 0)) list = list.filter(({ leftMs }) => leftMs > 0)
    },
    clear() {
      list = []
    },
  }
}
