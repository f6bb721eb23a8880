// Converts offsets to lines and columns, many in one pass over the text, and back.

/** A position counted from 1; `\n`, `\r\n` and `\r` each end a line. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Returns the places of `offsets`, in their order. */
export function findPlaces(text: string, offsets: readonly number[]): Place[] {
  const order = offsets.map((_, index) => index).toSorted((a, b) => offsets[a]! - offsets[b]!)
  const places = Array.from<Place>({ length: offsets.length })
  const lineEnd = text.includes('\r') ? /\r\n?|\n/g : /\n/g
  /** The start of the next line, found once per line: a long line is not read again for each of its offsets. */
  const findNext = () => (lineEnd.test(text) ? lineEnd.lastIndex : Infinity)
  let [line, lineStart, next] = [1, 0, findNext()]
  for (const index of order) {
    const offset = offsets[index]!
    while (next <= offset) [line, lineStart, next] = [line + 1, next, findNext()]
    places[index] = { line, column: offset - lineStart + 1 }
  }
  return places
}

/** The offset of a place in a text with `\n` line endings only. */
export function offsetOf(view: string, { line, column }: Place): number {
  let start = 0
  for (let at = 1; at < line; at++) start = view.indexOf('\n', start) + 1
  return start + column - 1
}
