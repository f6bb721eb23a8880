// Where in the JSON an offset lies: the path to it, in broken text as well.

/** An object or an array that is open, and its member that is read now. The whole text is one as well. */
interface Level {
  readonly bracket: '{' | '[' | ''
  key: string | undefined
  index: number
  /** The member has its value. */
  hasValue: boolean
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

const formatPath = (parts: readonly (string | number)[]): string =>
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
  hasValue: false,
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

/** What a key means, however it is written. */
function readKey(word: string): string {
  try {
    return JSON.parse(word) as string
  } catch {
    return word.replaceAll(/^'|'$|"/g, '')
  }
}

/** What a colon follows once the value is there is the next key: the comma before it is missing. */
const COLON_NEXT = /\s*:/y

/** The path to `place` as RFC 9535 (JSONPath) writes it: `$.users[0].name`. An indentation belongs to the word behind it. */
export function locate(text: string, place: number): string {
  let offset = place
  while (text[offset] === ' ' || text[offset] === '\t') offset++
  const levels = [startLevel('')]
  let end = 0
  for (let at = 0; at < text.length; at = end) {
    const first = text[at]!
    const isSign = SIGNS.includes(first)
    if (at > offset || (isSign && at === offset)) break
    end = first <= ' ' ? at + 1 : endOf(text, at)
    if (first <= ' ') continue
    const level = levels.at(-1)!
    const isKey = () => {
      if (level.key === undefined) return first !== '{' && first !== '['
      COLON_NEXT.lastIndex = end
      return level.hasValue && !isSign && COLON_NEXT.test(text)
    }
    if (first === '}' || first === ']') {
      if (levels.length > 1) levels.pop()
    } else if (first === ',') {
      level.index++
      level.key = undefined
      level.hasValue = false
    } else if (level.bracket === '{' && isKey()) {
      if (first === ':') continue
      level.key = readKey(text.slice(at, end))
      level.hasValue = false
    } else if (first !== ':') {
      level.hasValue = true
      if (first === '{' || first === '[') levels.push(startLevel(first))
    }
  }
  // Between the bracket and the first key nothing is chosen but the object itself.
  if (levels.at(-1)!.bracket === '{' && levels.at(-1)!.key === undefined) levels.pop()
  return formatPath(levels.slice(1).map(({ bracket, key = '', index }) => (bracket === '[' ? index : key)))
}
