// Turns offsets into lines and columns, many at once, reading the text a single time, and into those of a surface.
import type { Ends } from './lineEnds.ts'

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

/** How much further an offset on this line (from 1) is in the text than in a surface, which has `\n` alone. */
export function countReturns({ usual, each }: Ends, line: number): number {
  if (!each) return usual === '\r\n' ? line - 1 : 0
  let count = 0
  for (let at = 0; at < line - 1; at++) if ((each[at] ?? usual) === '\r\n') count++
  return count
}

/** Where a fault is in the text as a surface holds it. */
export const viewOffset = (fault: { readonly offset: number; readonly line: number }, ends: Ends): number =>
  fault.offset - countReturns(ends, fault.line)
