// Where in the JSON an offset lies: the path to it and the value there, in broken text as well.

/** A place in the JSON. */
export interface Location {
  /** As RFC 9535 (JSONPath) writes it: `$.users[0].name`. */
  readonly path: string
  /** Where the value at that path stands; both are the same where there is none. */
  readonly start: number
  readonly end: number
}

/** An object or an array that is open, and its member that is read now. The whole text is one as well. */
interface Level {
  readonly bracket: '{' | '[' | ''
  key: string | undefined
  index: number
  /** Where the member's key ends, and where its value begins; -1 before it. */
  keyEnd: number
  value: number
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** A path as RFC 9535 writes it. */
export const formatPath = (parts: readonly (string | number)[]): string =>
  `$${parts
    .map((part) =>
      typeof part === 'number' ? `[${part}]` : NAME.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
    )
    .join('')}`

const SIGNS = '{}[],:'

const startLevel = (bracket: Level['bracket']): Level => ({
  bracket,
  key: undefined,
  index: 0,
  keyEnd: -1,
  value: -1,
})

/** Where the word at `start` ends: a string, a bracket, a comma, a colon, or whatever stands there. */
function endOf(text: string, start: number): number {
  const isString = text[start] === '"'
  let at = start + 1
  if (!isString && SIGNS.includes(text[start]!)) return at
  for (; at < text.length; at++) {
    const character = text[at]!
    if (isString && character === '"') return at + 1
    if (isString ? character === '\n' : character <= ' ' || character === '"' || SIGNS.includes(character))
      return at
    if (isString && character === '\\') at++
  }
  return text.length
}

/** Reads on from word to word as long as `take` wants more. */
function readWords(text: string, from: number, take: (start: number, end: number) => boolean): void {
  for (let at = from; at < text.length;) {
    if (text.charCodeAt(at) <= 32) {
      at++
      continue
    }
    const end = endOf(text, at)
    if (!take(at, end)) return
    at = end
  }
}

/** What a key means, however it is written. */
export function readKey(word: string): string {
  try {
    return JSON.parse(word) as string
  } catch {
    return word.replaceAll(/^'|'$|"/g, '')
  }
}

/** What a colon follows once the value is there is the next key: the comma before it is missing. */
const COLON_NEXT = /\s*:/y

/** What is open where `goesOn` first says no. */
function readLevels(text: string, goesOn: (start: number, isSign: boolean) => boolean): Level[] {
  const levels = [startLevel('')]
  readWords(text, 0, (start, end) => {
    const first = text[start]!
    if (!goesOn(start, SIGNS.includes(first))) return false
    const level = levels.at(-1)!
    const isKey = () => {
      if (level.key === undefined) return first !== '{' && first !== '['
      COLON_NEXT.lastIndex = end
      return level.value >= 0 && !SIGNS.includes(first) && COLON_NEXT.test(text)
    }
    if (first === '}' || first === ']') {
      if (levels.length > 1) levels.pop()
    } else if (first === ',') {
      level.index++
      level.key = undefined
      level.keyEnd = level.value = -1
    } else if (level.bracket === '{' && isKey()) {
      if (first === ':') return true
      level.key = readKey(text.slice(start, end))
      level.keyEnd = end
      level.value = -1
    } else if (first !== ':') {
      if (level.value < 0) level.value = start
      if (first === '{' || first === '[') levels.push(startLevel(first))
    }
    return true
  })
  return levels
}

/** Where the value that begins at `start` ends. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  let valueEnd = start
  readWords(text, start, (at, end) => {
    const word = text[at]!
    if (word === '{' || word === '[') depth++
    if (word === '}' || word === ']') depth--
    if (depth < 0) return false
    valueEnd = end
    return depth > 0
  })
  return valueEnd
}

/** Where `place` lies; an indentation belongs to the word behind it. */
export function locate(text: string, place: number): Location {
  let offset = place
  while (text[offset] === ' ' || text[offset] === '\t') offset++
  const levels = readLevels(text, (start, isSign) => (isSign ? start < offset : start <= offset))
  // Between the bracket and the first key nothing is chosen but the object itself.
  if (levels.at(-1)!.bracket === '{' && levels.at(-1)!.key === undefined) levels.pop()
  const path = levels.slice(1).map(({ bracket, key = '', index }) => (bracket === '[' ? index : key))
  const { keyEnd, value } = levels.at(-1)!
  let start = value
  if (start < 0) {
    readWords(text, keyEnd < 0 ? offset : keyEnd, (at) => {
      const word = text[at]!
      if (word === ':') return true
      if (!',}]'.includes(word)) start = at
      return false
    })
  }
  return { path: formatPath(path), start: Math.max(start, 0), end: start < 0 ? 0 : endOfValue(text, start) }
}
