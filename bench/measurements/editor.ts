// The editor beside CodeMirror 6 with lint, vanilla-jsoneditor, Monaco as it comes and a textarea.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECK_DEBOUNCE_MS } from '../../src/editor/constants.ts'
import {
  EDITORS,
  type EditorName,
  KEY_LENGTHS,
  measureEditors,
  PARTS,
  PASTE_LENGTHS,
  SCHEMA_LENGTHS,
  type Samples,
  type Seen,
} from '../editor/measure.ts'
import { atMost, exactly, type Figure, type Findings, median, plain, type Table } from '../figures.ts'

const ROUNDS = 3
const OTHERS: readonly EditorName[] = ['codemirror', 'vanilla', 'monaco']
const TITLES: Readonly<Record<EditorName, string>> = {
  latchkey: 'latchkey',
  codemirror: 'CodeMirror 6',
  vanilla: 'vanilla-jsoneditor',
  monaco: 'Monaco as it comes',
  textarea: 'textarea',
}

const NOTES = [
  'Each editor is in a chunk of its own in the same production build; "first keystroke" is from asking for that chunk to the first frame in which a key can be typed, and a key is typed.',
  '"second mount" is from asking for the editor to the first frame with all of it, ours with Monaco, after one was there and is gone.',
  'Keys are typed at the end of the text, one that breaks it and one that mends it. CodeMirror’s linter waits 750 ms by default, ours 166 ms.',
  'With a schema: digits are typed into the last row, some faster than the check. The work of a task is the processor’s time for it, which is the same beside other programs.',
  'A paste is of broken text into the empty editor; "verdict" is the error on the screen. "never" is not within 30 s. A textarea freezes at these lengths and is left out.',
  'Memory is the browser’s own count of page and workers after a collection.',
  'Heap kept is the growth of the engine’s heap by 100 mounts, after 100 to warm up, in a browser whose compilers are off: otherwise it is nearly all machine code of functions that are called often, which is kept once and not for each mount.',
]

/** `only`: these parts; of the others what was found the last time. */
export async function measureEditor(only?: readonly string[]): Promise<Findings> {
  install()
  process.stdout.write('measuring the editors\n')
  const parts = PARTS.filter((part) => !only || only.includes(part))
  if (parts.length === 0) throw new Error(`The parts of the editor’s bench are ${PARTS.join(', ')}`)
  const found = await measureEditors({ editors: EDITORS, parts, rounds: ROUNDS })
  const samples = only ? { ...readLast(), ...found } : found
  // A part that has never been measured has no figure.
  const figures = toFigures(samples).filter(({ value }) => !value.startsWith('NaN'))
  return { figures, tables: [toTable(samples)], notes: NOTES, raw: samples }
}

/** The other editors are there only for this. */
function install(): void {
  const folder = join(import.meta.dirname, '../editor')
  if (existsSync(join(folder, 'node_modules/codemirror'))) return
  const command = 'npm ci --ignore-scripts --no-audit --no-fund'
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit', cwd: folder })
  if (status !== 0) throw new Error('the other editors could not be installed: npm ci in bench/editor failed')
}

function readLast(): Samples {
  const path = join(import.meta.dirname, '../results/editor.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { raw: Samples }).raw : {}
}

/** The middle of what was seen; one that was not done in time counts as never. */
function middle(samples: Samples, row: string, editor: Seen): number {
  const values = samples[row]?.[editor] ?? []
  return values.length === 0
    ? Number.NaN
    : median(values.map((value) => (value < 0 ? Number.POSITIVE_INFINITY : value)))
}

/** The best of the others that were measured. */
function best(samples: Samples, row: string): number {
  return Math.min(
    ...OTHERS.map((editor) => middle(samples, row, editor)).filter((value) => !Number.isNaN(value)),
  )
}

function toFigures(samples: Samples): Figure[] {
  const ours = (row: string) => middle(samples, row, 'latchkey')
  const textarea = middle(samples, 'first keystroke, ms', 'textarea')
  return [
    atMost('Bytes before the first keystroke', ours('bytes before it, gzip'), 6_000, ' bytes gzip'),
    atMost(
      'First keystroke possible, in times of a bare textarea',
      ours('first keystroke, ms') / textarea,
      1.2,
    ),
    atMost('Second mount of the full editor', ours('second mount, ms'), 60, ' ms'),
    ...Object.keys(KEY_LENGTHS).map((size) =>
      atMost(
        `Error shown after a key at ${size} (goal: 1.25 × debounce + 2 × JSON.parse)`,
        ours(`key to error at ${size}, ms`),
        1.25 * CHECK_DEBOUNCE_MS + 2 * middle(samples, `JSON.parse of ${size}, ms`, 'JSON.parse'),
        ' ms',
      ),
    ),
    ...toSchemaFigures(samples),
    atMost(
      'Key to paint at 10 MB (goal: 1.2 × the best)',
      ours('key to paint at 10 MB, ms'),
      1.2 * best(samples, 'key to paint at 10 MB, ms'),
      ' ms',
    ),
    ...Object.keys(PASTE_LENGTHS).flatMap((size) => {
      const row = (what: string) => `paste of ${size}: ${what}, ms`
      return [
        atMost(
          `Paste of ${size}: text in (goal: the best)`,
          ours(row('text in')),
          best(samples, row('text in')),
          ' ms',
        ),
        atMost(
          `Paste of ${size}: verdict (goal: the best)`,
          ours(row('verdict')),
          best(samples, row('verdict')),
          ' ms',
        ),
        atMost(
          `Paste of ${size}: longest task (goal: CodeMirror’s)`,
          ours(row('longest task')),
          middle(samples, row('longest task'), 'codemirror'),
          ' ms',
        ),
      ]
    }),
    ...toTaskFigures(samples),
    plain(
      'Paste of 10 MB: text in, of Monaco alone (createModel and setModel)',
      `${middle(samples, 'paste of 10 MB: text in, ms', 'bareMonaco').toFixed(2)} ms`,
    ),
    atMost('Paste of 10 MB: growth of the memory', ours('memory of a paste of 10 MB, MB'), 100, ' MB'),
    atMost(
      '100 mounts and unmounts: heap kept for each',
      ours('heap kept for each mount, bytes'),
      3_072,
      ' bytes',
    ),
    exactly('100 mounts and unmounts: workers left', ours('workers left'), 0),
  ]
}

/** A text that has a schema: judged in its worker, while nothing holds up the page. */
function toSchemaFigures(samples: Samples): Figure[] {
  const ours = (row: string) => middle(samples, row, 'withSchema')
  const verdict = (size: string) => ours(`key to the schema’s error at ${size}, ms`)
  const alone = (size: string) => middle(samples, `JSON.parse and the validator at ${size}, ms`, 'validator')
  return [
    atMost('The schema’s error shown after a key at 1 MB', verdict('1 MB'), 400, ' ms'),
    ...Object.keys(SCHEMA_LENGTHS).flatMap((size) => [
      atMost(
        `Judged by a schema at ${size}, in times of JSON.parse and the validator alone`,
        (verdict(size) - CHECK_DEBOUNCE_MS) / alone(size),
        2,
      ),
      atMost(
        `Typing while ${size} are judged: work of the page’s longest task`,
        ours(`longest task at ${size} with a schema, ms`),
        50,
        ' ms',
      ),
    ]),
  ]
}

/** What holds up the page at 10 MB. Monaco reads a text whole, in one task: of that, only what is beside it is ours. */
function toTaskFigures(samples: Samples): Figure[] {
  const work = (what: string, editor: Seen) => middle(samples, `longest task at 10 MB: ${what}, ms`, editor)
  const monaco = work('paste', 'bareMonaco')
  return [
    plain('Work of the longest task at 10 MB, Monaco alone: a paste', `${monaco.toFixed(2)} ms`),
    ...['paste', 'open'].map((what) =>
      atMost(
        `Work of the longest task at 10 MB, ${what} (goal: Monaco’s alone and 50 ms)`,
        work(what, 'latchkey'),
        monaco + 50,
        ' ms',
      ),
    ),
    ...['key', 'validate()', 'outline'].map((what) =>
      atMost(`Work of the longest task at 10 MB, ${what}`, work(what, 'latchkey'), 50, ' ms'),
    ),
  ]
}

/** The order of the rows, whichever parts were measured last. */
const ROWS = [
  'first',
  'bytes',
  'second',
  'key to paint',
  'key to error',
  'paste',
  'longest',
  'memory',
  'heap',
  'workers',
]
const placeOf = (row: string) => ROWS.findIndex((start) => row.startsWith(start))

/** All of them side by side. */
function toTable(samples: Samples): Table {
  const say = (value: number) =>
    Number.isNaN(value)
      ? ''
      : value === Number.POSITIVE_INFINITY
        ? 'never'
        : value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
  return {
    title: 'The editors side by side, medians',
    columns: ['', ...EDITORS.map((editor) => TITLES[editor])],
    rows: Object.keys(samples)
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .filter((row) => EDITORS.some((editor) => samples[row]?.[editor]))
      .map((row) => [row, ...EDITORS.map((editor) => say(middle(samples, row, editor)))]),
  }
}
