// An edit is a stretch taken out and a text put in: found by comparing, remembered for undo.

export interface Edit {
  readonly offset: number
  readonly removed: string
  readonly inserted: string
  /** What was selected before, where undo is to select it again. */
  readonly selected?: readonly [start: number, end: number]
}

const BLOCK = 4_096

/** How many characters agree, of `most`: whole blocks first, which are compared many times faster than characters. */
function countEqual(most: number, isEqual: (from: number, to: number) => boolean): number {
  let count = 0
  for (let step = BLOCK; step >= 1; step /= 2) {
    while (count + step <= most && isEqual(count, count + step)) count += step
  }
  return count
}

/** The smallest single edit that turns `before` into `after`; nothing when they are equal. */
export function findEdit(before: string, after: string): Edit | undefined {
  if (before === after) return undefined
  const [oldEnd, newEnd] = [before.length, after.length]
  const shorter = Math.min(oldEnd, newEnd)
  const start = countEqual(shorter, (from, to) => before.slice(from, to) === after.slice(from, to))
  const tail = countEqual(
    shorter - start,
    (from, to) => before.slice(oldEnd - to, oldEnd - from) === after.slice(newEnd - to, newEnd - from),
  )
  return {
    offset: start,
    removed: before.slice(start, oldEnd - tail),
    inserted: after.slice(start, newEnd - tail),
  }
}

/** `text` with the edit made. */
export function makeEdit(text: string, { offset, removed, inserted }: Edit): string {
  return text.slice(0, offset) + inserted + text.slice(offset + removed.length)
}

/** Where an offset lies after the edit. */
export function moveOffset(offset: number, { offset: from, removed, inserted }: Edit): number {
  return offset <= from ? offset : Math.max(from, offset + inserted.length - removed.length)
}

export type EditHistory = ReturnType<typeof createHistory>

/** Keeps the steps of one text; a textarea forgets its own as soon as a program writes to it. */
export function createHistory() {
  const done: Edit[] = []
  let undone: Edit[] = []
  let isOpen = false
  return {
    /** What was done so far, oldest first: the full editor takes it over. */
    done: done as readonly Edit[],
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** Remembers an edit; typing that goes on where it stopped joins the step before. */
    add(edit: Edit, isTyping: boolean) {
      undone = []
      const last = done.at(-1)
      const goesOn = last && edit.offset === last.offset + last.inserted.length && edit.removed === ''
      // A new word, a new line or a pause begins a new step.
      if (isTyping && isOpen && last && goesOn && !/\s/.test(edit.inserted)) {
        done[done.length - 1] = { ...last, inserted: last.inserted + edit.inserted }
      } else done.push(edit)
      isOpen = isTyping && !edit.inserted.includes('\n')
    },
    /** Gives the edit that takes the last step back. */
    undo(): Edit | undefined {
      const edit = done.pop()
      isOpen = false
      if (!edit) return undefined
      undone.push(edit)
      return { offset: edit.offset, removed: edit.inserted, inserted: edit.removed }
    },
    redo() {
      const edit = undone.pop()
      if (edit) done.push(edit)
      return edit
    },
  }
}
