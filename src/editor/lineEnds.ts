// Remembers which line end each line had: textareas and Monaco know only one kind, the text may have three.

const ENDS = ['\n', '\r\n', '\r'] as const
type End = (typeof ENDS)[number]

/** The line ends of a text: one kind, or one for each line where they are mixed. */
export interface Ends {
  /** The one that most lines have: new lines get it. */
  readonly usual: End
  readonly each?: readonly End[]
}

/** So many single line ends are remembered for undo; of texts beyond that, which are rare, only the usual one. */
const MOST_MIXED = 5_000_000

const PLAIN: Ends = { usual: '\n' }

/** The text as a surface holds it: every line end is `\n`. */
export function toView(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function readEnds(text: string): Ends {
  if (!text.includes('\r')) return PLAIN
  const each = text.match(/\r\n?|\n/g) as End[]
  const counts = ENDS.map((end) => each.filter((other) => other === end).length)
  const usual = ENDS[counts.indexOf(Math.max(...counts))]!
  return each.every((end) => end === usual) ? { usual } : { usual, each }
}

export function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function createLineEnds(text: string) {
  let ends = readEnds(text)
  /** The line ends of earlier versions: undo brings them back. Empty while every text is plain. */
  const versions = new Map<number, Ends>()
  let lastMixed: Ends | undefined
  let mixedCount = 0
  const remember = (version: number) => {
    if (ends === PLAIN && versions.size === 0) return
    versions.set(version, ends)
    if (!ends.each || ends === lastMixed) return
    lastMixed = ends
    mixedCount += ends.each.length
    if (mixedCount <= MOST_MIXED) return
    for (const [known, { usual, each }] of versions)
      if (each && known !== version) versions.set(known, { usual })
    mixedCount = ends.each.length
  }
  remember(0)

  return {
    /** The text as it is, from the text as the surface holds it. */
    toText(view: string) {
      const { usual, each } = ends
      if (!each) return usual === '\n' ? view : view.replaceAll('\n', usual)
      let line = 0
      return view.replaceAll('\n', () => each[line++] ?? usual)
    },
    /** Those of the text now. */
    ends: () => ends,
    /** Takes all line ends from `next`, which replaces everything; `view` is the same text as a surface holds it. */
    reset(next: string, version: number, view?: string) {
      // The very same one has no other line ends: megabytes need not be searched again.
      ends = next === view ? PLAIN : readEnds(next)
      remember(version)
    },
    /** Lines were put in place of others at `line` (from 0); `version` names the new state for undo. */
    change(line: number, removed: number, inserted: number, version: number) {
      const { usual, each } = ends
      if (each && (removed > 0 || inserted > 0)) {
        const added = Array.from<End>({ length: inserted }).fill(usual)
        ends = { usual, each: [...each.slice(0, line), ...added, ...each.slice(line + removed)] }
      }
      remember(version)
    },
    /** Another surface counts versions differently: only those that have a name there are kept for undo. */
    rebase(version: number, names: readonly (readonly [from: number, to: number])[] = []) {
      const former = new Map(versions)
      versions.clear()
      for (const [from, to] of names) {
        const known = former.get(from)
        if (known) versions.set(to, known)
      }
      remember(version)
    },
    /** Goes back to the line ends of a version that was there before. */
    restore(version: number) {
      // Versions are kept from the first that is not plain: what is missing came before it.
      if (versions.size > 0) ends = versions.get(version) ?? PLAIN
    },
  }
}
