// Remembers which line end a text has: textareas and Monaco know only `\n`.

const ENDS = ['\n', '\r\n', '\r'] as const
type LineEnd = (typeof ENDS)[number]

/** The text as a surface holds it: every line end is `\n`. */
export function toView(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** The line end that most lines have; an edit gives it to all of them. */
export function usualEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n'
  const each = text.match(/\r\n?|\n/g)!
  const counts = ENDS.map((end) => each.filter((other) => other === end).length)
  return ENDS[counts.indexOf(Math.max(...counts))]!
}
