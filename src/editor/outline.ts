// The values of a JSON text as a tree of numbers, small enough for millions of them, and the ways through it.
import { readValid, stringEnd, wordEnd } from './doubts.ts'
import { readKey } from './location.ts'

/** What is known of each value, in the order of the text. */
const FIELDS = 6
const [VALUE, KEY, PARENT, AFTER, COUNT, ORDER] = [0, 1, 2, 3, 4, 5]
const [QUOTE, COMMA, COLON, OBJECT, ARRAY] = [34, 44, 58, 123, 91]

/** Reads where the values of a valid text stand, and what is within what. */
export function readOutline(text: string): Int32Array<ArrayBuffer> {
  let most = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === OBJECT || code === ARRAY) most++
  }
  const nodes = new Int32Array(most * FIELDS)
  const open: number[] = []
  let count = 0
  let key = -1
  let isKey = false
  const isInObject = () => text.charCodeAt(nodes[open.at(-1)! * FIELDS + VALUE]!) === OBJECT
  readValid(text, (code, start) => {
    if (code === 125 || code === 93) nodes[open.pop()! * FIELDS + AFTER] = count
    else if (code === COMMA) isKey = isInObject()
    else if (isKey) {
      key = start
      isKey = false
    } else if (code !== COLON) {
      const parent = open.at(-1) ?? -1
      const order = parent < 0 ? 0 : nodes[parent * FIELDS + COUNT]!++
      nodes.set([start, key, parent, count + 1, 0, order], count * FIELDS)
      if (code === OBJECT || code === ARRAY) open.push(count)
      isKey = code === OBJECT
      count++
      key = -1
    }
    return true
  })
  return nodes.slice(0, count * FIELDS)
}

/** The parts of a path: `$.users[0].name`, `users.0.name` and `/users/0/name` are the same. */
export function readPath(written: string): string[] {
  if (written.startsWith('/'))
    return written
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const parts = written.replace(/^\$/, '').match(/\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/g) ?? []
  return parts.map((part) => (part.startsWith('["') ? readKey(part.slice(1, -1)) : part))
}

/** What the values of an outline are called, and what each is within. */
export interface Names {
  readonly size: number
  label(id: number): string
  parent(id: number): number
}

export type Outline = ReturnType<typeof createOutline>

/** So many places are looked at before the page may do something else. */
const LOOKED_AT = 2_000
const MOST_SHOWN = 80

const rest = () => new Promise((resolve) => setTimeout(resolve))

export function createOutline(text: string, nodes: Int32Array) {
  const size = nodes.length / FIELDS
  const get = (id: number, field: number) => nodes[id * FIELDS + field]!
  const wordAt = (start: number) =>
    text.slice(start, text.charCodeAt(start) === QUOTE ? stringEnd(text, start) : wordEnd(text, start))
  const isContainer = (id: number) => '{['.includes(text[get(id, VALUE)]!)
  const label = (id: number): string => {
    const key = get(id, KEY)
    return key >= 0 ? readKey(wordAt(key)) : get(id, PARENT) < 0 ? '$' : String(get(id, ORDER))
  }
  const children = function* (id: number) {
    for (let child = id + 1; child < get(id, AFTER); child = get(child, AFTER)) yield child
  }
  /** The value whose key or beginning stands last before a place of the text. */
  const findAt = (place: number) => {
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const key = get(middle, KEY)
      if ((key < 0 ? get(middle, VALUE) : key) <= place) low = middle
      else high = middle - 1
    }
    return low
  }
  const isBelow = (id: number, parts: readonly string[]) => {
    let at = id
    return parts.toReversed().every((part) => (at = get(at, PARENT)) >= 0 && label(at) === part)
  }
  /** The value at the whole path; nothing when there is none. Of equal keys the last one counts. */
  const resolve = (parts: readonly (string | number)[]): number | undefined => {
    let at: number | undefined = size > 0 ? 0 : undefined
    for (const part of parts) {
      let found: number | undefined
      if (at !== undefined) for (const child of children(at)) if (label(child) === String(part)) found = child
      at = found
    }
    return at
  }
  return {
    size,
    label,
    isContainer,
    isObject: (id: number) => text[get(id, VALUE)] === '{',
    parent: (id: number) => get(id, PARENT),
    count: (id: number) => get(id, COUNT),
    order: (id: number) => get(id, ORDER),
    /** What stands there, of an object or a list nothing. */
    value(id: number): string {
      if (isContainer(id)) return ''
      const word = wordAt(get(id, VALUE))
      return word.length > MOST_SHOWN ? `${word.slice(0, MOST_SHOWN)}…` : word
    },
    /** Where its key stands, or the value where it has none. */
    place(id: number): readonly [start: number, end: number] {
      const start = get(id, KEY) < 0 ? get(id, VALUE) : get(id, KEY)
      return [start, '{['.includes(text[start]!) ? start + 1 : start + wordAt(start).length]
    },
    /** Keys, and numbers in lists. */
    path(id: number): (string | number)[] {
      const parts: (string | number)[] = []
      for (let at = id; get(at, PARENT) >= 0; at = get(at, PARENT))
        parts.unshift(get(at, KEY) < 0 ? get(at, ORDER) : label(at))
      return parts
    },
    /** The values at the same paths as these of another outline, in one walk of both: there may be a row open for each value. */
    sameAs(ids: ReadonlySet<number>, of: Names): Set<number> {
      /** The way from the root to each of them. */
      const below = new Map<number, Map<string, number>>()
      for (const id of ids)
        for (
          let [at, parent] = [id, of.parent(id)];
          parent >= 0;
          [at, parent] = [parent, of.parent(parent)]
        ) {
          const known = below.get(parent)
          below.set(parent, (known ?? new Map<string, number>()).set(of.label(at), at))
          if (known) break
        }
      const same = new Set<number>()
      const open: (readonly [theirs: number, own: number])[] = size > 0 && of.size > 0 ? [[0, 0]] : []
      for (let pair = open.pop(); pair; pair = open.pop()) {
        const [theirs, own] = pair
        if (ids.has(theirs)) same.add(own)
        const wanted = below.get(theirs)
        const found = new Map<number, number>()
        // Of equal keys the last one counts.
        if (wanted)
          for (const child of children(own)) {
            const other = wanted.get(label(child))
            if (other !== undefined) found.set(other, child)
          }
        for (const next of found) open.push(next)
      }
      return same
    },
    /** The values that are seen when those in `expanded` show what is in them. */
    rows(expanded: ReadonlySet<number>): number[] {
      const rows: number[] = []
      for (let id = 0; id < size; id = expanded.has(id) ? id + 1 : get(id, AFTER)) rows.push(id)
      return rows
    },
    /** The value at a path, or the next one behind `from` whose path ends with it; its last key may be a part of one. */
    async find(written: string, from: number): Promise<number | undefined> {
      const parts = readPath(written.trim())
      const last = parts.at(-1)
      if (last === undefined) return undefined
      const whole = resolve(parts)
      if (whole !== undefined && whole !== from) return whole
      const [, behind] = from < size ? this.place(from) : [0, 0]
      let looked = 0
      for (const [first, end] of [
        [behind, text.length],
        [0, behind],
      ] as const) {
        for (let at = text.indexOf(last, first); at >= 0 && at < end; at = text.indexOf(last, at + 1)) {
          if (++looked % LOOKED_AT === 0) await rest()
          const id = findAt(at)
          const key = get(id, KEY)
          if (key >= 0 && at < key + wordAt(key).length && isBelow(id, parts.slice(0, -1))) return id
        }
      }
      return whole
    },
  }
}
