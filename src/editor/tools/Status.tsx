// The status line, which screen readers announce: the result of the check, progress, the last event.
import { type ReactElement, useSyncExternalStore } from 'react'
import { withTexts } from '../messages.ts'
import { isCut } from '../faultSentences.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

export function Status({ state, messages }: PartProps): ReactElement {
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(TOOL_MESSAGES, messages)
  const { result, faults, progress, note, isChecking, size, surface } = view
  const errors = faults.filter((fault) => fault.severity === 'error')
  const warnings = faults.length - errors.length
  const first = faults[0]

  const counted = [
    errors.length > 0 && say.countErrors(errors.length, isCut(errors)),
    warnings > 0 && say.countWarnings(warnings),
  ].filter(Boolean)
  const notes = [
    note,
    result === 'too-large' && say.tooLarge,
    size === 'huge' && surface === 'full' && say.large,
  ].filter(Boolean)
  const going = progress ?? (isChecking && say.checking)
  const isSaid = result === 'valid' || result === 'empty' || result === 'invalid'

  return (
    <span className="lkje-says" dir="auto">
      {isSaid && (
        <span
          className="lkje-verdict"
          data-verdict={result === 'valid' && warnings > 0 ? 'doubtful' : result}
        >
          {result === 'empty'
            ? say.empty
            : [result === 'valid' && say.valid, ...counted].filter(Boolean).join(', ')}
          {first && result !== 'empty' && (
            // For screen readers: the first fault, which is otherwise in the list below.
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
