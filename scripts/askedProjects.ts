// Which projects a Vitest command line asks for, so that only those are set up: Storybook alone takes seconds of each run.

/** True for each project where none is named; a pattern (`*`, `!`) is left to Vitest. */
export function isAskedFor(name: string, words: readonly string[]): boolean {
  const asked = words.flatMap((word, at) => {
    if (word.startsWith('--project=')) return [word.slice('--project='.length)]
    return words[at - 1] === '--project' ? [word] : []
  })
  return asked.length === 0 || asked.some((one) => one === name || /[*!]/.test(one))
}
