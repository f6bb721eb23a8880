// An edit removes one range of a text and inserts another; it is found by comparing two texts.

export interface Edit {
  readonly offset: number
  readonly removed: string
  readonly inserted: string
}

const BLOCK = 4_096

/** Counts equal characters, up to `max`: whole blocks first, which compare many times faster. */
function countEqual(max: number, isEqual: (from: number, to: number) => boolean): number {
  let count = 0
  for (let step = BLOCK; step >= 1; step /= 2) {
    while (count + step <= max && isEqual(count, count + step)) count += step
  }
  return count
}

/** The smallest single edit that turns `before` into `after`; `undefined` if they are equal. */
export function findEdit(before: string, after: string): Edit | undefined {
  if (before === after) return undefined
  const [oldEnd, newEnd] = [before.length, after.length]
  const shorter = Math.min(oldEnd, newEnd)
  const start = countEqual(shorter, (from, to) => before.slice(from, to) === after.slice(from, to))
  const tail = countEqual(
    shorter - start,
    (from, to) => before.slice(oldEnd - to, oldEnd - from) === after.slice(newEnd - to, newEnd - from),
  )
  return {
    offset: start,
    removed: before.slice(start, oldEnd - tail),
    inserted: after.slice(start, newEnd - tail),
  }
}

/** `text` with the edit made. */
export function makeEdit(text: string, { offset, removed, inserted }: Edit): string {
  return text.slice(0, offset) + inserted + text.slice(offset + removed.length)
}

/** Where an offset lies after the edit. */
export function moveOffset(offset: number, { offset: from, removed, inserted }: Edit): number {
  return offset <= from ? offset : Math.max(from, offset + inserted.length - removed.length)
}
