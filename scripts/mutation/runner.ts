// Runs each test once as it is, and once more for each mistake that it passes by and that nobody has noticed yet.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'

/** Where the parts of a run leave word for each other. */
const folder = process.env['LATCHKEY_MUTATION'] ?? '.'
const LOG = `${folder}/log.jsonl`
/** The mistake that is being tried, so that one that hangs is known afterwards. */
const CURRENT = `${folder}/current.json`
/** A test with a mistake in it may take so much longer than without. */
const SLOWEST_MS = 2_000
/** Tests that take longer are not tried again with mistakes. */
const LONGEST_TEST_MS = 400
/** Most questions of one test, against loops without end. */
const MOST_QUESTIONS = 20_000_000
/** Most tests of one file that a mistake is tried with: a mistake in what the file is about, and any other. */
const MOST_TRIES = { own: 150, other: 6 }
/** Mistakes by their first and last number: '1-5,9-12'. */
const readRanges = (text = '') => {
  const ranges = text.split(',').map((range) => range.split('-').map(Number))
  return (id: number) => ranges.some(([first = 0, last = 0]) => id >= first && id <= last)
}
/** The mistakes that are of interest, and those in what the test file is about. */
const isWanted = readRanges(process.env['LATCHKEY_IDS'])
const isOwn = readRanges(process.env['LATCHKEY_OWN'])
/** A mistake that is awake from the first moment on, for those that act while a file loads. */
const wokenId = Number(process.env['LATCHKEY_MUTANT'] ?? 0)

interface Switchboard {
  active: number
  questions: number
  seen: Set<number>
}

const board: Switchboard = { active: wokenId, questions: 0, seen: new Set() }
Object.assign(globalThis, {
  __mut(id: number): boolean {
    if (board.active === 0 || wokenId !== 0) board.seen.add(id)
    else if ((board.questions += 1) > MOST_QUESTIONS) throw new Error('without end')
    return id === board.active
  },
})

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis

/** The mistakes that somebody has noticed. */
const noticed = new Set<number>()
if (existsSync(LOG)) {
  for (const line of readFileSync(LOG, 'utf8').split('\n')) {
    if (line === '') continue
    const { id, by } = JSON.parse(line) as { id?: number; by?: string }
    if (id !== undefined && by !== undefined) noticed.add(id)
  }
}
const say = (line: object) => appendFileSync(LOG, `${JSON.stringify(line)}\n`)

let rejected: unknown
process.on('unhandledRejection', (error) => {
  if (board.active !== 0) rejected = error ?? 'nothing'
})

const nameOf = (test: RunnerTestCase): string => `${test.file.name} > ${test.name}`

export default class MutationRunner extends TestRunner {
  private tries = new Map<number, number>()

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test)
    // Woken from the start: the test alone says what it makes of it.
    if (wokenId !== 0) return work()

    board.seen = new Set()
    const startedAtMs = performance.now()
    await work()
    const tookMs = performance.now() - startedAtMs
    const passedBy = [...board.seen].filter((id) => isWanted(id) && !noticed.has(id))
    say({ passedBy })
    if (tookMs > LONGEST_TEST_MS) return

    for (const id of passedBy) {
      const tries = this.tries.get(id) ?? 0
      if (tries >= (isOwn(id) ? MOST_TRIES.own : MOST_TRIES.other)) continue
      this.tries.set(id, tries + 1)
      writeFileSync(CURRENT, JSON.stringify({ id, test: nameOf(test), file: test.file.name }))
      const by = await this.tryMistake(test, { id, work, limitMs: SLOWEST_MS + tookMs * 20 })
      if (by === undefined) continue
      noticed.add(id)
      say({ id, by: nameOf(test), how: by })
    }
    board.active = 0
  }

  /** How the mistake was noticed; undefined when it was not. */
  private async tryMistake(
    test: RunnerTestCase,
    { id, work, limitMs }: { id: number; work: () => unknown; limitMs: number },
  ): Promise<string | undefined> {
    await hooks(test, 'afterEach')
    rejected = undefined
    board.questions = 0
    let cancel = () => {}
    const limit = new Promise<never>((_resolve, reject) => {
      const timer = realSetTimeout(() => reject(new Error('too slow')), limitMs)
      cancel = () => realClearTimeout(timer)
    })
    try {
      this.onBeforeTryTask(test, { retry: 0, repeats: 0 })
      await hooks(test, 'beforeEach')
      board.active = id
      await Promise.race([work(), limit])
      this.onAfterTryTask(test)
      return rejected === undefined ? undefined : 'unhandled rejection'
    } catch (error) {
      return error instanceof Error && error.message === 'too slow' ? 'too slow' : 'failed'
    } finally {
      cancel()
      board.active = 0
    }
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if ('filepath' in suite) {
      say({ done: (suite as RunnerTestFile).name })
      this.tries = new Map()
    }
    await super.onAfterRunSuite(suite)
  }
}

async function hooks(test: RunnerTestCase, name: 'beforeEach' | 'afterEach'): Promise<void> {
  const suites: RunnerTestSuite[] = []
  for (
    let suite: RunnerTestSuite | undefined = test.suite ?? test.file;
    suite;
    suite = suite.suite ?? ('filepath' in suite ? undefined : suite.file)
  )
    suites.push(suite)
  const inOrder = name === 'beforeEach' ? suites.toReversed() : suites
  for (const suite of inOrder) {
    for (const hook of TestRunner.getSuiteHooks(suite)[name]) await hook(test.context, suite)
  }
}
