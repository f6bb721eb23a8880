// Turns almost-JSON into JSON with jsonrepair; what that would refuse or fix with a loss is fixed here first.
import { jsonrepair } from 'jsonrepair'
import { scan } from './scan.ts'
import type { RawFault } from './types.ts'

/** Replaces `length` characters at `offset`. */
type Fix = readonly [offset: number, length: number, inserted: string]

/** The fix of a fault that jsonrepair does not know or fixes with a loss. */
function fix(text: string, { code, offset, length, detail = '' }: RawFault): Fix | undefined {
  const found = text.slice(offset, offset + length)
  const before = text.slice(Math.max(0, offset - 100), offset)
  const behind = text.slice(offset + length, offset + length + 100)
  const put = (inserted: string): Fix => [offset, length, inserted]
  switch (code) {
    case 'byte-order-mark':
      return put('')
    case 'comment':
      // jsonrepair knows the other two kinds. In the middle of a line `#fff` is more likely an unquoted value.
      return /^#[\s#!]|^#$/.test(found) || (found[0] === '#' && /(?:^|\n)\s*$/.test(before))
        ? put('')
        : undefined
    case 'control-character':
      return put(JSON.stringify(found).slice(1, -1))
    case 'extra-text':
      return /^[;\s]+$/.test(found) ? put('') : undefined
    case 'invalid-escape':
      return fixEscape(text, offset, found)
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

/** A backslash that starts no escape is meant literally; in a Windows path all of them are. */
function fixEscape(text: string, offset: number, found: string): Fix {
  if (found === "\\'") return [offset, 2, "'"]
  const start = text.lastIndexOf('"', offset) + 1
  const path = /^(?:[a-z]:\\|\\\\)[^"\n]*/i.exec(text.slice(start, start + 1_000))?.[0]
  if (path && !path.includes('\\\\', 2)) return [start, path.length, path.replaceAll('\\', '\\\\')]
  return [offset, found.length, `\\${found}`]
}

/** After these faults it is unclear where strings begin: jsonrepair decides alone from there on. */
function isDoubtful(text: string, { code, offset, detail = '' }: RawFault): boolean {
  if (code === 'unclosed-string' || code === 'unescaped-quote') return true
  if (code === 'unexpected-character') return detail === '\\'
  if (code === 'control-character') return detail === '000A'
  return code === 'missing-comma' && text[offset - 1] === '"' && !detail.startsWith('"')
}

function prepare(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const fault of scan(text, { max: Infinity })) {
    if (isDoubtful(text, fault)) break
    const [offset, length, inserted] = fix(text, fault) ?? [-1, 0, '']
    if (offset < at) continue
    parts.push(text.slice(at, offset), inserted)
    at = offset + length
  }
  return parts.join('') + text.slice(at)
}

/** Removes what chats and scripts wrap around JSON: a Markdown fence, an assignment, a call. */
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
/** Words for null in JavaScript and Python. */
const NOTHING = new Set(['None', 'undefined'])

/**
 * Did the repair lose a word of `text` outside comments? After a missing quote jsonrepair takes the end of a string, such as
 * `//x.y"`, for a comment: an odd number of quotes gives it away.
 */
function losesWords(text: string, repaired: string): boolean {
  const uncommented = text.replaceAll(STRING_OR_COMMENT, (part) =>
    part.startsWith('"') || (part.match(QUOTES) ?? []).length % 2 > 0 ? part : ' ',
  )
  let at = 0
  // An incomplete escape at the very end does not count.
  for (const [found] of uncommented.replace(/\\u\w{0,3}$/, '').matchAll(WORD)) {
    if (NOTHING.has(found)) continue
    const word = /^(?:true|false|null)$/i.test(found) ? found.toLowerCase() : found
    const place = Math.max(repaired.indexOf(found, at), repaired.indexOf(word, at))
    if (place < 0) return true
    at = place + word.length
  }
  return false
}

/** JSON made from `text`, or `undefined` if it cannot be repaired. Valid JSON is returned unchanged. */
export function repair(text: string): string | undefined {
  if (scan(text, { max: 1 }).length === 0) return text
  try {
    const inner = unwrap(text)
    const repaired = jsonrepair(prepare(inner))
    if (scan(repaired, { max: 1 }).length > 0 || losesWords(inner, repaired)) return undefined
    // HTML or prose is not broken JSON: turned into strings it would only look valid.
    const first = inner.trimStart()[0] ?? ''
    const isMadeString = (first === '[' ? /^\s*"/ : /^[[\s]*"/).test(repaired)
    return isMadeString && !'"\'`\\&\u201c\u201d\u201e\u2018\u2019\u00ab'.includes(first)
      ? undefined
      : repaired
  } catch {
    // jsonrepair throws on unknown syntax, and on nesting deeper than the stack.
    return undefined
  }
}
