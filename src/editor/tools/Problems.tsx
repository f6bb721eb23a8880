// Every fault as a link that moves the caret to it: nobody has to hunt for a wavy line.
import { type ReactElement, useSyncExternalStore } from 'react'
import { isCut } from '../faultSentences.ts'
import { DRAWN_COLUMNS } from '../limits.ts'
import type { EditorState } from '../editorState.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import type { JsonFault } from '../types.ts'
import type { PartProps } from './partProps.ts'

const MOST_SHOWN = 5

/** What stands at a fault that lies too far right to be drawn in a text that is too large to be wrapped. */
const around = (state: EditorState, { offset }: JsonFault) =>
  ` …${state.text().slice(Math.max(0, offset - 30), offset + 30)}…`

export function Problems({ state, actions, boxId, messages }: PartProps): ReactElement | null {
  const { faults, verdict } = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(TOOL_MESSAGES, messages)
  if (faults.length === 0 || verdict === 'empty' || verdict === 'too-large') return null
  const shown = faults.slice(0, MOST_SHOWN)
  return (
    <ul className="lkje-problems" aria-label={say.problems}>
      {shown.map((fault) => (
        <li key={`${fault.offset} ${fault.message}`} dir="auto" data-severity={fault.severity}>
          <a
            href={`#${boxId}`}
            onClick={(event) => {
              event.preventDefault()
              void actions.ready().then((ready) => ready.goTo(fault))
            }}
          >
            {say.place(fault.line, fault.column)}
          </a>
          {`: ${fault.message}`}
          {fault.column > DRAWN_COLUMNS && <code>{around(state, fault)}</code>}
        </li>
      ))}
      {faults.length > MOST_SHOWN && <li>{say.moreProblems(faults.length - MOST_SHOWN, isCut(faults))}</li>}
    </ul>
  )
}
