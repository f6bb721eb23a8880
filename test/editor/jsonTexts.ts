// Makes JSON texts and breaks them, from a seed, so that a failure can be run again.

const WORDS = [
  'true',
  'false',
  'null',
  '0',
  '-0',
  '1.5e-7',
  '12',
  '1E+2',
  '-3.25',
  '9007199254740993',
  '1e400',
]
const STRINGS = [
  '""',
  '"a"',
  '"\\u00e9\\n"',
  '"é\u2028"',
  '"\\ud800a"',
  '"\ud800a"',
  '"__proto__"',
  '"a b"',
  // No lone backslash and no lone escape as a key: where V8 has read the key "\\" before, it reads "\ud800" as that key too.
  '"\\\\b"',
]
const SPACES = ['', '', '', ' ', '\n', '\r\n', '\t', '\r', '  ']

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** Valid JSON with odd spacing. */
export function makeJson(random: () => number, depth = 0): string {
  const space = () => pick(random, SPACES)
  const kind = random()
  if (depth > 4 || kind < 0.3) return space() + pick(random, random() < 0.5 ? WORDS : STRINGS) + space()
  const size = Math.floor(random() * 4)
  const isArray = kind < 0.6
  const members = Array.from({ length: size }, () =>
    isArray
      ? makeJson(random, depth + 1)
      : `${space()}${pick(random, STRINGS)}${space()}:${makeJson(random, depth + 1)}`,
  )
  const inside = members.join(',') || space()
  return space() + (isArray ? `[${inside}]` : `{${inside}}`) + space()
}

const PIECES =
  `{ } [ ] , : " ' \\ / // /* */ # - + . e E 0 1 01 true tru nul NaN Infinity undefined \\u \\u12 \\x é 😀 “ ” = ;`
    .split(' ')
    .concat('\u0000\u001f\u007f\ufeff\u00a0\u2028\u2029\n\r\t\f\v \ud800'.split(''), '\udc00')

/** The text with a few pieces inserted, removed, doubled or swapped. */
export function breakJson(random: () => number, text: string): string {
  let broken = text
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * (broken.length + 1))
    const length = Math.floor(random() * 4)
    const kind = random()
    if (kind < 0.4) broken = broken.slice(0, at) + pick(random, PIECES) + broken.slice(at)
    else if (kind < 0.7) broken = broken.slice(0, at) + broken.slice(at + length)
    else if (kind < 0.85) broken = broken.slice(0, at) + broken.slice(at, at + length) + broken.slice(at)
    else broken = broken.slice(0, at)
  }
  return broken
}

/** Does JSON.parse accept it? */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
