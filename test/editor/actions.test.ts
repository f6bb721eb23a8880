// Long work shows its progress and never replaces what was typed meanwhile.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEditorState, type EditorState } from '../../src/editor/editorState.ts'
import { type Actions, createActions } from '../../src/editor/tools/actions.ts'
import { createChecking } from '../../src/editor/tools/checking.ts'
import { ManualWorker } from './manualWorker.ts'

/** Long enough for the worker. */
const LONG = `[${'1,'.repeat(30_000)}1]`

let state: EditorState
let actions: Actions

beforeEach(() => {
  ManualWorker.all = []
  vi.stubGlobal('Worker', ManualWorker)
  vi.useFakeTimers()
  state = createEditorState(LONG)
  state.configure({ canEdit: true })
  actions = createActions(state)
})
afterEach(() => {
  actions.stop()
  state.stop()
  vi.useRealTimers()
})

it('shows a running check after 300 ms, until the result is there', () => {
  actions.start()
  vi.advanceTimersByTime(299)
  expect(state.view()).toMatchObject({ isChecking: false, result: 'unknown' })
  vi.advanceTimersByTime(1)
  expect(state.view().isChecking).toBe(true)
  ManualWorker.all[0]!.answer({ faults: [] })
  expect(state.view()).toMatchObject({ isChecking: false, result: 'valid' })
})

it('checks 166 ms after the last change, whatever came before it', () => {
  state = createEditorState('[]')
  const results: number[] = []
  state.configure({ canEdit: true, onValidate: (faults) => results.push(faults.length) })
  actions = createActions(state)
  actions.start()
  expect(results).toEqual([0])
  state.replace('[1', true)
  vi.advanceTimersByTime(165)
  state.replace('[1,', true)
  vi.advanceTimersByTime(165)
  expect(results).toEqual([0])
  vi.advanceTimersByTime(1)
  expect(results).toEqual([0, 1])
})

it('shows the current value of the parent when late values arrive out of order', () => {
  state = createEditorState('[]')
  const told: string[] = []
  state.configure({ canEdit: true, value: '[]', onChange: (text) => told.push(text) })
  for (const text of ['[1]', '[12]', '[123]', '[1234]']) state.replace(text, true)
  // The second value overtakes the first.
  for (const index of [1, 0, 2, 3]) state.receive(told[index]!)
  vi.advanceTimersByTime(1_000)
  expect(state.text()).toBe('[1234]')
})

it('reports "too large to check" after thirty seconds without a result', () => {
  const onValidate = vi.fn<(faults: readonly { code: string; severity: string }[]) => void>()
  state.configure({ canEdit: true, onValidate })
  actions.start()
  ManualWorker.all[0]!.answer({ faults: [] })
  state.replace(`${LONG} `, true)
  vi.advanceTimersByTime(166 + 30_000)
  expect(state.view()).toMatchObject({ result: 'too-large', isChecking: false })
  // Not a fault of the text: it can be saved.
  expect(onValidate.mock.lastCall![0]).toMatchObject([{ code: 'too-large', severity: 'warning' }])
})

it('resolves every call of validate, whatever check comes in between, and also on stop', async () => {
  actions.start()
  const asked = [actions.validate(), actions.validate()]
  state.replace(`${LONG} `, true)
  vi.advanceTimersByTime(166)
  ManualWorker.all[0]!.answer({ faults: [] })
  expect(await Promise.all(asked)).toEqual([[], []])
  const left = [actions.validate(), actions.run('format')]
  actions.stop()
  expect(await Promise.all(left)).toEqual([[], false])
})

it('resolves validate even if onValidate throws, and reports the error', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const error = new Error('no')
  const onValidate = vi.fn<() => void>(() => {
    throw error
  })
  state.configure({ canEdit: true, onValidate })
  const checking = createChecking(state, { run: (_job, answer) => answer({ faults: [] }), stop() {} })
  expect(await checking.validate()).toEqual([])
  expect(onValidate).toHaveBeenCalledTimes(1)
  expect(reported).toEqual([error])
  checking.stop()
})

it('warns if the schema validator could not be loaded: neither valid nor invalid', () => {
  const found: unknown[] = []
  state.configure({ canEdit: true, schema: false, onValidate: (faults) => found.push(...faults) })
  const checking = createChecking(state, {
    run: (_job, answer) => answer({ refused: 'cannot-load' }),
    stop() {},
  })
  checking.check()
  expect(found).toMatchObject([
    {
      code: 'incomplete',
      severity: 'warning',
      message: 'The schema cannot be used: the schema validator could not be loaded',
    },
  ])
  checking.stop()
})

it('shows the progress of an action, and keeps a text that was changed meanwhile', async () => {
  const formatting = actions.run('format')
  vi.advanceTimersByTime(300)
  expect(state.view().progress).toBe('Format: working…')
  state.replace('[2]', true)
  ManualWorker.all[0]!.answer({ text: '[\n  1\n]' })
  expect(await formatting).toBe(false)
  expect(state.text()).toBe('[2]')
  expect(state.view()).toMatchObject({
    progress: undefined,
    note: 'The text was changed meanwhile; nothing was replaced.',
  })
})

it('shows after 300 ms that a file is being read', async () => {
  let deliver = (_bytes: ArrayBuffer) => {}
  const arrayBuffer = () => new Promise<ArrayBuffer>((resolve) => (deliver = resolve))
  const opening = actions.open(Object.assign(new Blob(), { name: 'map.json', arrayBuffer }))
  vi.advanceTimersByTime(300)
  expect(state.view().progress).toBe('Reading the file…')
  deliver(new TextEncoder().encode('[1, 2, 3]!').buffer)
  expect(await opening).toBe(true)
  expect(state.text()).toBe('[1, 2, 3]!')
  expect(state.view()).toMatchObject({ progress: undefined, note: 'Opened map.json' })
})

it('opens no file in an editor that has unmounted meanwhile', async () => {
  actions.start()
  const opening = actions.open(new Blob(['[1, 2, 3]!']))
  actions.stop()
  expect(await opening).toBe(false)
  expect(state.text()).toBe(LONG)
})
