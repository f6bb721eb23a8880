// Makes any text safe to show: one line, at most 300 characters, no control characters, nothing that looks like a token.
import { redact } from './redaction.ts'

/** Longer texts are cut. */
const LARGEST_TEXT_LENGTH = 300

// Control characters, lone surrogates, overrides of the text direction, invisible tag characters.
const UNSEEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Returns the text as it is shown; '' when nothing of it is visible. */
export function cleanText(text: string): string {
  // Cut first: a server may send megabytes.
  const start = text.slice(0, 4 * LARGEST_TEXT_LENGTH)
  const line = redact(start.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()) as string
  if (line.length <= LARGEST_TEXT_LENGTH) return line
  return `${line.slice(0, LARGEST_TEXT_LENGTH - 1).replace(UNSEEN, '')}…`
}
