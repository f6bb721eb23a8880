// Makes JSON of almost-JSON with jsonrepair; what that would lose or refuse is mended here first.
import { jsonrepair } from 'jsonrepair'
import { scan } from './scan.ts'
import type { RawFault } from './types.ts'

/** What stands at an offset gives way to another text. */
type Mend = readonly [offset: number, length: number, inserted: string]

/** What jsonrepair does not know, or mends with a loss. */
function mend(text: string, { code, offset, length, detail = '' }: RawFault): Mend | undefined {
  const found = text.slice(offset, offset + length)
  const before = text.slice(Math.max(0, offset - 100), offset)
  const behind = text.slice(offset + length, offset + length + 100)
  const put = (inserted: string): Mend => [offset, length, inserted]
  switch (code) {
    case 'byte-order-mark':
      return put('')
    case 'comment':
      // jsonrepair knows the other two kinds. In the middle of a line `#fff` is rather a value without quotes.
      return /^#[\s#!]|^#$/.test(found) || (found[0] === '#' && /(?:^|\n)\s*$/.test(before))
        ? put('')
        : undefined
    case 'control-character':
      return put(JSON.stringify(found).slice(1, -1))
    case 'extra-text':
      return /^[;\s]+$/.test(found) ? put('') : undefined
    case 'invalid-escape':
      return mendEscape(text, offset, found)
    case 'invalid-number':
      return found.startsWith('+') ? put(found.slice(1)) : undefined
    case 'invalid-word': {
      const isWhole = /^\s*(?:[,\]}]|$)/.test(behind)
      return isWhole && /^(?:true|false|null)$/i.test(found) ? put(found.toLowerCase()) : undefined
    }
    case 'missing-bracket':
      return put(detail)
    case 'missing-colon':
      if (detail !== '=') return undefined
      return text.startsWith('=>', offset) ? [offset, 2, ':'] : put(':')
    case 'missing-key':
      return detail === ',' ? put('') : undefined
    case 'missing-value':
      return detail === ',' && !/:\s*$/.test(before) ? put('') : undefined
    case 'unexpected-character':
      if (found === ':' && /:\s*$/.test(before)) return put('')
      if (found !== ';') return undefined
      return put(/(?:^|[,:{[])\s*$/.test(before) || /^\s*[}\]]/.test(behind) ? '' : ',')
    default:
      return undefined
  }
}

/** A backslash that begins no escape is one of the text; in a Windows path every one of them is. */
function mendEscape(text: string, offset: number, found: string): Mend {
  if (found === "\\'") return [offset, 2, "'"]
  const start = text.lastIndexOf('"', offset) + 1
  const path = /^(?:[a-z]:\\|\\\\)[^"\n]*/i.exec(text.slice(start, start + 1_000))?.[0]
  if (path && !path.includes('\\\\', 2)) return [start, path.length, path.replaceAll('\\', '\\\\')]
  return [offset, found.length, `\\${found}`]
}

/** Faults behind which quotes may have changed sides: from there on jsonrepair decides alone. */
function isDoubtful(text: string, { code, offset, detail = '' }: RawFault): boolean {
  if (code === 'unclosed-string' || code === 'unescaped-quote') return true
  if (code === 'unexpected-character') return detail === '\\'
  if (code === 'control-character') return detail === '000A'
  return code === 'missing-comma' && text[offset - 1] === '"' && !detail.startsWith('"')
}

function prepare(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const fault of scan(text, { most: Infinity })) {
    if (isDoubtful(text, fault)) break
    const [offset, length, inserted] = mend(text, fault) ?? [-1, 0, '']
    if (offset < at) continue
    parts.push(text.slice(at, offset), inserted)
    at = offset + length
  }
  return parts.join('') + text.slice(at)
}

/** Takes off what chats and scripts put around JSON: a Markdown fence, an assignment, a call. */
function unwrap(text: string): string {
  const fence = /^[^{}[\]]*```[a-z]*[ \t]*\n([\s\S]*?)\n?[ \t]*```[^{}[\]]*$/i.exec(text)
  const script =
    /^\s*(?:(?:(?:const|let|var)\s+)?[\p{L}_$][\w$.]*\s*=|(?:[\p{L}_$][\w$.]*)?\()\s*([{[][\s\S]*[}\]])[\s);]*$/u
  return fence?.[1] ?? script.exec(text)?.[1] ?? text
}

/** Quotes, and apostrophes that are not in the middle of a word. */
const QUOTES = /"|(?<!\p{L})'|'(?!\p{L})/gu
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|(?:\/\/|#)[^\n]*|\/\*[^]*?\*\//g
const WORD = /[\p{L}\p{N}_]+(?![\p{L}\p{N}_]|\s*\()/gu
/** What JavaScript and Python call null. */
const NOTHING = new Set(['None', 'undefined'])

/**
 * Is a word of `text` gone, other than one of a comment? After a missing quote jsonrepair takes the end of a string, such as
 * `//x.y"`, for a comment: then the quotes in there are not in pairs.
 */
function losesWords(text: string, repaired: string): boolean {
  const kept = text.replaceAll(STRING_OR_COMMENT, (part) =>
    part.startsWith('"') || (part.match(QUOTES) ?? []).length % 2 > 0 ? part : ' ',
  )
  let at = 0
  // Half an escape at the very end says nothing.
  for (const [found] of kept.replace(/\\u\w{0,3}$/, '').matchAll(WORD)) {
    if (NOTHING.has(found)) continue
    const word = /^(?:true|false|null)$/i.test(found) ? found.toLowerCase() : found
    const place = Math.max(repaired.indexOf(found, at), repaired.indexOf(word, at))
    if (place < 0) return true
    at = place + word.length
  }
  return false
}

/** JSON of `text`, or nothing when there is none to be had. Right JSON comes back as it is. */
export function repair(text: string): string | undefined {
  if (scan(text, { most: 1 }).length === 0) return text
  try {
    const inner = unwrap(text)
    const repaired = jsonrepair(prepare(inner))
    if (scan(repaired, { most: 1 }).length > 0 || losesWords(inner, repaired)) return undefined
    // A page of HTML or a sentence is no broken JSON: made into strings it would only look right.
    const first = inner.trimStart()[0] ?? ''
    const isMadeString = (first === '[' ? /^\s*"/ : /^[[\s]*"/).test(repaired)
    return isMadeString && !'"\'`\\&\u201c\u201d\u201e\u2018\u2019\u00ab'.includes(first)
      ? undefined
      : repaired
  } catch {
    // jsonrepair gives up on what it does not know, and on texts deeper than the stack.
    return undefined
  }
}
