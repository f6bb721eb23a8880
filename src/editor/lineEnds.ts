// Remembers which line end each line had: textareas and Monaco know only one kind, the text may have three.

const ENDS = ['\n', '\r\n', '\r'] as const
type End = (typeof ENDS)[number]

/** The line ends of a text: one kind, or one for each line where they are mixed. */
export interface Ends {
  /** The one that most lines have: new lines get it. */
  readonly usual: End
  readonly each?: readonly End[]
}

/** The text as a surface holds it: every line end is `\n`. */
export function toView(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function readEnds(text: string): Ends {
  if (!text.includes('\r')) return { usual: '\n' }
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
    /** Takes all line ends from `next`, which replaces everything. */
    reset(next: string) {
      ends = readEnds(next)
    },
    /** Lines were put in place of others at `line` (from 0). */
    change(line: number, removed: number, inserted: number) {
      const { usual, each } = ends
      if (!each || (removed === 0 && inserted === 0)) return
      const added = Array.from<End>({ length: inserted }).fill(usual)
      ends = { usual, each: [...each.slice(0, line), ...added, ...each.slice(line + removed)] }
    },
  }
}
