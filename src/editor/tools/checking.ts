// Checks the text after each pause, shows the faults, and notifies the app and the callers of `validate`.
import type { EditorState } from '../editorState.ts'
import { incomplete, type PlacedFault, placeFaults, toJsonFault } from '../faultSentences.ts'
import type { JobRunner } from '../jobRunner.ts'
import type { JobResult } from '../jobs.ts'
import { PROGRESS_AFTER_MS } from '../limits.ts'
import { withTexts } from '../messages.ts'
import type { JsonFault, RawFault } from '../types.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

/** Serializes an object with its functions: an object literal in JSX is new with every render. */
export function serialize(said: unknown): string {
  try {
    return JSON.stringify(said, (_key, value: unknown) =>
      typeof value === 'function' ? String(value) : value,
    )
  } catch {
    // A circular object is not JSON; the validator reports such a schema.
    return ''
  }
}

const written = new WeakMap<object, string>()

/** The schema as JSON text for a worker; the same object is serialized once. */
export function serializeSchema(schema: object | boolean | undefined): string | undefined {
  if (typeof schema !== 'object') return schema === undefined ? undefined : String(schema)
  const text = written.get(schema) ?? serialize(schema)
  written.set(schema, text)
  return text
}

/** A change of more characters at once is not typing. */
const STALE_LENGTH = 20

export function createChecking(state: EditorState, runner: JobRunner) {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Callers of `validate`: the newest check resolves all of them. */
  let callers: ((faults: readonly JsonFault[]) => void)[] = []
  const notify = (faults: readonly JsonFault[]) => {
    const notified = callers
    callers = []
    for (const done of notified) done(faults)
  }
  const toFaults = (placed: readonly PlacedFault[]): JsonFault[] =>
    placed.map((fault) => toJsonFault(fault, state.inputs().messages?.faults))
  const publish = (faults: readonly JsonFault[], isTooLarge: boolean) => {
    const isEmpty = faults.length === 1 && faults[0]!.code === 'empty'
    const isInvalid = faults.some((fault) => fault.severity === 'error')
    const found = isEmpty ? 'empty' : isInvalid ? 'invalid' : 'valid'
    state.show({ isChecking: false, faults, result: isTooLarge ? 'too-large' : found })
    try {
      state.inputs().onValidate?.(faults)
    } catch (error) {
      // The app's error is reported; the editor continues.
      reportError(error)
    }
  }
  const check = () => {
    const version = state.version()
    const { duplicates, schema, messages } = state.inputs()
    clearTimeout(timer)
    timer = setTimeout(() => state.show({ isChecking: true }), PROGRESS_AFTER_MS)
    const text = state.text()
    const job = { kind: 'check', text, duplicates, schema: serializeSchema(schema) } as const
    const finish = (result: JobResult) => {
      if (version !== state.version()) return
      clearTimeout(timer)
      // An unchecked text is neither an error nor valid.
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
      notify(faults)
      publish(faults, !isChecked && !isUnloaded)
    }
    runner.run(job, finish)
  }
  /** After a paste or an action the result is stale; a single key rarely changes it, unless there is a schema. */
  let length = 0
  const markStale = (next: number) => {
    const { result } = state.view()
    const isValidBySchema = state.inputs().schema !== undefined && result === 'valid'
    if (isValidBySchema || Math.abs(next - length) > STALE_LENGTH)
      state.show({ result: 'unknown', isChecking: true })
    length = next
  }
  let stopListening = () => {}
  return {
    /** Checks now and after each pause. */
    start() {
      length = state.surface()?.length() ?? 0
      stopListening = state.onText(markStale)
      state.onCheck(check)
      check()
    },
    check,
    /** Checks now and resolves with the faults. */
    validate: () =>
      new Promise<readonly JsonFault[]>((resolve) => {
        callers.push(resolve)
        check()
      }),
    stop() {
      stopListening()
      state.onCheck(undefined)
      clearTimeout(timer)
      notify(state.view().faults)
    },
  }
}
