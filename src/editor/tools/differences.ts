// What an action would change, place by place: compared word by word, so that one long line shows its changes as well.
import { findEdit } from '../edits.ts'
import { findPlaces } from '../places.ts'

export interface Difference {
  readonly offset: number
  readonly line: number
  /** What stands around it on its line. */
  readonly before: string
  readonly removed: string
  readonly inserted: string
  readonly after: string
}

const WORD = /"(?:[^"\\\n]|\\.)*"|\n|[^\S\n]+|[\w.+-]+|[\s\S]/g
/** So far two texts are searched for the next place where they agree. */
const REACH = 200
/** Longer stretches are one change. */
const COMPARED_LENGTH = 500_000
const AROUND = 30

/** How many words to leave out on both sides until two words agree. */
function findAgreement(old: readonly string[], now: readonly string[], x: number, y: number) {
  for (let sum = 1; sum < REACH; sum++) {
    for (let left = 0; left <= sum; left++) {
      const [a, b] = [x + left, y + sum - left]
      if (old[a] === now[b] && old[a + 1] === now[b + 1] && old[a] !== undefined) return [a, b] as const
    }
  }
  return [old.length, now.length] as const
}

/** The changes from one text to another, in order. */
export function findDifferences(text: string, next: string): Difference[] {
  const edit = findEdit(text, next)
  if (!edit) return []
  // Whole words: the common beginning may end in the middle of one.
  const start = text.lastIndexOf('\n', edit.offset - 1) + 1
  const from = edit.offset - start > AROUND * 10 ? edit.offset : start
  const tail = text.length - edit.offset - edit.removed.length
  const [oldEnd, newEnd] = [text.length - tail, next.length - tail]
  const isLong = oldEnd - from > COMPARED_LENGTH || newEnd - from > COMPARED_LENGTH
  const words = (of: string) => (isLong ? [of] : (of.match(WORD) ?? []))
  const [old, now] = [words(text.slice(from, oldEnd)), words(next.slice(from, newEnd))]
  const found: { offset: number; removed: string; inserted: string }[] = []
  let [x, y, offset] = [0, 0, from]
  while (x < old.length || y < now.length) {
    if (old[x] === now[y]) {
      offset += old[x]!.length
      x++
      y++
      continue
    }
    const [a, b] = findAgreement(old, now, x, y)
    const removed = old.slice(x, a).join('')
    found.push({ offset, removed, inserted: now.slice(y, b).join('') })
    offset += removed.length
    x = a
    y = b
  }
  const places = findPlaces(
    text,
    found.map((change) => change.offset),
  )
  return found.map((change, index) => {
    const end = change.offset + change.removed.length
    return {
      ...change,
      line: places[index]!.line,
      before: text
        .slice(Math.max(0, change.offset - AROUND), change.offset)
        .split('\n')
        .at(-1)!,
      after: text.slice(end, end + AROUND).split('\n')[0]!,
    }
  })
}
