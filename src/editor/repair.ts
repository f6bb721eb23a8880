// Makes JSON of almost-JSON by mending one fault at a time where it stands; what is right is not touched.
import { stringEnd } from './doubts.ts'
import { scan } from './scan.ts'
import type { RawFault } from './types.ts'

/** Each round mends what the one before has uncovered; a text that needs more is beyond repair. */
const MOST_ROUNDS = 40

interface Mend {
  readonly offset: number
  readonly length: number
  readonly insert: string
  /** It takes in more than the fault had: what was found behind it no longer holds. */
  readonly grown?: boolean
}

/** Words of other languages that mean a JSON word. */
const WORDS: Record<string, string> = {
  true: 'true',
  false: 'false',
  null: 'null',
  none: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
  infinity: 'null',
  '-infinity': 'null',
}

/** JSON of `text`, or nothing when there is none to be had. Right JSON comes back as it is. */
export function repair(text: string): string | undefined {
  let mended = unwrap(text)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const faults = scan(mended, Infinity)
    if (faults.length === 0) return mended
    const [first] = faults
    if (first?.code === 'empty') return undefined
    if (first?.code === 'unexpected-end') mended = closeEnd(mended, first)
    else mended = apply(mended, faults)
  }
  return undefined
}

/** Takes off what chats and scripts put around JSON: a Markdown fence, a callback. */
function unwrap(text: string): string {
  if (scan(text, 1).length === 0) return text
  const fence = /^\s*```[a-z]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```\s*$/i.exec(text)
  if (fence) return fence[1]!
  const call = /^\s*[\p{L}_$][\w$.]*\s*\(([\s\S]*)\)\s*;?\s*$/u.exec(text)
  return call ? call[1]! : text
}

function apply(text: string, faults: readonly RawFault[]): string {
  const parts: string[] = []
  let at = 0
  let grownEnd = -1
  const mends = faults
    .filter((fault) => fault.code !== 'unexpected-end')
    .flatMap((fault) => mend(text, fault))
    .toSorted((a, b) => a.offset - b.offset || a.length - b.length)
  for (const { offset, length, insert, grown } of mends) {
    // What lies inside a mended place, or follows text that has grown, is looked at again in the next round.
    if (offset < at || offset === grownEnd) continue
    parts.push(text.slice(at, offset), insert)
    at = offset + length
    if (grown) grownEnd = at
  }
  parts.push(text.slice(at))
  return parts.join('')
}

function mend(text: string, fault: RawFault): Mend[] {
  const { code, offset, length, detail = '' } = fault
  const found = text.slice(offset, offset + length)
  const put = (insert: string, from = offset, taken = length): Mend[] => [
    { offset: from, length: taken, insert },
  ]
  switch (code) {
    case 'byte-order-mark':
    case 'comment':
    case 'trailing-comma':
    case 'unexpected-bracket':
      return put('')
    case 'control-character':
      return put(JSON.stringify(found).slice(1, -1))
    case 'invalid-escape':
      return put(found === "\\'" ? "'" : `\\${found}`)
    case 'invalid-number':
      return put(mendNumber(found))
    case 'invalid-word':
      return mendWord(text, fault)
    case 'mismatched-bracket': {
      const closer = text[fault.related ?? 0] === '{' ? '}' : ']'
      return fault.count ? put(closer, offset, 0) : put(closer)
    }
    case 'missing-colon':
      if (detail === '=') return put(':')
      return put(
        ':',
        detail === ',' || found === '}' || found === ']' ? offset : beforeSpace(text, offset),
        0,
      ).map((colon) =>
        detail === ',' || found === '}' || found === ']' ? { ...colon, insert: ':null' } : colon,
      )
    case 'missing-comma':
      return put(',', beforeSpace(text, offset), 0)
    case 'missing-key':
      if (detail === ',') return put('')
      return put(detail === ':' ? '""' : '"":', offset, 0)
    case 'missing-value':
      return detail === ',' && text[beforeSpace(text, offset) - 1] !== ':' ? put('') : put('null', offset, 0)
    case 'unclosed-string': {
      // A comma before the line end belongs after the quote; a last lone backslash would escape it.
      const [tail = ''] = /\s*,?\s*$/.exec(found.slice(1)) ?? []
      const inner = found
        .slice(0, found.length - tail.length)
        .replace(/(?<!\\)(?:\\\\)*\\$/, (run) => run.slice(1))
      return put(`${inner}"${tail}`)
    }
    case 'unexpected-character':
      return put(found === ':' ? ',' : found.trim() === '' ? ' ' : '')
    case 'unquoted-key':
      return put(JSON.stringify(found))
    case 'wrong-quotes':
      return put(requote(found))
    case 'extra-text':
      if (/^[;)\s]*$/.test(found)) return put('')
      // Values one after the other, as in JSON lines, become one array.
      return [
        ...put('[', 0, 0),
        ...put(found.startsWith(',') ? '' : ',', beforeSpace(text, offset), 0),
        ...put(']', text.length, 0),
      ]
    default:
      return []
  }
}

/** The end of what stands before `offset`, whitespace left out. */
function beforeSpace(text: string, offset: number): number {
  let at = offset
  while (at > 0 && ' \n\r\t'.includes(text[at - 1]!)) at--
  return at
}

function mendNumber(found: string): string {
  const number = found
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '.0')
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) return number
  return WORDS[found.toLowerCase()] ?? JSON.stringify(found)
}

/** A word that means a JSON word becomes it; any other is text, up to where the value ends. */
function mendWord(text: string, { offset, length }: RawFault): Mend[] {
  const known = WORDS[text.slice(offset, offset + length).toLowerCase()]
  if (known) return [{ offset, length, insert: known }]
  const [value = ''] = /^[^,:{}[\]\n\r"]*/.exec(text.slice(offset, offset + length + 1_000)) ?? []
  const words = value.trimEnd()
  if (words.length <= length)
    return [{ offset, length, insert: JSON.stringify(text.slice(offset, offset + length)) }]
  return [{ offset, length: words.length, insert: JSON.stringify(words), grown: true }]
}

function requote(found: string): string {
  const last = found.at(-1)!
  const isClosed = found.length > 1 && !/[\s,]/.test(last)
  const tail = isClosed ? '' : (/\s*,?\s*$/.exec(found.slice(1))?.[0] ?? '')
  const inner = found.slice(1, isClosed ? -1 : found.length - tail.length)
  const escaped = inner.replace(/\\([\s\S])|"/g, (pair: string, next?: string) =>
    next === undefined ? '\\"' : next === "'" || next === '`' ? next : pair,
  )
  return `"${escaped}"${tail}`
}

/** Closes the brackets that are open at the end, and completes the member that was being written. */
function closeEnd(text: string, fault: RawFault): string {
  const open: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at) - 1
    else if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    else if (character === '}' || character === ']') open.pop()
  }
  const end = beforeSpace(text, text.length)
  const kept = fault.detail === 'comma' && text[end - 1] === ',' ? end - 1 : end
  const missing = fault.detail === 'colon' ? ':null' : fault.detail === 'value' ? 'null' : ''
  return text.slice(0, kept) + missing + open.toReversed().join('') + text.slice(end)
}
