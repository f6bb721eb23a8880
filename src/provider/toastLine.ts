// The line in which toasts wait: in order, errors first, never so long that nobody would read it (contract §9).
import type { ToastItem } from './toast.ts'

/** Toasts that wait, the entry for the uncounted rest included. */
export const LARGEST_WAITING_COUNT = 50

export interface ToastLine {
  /** Everything that waits, what is only counted included. */
  readonly length: number
  /** Toasts that were too many and are only counted. */
  readonly surplusCount: number
  readonly first: ToastItem | undefined
  /** To the end of its rank; answers the items that were too many. */
  push(item: ToastItem): ToastItem[]
  /** Back from the stage: it is never too many. */
  bringBack(item: ToastItem, place: 'first' | 'last'): void
  shift(): ToastItem | undefined
  remove(item: ToastItem): void
  /** The surplus is spoken for. */
  takeSurplus(): number
  clear(): ToastItem[]
}

export function createToastLine(): ToastLine {
  const ranks: [ToastItem[], ToastItem[], ToastItem[]] = [[], [], []]
  let surplusCount = 0
  const length = () => ranks[0].length + ranks[1].length + ranks[2].length

  return {
    get length() {
      return length() + surplusCount
    },
    get surplusCount() {
      return surplusCount
    },
    get first() {
      return ranks[0][0] ?? ranks[1][0] ?? ranks[2][0]
    },
    push(item) {
      ranks[item.rank].push(item)
      const dropped: ToastItem[] = []
      // The least urgent first, and of those the newest: whoever waits longest keeps its place.
      while (length() > LARGEST_WAITING_COUNT - Math.min(surplusCount, 1)) {
        const surplus = ranks[2].pop() ?? ranks[1].pop() ?? ranks[0].pop()
        if (!surplus) break
        surplusCount += surplus.count
        dropped.push(surplus)
      }
      return dropped
    },
    bringBack(item, place) {
      if (place === 'first') ranks[item.rank].unshift(item)
      else ranks[item.rank].push(item)
    },
    shift: () => ranks[0].shift() ?? ranks[1].shift() ?? ranks[2].shift(),
    remove(item) {
      const rank = ranks[item.rank]
      if (rank.includes(item)) rank.splice(rank.indexOf(item), 1)
    },
    takeSurplus() {
      const count = surplusCount
      surplusCount = 0
      return count
    },
    clear() {
      surplusCount = 0
      return ranks.flatMap((rank) => rank.splice(0))
    },
  }
}
