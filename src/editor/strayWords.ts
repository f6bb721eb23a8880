// Words without quotes: how far they go, and whether they are a key, a value, or belong to nothing.
import { CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from './brackets.ts'

/** Where a match at `at` ends; `at` when there is none. */
export function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Up to a quote that ends something, on the same line and over nothing that would end it before. */
const UP_TO_QUOTE = /[^,:{}[\]"\n]*"(?=\s*(?:[,:}\]]|$))/y

/** Where a word ends whose first quote is missing; `start` when none is. */
export const readToQuote = (text: string, start: number): number => matchAt(UP_TO_QUOTE, text, start)

/** A part of a text without quotes, such as `a@b.c`, `10:30` or `http://x.y/z`. */
const PIECE = String.raw`(?:(?!\/[/*])[^\s{}[\],:"'=;()\\\p{Cc}\u0060\u2018-\u201f\u00ab\u00bb]|(?<=\p{L})'(?=\p{L})|(?<=\d):(?=\d)|(?<=\w):\/\/[^\s,"}\]]*)+`
const ONE_PIECE = new RegExp(PIECE, 'uy')
const RUN = new RegExp(`${PIECE}(?:[ \\t]+(?!#)${PIECE})*`, 'uy')
const BARE = /[\p{L}\p{N}_$+.-]|[^\s\p{L}\p{N}][\p{L}\p{N}]/uy
const LITERAL = /(?:true|false|null)(?![\p{L}\p{N}_$])/iuy

/** Where words without quotes end that stand on one line and are one text, or only the first of them; `start` when there are none. */
export function readRun(text: string, start: number, isOne = false): number {
  if (matchAt(BARE, text, start) === start) return start
  return matchAt(isOne || isLiteral(text, start) ? ONE_PIECE : RUN, text, start)
}

/** Is it `true`, `false` or `null`, in whatever case? */
export const isLiteral = (text: string, at: number): boolean => matchAt(LITERAL, text, at) > at

/** The next place that is no space. */
export function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

const NEXT_KEY = /"(?:[^"\\\n]|\\.)*"\s*:/y
const STRAY_TEXT = /"(?:[^"\\\n]|\\.)*"(?=\s*[,}])/y

/** Do a string and a colon stand there? */
export const isBeforeKey = (text: string, at: number): boolean => matchAt(NEXT_KEY, text, at) > at

const [QUOTE, COMMA, COLON, EQUALS] = [34, 44, 58, 61]
const isDigit = (code: number) => code === 45 || (code >= 48 && code <= 57)

/** Where something ends that stands behind a value and cannot be the next member or element; `at` when it may be. */
export function readStray(text: string, at: number, isMember: boolean): number {
  const code = text.charCodeAt(at)
  if (code === QUOTE) return isMember ? matchAt(STRAY_TEXT, text, at) : at
  const isElement = isLiteral(text, at) || /^[\d.eE+-]+$/.test(text.slice(at, readRun(text, at, true)))
  if ((isElement && !isMember) || readToQuote(text, at) > at) return at
  const run = readRun(text, at)
  const next = text.charCodeAt(skipSpace(text, run))
  return next === COLON || next === EQUALS ? at : run
}

/** What words at the place of a key are, up to where, and whether the whole member is missing behind them. */
export function judgeKey(text: string, word: number, run: number) {
  const behind = skipSpace(text, run)
  const next = text.charCodeAt(behind)
  const isStray = next === COMMA || next === CLOSE_OBJECT
  if (isStray || isBeforeKey(text, behind)) return { end: run, isStray: true, isAll: isStray }
  return { end: next === COLON || next === EQUALS ? run : word, isStray: false, isAll: false }
}

/** Does the value only follow the words up to `run`? */
export function isBeforeValue(text: string, run: number, isMember: boolean): boolean {
  const behind = skipSpace(text, run)
  const next = text.charCodeAt(behind)
  if (next === QUOTE) return !(isMember && isBeforeKey(text, behind))
  if (next === OPEN_OBJECT || next === OPEN_ARRAY) return true
  return text.slice(run, behind).includes('\n') && (isDigit(next) || isLiteral(text, behind))
}
