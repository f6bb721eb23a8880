// Makes any text safe to show: one line of plain characters, no longer than a glance, nothing that looks like a token (contract §9).
import { redact } from '../protocol/redaction.ts'

/** Longer texts are cut. */
const LARGEST_TEXT_LENGTH = 300

// Control characters, halves of characters, overrides of the reading direction, invisible tags.
const UNSEEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** The text as it is shown; '' when nothing of it can be seen. */
export function cleanText(text: string): string {
  // Cut before the work: a server may send megabytes.
  const start = text.slice(0, 4 * LARGEST_TEXT_LENGTH)
  const line = redact(start.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()) as string
  if (line.length <= LARGEST_TEXT_LENGTH) return line
  return `${line.slice(0, LARGEST_TEXT_LENGTH - 1).replace(UNSEEN, '')}…`
}
