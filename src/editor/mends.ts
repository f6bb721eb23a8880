// How one fault is mended by one small edit: for Repair, and as a quick fix where the fault is.
import { findOpenBrackets } from './location.ts'
import type { RawFault } from './types.ts'

/** What stands at an offset gives way to another text. */
export type Mend = readonly [offset: number, length: number, inserted: string]

/** What jsonrepair does not know, or mends with a loss. */
export function mend(text: string, { code, offset, length, detail = '' }: RawFault): Mend | undefined {
  const found = text.slice(offset, offset + length)
  const before = text.slice(Math.max(0, offset - 100), offset)
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
      const isWhole = /^\s*(?:[,\]}]|$)/.test(text.slice(offset + length, offset + length + 100))
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
      return found === ';' ? put(',') : undefined
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

/** The closing bracket of an opening one. */
const closing = (bracket: string | undefined) => (bracket === '{' ? '}' : bracket === '[' ? ']' : '')

/** The edit that mends this fault alone; nothing where it is not clear what was meant. */
export function findFix(text: string, fault: RawFault): Mend | undefined {
  const { code, offset, length, count = 0, detail = '', related = 0 } = fault
  const found = text.slice(offset, offset + length)
  const put = (inserted: string): Mend => [offset, length, inserted]
  /** Right behind the last word before the fault. */
  const putBefore = (inserted: string): Mend => [text.slice(0, offset).trimEnd().length, 0, inserted]
  switch (code) {
    case 'comment':
    case 'trailing-comma':
    case 'unexpected-bracket':
      return put('')
    case 'invalid-number':
    case 'invalid-word':
    case 'unquoted-key':
      return mend(text, fault) ?? put(JSON.stringify(found.replaceAll(/^"|"$/g, '')))
    case 'mismatched-bracket':
      return count > 0 ? putBefore(closing(text[related])) : put(closing(text[related]))
    case 'missing-colon':
      return detail === '=' ? mend(text, fault) : putBefore(':')
    case 'missing-comma':
      return putBefore(',')
    case 'unclosed-string': {
      const inside = found.replace(/[\s,\]}]*$/, '')
      return inside.length > 1 ? [offset + inside.length, 0, '"'] : undefined
    }
    case 'unexpected-end':
      if (detail !== '') return undefined
      return [text.trimEnd().length, 0, findOpenBrackets(text).toReversed().map(closing).join('')]
    case 'wrong-quotes':
      return found.includes('\\') ? undefined : put(JSON.stringify(found.slice(1, -1)))
    default:
      return mend(text, fault)
  }
}
