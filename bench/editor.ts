// Compares the editor with CodeMirror 6 with lint, vanilla-jsoneditor, stock Monaco and a textarea.
import { readFileSync } from 'node:fs'
import { installIn } from '../scripts/installIn.ts'
import { CHECK_DEBOUNCE_MS } from '../src/editor/limits.ts'
import { type EditorPages, openEditorPages } from './editor/pages.ts'
import {
  measureFirstKey,
  measureKeys,
  measureMemory,
  measureParse,
  measurePaste,
  measureSchema,
  measureTasks,
} from './editor/steps.ts'
import { atMost, type Figure, type Findings, median, plain, resultPath, type Table } from './report.ts'

const ROUNDS = 3
const TITLES = {
  latchkey: 'latchkey',
  codemirror: 'CodeMirror 6',
  vanilla: 'vanilla-jsoneditor',
  monaco: 'Monaco as it comes',
  textarea: 'textarea',
} as const
type EditorName = keyof typeof TITLES
const EDITORS = Object.keys(TITLES) as EditorName[]
const OTHERS: readonly EditorName[] = ['codemirror', 'vanilla', 'monaco']

/** All results: by row, by editor, in the order of the rounds; -1 is "not within the time". */
type Samples = Record<string, Partial<Record<Seen, number[]>>>
/** The measured editors, and the lower bounds to compare them with. */
type Seen = EditorName | 'JSON.parse' | 'validator' | 'withSchema' | 'bareMonaco'
type Note = (row: string, editor: Seen, values: readonly number[]) => void

const KEY_LENGTHS = { '10 KB': 10_000, '1 MB': 1_000_000, '10 MB': 10_000_000 }
const SCHEMA_LENGTHS = { '1 MB': 1_000_000, '5 MB': 5_000_000, '10 MB': 10_000_000 }
const PASTE_LENGTHS = {
  '10 KB': 10_000,
  '1 MB': 1_000_000,
  '5 MB': 5_000_000,
  '10 MB': 10_000_000,
  '50 MB': 50_000_000,
}
/** Longer texts are impractical in a textarea: a key takes seconds, a paste longer. */
const TEXTAREA_LENGTH = 1_000_000
const KEY_SAMPLES = 3

const NOTES = [
  'Each editor is in a chunk of its own in the same production build; "first keystroke" is from asking for that chunk to the first frame in which a key can be typed, and a key is typed.',
  'Keys are typed at the end of the text, one that breaks it and one that mends it. CodeMirror’s linter waits 750 ms by default, ours 166 ms.',
  'With a schema: digits are typed into the last row, some faster than the check. The work of a task is the processor’s time for it, which is the same beside other programs.',
  'A paste is of broken text over `[]`, all of it selected; "verdict" is the error on the screen. "never" is not within 30 s. A textarea freezes at these lengths and is left out.',
  'Memory is the browser’s own count of page and workers after a collection.',
]

/** The steps of one editor, the number of rounds, and the repetitions of each step: short steps are repeated more often. */
const PARTS: Readonly<
  Record<
    string,
    {
      rounds: number
      times: number
      run(pages: EditorPages, editor: EditorName, note: Note): Promise<void>
    }
  >
> = {
  first: {
    rounds: ROUNDS,
    times: 8,
    async run(pages, editor, note) {
      const page = await pages.open()
      const { duration, files } = await measureFirstKey(page, editor)
      note('first keystroke, ms', editor, [duration])
      note('bytes before it, gzip', editor, [pages.gzipSize(files)])
      await page.context().close()
    },
  },
  keys: {
    rounds: 2,
    times: 1,
    async run(pages, editor, note) {
      for (const [size, length] of Object.entries(KEY_LENGTHS)) {
        if (editor === 'textarea' && length > TEXTAREA_LENGTH) continue
        const page = await pages.open(editor)
        const { paint, error } = await measureKeys(page, length, KEY_SAMPLES)
        note(`key to paint at ${size}, ms`, editor, paint)
        note(`key to error at ${size}, ms`, editor, error)
        if (editor === 'latchkey')
          note(`JSON.parse of ${size}, ms`, 'JSON.parse', await measureParse(page, length))
        await page.context().close()
      }
    },
  },
  schema: {
    rounds: ROUNDS,
    times: 1,
    async run(pages, editor, note) {
      if (editor !== 'latchkey') return
      for (const [size, length] of Object.entries(SCHEMA_LENGTHS)) {
        const page = await pages.open('withSchema')
        const { error, longest, alone } = await measureSchema(page, length)
        note(`key to the schema’s error at ${size}, ms`, 'withSchema', [error])
        note(`longest task at ${size} with a schema, ms`, 'withSchema', [longest])
        note(`JSON.parse and the validator at ${size}, ms`, 'validator', [alone])
        await page.context().close()
      }
    },
  },
  paste: {
    rounds: ROUNDS,
    times: 1,
    async run(pages, editor, note) {
      if (editor === 'textarea') return
      for (const seen of editor === 'monaco' ? (['monaco', 'bareMonaco'] as const) : [editor])
        for (const [size, length] of Object.entries(PASTE_LENGTHS)) {
          const page = await pages.open(seen)
          const { text, error, longest } = await measurePaste(page, length)
          note(`paste of ${size}: text in, ms`, seen, [text])
          if (seen !== 'bareMonaco') {
            note(`paste of ${size}: verdict, ms`, seen, [error])
            note(`paste of ${size}: longest task, ms`, seen, [longest])
          }
          await page.context().close()
        }
    },
  },
  tasks: {
    rounds: ROUNDS,
    times: 1,
    async run(pages, editor, note) {
      if (editor !== 'latchkey') return
      for (const seen of ['latchkey', 'bareMonaco'] as const) {
        const page = await pages.open(seen)
        for (const [what, work] of Object.entries(await measureTasks(page, PASTE_LENGTHS['10 MB'])))
          note(`longest task at 10 MB: ${what}, ms`, seen, [work])
        await page.context().close()
      }
    },
  },
  memory: {
    rounds: ROUNDS,
    times: 1,
    async run(pages, editor, note) {
      if (editor === 'textarea') return
      const page = await pages.open(editor)
      const bytes = await measureMemory(page, PASTE_LENGTHS['10 MB'])
      note('memory of a paste of 10 MB, MB', editor, [bytes < 0 ? -1 : bytes / 1e6])
      await page.context().close()
    },
  },
}

/** `only` measures these parts; the others keep their last results. In rounds, so that a busy moment affects all editors. */
export async function measureEditor(only?: readonly string[]): Promise<Findings> {
  installIn('bench/editor', '--ignore-scripts')
  const parts = Object.entries(PARTS).filter(([name]) => !only || only.includes(name))
  if (parts.length === 0)
    throw new Error(`The parts of the editor’s bench are ${Object.keys(PARTS).join(', ')}`)
  const found: Samples = {}
  const note: Note = (row, editor, values) => {
    const list = ((found[row] ??= {})[editor] ??= [])
    list.push(...values.map((value) => Math.round(value * 10) / 10))
    process.stderr.write(`${editor}, ${row}: ${values.map((value) => value.toFixed(1)).join(' ')}\n`)
  }
  const pages = await openEditorPages()
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [, { times, run }] of parts.filter(([, { rounds }]) => round < rounds))
        for (let time = 0; time < times; time += 1)
          for (const editor of EDITORS) await run(pages, editor, note)
  } finally {
    await pages.close()
  }
  const last = only ? (JSON.parse(readFileSync(resultPath('editor'), 'utf8')) as { raw: Samples }).raw : {}
  const samples = { ...last, ...found }
  // A part that was never measured has no figure.
  const figures = toFigures(samples).filter(({ value }) => !value.startsWith('NaN'))
  return { figures, tables: [toTable(samples)], notes: NOTES, raw: samples }
}

/** The median of the results; one that was not done in time counts as never. */
function middle(samples: Samples, row: string, editor: Seen): number {
  const values = samples[row]?.[editor] ?? []
  return median(values.map((value) => (value < 0 ? Number.POSITIVE_INFINITY : value)))
}

function toFigures(samples: Samples): Figure[] {
  const ours = (row: string) => middle(samples, row, 'latchkey')
  const best = (row: string) =>
    Math.min(...OTHERS.map((editor) => middle(samples, row, editor)).filter((value) => !Number.isNaN(value)))
  const parse = (size: string) => middle(samples, `JSON.parse of ${size}, ms`, 'JSON.parse')
  const paste = (size: string, what: string) => `paste of ${size}: ${what}, ms`
  const task = (what: string) => `longest task at 10 MB: ${what}, ms`
  const monaco = middle(samples, task('paste'), 'bareMonaco')
  const verdict = (size: string) =>
    middle(samples, `key to the schema’s error at ${size}, ms`, 'withSchema') - CHECK_DEBOUNCE_MS
  const alone = (size: string) => middle(samples, `JSON.parse and the validator at ${size}, ms`, 'validator')
  const textarea = middle(samples, 'first keystroke, ms', 'textarea')
  return [
    atMost('Bytes before the first keystroke', ours('bytes before it, gzip'), 6_000, ' bytes gzip'),
    atMost('First keystroke, in times of a bare textarea', ours('first keystroke, ms') / textarea, 1.2),
    ...Object.keys(KEY_LENGTHS).map((size) =>
      atMost(
        `Error shown after a key at ${size} (goal: 1.25 × debounce + 2 × JSON.parse)`,
        ours(`key to error at ${size}, ms`),
        1.25 * CHECK_DEBOUNCE_MS + 2 * parse(size),
        ' ms',
      ),
    ),
    atMost(
      'Key to paint at 10 MB (goal: 1.2 × the best)',
      ours('key to paint at 10 MB, ms'),
      1.2 * best('key to paint at 10 MB, ms'),
      ' ms',
    ),
    // A text with a schema is checked in its worker, without blocking the page.
    ...Object.keys(SCHEMA_LENGTHS).flatMap((size) => [
      atMost(
        `Judged by a schema at ${size}, in times of JSON.parse and the validator alone`,
        verdict(size) / alone(size),
        2,
      ),
      atMost(
        `Typing while ${size} are judged: work of the page’s longest task`,
        middle(samples, `longest task at ${size} with a schema, ms`, 'withSchema'),
        50,
        ' ms',
      ),
    ]),
    ...Object.keys(PASTE_LENGTHS).flatMap((size) => [
      ...['text in', 'verdict'].map((what) =>
        atMost(
          `Paste of ${size}: ${what} (goal: the best)`,
          ours(paste(size, what)),
          best(paste(size, what)),
          ' ms',
        ),
      ),
      atMost(
        `Paste of ${size}: longest task (goal: CodeMirror’s)`,
        ours(paste(size, 'longest task')),
        middle(samples, paste(size, 'longest task'), 'codemirror'),
        ' ms',
      ),
    ]),
    // Monaco reads a text in one task: only the rest of that task is the editor's own.
    ...['paste', 'open'].map((what) =>
      atMost(
        `Work of the longest task at 10 MB, ${what} (goal: Monaco’s alone and 50 ms)`,
        ours(task(what)),
        monaco + 50,
        ' ms',
      ),
    ),
    ...['key', 'validate()'].map((what) =>
      atMost(`Work of the longest task at 10 MB, ${what}`, ours(task(what)), 50, ' ms'),
    ),
    plain(
      'Paste of 10 MB: text in, of Monaco alone (createModel and setModel)',
      `${middle(samples, paste('10 MB', 'text in'), 'bareMonaco').toFixed(2)} ms`,
    ),
    atMost('Paste of 10 MB: growth of the memory', ours('memory of a paste of 10 MB, MB'), 100, ' MB'),
  ]
}

/** The comparison table. */
function toTable(samples: Samples): Table {
  const say = (value: number) =>
    Number.isNaN(value)
      ? ''
      : value === Number.POSITIVE_INFINITY
        ? 'never'
        : value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
  return {
    title: 'The editors side by side, medians',
    columns: ['', ...Object.values(TITLES)],
    rows: Object.keys(samples)
      .filter((row) => EDITORS.some((editor) => samples[row]?.[editor]))
      .map((row) => [row, ...EDITORS.map((editor) => say(middle(samples, row, editor)))]),
  }
}
