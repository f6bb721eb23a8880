// The form of what the bench finds, and the few sums it does with it.

/** One line of the table: a count or a ratio, and what it should be. */
export interface Figure {
  what: string
  value: string
  goal?: string
  /** Absent where there is no goal. */
  isMet?: boolean
}

/** A side by side: the first column says who. */
export interface Table {
  title: string
  columns: string[]
  rows: string[][]
}

/** What a measurement gives back: lines for people, and everything that was seen for whoever wants to look closer. */
export interface Findings {
  figures: Figure[]
  /** Side by sides, where there is more than one to measure. */
  tables?: Table[]
  /** What has to be known to read them. */
  notes?: string[]
  raw: unknown
}

/** A figure with a goal that is a number: at most so much. */
export function atMost(what: string, value: number, goal: number, unit = ''): Figure {
  return { what, value: `${count(value)}${unit}`, goal: `≤ ${count(goal)}${unit}`, isMet: value <= goal }
}

/** A figure that has to be exactly so. */
export function exactly(what: string, value: number, goal: number): Figure {
  return { what, value: count(value), goal: count(goal), isMet: value === goal }
}

/** A figure without a goal. */
export function plain(what: string, value: string): Figure {
  return { what, value }
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const count = (value: number) =>
  Math.round(value * 100) / 100 === Math.round(value) ? value.toLocaleString('en') : value.toFixed(2)
