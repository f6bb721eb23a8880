// Every job gets a result: from the worker, from the page, or "too large" when its time is up.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createJobRunner } from '../../src/editor/jobRunner.ts'
import type { Job, JobResult } from '../../src/editor/jobs.ts'
import { ManualWorker } from './manualWorker.ts'

/** Long enough for the worker. */
const long = `[${'1,'.repeat(30_000)}1]`
const check = (text: string): Job => ({ kind: 'check', text })

beforeEach(() => {
  ManualWorker.all = []
  vi.stubGlobal('Worker', ManualWorker)
  vi.stubGlobal('document', {})
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('reports "too large" after thirty seconds, ends the worker, and starts a new one for the next text', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(long), (result) => answers.push(result))
  ManualWorker.all[0]!.answer({ faults: [] })
  runner.run(check(`${long} `), (result) => answers.push(result))
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([{ faults: [] }])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ faults: [] }, { refused: 'too-large' }])
  expect(ManualWorker.all.map((worker) => worker.isEnded)).toEqual([true])
  runner.run(check(long), (result) => answers.push(result))
  expect(ManualWorker.all).toHaveLength(2)
  ManualWorker.all[1]!.answer({ faults: [] })
  expect(answers.at(-1)).toEqual({ faults: [] })
})

it('gives the first check its full time, counted from the start of the worker', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(4_999)
  ManualWorker.all[0]!.arrive()
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ refused: 'too-large' }])
})

it('gives an action more time than a check, because the user sees its progress', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run({ kind: 'format', text: long, spaces: 2 }, (result) => answers.push(result))
  ManualWorker.all[0]!.arrive()
  vi.advanceTimersByTime(59_999)
  expect(answers).toEqual([])
  ManualWorker.all[0]!.answer({ text: '[]' })
  expect(answers).toEqual([{ text: '[]' }])
})

it('returns the result of the newest check only, and of each action', () => {
  const runner = createJobRunner()
  const answers: string[] = []
  runner.run(check(long), () => answers.push('first check'))
  runner.run({ kind: 'compact', text: long, spaces: 2 }, () => answers.push('action'))
  runner.run(check(`${long} `), () => answers.push('second check'))
  const [worker] = ManualWorker.all
  worker!.arrive()
  for (const asked of worker!.asked) worker!.answer({ faults: [] }, asked)
  expect(answers).toEqual(['action', 'second check'])
})

it.each([
  ['has been at it for 300 ms', 300, [false]],
  ['has been at it for longer', 301, [true, false]],
])(
  'a newer text ends a worker that checks an older one against a schema, if it %s',
  (_what, passedMs, ended) => {
    const runner = createJobRunner()
    const answers: string[] = []
    const checked = (text: string): Job => ({ kind: 'check', text, schema: '{}' })
    runner.run(checked(long), () => answers.push('first'))
    ManualWorker.all[0]!.arrive()
    runner.run(checked(`${long} `), () => answers.push('second'))
    vi.advanceTimersByTime(passedMs)
    runner.run(checked(`${long}  `), () => answers.push('third'))
    expect(ManualWorker.all.map(({ isEnded }) => isEnded)).toEqual(ended)
    ManualWorker.all.at(-1)!.answer({ faults: [] })
    expect(answers).toEqual(['third'])
  },
)

it.each([
  [
    'every letter doubles the work of its pattern',
    '{"pattern":"^([\\\\w.+-]+)+@x$"}',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
  ],
  ['a definition refers twice to the one before', '{"$ref":"#/$defs/40"}', '{}'],
])(
  'never checks a schema in the page if there are workers, and stops after two seconds: %s',
  (_why, schema, text) => {
    const runner = createJobRunner()
    const answers: JobResult[] = []
    runner.run({ kind: 'check', text, schema }, (result) => answers.push(result))
    runner.run({ kind: 'compact', text: long, spaces: 2 }, (result) => answers.push(result))
    ManualWorker.all[0]!.arrive()
    vi.advanceTimersByTime(1_999)
    expect(answers).toEqual([])
    vi.advanceTimersByTime(1)
    // The syntax has been checked; the jobs that waited go to the next worker.
    expect(answers).toMatchObject([{ faults: [{ code: 'incomplete', detail: 'long' }] }])
    ManualWorker.all[1]!.answer({ text: '[]' })
    expect(answers.at(-1)).toEqual({ text: '[]' })
    expect(ManualWorker.all.map(({ isEnded }) => isEnded)).toEqual([true, false])
  },
)

it('never repairs in the page if there are workers: nobody knows how long it takes', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run({ kind: 'repair', text: '[{', spaces: 2 }, (result) => answers.push(result))
  ManualWorker.all[0]!.answer({ text: '[{}]' })
  expect(answers).toEqual([{ text: '[{}]' }])
})

it('gives the schema check of a long text as much time as any other check', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run({ kind: 'check', text: `[${' '.repeat(500_000)}]`, schema: '{}' }, (result) =>
    answers.push(result),
  )
  ManualWorker.all[0]!.arrive()
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
})

it('refuses a text beyond the limit at once, without a worker', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(' '.repeat(100_000_001)), (result) => answers.push(result))
  expect(answers).toEqual([{ refused: 'too-large' }])
  expect(ManualWorker.all).toEqual([])
})

it('checks in the page if the file of the worker is missing, up to the length that does not block it', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(long), (result) => answers.push(result))
  ManualWorker.all[0]!.dispatchEvent(new Event('error', { cancelable: true }))
  expect(answers).toEqual([{ faults: [] }])
  runner.run(check(`${long}x`), (result) => answers.push(result))
  expect(answers.at(-1)).toMatchObject({ faults: [{ code: 'extra-text' }] })
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  expect(answers.at(-1)).toEqual({ refused: 'too-large' })
})

it('checks in the page while the worker starts, and in the worker afterwards', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(long), (result) => answers.push(result))
  vi.advanceTimersByTime(4_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ faults: [] }])
  runner.run(check(`${long}x`), (result) => answers.push(result))
  expect(answers.at(-1)).toMatchObject({ faults: [{ code: 'extra-text' }] })
  // Too large for the page: it waits for the worker.
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(20_000)
  expect(answers).toHaveLength(2)
  ManualWorker.all[0]!.arrive()
  ManualWorker.all[0]!.answer({ faults: [] })
  expect(answers).toHaveLength(3)
  runner.run(check(long), (result) => answers.push(result))
  expect(answers).toHaveLength(3)
  ManualWorker.all[0]!.answer({ faults: [] })
  expect(answers).toHaveLength(4)
  expect(ManualWorker.all.map(({ isEnded }) => isEnded)).toEqual([false])
})

it('sends a late worker no job that the page has done or dropped meanwhile', () => {
  const runner = createJobRunner()
  runner.run(check(long), () => {})
  runner.run(check(`${long} `), () => {})
  vi.advanceTimersByTime(5_000)
  runner.run({ kind: 'compact', text: ' '.repeat(5_000_001), spaces: 2 }, () => {})
  ManualWorker.all[0]!.arrive()
  expect(ManualWorker.all[0]!.asked.map(({ job }) => job.kind)).toEqual(['compact'])
})

it('reports "too large" for a text that the page cannot check if no worker starts within thirty seconds', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ refused: 'too-large' }])
})

it('ends the worker on stop, and returns no further result', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(long), (result) => answers.push(result))
  runner.stop()
  vi.advanceTimersByTime(100_000)
  expect(ManualWorker.all.map((worker) => worker.isEnded)).toEqual([true])
  expect(answers).toEqual([])
})
