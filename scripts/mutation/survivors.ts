// Mistakes that no test can notice, because the program does the same with them; each with its reason.
import type { Mutant } from './instrument.ts'

interface Explanation {
  readonly file: string
  readonly original: string
  /** Without it: whatever it is replaced by. */
  readonly replacement?: string
  readonly why: string
}

const EXPLAINED: readonly Explanation[] = []

export function explanationOf({ file, original, replacement }: Mutant): string | undefined {
  return EXPLAINED.find(
    (one) =>
      file === `src/${one.file}` &&
      one.original === original &&
      (one.replacement === undefined || one.replacement === replacement),
  )?.why
}
