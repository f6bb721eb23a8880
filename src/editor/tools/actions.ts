// The editor's actions: check, change, move, copy, download, open. Each change is one undo step.
import { DRAWN_COLUMNS, PROGRESS_AFTER_MS } from '../limits.ts'
import type { EditorState } from '../editorState.ts'
import { createJobRunner } from '../jobRunner.ts'
import { withTexts } from '../messages.ts'
import { toView } from '../lineEnds.ts'
import { findPlaces, offsetOf } from '../places.ts'
import type { JsonFault } from '../types.ts'
import { createChecking } from './checking.ts'
import { copyText, downloadText, readFile } from './files.ts'
import { reveal } from './reveal.ts'
import { createTextActions } from './textActions.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

export type Actions = ReturnType<typeof createActions>

/** The actions, once loaded. */
export interface ActionsSource {
  ready(): Promise<Actions>
}

export function createActions(state: EditorState) {
  const runner = createJobRunner()
  const checking = createChecking(state, runner)
  const say = () => withTexts(TOOL_MESSAGES, state.inputs().messages)
  const fileName = () => {
    const { fileName: given, name = 'data' } = state.inputs()
    return given ?? `${name}.json`
  }
  let isStopped = false
  const note = (text: string) => state.show({ note: text })
  const refuse = (reason: string): false => {
    note(reason)
    return false
  }
  const changing = createTextActions(state, runner, refuse)

  const actions = {
    /** Starts checking after each pause. */
    start() {
      isStopped = false
      checking.start()
    },
    /** Stops timers and the worker; `start` restarts them. */
    stop() {
      isStopped = true
      runner.stop()
      changing.stop()
      checking.stop()
      state.show({ progress: undefined, isChecking: false })
    },
    run: changing.run,
    validate: checking.validate,
    /** Moves the caret to a fault. */
    goTo(fault: JsonFault) {
      const offset = offsetOf(state.viewText(), fault)
      const { length } = toView(state.text().slice(fault.offset, fault.offset + fault.length))
      // Monaco draws no line beyond this column, but a wrapped line completely.
      if (fault.column > DRAWN_COLUMNS) state.show({ isWrapped: true })
      state.surface()?.focus()
      reveal(state, offset, offset + length)
    },
    /** Moves from the caret to the next or the previous fault. */
    goToNext(step: 1 | -1) {
      const { faults } = state.view()
      const { start } = state.surface()?.selection() ?? { start: 0 }
      const { line, column } = findPlaces(state.viewText(), [start])[0]!
      const distance = (fault: JsonFault) => fault.line - line || fault.column - column
      const after = faults.findIndex((fault) => distance(fault) > 0)
      const before = faults.findLastIndex((fault) => distance(fault) < 0)
      const next = faults.at(step > 0 ? Math.max(after, 0) : before)
      if (!next) return
      actions.goTo(next)
      note(`${say().place(next.line, next.column)}: ${next.message}`)
    },
    find() {
      const surface = state.surface()
      if (surface?.find) surface.find()
      // The full editor opens its search once loaded; a textarea has the browser's.
      else if (state.inputs().full !== false) state.show({ isFinding: true })
    },
    async copy() {
      const isCopied = await copyText(state.text(), state.surface()?.area)
      note(isCopied ? say().copied : say().cannotCopy)
      return isCopied
    },
    download: () => downloadText(state.text(), fileName()),
    async open(file: Blob & { readonly name?: string }) {
      if (!state.inputs().canEdit) return false
      const name = file.name ?? fileName()
      const timer = setTimeout(() => state.show({ progress: say().reading }), PROGRESS_AFTER_MS)
      const version = state.version()
      const result = await readFile(file)
      clearTimeout(timer)
      state.show({ progress: undefined })
      // The editor has unmounted.
      if (isStopped) return false
      if ('refused' in result) return refuse(say()[result.refused](name))
      if (version !== state.version()) return refuse(say().changedMeanwhile)
      state.replace(result.text, true)
      state.flush()
      note(say().opened(name))
      return true
    },
  }
  return actions
}
