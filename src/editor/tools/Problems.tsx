// The faults as links that move the caret to them.
import { type ReactElement, useSyncExternalStore } from 'react'
import { isCut } from '../faultSentences.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import type { PartProps } from './partProps.ts'

const MAX_SHOWN = 5

export function Problems({ state, actions, boxId, messages }: PartProps): ReactElement | null {
  const { faults, result } = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(TOOL_MESSAGES, messages)
  if (faults.length === 0 || result === 'empty' || result === 'too-large') return null
  return (
    <ul className="lkje-problems" aria-label={say.problems}>
      {faults.slice(0, MAX_SHOWN).map((fault) => (
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
      {faults.length > MAX_SHOWN && <li>{say.moreProblems(faults.length - MAX_SHOWN, isCut(faults))}</li>}
    </ul>
  )
}
