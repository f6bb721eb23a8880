// Runs every contestant through the same steps in Chromium and prints one table; medians of ROUNDS rounds.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'

declare global {
  interface Window {
    mount(name: string): Promise<void>
    makeText(length: number): string
    longest: number
    clipboard: DataTransfer
    contestant: {
      ready: Promise<void>
      length(): number
      set(text: string): void
      focusEnd(): void
      target(): Element
      hasError(): boolean
    }
  }
}

const NAMES = (process.argv[2] ?? 'latchkey,codemirror,vanilla,monaco,textarea').split(',')
const ROUNDS = Number(process.argv[3] ?? 3)
const OUT = fileURLToPath(new URL('../../.cache/bench-editor', import.meta.url))
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const STEP_LIMIT_MS = 45_000

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A contestant that hangs loses the row, not the bench. */
function atMost<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
  work.catch(() => {})
  return Promise.race([work, wait(STEP_LIMIT_MS).then(() => otherwise)])
}

/** Types one key at the end and waits until the error is shown; also when the key was painted. */
async function errorAfterKey(page: Page, length: number): Promise<{ paint: number; error: number }> {
  await page.evaluate((size) => {
    window.contestant.set(window.makeText(size))
  }, length)
  await wait(length > 1_000_000 ? 4_000 : 1_500)
  await page.evaluate(() => window.contestant.focusEnd())
  await page.keyboard.press('Control+End')
  await wait(500)
  const measured = page.evaluate(
    () =>
      new Promise<{ paint: number; error: number }>((resolve) => {
        addEventListener(
          'keydown',
          (event) => {
            const start = event.timeStamp
            let paint = 0
            requestAnimationFrame(() => {
              const channel = new MessageChannel()
              channel.port1.addEventListener('message', () => (paint = performance.now() - start))
              channel.port1.start()
              channel.port2.postMessage(0)
            })
            const look = () => {
              const now = performance.now() - start
              if (window.contestant.hasError() || now > 15_000)
                resolve({ paint, error: now > 15_000 ? Number.NaN : now })
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(look)
          },
          { once: true, capture: true },
        )
      }),
  )
  await wait(50)
  await page.keyboard.press('x')
  return measured
}

/** Pastes a broken text into the empty editor: when is it in, when is the error shown, how long was the longest task. */
async function paste(page: Page, length: number): Promise<{ text: number; error: number; longest: number }> {
  await page.evaluate((size) => {
    window.contestant.set('')
    window.contestant.focusEnd()
    window.clipboard = new DataTransfer()
    window.clipboard.setData('text/plain', `${window.makeText(size)}x`)
  }, length)
  await wait(800)
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const data = window.clipboard
        const pasted = data.getData('text/plain')
        window.longest = 0
        const start = performance.now()
        window.contestant
          .target()
          .dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        let text = 0
        const look = () => {
          const now = performance.now() - start
          if (text === 0 && window.contestant.length() >= pasted.length) text = now
          if ((text > 0 && window.contestant.hasError()) || now > 20_000) {
            const error = now > 20_000 ? Number.NaN : now
            setTimeout(() => resolve({ text: text || Number.NaN, error, longest: window.longest }), 300)
          } else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
  )
}

await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), logLevel: 'error' })
const server = createServer((request, response) => {
  const path = request.url === '/' ? '/index.html' : request.url!.split('?')[0]!
  readFile(OUT + path).then(
    (body) => {
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      })
      response.end(body)
    },
    () => response.writeHead(404).end(),
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
const browser = await chromium.launch(chromiumLaunchOptions())
const table: Record<string, Record<string, number>> = {}

for (const name of NAMES) {
  const rows: Record<string, number[]> = {}
  const note = (row: string, value: number) => {
    ;(rows[row] ??= []).push(value)
    process.stdout.write(`${name}: ${row}: ${value.toFixed(1)}\n`)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } })
    await page.goto(origin)
    await page.evaluate((which) => window.mount(which), name)
    note(
      'first keystroke possible, ms',
      await page.evaluate(() => performance.measure('m', 'mount', 'typable').duration),
    )
    await page.evaluate(() => window.contestant.ready)
    const isTextarea = name === 'textarea'
    for (const [label, length] of [
      ['10 KB', 10_000],
      ['1 MB', 1_000_000],
      ['10 MB', 10_000_000],
    ] as const) {
      if (isTextarea && length > 1_000_000) continue
      const { paint, error } = await atMost(errorAfterKey(page, length), {
        paint: Number.NaN,
        error: Number.NaN,
      })
      note(`key to paint, ${label}, ms`, paint)
      note(`error after a key, ${label}, ms`, error)
    }
    await page.close()
    if (isTextarea) continue
    for (const [label, length] of [
      ['10 MB', 10_000_000],
      ['50 MB', 50_000_000],
    ] as const) {
      const fresh = await browser.newPage({ viewport: { width: 1000, height: 700 } })
      await fresh.goto(origin)
      await fresh.evaluate((which) => window.mount(which), name)
      await fresh.evaluate(() => window.contestant.ready)
      await wait(500)
      const memory = () =>
        fresh.evaluate(async () => {
          const { bytes } = await (
            performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> }
          ).measureUserAgentSpecificMemory()
          return bytes / 1e6
        })
      const before = length === 10_000_000 && round === 0 ? await memory() : 0
      const nothing = { text: Number.NaN, error: Number.NaN, longest: Number.NaN }
      const { text, error, longest } = await atMost(paste(fresh, length), nothing)
      note(`paste ${label}: text in, ms`, text)
      note(`paste ${label}: error shown, ms`, error)
      note(`paste ${label}: longest task, ms`, longest)
      if (before > 0) note('memory growth at 10 MB, MB', (await atMost(memory(), Number.NaN)) - before)
      await fresh.close()
    }
  }
  for (const [row, values] of Object.entries(rows))
    (table[row] ??= {})[name] = Math.round(median(values) * 10) / 10
  process.stdout.write(`${name} done\n`)
}
const page = await browser.newPage()
const text = `[${'{"id": 12345, "name": "user name", "tags": ["a", "b"], "ok": true, "n": 1.25},'.repeat(125_000)}1]`
const parse = await page.evaluate((json) => {
  const start = performance.now()
  JSON.parse(json)
  return performance.now() - start
}, text)
process.stdout.write(`JSON.parse of ${(text.length / 1e6).toFixed(1)} MB: ${parse.toFixed(0)} ms\n`)
console.table(table)
await browser.close()
server.close()
