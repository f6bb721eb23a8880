// Takes every editor through every step, round after round, so that a busy moment of the machine meets all of them.
import { openEditorPages, type EditorPages } from './page.ts'
import {
  measureAgain,
  measureFirstKey,
  measureKeys,
  measureMemory,
  measureMounts,
  measureParse,
  measurePaste,
  measureSchema,
  measureTasks,
  mount,
} from './steps.ts'

export const EDITORS = ['latchkey', 'codemirror', 'vanilla', 'monaco', 'textarea'] as const
export type EditorName = (typeof EDITORS)[number]
export const PARTS = ['first', 'again', 'keys', 'schema', 'paste', 'tasks', 'memory', 'mounts'] as const
export type Part = (typeof PARTS)[number]

/** Everything that was seen: by row, by editor, in the order of the rounds; -1 is "not within the time". */
export type Samples = Record<string, Partial<Record<Seen, number[]>>>
/** Who was seen: the editors, and what sets the floor under them. */
export type Seen = EditorName | 'JSON.parse' | 'validator' | 'withSchema' | 'bareMonaco'

export const KEY_LENGTHS = { '10 KB': 10_000, '1 MB': 1_000_000, '10 MB': 10_000_000 } as const
export const SCHEMA_LENGTHS = { '1 MB': 1_000_000, '5 MB': 5_000_000, '10 MB': 10_000_000 } as const
export const PASTE_LENGTHS = { '10 MB': 10_000_000, '50 MB': 50_000_000 } as const

export interface BenchOptions {
  readonly editors: readonly EditorName[]
  readonly parts: readonly Part[]
  readonly rounds: number
}

export async function measureEditors({ editors, parts, rounds }: BenchOptions): Promise<Samples> {
  const pages = await openEditorPages()
  const samples: Samples = {}
  const note: Note = (row, editor, values) => {
    const list = ((samples[row] ??= {})[editor] ??= [])
    list.push(...values.map((value) => Math.round(value * 10) / 10))
    process.stderr.write(`${editor}, ${row}: ${values.map((value) => value.toFixed(1)).join(' ')}\n`)
  }
  try {
    for (let round = 0; round < rounds; round++) {
      if (parts.includes('keys')) await noteParse(pages, note)
      for (const part of parts) {
        for (let time = 0; time < (TIMES[part] ?? 1); time++) {
          for (const editor of editors) await STEPS[part](pages, editor, note, { round, time })
          if (part === 'paste') await notePasteFloor(pages, note)
        }
      }
    }
  } finally {
    await pages.close()
  }
  return samples
}

type Note = (row: string, editor: Seen, values: readonly number[]) => void
/** Which round it is, and which time in this round, both from 0. */
interface Turn {
  readonly round: number
  readonly time: number
}
type Step = (pages: EditorPages, editor: EditorName, note: Note, turn: Turn) => Promise<void>

/** What is over soon is done more often in each round, by one editor after the other. */
const TIMES: Readonly<Partial<Record<Part, number>>> = { first: 8, again: 4, paste: 3 }
const KEY_SAMPLES = 2
const NOT_IN_TIME = { error: -1, longest: -1, alone: -1 }
/** A textarea holds longer texts only for show: a key takes seconds then, a paste longer. */
const TEXTAREA_LENGTH = 1_000_000

const STEPS: Readonly<Record<Part, Step>> = {
  async first(pages, editor, note) {
    const page = await pages.open()
    const { duration, files } = await measureFirstKey(page, editor)
    note('first keystroke, ms', editor, [duration])
    note('bytes before it, gzip', editor, [pages.gzipSize(files)])
    await page.context().close()
  },
  async again(pages, editor, note) {
    const page = await pages.open()
    note('second mount, ms', editor, [await measureAgain(page, editor)])
    await page.context().close()
  },
  async keys(pages, editor, note) {
    for (const [size, length] of Object.entries(KEY_LENGTHS)) {
      if (editor === 'textarea' && length > TEXTAREA_LENGTH) continue
      const page = await openMounted(pages, editor)
      const { paint, error } = await measureKeys(page, length, KEY_SAMPLES)
      note(`key to paint at ${size}, ms`, editor, paint)
      note(`key to error at ${size}, ms`, editor, error)
      await page.context().close()
    }
  },
  async schema(pages, editor, note) {
    if (editor !== 'latchkey') return
    for (const [size, length] of Object.entries(SCHEMA_LENGTHS)) {
      const page = await openMounted(pages, 'withSchema')
      const { error, longest, alone } = (await measureSchema(page, length)) ?? NOT_IN_TIME
      note(`key to the schema’s error at ${size}, ms`, 'withSchema', [error])
      note(`longest task at ${size} with a schema, ms`, 'withSchema', [longest])
      note(`JSON.parse and the validator at ${size}, ms`, 'validator', [alone])
      await page.context().close()
    }
  },
  async paste(pages, editor, note, { time }) {
    if (editor === 'textarea') return
    for (const [size, length] of Object.entries(PASTE_LENGTHS)) {
      // The longer one takes some of them half a minute.
      if (time > 0 && length > PASTE_LENGTHS['10 MB']) continue
      const page = await openMounted(pages, editor)
      const { text, error, longest } = await measurePaste(page, length)
      note(`paste of ${size}: text in, ms`, editor, [text])
      note(`paste of ${size}: verdict, ms`, editor, [error])
      note(`paste of ${size}: longest task, ms`, editor, [longest])
      await page.context().close()
    }
  },
  async tasks(pages, editor, note) {
    if (editor !== 'latchkey') return
    for (const seen of ['latchkey', 'bareMonaco'] as const) {
      const page = await openMounted(pages, seen)
      for (const [what, work] of Object.entries(await measureTasks(page, PASTE_LENGTHS['10 MB'])))
        note(`longest task at 10 MB: ${what}, ms`, seen, [work])
      await page.context().close()
    }
  },
  async memory(pages, editor, note) {
    if (editor === 'textarea') return
    const page = await openMounted(pages, editor)
    const bytes = await measureMemory(page, PASTE_LENGTHS['10 MB'])
    note('memory of a paste of 10 MB, MB', editor, [bytes < 0 ? -1 : bytes / 1e6])
    await page.context().close()
  },
  async mounts(pages, editor, note, { round }) {
    if (round > 0) return
    // What the engine compiles of a function that is called often is kept once, not for each mount, and is more than all the rest.
    const page = await pages.openInterpreted()
    const { bytesPerMount, workersSeen, workersLeft } = await measureMounts(page, editor)
    note('heap kept for each mount, bytes', editor, [bytesPerMount])
    note('workers started by 200 mounts', editor, [workersSeen])
    note('workers left', editor, [workersLeft])
    await page.context().close()
  },
}

/** What Monaco itself needs for a text of 10 MB, asked for nothing but a model and to show it. */
async function notePasteFloor(pages: EditorPages, note: Note): Promise<void> {
  const page = await openMounted(pages, 'bareMonaco')
  const { text } = await measurePaste(page, PASTE_LENGTHS['10 MB'])
  note('paste of 10 MB: text in, ms', 'bareMonaco', [text])
  await page.context().close()
}

async function openMounted(pages: EditorPages, editor: Seen) {
  const page = await pages.open()
  await mount(page, editor)
  // What comes after being ready is not a part of any step.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return page
}

async function noteParse(pages: EditorPages, note: Note): Promise<void> {
  const page = await pages.open()
  for (const [size, length] of Object.entries(KEY_LENGTHS)) {
    note(`JSON.parse of ${size}, ms`, 'JSON.parse', await measureParse(page, length))
  }
  await page.context().close()
}
