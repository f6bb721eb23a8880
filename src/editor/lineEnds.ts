// Detects and normalizes line endings: textareas and Monaco only know `\n`.

const ENDS = ['\n', '\r\n', '\r'] as const
type LineEnd = (typeof ENDS)[number]

/** The text as a surface stores it: every line ending is `\n`. */
export function toView(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** The most common line ending; an edit gives it to all lines. */
export function usualEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n'
  const each = text.match(/\r\n?|\n/g)!
  const counts = ENDS.map((end) => each.filter((other) => other === end).length)
  return ENDS[counts.indexOf(Math.max(...counts))]!
}
