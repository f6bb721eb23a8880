// Lays JSON out by moving whitespace only: every number, key and character stays as it was written.
import { MOST_FAULTS, RESULT_LIMIT_LENGTH } from './limits.ts'
import { readValid, stringEnd, wordEnd } from './doubts.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** The same text without whitespace between its words. */
export function compact(text: string): string {
  const parts: string[] = []
  readValid(text, (_code, start, end) => {
    parts.push(text.slice(start, end))
    return true
  })
  return parts.join('')
}

/** Behind these nobody knows where a string or a bracket ends: from there on nothing is moved. */
const STOPS = new Set<JsonFaultCode>([
  'extra-text',
  'mismatched-bracket',
  'missing-bracket',
  'unclosed-string',
  'unescaped-quote',
  'unexpected-bracket',
  'unexpected-character',
])
/** These stand between two words; all others cover a word, which stays as it is. */
const BETWEEN = new Set<JsonFaultCode>([
  'missing-colon',
  'missing-comma',
  'missing-key',
  'missing-value',
  'trailing-comma',
])

function isStop(text: string, { code, offset, length, detail }: RawFault): boolean {
  if (STOPS.has(code) || (code === 'control-character' && detail === '000A')) return true
  const covered = text.slice(offset, offset + length)
  // A quote that has no partner.
  if (code === 'wrong-quotes') return !/^.[^]*['"`\u2018-\u201f\u00bb]$/.test(covered)
  return !BETWEEN.has(code) && code !== 'comment' && covered.includes('"')
}

const [COMMA, COLON] = [44, 58]
const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9
const isOpening = (code: number) => code === 123 || code === 91
const isClosing = (code: number) => code === 125 || code === 93

/**
 * The same text laid out as JSON.stringify would; nothing when the result would be beyond any memory. Broken text, with all of
 * its `faults` given, is laid out as far as it is sound.
 */
export function format(
  text: string,
  spaces: number,
  faults: readonly RawFault[] = [],
  isCut: boolean = faults.length >= MOST_FAULTS,
): string | undefined {
  const parts: string[] = []
  const indents: string[] = ['\n']
  const stop = faults.find((fault, index) => isStop(text, fault) || (isCut && index === faults.length - 1))
  const end = stop?.offset ?? text.length
  const covered = new Map(
    faults.filter(({ code }) => !BETWEEN.has(code)).map((fault) => [fault.offset, fault] as const),
  )
  let length = 0
  let depth = 0
  /** The first character of the last word and where that word ends. */
  let last = 0
  let lastEnd = 0
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
  const separate = (code: number, at: number, fault: RawFault | undefined) => {
    const isComment = fault?.code === 'comment'
    if (last === 0 || (isOpening(last) && isClosing(code))) return
    if (isComment && !text.slice(lastEnd, at).includes('\n')) add(' ')
    else if (last === -1 || isComment) breakLine()
    else if (code === COMMA || code === COLON) return
    else if (last === COLON && !isClosing(code)) add(' ')
    // What is written without a space and is no JSON is one thing: a call, a word with a dot.
    else if (at > lastEnd || isOpening(last) || isClosing(code) || last === COMMA) breakLine()
  }
  let at = 0
  while (at < end) {
    if (length > RESULT_LIMIT_LENGTH) return undefined
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      at++
      continue
    }
    const fault = covered.size > 0 ? covered.get(at) : undefined
    const isSign = isOpening(code) || isClosing(code) || code === COMMA || code === COLON
    let wordsEnd = at + 1
    if (fault && fault.length > 0) wordsEnd = at + fault.length
    else if (code === 34) wordsEnd = stringEnd(text, at)
    else if (!isSign) wordsEnd = wordEnd(text, at)
    if (wordsEnd > end) break
    if (isClosing(code)) depth = Math.max(0, depth - 1)
    separate(code, at, fault)
    if (isOpening(code)) depth++
    add(text.slice(at, wordsEnd))
    last = fault?.code === 'comment' ? -1 : fault?.code === 'byte-order-mark' ? 0 : code
    at = lastEnd = wordsEnd
  }
  if (stop) parts.push(text.slice(lastEnd))
  return parts.join('')
}
