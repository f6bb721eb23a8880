// How one fault is mended by one small edit: for Repair, and as a quick fix where the fault is.
import { makeEdit } from './edits.ts'
import { MOST_FAULTS } from './limits.ts'
import { scan } from './scan.ts'
import type { RawFault } from './types.ts'

/** What stands at an offset gives way to another text. */
export type Mend = readonly [offset: number, length: number, inserted: string]

/** What jsonrepair does not know, or mends with a loss. */
export function mend(text: string, { code, offset, length, detail = '' }: RawFault): Mend | undefined {
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

/** The closing bracket of an opening one. */
const closing = (bracket: string | undefined) => (bracket === '{' ? '}' : bracket === '[' ? ']' : '')

/** Where the last word before `offset` ends; comments are no words. */
function endBefore(text: string, offset: number, faults: readonly RawFault[]): number {
  const end = text.slice(0, offset).trimEnd().length
  const comment = faults.find((fault) => fault.code === 'comment' && fault.offset + fault.length === end)
  return comment ? endBefore(text, comment.offset, faults) : end
}

/** The edit that mends this fault alone; nothing where it is not clear what was meant. */
function findFix(text: string, fault: RawFault, faults: readonly RawFault[]): Mend | undefined {
  const { code, offset, length, count = 0, detail = '', related = 0, expected } = fault
  const found = text.slice(offset, offset + length)
  const put = (inserted: string): Mend => [offset, length, inserted]
  const putBefore = (inserted: string): Mend => [endBefore(text, offset, faults), 0, inserted]
  switch (code) {
    case 'comment':
    case 'trailing-comma':
    case 'unexpected-bracket':
      return put('')
    case 'control-character': {
      if (detail !== '000A') return mend(text, fault)
      // All line breaks of the string: with the first alone mended, the next one would end it.
      const rest = text.slice(offset, text.indexOf('"', offset))
      return [offset, rest.length, rest.replaceAll('\n', '\\n')]
    }
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
      return detail === '' && expected !== undefined ? putBefore(expected) : undefined
    case 'unexpected-word': {
      // With the comma that is its own: the one behind it, or the last one.
      const comma = /([{[,]?)\s*$/.exec(text.slice(0, offset))!
      const own = comma[1] === '' ? undefined : /^\s*,[ \t]*/.exec(text.slice(offset + length))
      if (own) return [offset, length + own[0].length, '']
      const isLast = comma[1] === ',' && /^\s*[}\]]/.test(text.slice(offset + length))
      return isLast ? [comma.index, offset + length - comma.index, ''] : put('')
    }
    case 'wrong-quotes':
      return found.includes('\\') ? undefined : put(JSON.stringify(found.slice(1, -1)))
    default:
      return mend(text, fault)
  }
}

/** The edits that mend the faults between two offsets, each alone; none that would leave its fault or bring others. */
export function findFixes(text: string, start: number, end: number): Mend[] {
  const faults = scan(text)
  const count = (found: readonly RawFault[], code: RawFault['code']) =>
    found.filter((fault) => fault.code === code).length
  const helps = ([offset, length, inserted]: Mend, code: RawFault['code']) => {
    if (faults.length >= MOST_FAULTS) return true
    const left = scan(makeEdit(text, { offset, removed: text.slice(offset, offset + length), inserted }))
    return left.length <= faults.length && count(left, code) < count(faults, code)
  }
  return faults
    .filter(({ offset, length }) => offset <= end && offset + Math.max(length, 1) >= start)
    .flatMap((fault) => {
      const fix = findFix(text, fault, faults)
      return fix && helps(fix, fault.code) ? [fix] : []
    })
}
