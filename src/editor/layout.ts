// Formats JSON by moving whitespace only: every number, key and character stays as it was written.
import { RESULT_LIMIT_LENGTH } from './limits.ts'
import { readValid } from './findFaults.ts'
import { isClosing, isOpening } from './scan.ts'

/** The text without whitespace between its tokens. */
export function compact(text: string): string {
  const parts: string[] = []
  readValid(text, (_code, start, end) => {
    parts.push(text.slice(start, end))
    return true
  })
  return parts.join('')
}

const [COMMA, COLON] = [44, 58]

/** The text laid out as by JSON.stringify; `undefined` if the result would be too long. */
export function format(text: string, spaces: number): string | undefined {
  const parts: string[] = []
  const indents: string[] = ['\n']
  let length = 0
  let depth = 0
  /** The first character of the last token. */
  let last = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const breakLine = () => {
    const indent = indents[depth] ?? `\n${' '.repeat(depth * spaces)}`
    // Cached only while short: a million of them would exhaust the memory that the limit protects.
    if (indent.length < 2_000) indents[depth] = indent
    add(indent)
  }
  readValid(text, (code, start, end) => {
    if (isClosing(code)) depth--
    const isTogether = last === 0 || code === COMMA || code === COLON || (isOpening(last) && isClosing(code))
    if (last === COLON) add(' ')
    else if (!isTogether) breakLine()
    if (isOpening(code)) depth++
    add(text.slice(start, end))
    last = code
    return length <= RESULT_LIMIT_LENGTH
  })
  return length > RESULT_LIMIT_LENGTH ? undefined : parts.join('')
}
