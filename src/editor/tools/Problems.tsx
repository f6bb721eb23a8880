// Every fault as a link that moves the caret to it: nobody has to hunt for a wavy line.
import { type ReactElement, useSyncExternalStore } from 'react'
import { isCut } from '../faultSentences.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import type { PartProps } from './partProps.ts'

const MOST_SHOWN = 5

export function Problems({ state, actions, boxId, messages }: PartProps): ReactElement | null {
  const { faults, verdict } = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(TOOL_MESSAGES, messages)
  if (faults.length === 0 || verdict === 'empty' || verdict === 'too-large') return null
  const shown = faults.slice(0, MOST_SHOWN)
  return (
    <ul className="lkje-problems" aria-label={say.problems}>
      {shown.map((fault) => (
        <li key={`${fault.offset} ${fault.message}`} data-severity={fault.severity}>
          <bdi>
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
          </bdi>
        </li>
      ))}
      {faults.length > MOST_SHOWN && <li>{say.moreProblems(faults.length - MOST_SHOWN, isCut(faults))}</li>}
    </ul>
  )
}
