// Mistakes that no test can notice, because the program does the same with them; each with its reason.
import type { Mutant } from './instrument.ts'

interface Explanation {
  readonly file: string
  readonly original: string
  /** Without it: whatever it is replaced by. */
  readonly replacement?: string
  readonly why: string
}

const FINITE = 'Number.isFinite refuses what is no number; the first half is there for TypeScript'
const EMPTY = 'the number of an empty text is 0, and a life of nothing is none'

const EXPLAINED: readonly Explanation[] = [
  {
    file: 'protocol/presence.ts',
    original: 'value.length > LARGEST_NAME_LENGTH',
    replacement: 'false',
    why: 'the pattern takes no more characters either; this only saves reading a megabyte',
  },
  { file: 'protocol/tokens.ts', original: "typeof seconds === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/claims.ts', original: "typeof number === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/endpoints.ts', original: "typeof value === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/linkMap.ts', original: "typeof value === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/tokens.ts', original: "value.trim() !== ''", replacement: 'true', why: EMPTY },
  { file: 'protocol/tokens.ts', original: 'value.trim()', replacement: 'value', why: EMPTY },
  { file: 'protocol/tokens.ts', original: "''", replacement: "'mutant'", why: EMPTY },
  {
    file: 'protocol/signIn.ts',
    original: "read('state') ?? ''",
    replacement: "read('state')",
    why: 'what is missing is no state by its form either',
  },
  {
    file: 'protocol/origin.ts',
    original: "typeof value !== 'string'",
    replacement: 'false',
    why: 'parseUrl refuses what is no text; the test is there for TypeScript',
  },
  {
    file: 'protocol/address.ts',
    original: "''",
    replacement: "'mutant'",
    why: 'the pattern always fills path and hash, and an empty piece has no name that anybody asks for',
  },
  {
    file: 'protocol/address.ts',
    original: "['', '']",
    replacement: '[]',
    why: 'an empty piece has no name that anybody asks for',
  },
]

export function explanationOf({ file, original, replacement }: Mutant): string | undefined {
  return EXPLAINED.find(
    (one) =>
      file === `src/${one.file}` &&
      one.original === original &&
      (one.replacement === undefined || one.replacement === replacement),
  )?.why
}
