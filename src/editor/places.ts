// Turns offsets into lines and columns, many at once, reading the text a single time, and back.

/** A place as people count it, from 1; `\n`, `\r\n` and `\r` each end a line. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Gives the places of `offsets`, in their order. */
export function findPlaces(text: string, offsets: readonly number[]): Place[] {
  const order = offsets.map((_, index) => index).toSorted((a, b) => offsets[a]! - offsets[b]!)
  const places = Array.from<Place>({ length: offsets.length })
  const lineEnd = text.includes('\r') ? /\r\n?|\n/g : /\n/g
  /** Where the line after this one begins: kept, so that a long line is read once for all offsets on it. */
  const findNext = () => (lineEnd.test(text) ? lineEnd.lastIndex : Infinity)
  let [line, lineStart, next] = [1, 0, findNext()]
  for (const index of order) {
    const offset = offsets[index]!
    while (next <= offset) [line, lineStart, next] = [line + 1, next, findNext()]
    places[index] = { line, column: offset - lineStart + 1 }
  }
  return places
}

/** Where a place is in a text as a surface holds it, with `\n` line ends only. */
export function offsetOf(view: string, { line, column }: Place): number {
  let start = 0
  for (let at = 1; at < line; at++) start = view.indexOf('\n', start) + 1
  return start + column - 1
}
