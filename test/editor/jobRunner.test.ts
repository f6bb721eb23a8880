// Whoever waits for a verdict gets one: from the worker, in place, or "too large" when the time is up.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createJobRunner } from '../../src/editor/jobRunner.ts'
import type { Job, JobResult } from '../../src/editor/jobs.ts'
import { HeldWorker } from './heldWorker.ts'

/** Long enough for the worker. */
const long = `[${'1,'.repeat(30_000)}1]`
const check = (text: string): Job => ({ kind: 'check', text })

beforeEach(() => {
  HeldWorker.all = []
  vi.stubGlobal('Worker', HeldWorker)
  vi.stubGlobal('document', {})
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('says "too large" after thirty seconds, ends the worker, and begins anew with the next text', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(long), (result) => answers.push(result))
  HeldWorker.all[0]!.answer({ faults: [] })
  runner.run(check(`${long} `), (result) => answers.push(result))
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([{ faults: [] }])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ faults: [] }, { refused: 'too-large' }])
  expect(HeldWorker.all.map((worker) => worker.isEnded)).toEqual([true])
  runner.run(check(long), (result) => answers.push(result))
  expect(HeldWorker.all).toHaveLength(2)
  HeldWorker.all[1]!.answer({ faults: [] })
  expect(answers.at(-1)).toEqual({ faults: [] })
})

it('gives a first check its whole time, counted from when the worker has come', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(4_999)
  HeldWorker.all[0]!.arrive()
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ refused: 'too-large' }])
})

it('gives an action more time than a check, for people see its progress', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run({ kind: 'format', text: long, spaces: 2 }, (result) => answers.push(result))
  HeldWorker.all[0]!.arrive()
  vi.advanceTimersByTime(59_999)
  expect(answers).toEqual([])
  HeldWorker.all[0]!.answer({ text: '[]' })
  expect(answers).toEqual([{ text: '[]' }])
})

it('answers only the newest check, and each action', () => {
  const runner = createJobRunner()
  const answers: string[] = []
  runner.run(check(long), () => answers.push('first check'))
  runner.run({ kind: 'compact', text: long, spaces: 2 }, () => answers.push('action'))
  runner.run(check(`${long} `), () => answers.push('second check'))
  const [worker] = HeldWorker.all
  worker!.arrive()
  for (const asked of worker!.asked) worker!.answer({ faults: [] }, asked)
  expect(answers).toEqual(['action', 'second check'])
})

it.each([
  ['has been at it for 300 ms', 300, [false]],
  ['has been at it for longer', 301, [true, false]],
])(
  'a newer text ends a worker that judges an older one by a schema, where it %s',
  (_what, passedMs, ended) => {
    const runner = createJobRunner()
    const answers: string[] = []
    const judged = (text: string): Job => ({ kind: 'check', text, schema: '{}' })
    runner.run(judged(long), () => answers.push('first'))
    HeldWorker.all[0]!.arrive()
    runner.run(judged(`${long} `), () => answers.push('second'))
    vi.advanceTimersByTime(passedMs)
    runner.run(judged(`${long}  `), () => answers.push('third'))
    expect(HeldWorker.all.map(({ isEnded }) => isEnded)).toEqual(ended)
    HeldWorker.all.at(-1)!.answer({ faults: [] })
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
  'never judges in the page where there are workers, and ends a schema after two seconds: %s',
  (_why, schema, text) => {
    const runner = createJobRunner()
    const answers: JobResult[] = []
    runner.run({ kind: 'check', text, schema }, (result) => answers.push(result))
    runner.run({ kind: 'compact', text: long, spaces: 2 }, (result) => answers.push(result))
    HeldWorker.all[0]!.arrive()
    vi.advanceTimersByTime(1_999)
    expect(answers).toEqual([])
    vi.advanceTimersByTime(1)
    // What the syntax says is known; what waited behind it goes to the next worker.
    expect(answers).toMatchObject([{ faults: [{ code: 'incomplete', detail: 'long' }] }])
    HeldWorker.all[1]!.answer({ text: '[]' })
    expect(answers.at(-1)).toEqual({ text: '[]' })
    expect(HeldWorker.all.map(({ isEnded }) => isEnded)).toEqual([true, false])
  },
)

it('judges a long text as long as any other check may take', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run({ kind: 'check', text: `[${' '.repeat(500_000)}]`, schema: '{}' }, (result) =>
    answers.push(result),
  )
  HeldWorker.all[0]!.arrive()
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
})

it('refuses at once what is beyond any check, and asks no worker', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(' '.repeat(100_000_001)), (result) => answers.push(result))
  expect(answers).toEqual([{ refused: 'too-large' }])
  expect(HeldWorker.all).toEqual([])
})

it('checks in place when the file of the worker is missing, as far as the page can bear it', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(long), (result) => answers.push(result))
  HeldWorker.all[0]!.dispatchEvent(new Event('error', { cancelable: true }))
  expect(answers).toEqual([{ faults: [] }])
  runner.run(check(`${long}x`), (result) => answers.push(result))
  expect(answers.at(-1)).toMatchObject({ faults: [{ code: 'extra-text' }] })
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  expect(answers.at(-1)).toEqual({ refused: 'too-large' })
})

it('checks in place while the worker is on its way, and in the worker once it has come', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(long), (result) => answers.push(result))
  vi.advanceTimersByTime(4_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ faults: [] }])
  runner.run(check(`${long}x`), (result) => answers.push(result))
  expect(answers.at(-1)).toMatchObject({ faults: [{ code: 'extra-text' }] })
  // Too large for the page: it waits, and is judged by the worker.
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(20_000)
  expect(answers).toHaveLength(2)
  HeldWorker.all[0]!.arrive()
  HeldWorker.all[0]!.answer({ faults: [] })
  expect(answers).toHaveLength(3)
  runner.run(check(long), (result) => answers.push(result))
  expect(answers).toHaveLength(3)
  HeldWorker.all[0]!.answer({ faults: [] })
  expect(answers).toHaveLength(4)
  expect(HeldWorker.all.map(({ isEnded }) => isEnded)).toEqual([false])
})

it('gives a worker that comes late nothing that the page has done or dropped meanwhile', () => {
  const runner = createJobRunner()
  runner.run(check(long), () => {})
  runner.run(check(`${long} `), () => {})
  vi.advanceTimersByTime(5_000)
  runner.run({ kind: 'compact', text: ' '.repeat(5_000_001), spaces: 2 }, () => {})
  HeldWorker.all[0]!.arrive()
  expect(HeldWorker.all[0]!.asked.map(({ job }) => job.kind)).toEqual(['compact'])
})

it('says "too large" of what the page cannot check itself when no worker has come in thirty seconds', () => {
  const runner = createJobRunner()
  const answers: JobResult[] = []
  runner.run(check(' '.repeat(5_000_001)), (result) => answers.push(result))
  vi.advanceTimersByTime(29_999)
  expect(answers).toEqual([])
  vi.advanceTimersByTime(1)
  expect(answers).toEqual([{ refused: 'too-large' }])
})

it('ends the worker when it is stopped, and answers nobody any more', () => {
  const runner = createJobRunner()
  const answers: unknown[] = []
  runner.run(check(long), (result) => answers.push(result))
  runner.stop()
  vi.advanceTimersByTime(100_000)
  expect(HeldWorker.all.map((worker) => worker.isEnded)).toEqual([true])
  expect(answers).toEqual([])
})
