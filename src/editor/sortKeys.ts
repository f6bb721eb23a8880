// Sorts the members of every object by key by moving their source text; whitespace stays in place.
import { readValid } from './findFaults.ts'

interface Member {
  readonly key: string
  readonly start: number
  end: number
  /** The first object that opens inside or after this member. */
  readonly firstObject: number
}

interface JsonObject {
  readonly start: number
  end: number
  readonly members: Member[]
  /** The first object that opens after this one has closed. */
  next: number
}

/** Finds the objects of valid JSON and their members, in the order they open. */
function readObjects(text: string): JsonObject[] {
  const objects: JsonObject[] = []
  const open: (JsonObject | undefined)[] = []
  let isKey = false
  /** The end of the last token: a member does not include the whitespace after it. */
  let tokenEnd = 0
  readValid(text, (code, start, end) => {
    const isEnd = code === 125 || code === 93
    const member = isEnd || code === 44 ? open.at(-1)?.members.at(-1) : undefined
    if (member) member.end = tokenEnd
    if (isKey && code === 34) {
      const key = JSON.parse(text.slice(start, end)) as string
      open.at(-1)?.members.push({ key, start, end, firstObject: objects.length })
    } else if (code === 123) {
      const object: JsonObject = { start, end, members: [], next: 0 }
      objects.push(object)
      open.push(object)
    } else if (code === 91) open.push(undefined)
    const closed = isEnd ? open.pop() : undefined
    if (closed) {
      closed.end = end
      closed.next = objects.length
    }
    isKey = code === 123 || (code === 44 && open.at(-1) !== undefined)
    tokenEnd = end
    return true
  })
  return objects
}

/** The text with sorted keys; equal keys keep their order, so the last one still wins. */
export function sortKeys(text: string): string {
  const objects = readObjects(text)
  const parts: string[] = []
  const work: { at: number; end: number; object: number }[] = [{ at: 0, end: text.length, object: 0 }]
  for (let piece = work.pop(); piece; piece = work.pop()) {
    const object = objects[piece.object]
    if (!object || object.start >= piece.end) {
      parts.push(text.slice(piece.at, piece.end))
      continue
    }
    parts.push(text.slice(piece.at, object.start))
    work.push({ at: object.end, end: piece.end, object: object.next })
    const sorted = object.members.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    // A stack: the end of the text goes in first.
    const none = objects.length
    let after = object.end
    for (let slot = sorted.length - 1; slot >= 0; slot--) {
      const place = object.members[slot]!
      const member = sorted[slot]!
      work.push({ at: place.end, end: after, object: none })
      work.push({ at: member.start, end: member.end, object: member.firstObject })
      after = place.start
    }
    work.push({ at: object.start, end: after, object: none })
  }
  return parts.join('')
}
