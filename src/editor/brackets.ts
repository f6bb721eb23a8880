// The brackets that are open while JSON is read: which, where, and how far in their lines begin.

export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
export const OPEN_ARRAY = 91
export const CLOSE_ARRAY = 93

/** How far a closing bracket looks up the stack for its partner before it counts as a slip. */
const MISMATCH_REACH = 16

const widen = (from: Int32Array) => {
  const wider = new Int32Array(from.length * 2)
  wider.set(from)
  return wider
}

/** A stack that holds a million levels without an object for each. */
export class Brackets {
  depth = 0
  #places = new Int32Array(256)
  #kinds = new Int32Array(256)
  #indents = new Int32Array(256)

  open(kind: number, place: number, indent: number): void {
    if (this.depth === this.#places.length) {
      this.#places = widen(this.#places)
      this.#kinds = widen(this.#kinds)
      this.#indents = widen(this.#indents)
    }
    this.#places[this.depth] = place
    this.#kinds[this.depth] = kind
    this.#indents[this.depth++] = indent
  }

  inObject(): boolean {
    return this.#kinds[this.depth - 1] === OPEN_OBJECT
  }

  /** What would close all of them. */
  closings(): string {
    return String.fromCharCode(
      ...this.#kinds
        .subarray(0, this.depth)
        .toReversed()
        .map((kind) => kind + 2),
    )
  }

  /** Is the innermost one inside of one of this kind? */
  isIn(kind: number): boolean {
    return this.depth > 1 && this.#kinds[this.depth - 2] === kind
  }

  /** Where the innermost one stands. */
  place(): number {
    return this.#places[this.depth - 1]!
  }

  /** How many inner ones a closing bracket leaves open; nothing when it has no partner near by. */
  findPartner(code: number): number | undefined {
    let level = this.depth - 1
    const reach = Math.max(0, this.depth - MISMATCH_REACH)
    while (level >= reach && this.#kinds[level] !== code - 2) level--
    return level >= reach ? this.depth - 1 - level : undefined
  }

  /** How many inner ones a line cannot be within, because it begins no further in than theirs. */
  countOutdented(code: number, indent: number): number {
    const isClosing = code === CLOSE_OBJECT || code === CLOSE_ARRAY
    const indents = this.#indents
    const own = indents[this.depth - 1]!
    if (isClosing ? own <= indent : own < indent) return 0
    let level = this.depth - 2
    while (level >= 0 && (isClosing ? indents[level] !== indent : indents[level]! >= indent)) level--
    if (level < 0 || (isClosing && this.#kinds[level] !== code - 2)) return 0
    return this.depth - 1 - level
  }
}
