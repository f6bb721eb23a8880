// What an action would change, shown before it does: nothing happens until somebody has agreed.
import { type ReactElement, useEffect, useMemo, useRef } from 'react'
import type { Proposed } from '../editorView.ts'
import { withTexts } from '../messages.ts'
import { findDifferences } from './differences.ts'
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
