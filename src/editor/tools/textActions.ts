// Format, compact, sort, repair: each works on the whole text, shows its progress, and is one undo step.
import { TAB_SIZE, PROGRESS_AFTER_MS } from '../limits.ts'
import type { EditorState } from '../editorState.ts'
import type { JobRunner } from '../jobRunner.ts'
import type { Job, JobResult } from '../jobs.ts'
import { withTexts } from '../messages.ts'
import type { TextAction } from '../types.ts'
import { reveal } from './reveal.ts'
import { TOOL_MESSAGES, TOOL_NAMES } from './toolMessages.ts'

export function createTextActions(state: EditorState, runner: JobRunner, refuse: (note: string) => false) {
  const say = () => withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, state.inputs().messages)
  /** Callbacks of work in progress, called without a result if the editor stops. */
  const working = new Set<() => void>()

  /** Runs a job, and shows its progress if it takes long. */
  const work = (label: string, job: Job): Promise<JobResult | undefined> => {
    const timer = setTimeout(() => state.show({ progress: say().working(label) }), PROGRESS_AFTER_MS)
    return new Promise((resolve) => {
      const finish = (result?: JobResult) => {
        working.delete(finish)
        clearTimeout(timer)
        state.show({ progress: undefined })
        resolve(result)
      }
      working.add(finish)
      runner.run(job, finish)
    })
  }

  const run = async (action: TextAction): Promise<boolean> => {
    if (!state.inputs().canEdit) return false
    const label = say()[action]
    const version = state.version()
    const text = state.viewText()
    const { tabSize: spaces = TAB_SIZE } = state.inputs()
    const result = await work(label, { kind: action, text, spaces })
    if (!result) return false
    if (version !== state.version()) return refuse(say().changedMeanwhile)
    if ('refused' in result) {
      const { fixFirst, beyondRepair, cannotLoad, tooDeep } = say()
      const reasons = {
        invalid: fixFirst,
        'beyond-repair': beyondRepair,
        'cannot-load': cannotLoad,
        'too-large': tooDeep,
      }
      return refuse(reasons[result.refused])
    }
    if (!('text' in result) || result.text === text) return refuse(say().unchanged(label))
    // It may have become read-only meanwhile.
    if (!state.inputs().canEdit) return false
    const caret = moveCaret(text, state.surface()?.selection().start ?? 0, result.text)
    const end = state.lineEnd()
    state.replace(end === '\n' ? result.text : result.text.replaceAll('\n', end), true)
    state.flush()
    reveal(state, caret, caret)
    state.show({ note: say().done(label) })
    return true
  }

  return {
    run,
    stop() {
      for (const finish of working) finish()
    },
  }
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 9

/** The caret's place after whitespace has moved: after the same number of other characters. */
function moveCaret(before: string, caret: number, after: string): number {
  let count = 0
  for (let at = 0; at < caret; at++) if (!isSpace(before.charCodeAt(at))) count++
  let at = 0
  for (; at < after.length && count > 0; at++) if (!isSpace(after.charCodeAt(at))) count--
  return at
}
