// Checks the text by its rules after each pause, and tells what was found to the page and to who asks for it.
import type { EditorState } from '../editorState.ts'
import { incomplete, type PlacedFault, placeFaults, sayFault } from '../faultSentences.ts'
import type { JobRunner } from '../jobRunner.ts'
import type { JobResult } from '../jobs.ts'
import { PROGRESS_AFTER_MS } from '../limits.ts'
import { withTexts } from '../messages.ts'
import type { JsonFault, RawFault } from '../types.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

/** What an object says, functions and all: one that is written into the JSX is new with every render. */
export function write(said: unknown): string {
  try {
    return JSON.stringify(said, (_key, value: unknown) =>
      typeof value === 'function' ? String(value) : value,
    )
  } catch {
    // One that holds itself is no JSON; of a schema the judge says so.
    return ''
  }
}

const written = new WeakMap<object, string>()

/** The schema as a worker can have it; the same object is written once. */
export function writeSchema(schema: object | boolean | undefined): string | undefined {
  if (typeof schema !== 'object') return schema === undefined ? undefined : String(schema)
  const text = written.get(schema) ?? write(schema)
  written.set(schema, text)
  return text
}

/** A change of so many characters at once is no typing. */
const STALE_LENGTH = 20

export function createChecking(state: EditorState, runner: JobRunner) {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Who waits for the faults: the newest check tells all of them. */
  let asking: ((faults: readonly JsonFault[]) => void)[] = []
  const tell = (faults: readonly JsonFault[]) => {
    const told = asking
    asking = []
    for (const done of told) done(faults)
  }
  const toFaults = (placed: readonly PlacedFault[]): JsonFault[] =>
    placed.map((fault) => sayFault(fault, state.inputs().messages?.faults))
  const publish = (faults: readonly JsonFault[], isTooLarge: boolean) => {
    const isEmpty = faults.length === 1 && faults[0]!.code === 'empty'
    const isInvalid = faults.some((fault) => fault.severity === 'error')
    const found = isEmpty ? 'empty' : isInvalid ? 'invalid' : 'valid'
    state.show({ isChecking: false, faults, verdict: isTooLarge ? 'too-large' : found })
    try {
      state.inputs().onValidate?.(faults)
    } catch (error) {
      // The app's own: shown as what it is, and the editor goes on.
      reportError(error)
    }
  }
  const check = () => {
    const version = state.version()
    const { duplicates, schema, messages } = state.inputs()
    clearTimeout(timer)
    timer = setTimeout(() => state.show({ isChecking: true }), PROGRESS_AFTER_MS)
    const text = state.text()
    const job = { kind: 'check', text, duplicates, schema: writeSchema(schema) } as const
    const finish = (result: JobResult) => {
      if (version !== state.version()) return
      clearTimeout(timer)
      // What could not be checked is no error, and not right either.
      const isUnloaded = 'refused' in result && result.refused === 'cannot-load'
      const { cannotLoadCheck: found } = withTexts(TOOL_MESSAGES, messages)
      const raw: RawFault = isUnloaded
        ? incomplete('schema', found)
        : { code: 'too-large', offset: 0, length: 0, isWarning: true }
      const isChecked = 'faults' in result
      const faults = toFaults(isChecked ? result.faults : placeFaults('', [raw]))
      const isGivenUp =
        isChecked && result.faults.some((one) => one.code === 'incomplete' && one.detail === 'long')
      state.show({ isGivenUp })
      tell(faults)
      publish(faults, !isChecked && !isUnloaded)
    }
    runner.run(job, finish)
  }
  /** After a paste or an action the old verdict is about another text; one key more hardly changes it, unless a schema judges. */
  let length = 0
  const forget = (next: number) => {
    const { verdict } = state.view()
    const isJudged = state.inputs().schema !== undefined && verdict === 'valid'
    if (isJudged || Math.abs(next - length) > STALE_LENGTH)
      state.show({ verdict: 'unknown', isChecking: true })
    length = next
  }
  let stopListening = () => {}
  return {
    /** Checks, and again after each pause. */
    start() {
      length = state.surface()?.length() ?? 0
      stopListening = state.onText(forget)
      state.onCheck(check)
      check()
    },
    check,
    /** Checks now and gives what was found. */
    validate: () =>
      new Promise<readonly JsonFault[]>((resolve) => {
        asking.push(resolve)
        check()
      }),
    stop() {
      stopListening()
      state.onCheck(undefined)
      clearTimeout(timer)
      tell(state.view().faults)
    },
  }
}
