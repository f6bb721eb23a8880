// Lays valid JSON out by moving whitespace only: every number, key and character stays as it was written.
import { RESULT_LIMIT_LENGTH } from './constants.ts'
import { stringEnd, wordEnd } from './doubts.ts'

/** The same text without whitespace between its words. */
export function compact(text: string): string {
  const parts: string[] = []
  let start = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 34) at = stringEnd(text, at)
    else if (code > 32) at++
    else {
      parts.push(text.slice(start, at))
      while (text.charCodeAt(at) <= 32) at++
      start = at
    }
  }
  parts.push(text.slice(start, at))
  return parts.join('')
}

/** The same text laid out as JSON.stringify would; nothing when the result would be beyond any memory. */
export function format(text: string, spaces: number): string | undefined {
  const parts: string[] = []
  const indents: string[] = ['\n']
  let length = 0
  let depth = 0
  let isEmpty = false
  let at = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const breakLine = () => {
    const indent = indents[depth] ?? `\n${' '.repeat(depth * spaces)}`
    // Kept only while they are short: a million of them would be the memory the limit is there for.
    if (indent.length < 2_000) indents[depth] = indent
    add(indent)
  }
  while (at < text.length) {
    if (length > RESULT_LIMIT_LENGTH) return undefined
    const code = text.charCodeAt(at)
    if (code <= 32) {
      at++
      continue
    }
    const isClosing = code === 125 || code === 93
    if (isEmpty && !isClosing) {
      depth++
      breakLine()
    }
    if (isClosing) {
      if (!isEmpty) {
        depth--
        breakLine()
      }
      isEmpty = false
      add(text[at++]!)
      continue
    }
    isEmpty = code === 123 || code === 91
    if (isEmpty) add(text[at++]!)
    else if (code === 44) {
      add(',')
      breakLine()
      at++
    } else if (code === 58) {
      add(': ')
      at++
    } else {
      const end = code === 34 ? stringEnd(text, at) : wordEnd(text, at)
      add(text.slice(at, end))
      at = end
    }
  }
  return parts.join('')
}
