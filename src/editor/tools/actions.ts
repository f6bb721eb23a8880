// What people can do with the text: check, lay out, sort, repair, copy, download, open. Each change is one step of undo.
import { TAB_SIZE } from '../constants.ts'
import { DRAWN_COLUMNS, PROGRESS_AFTER_MS } from '../limits.ts'
import type { EditorState } from '../editorState.ts'
import { type PlacedFault, placeFaults, sayFault } from '../faultSentences.ts'
import { createJobRunner } from '../jobRunner.ts'
import type { Job, JobResult } from '../jobs.ts'
import { locate } from '../location.ts'
import { withTexts } from '../messages.ts'
import { TOOL_NAMES } from '../toolNames.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import type { JsonFault, RawFault, TextAction } from '../types.ts'
import { copyText, downloadText, readFile } from './files.ts'

export interface Actions {
  /** Begins to check after each pause. */
  start(): void
  /** Ends timers and the worker; `start` begins anew. */
  stop(): void
  run(action: TextAction): Promise<boolean>
  validate(): Promise<readonly JsonFault[]>
  /** Moves to a fault in whatever shows the text. */
  goTo(fault: JsonFault): void
  /** Moves to the next fault from the caret, or to the one before. */
  goToNext(step: 1 | -1): void
  find(): void
  copy(): Promise<boolean>
  /** Copies the JSON path of where the caret is. */
  copyPath(): Promise<boolean>
  /** Copies the value that the caret is in. */
  copyValue(): Promise<boolean>
  download(): void
  open(file: Blob & { readonly name?: string }): Promise<boolean>
}

/** The actions as soon as they have arrived. */
export interface ActionsSource {
  ready(): Promise<Actions>
}

const written = new WeakMap<object, string>()

/** The schema as a worker can have it; the same object is written once. */
function writeSchema(schema: object | boolean | undefined): string | undefined {
  if (typeof schema !== 'object') return schema === undefined ? undefined : String(schema)
  const known = written.get(schema)
  if (known !== undefined) return known
  let text = ''
  try {
    text = JSON.stringify(schema)
  } catch {
    // One that holds itself is no JSON; the judge says so.
  }
  written.set(schema, text)
  return text
}

export function createActions(state: EditorState): Actions {
  const runner = createJobRunner(() => {
    if (state.view().verdict === 'too-large') check()
  })
  const say = () => withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, state.inputs().messages)
  const fileName = () => {
    const { fileName: given, name = 'data' } = state.inputs()
    return given ?? `${name}.json`
  }
  let checkTimer: ReturnType<typeof setTimeout> | undefined
  /** Who waits for the faults: the newest check tells all of them. */
  let asking: ((faults: readonly JsonFault[]) => void)[] = []
  const tell = (faults: readonly JsonFault[]) => {
    const told = asking
    asking = []
    for (const done of told) done(faults)
  }
  /** Ends the waiting for work that nobody will finish. */
  const working = new Set<() => void>()
  let isStopped = false

  const toJob = (text: string): Job => {
    const { duplicates, jsonc, schema } = state.inputs()
    return { kind: 'check', text, duplicates, jsonc, schema: writeSchema(schema) }
  }
  const toFaults = (placed: readonly PlacedFault[]): JsonFault[] => {
    const { messages } = state.inputs()
    return placed.map((fault) => {
      const said = sayFault(fault, messages?.faults)
      return { ...said, offset: said.offset + state.lineEnds.shift(said.line) }
    })
  }

  const check = () => {
    const version = state.version()
    const text = state.viewText()
    const isNow = () => version === state.version()
    clearTimeout(checkTimer)
    checkTimer = setTimeout(() => state.show({ isChecking: true }), PROGRESS_AFTER_MS)
    const publish = (faults: readonly JsonFault[], verdict: 'valid' | 'too-large' | undefined) => {
      const isEmpty = faults.length === 1 && faults[0]!.code === 'empty'
      const isInvalid = faults.some((fault) => fault.severity === 'error')
      const found = isEmpty ? 'empty' : isInvalid ? 'invalid' : 'valid'
      state.show({ isChecking: false, faults, verdict: verdict ?? found })
      state.inputs().onValidate?.(faults)
    }
    runner.run(toJob(text), (result, goesOn) => {
      if (!isNow()) return
      clearTimeout(checkTimer)
      if ('faults' in result) {
        const faults = toFaults(result.faults)
        publish(faults, undefined)
        if (!goesOn) tell(faults)
        return
      }
      // What could not be checked is no error, and not right either.
      const raw: RawFault =
        'refused' in result && result.refused === 'cannot-load'
          ? { code: 'incomplete', offset: 0, length: 0, detail: 'schema', found: say().cannotLoadCheck }
          : { code: 'too-large', offset: 0, length: 0, isWarning: true }
      const faults = toFaults(placeFaults('', [raw]))
      publish(faults, raw.code === 'too-large' ? 'too-large' : undefined)
      tell(faults)
    })
  }

  /** Shows progress once the work has taken a while; the answer comes as a promise. */
  const work = (label: string, job: Job): Promise<JobResult | undefined> => {
    const timer = setTimeout(
      () => state.show({ progress: { label: say().working(label) } }),
      PROGRESS_AFTER_MS,
    )
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

  /** Shows what would change, and waits for the answer. */
  const propose = (label: string, before: string, after: string) =>
    new Promise<boolean>((resolve) => {
      const decide = (isAgreed: boolean) => {
        state.show({ proposed: undefined })
        resolve(isAgreed)
      }
      state.view().proposed?.decide(false)
      state.show({ proposed: { label, before, after, decide } })
    })

  const note = (text: string) => state.show({ note: text })
  const refuse = (reason: string) => {
    note(reason)
    return false
  }

  const copy = async (text: string) => {
    const isCopied = await copyText(text)
    note(isCopied ? say().copied : say().cannotCopy)
    return isCopied
  }
  const locateCaret = () => locate(state.viewText(), state.surface()?.selection().start ?? 0)

  const actions: Actions = {
    start() {
      isStopped = false
      state.onCheck(check)
      check()
    },
    stop() {
      isStopped = true
      clearTimeout(checkTimer)
      state.onCheck(undefined)
      runner.stop()
      for (const finish of working) finish()
      tell(state.view().faults)
      state.view().proposed?.decide(false)
      state.show({ progress: undefined, isChecking: false })
    },
    async run(action) {
      if (!state.inputs().canEdit) return false
      const label = say()[action]
      const version = state.version()
      const text = state.viewText()
      const { tabSize: spaces = TAB_SIZE, jsonc } = state.inputs()
      const result = await work(label, { kind: action, text, spaces, jsonc })
      if (!result) return false
      if (version !== state.version()) return refuse(say().changedMeanwhile)
      if ('refused' in result) {
        const { fixFirst, beyondRepair, cannotLoad, tooDeep, hasComments } = say()
        const reasons = {
          invalid: fixFirst,
          'beyond-repair': beyondRepair,
          'cannot-load': cannotLoad,
          'too-large': tooDeep,
          'has-comments': hasComments,
        }
        return refuse(reasons[result.refused])
      }
      if (!('text' in result) || result.text === text) return refuse(say().unchanged(label))
      if (action === 'repair' && !(await propose(label, text, result.text)))
        return refuse(version === state.version() ? '' : say().changedMeanwhile)
      // It may have become read-only meanwhile.
      if (!state.inputs().canEdit) return false
      const surface = state.surface()
      const caret = moveCaret(text, surface?.selection().start ?? 0, result.text)
      const end = state.lineEnds.usual()
      state.replace(end === '\n' ? result.text : result.text.replaceAll('\n', end), true)
      state.flush()
      surface?.select(caret, caret)
      note(result.isInPart ? say().doneInPart(label) : say().done(label))
      return true
    },
    validate: () =>
      new Promise((resolve) => {
        asking.push(resolve)
        check()
      }),
    goTo(fault) {
      const offset = fault.offset - state.lineEnds.shift(fault.line)
      // Monaco draws no line any further; wrapped it is many short ones.
      if (fault.column > DRAWN_COLUMNS) state.show({ isWrapped: true })
      const surface = state.surface()
      surface?.focus()
      surface?.select(offset, offset + fault.length)
    },
    goToNext(step) {
      const { faults } = state.view()
      const { start } = state.surface()?.selection() ?? { start: 0 }
      const places = faults.map((fault) => fault.offset - state.lineEnds.shift(fault.line))
      const after = places.findIndex((place) => place > start)
      const before = places.findLastIndex((place) => place < start)
      const next = faults.at(step > 0 ? Math.max(after, 0) : before)
      if (!next) return
      actions.goTo(next)
      note(`${say().place(next.line, next.column)}: ${next.message}`)
    },
    find() {
      const { find } = state.abilities()
      if (find) find()
      else state.show({ isFinding: !state.view().isFinding })
    },
    copy: () => copy(state.text()),
    copyPath: () => copy(locateCaret().path),
    async copyValue() {
      const { start, end } = locateCaret()
      if (end > start) return copy(state.viewText().slice(start, end))
      return refuse(say().noValue)
    },
    download: () => downloadText(state.text(), fileName()),
    async open(file) {
      if (!state.inputs().canEdit) return false
      const name = file.name ?? fileName()
      const timer = setTimeout(
        () => state.show({ progress: { label: say().reading(0), done: 0 } }),
        PROGRESS_AFTER_MS,
      )
      const version = state.version()
      const result = await readFile(file, (done) => {
        if (state.view().progress) {
          state.show({ progress: { label: say().reading(Math.floor(done * 100)), done } })
        }
      })
      clearTimeout(timer)
      state.show({ progress: undefined })
      // Nobody shows the text any more.
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

const isSpace = (code: number) => code === 32 || code === 10 || code === 9

/** Where the caret belongs after whitespace has moved: behind the same number of other characters. */
function moveCaret(before: string, caret: number, after: string): number {
  let count = 0
  for (let at = 0; at < caret; at++) if (!isSpace(before.charCodeAt(at))) count++
  let at = 0
  for (; at < after.length && count > 0; at++) if (!isSpace(after.charCodeAt(at))) count--
  return at
}
