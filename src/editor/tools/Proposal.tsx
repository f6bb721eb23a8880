// What an action would change, shown before it does: nothing happens until somebody has agreed.
import type { Proposed } from '../editorState.ts'
import { type ReactElement, useEffect, useMemo, useRef } from 'react'
import { findEdit } from '../edits.ts'
import { withTexts } from '../messages.ts'
import { findPlaces } from '../places.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

const MOST_SHOWN = 100
const MOST_LENGTH = 300

/** A line end that comes or goes has to be seen. */
const visible = (text: string) =>
  (text.length > MOST_LENGTH ? `${text.slice(0, MOST_LENGTH)}…` : text).replaceAll('\n', '↵')

export interface ProposalProps extends PartProps {
  readonly proposed: Proposed
}

export function Proposal({ state, root, proposed, messages }: ProposalProps): ReactElement {
  const say = withTexts(TOOL_MESSAGES, messages)
  const { label, before, after, decide } = proposed
  const box = useRef<HTMLDivElement>(null)
  const differences = useMemo(() => findDifferences(before, after), [before, after])
  useEffect(() => {
    const covered = [...box.current!.parentElement!.children].filter((child) => child !== box.current)
    for (const child of covered) child.setAttribute('inert', '')
    box.current!.querySelector('button')?.focus()
    return () => {
      for (const child of covered) child.removeAttribute('inert')
      // The focus goes back to the text, unless somebody has taken it elsewhere meanwhile.
      const page = root.ownerDocument
      if (page.activeElement === page.body) state.surface()?.focus()
    }
  }, [state, root])
  const title = `${label}: ${say.changes(differences.length)}`
  return (
    <div
      ref={box}
      className="lkje-proposal"
      role="dialog"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A dialog around the editor stays open.
        event.preventDefault()
        decide(false)
      }}
    >
      <div className="lkje-note">
        <strong>{title}</strong>
        <button type="button" className="lkje-plain" onClick={() => decide(true)}>
          {say.apply}
        </button>
        <button type="button" className="lkje-plain" onClick={() => decide(false)}>
          {say.cancel}
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls has to be reached by keyboard */}
      <ol tabIndex={0} aria-label={title}>
        {differences.slice(0, MOST_SHOWN).map((change) => (
          <li key={`${change.offset} ${change.inserted}`}>
            <span className="lkje-line">{say.line(change.line)}</span>
            <code>
              {change.before}
              {change.removed !== '' && <del>{visible(change.removed)}</del>}
              {change.inserted !== '' && <ins>{visible(change.inserted)}</ins>}
              {change.after}
            </code>
          </li>
        ))}
        {differences.length > MOST_SHOWN && <li>{say.moreProblems(differences.length - MOST_SHOWN)}</li>}
      </ol>
    </div>
  )
}

interface Difference {
  readonly offset: number
  readonly line: number
  /** What stands around it on its line. */
  readonly before: string
  readonly removed: string
  readonly inserted: string
  readonly after: string
}

const WORD = /"(?:[^"\\\n]|\\.)*"|\n|[^\S\n]+|[\w.+-]+|[\s\S]/g
/** So far two texts are searched for the next place where they agree. */
const REACH = 200
/** Longer stretches are one change. */
const COMPARED_LENGTH = 500_000
const AROUND = 30

/** How many words to leave out on both sides until two words agree. */
function findAgreement(old: readonly string[], now: readonly string[], x: number, y: number) {
  for (let sum = 1; sum < REACH; sum++) {
    for (let left = 0; left <= sum; left++) {
      const [a, b] = [x + left, y + sum - left]
      if (old[a] === now[b] && old[a + 1] === now[b + 1] && old[a] !== undefined) return [a, b] as const
    }
  }
  return [old.length, now.length] as const
}

/** The changes from one text to another, in order. */
function findDifferences(text: string, next: string): Difference[] {
  const edit = findEdit(text, next)
  if (!edit) return []
  // Whole words: the common beginning may end in the middle of one.
  const start = text.lastIndexOf('\n', edit.offset - 1) + 1
  const from = edit.offset - start > AROUND * 10 ? edit.offset : start
  const tail = text.length - edit.offset - edit.removed.length
  const [oldEnd, newEnd] = [text.length - tail, next.length - tail]
  const isLong = oldEnd - from > COMPARED_LENGTH || newEnd - from > COMPARED_LENGTH
  const words = (of: string) => (isLong ? [of] : (of.match(WORD) ?? []))
  const [old, now] = [words(text.slice(from, oldEnd)), words(next.slice(from, newEnd))]
  const found: { offset: number; removed: string; inserted: string }[] = []
  let [x, y, offset] = [0, 0, from]
  while (x < old.length || y < now.length) {
    if (old[x] === now[y]) {
      offset += old[x]!.length
      x++
      y++
      continue
    }
    const [a, b] = findAgreement(old, now, x, y)
    const removed = old.slice(x, a).join('')
    found.push({ offset, removed, inserted: now.slice(y, b).join('') })
    offset += removed.length
    x = a
    y = b
  }
  const places = findPlaces(
    text,
    found.map((change) => change.offset),
  )
  return found.map((change, index) => {
    const end = change.offset + change.removed.length
    return {
      ...change,
      line: places[index]!.line,
      before: text
        .slice(Math.max(0, change.offset - AROUND), change.offset)
        .split('\n')
        .at(-1)!,
      after: text.slice(end, end + AROUND).split('\n')[0]!,
    }
  })
}
