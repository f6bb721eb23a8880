// The line under the text that a screen reader hears: the verdict, the progress of long work, what just happened.
import { type ReactElement, useSyncExternalStore } from 'react'
import { withTexts } from '../messages.ts'
import { isCut } from '../faultSentences.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

export function Status({ state, messages }: PartProps): ReactElement {
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(TOOL_MESSAGES, messages)
  const { verdict, faults, progress, note, isChecking, size, surface } = view
  const errors = faults.filter((fault) => fault.severity === 'error')
  const warnings = faults.length - errors.length
  const first = faults[0]

  const counted = [
    errors.length > 0 && say.countErrors(errors.length, isCut(errors)),
    warnings > 0 && say.countWarnings(warnings),
  ].filter(Boolean)
  const notes = [
    note,
    verdict === 'too-large' && say.tooLarge,
    size === 'huge' && surface === 'full' && say.large,
  ].filter(Boolean)
  const going = progress ?? (isChecking && say.checking)
  const isSaid = verdict === 'valid' || verdict === 'empty' || verdict === 'invalid'

  return (
    <span className="lkje-says" dir="auto">
      {isSaid && (
        <span
          className="lkje-verdict"
          data-verdict={verdict === 'valid' && warnings > 0 ? 'doubtful' : verdict}
        >
          {verdict === 'empty'
            ? say.empty
            : [verdict === 'valid' && say.valid, ...counted].filter(Boolean).join(', ')}
          {first && verdict !== 'empty' && (
            // The list below shows it; who only hears this line hears the first of it here.
            <span className="lkje-heard">{`. ${say.place(first.line, first.column)}: ${first.message}`}</span>
          )}
        </span>
      )}
      {going && (
        <span className="lkje-progress">
          <progress aria-label={going} />
          {going}
        </span>
      )}
      {notes.map((text) => (
        <span key={String(text)}>{text}</span>
      ))}
    </span>
  )
}
