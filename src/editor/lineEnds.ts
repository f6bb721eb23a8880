// Remembers which line end a text has: textareas and Monaco know only `\n`.
import { LARGE_LENGTH } from './limits.ts'

const ENDS = ['\n', '\r\n', '\r'] as const
type LineEnd = (typeof ENDS)[number]

/** The text as a surface holds it: with `\n`, and copied from the clipboard, where Monaco reads ten times as slowly. */
export function toView(text: string): string {
  if (text.includes('\r')) return text.replaceAll(/\r\n?/g, '\n')
  return text.length > LARGE_LENGTH ? [text.slice(0, 1), text.slice(1)].join('') : text
}

/** The line end that most lines have; an edit gives it to all of them. */
export function usualEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n'
  const each = text.match(/\r\n?|\n/g)!
  const counts = ENDS.map((end) => each.filter((other) => other === end).length)
  return ENDS[counts.indexOf(Math.max(...counts))]!
}
