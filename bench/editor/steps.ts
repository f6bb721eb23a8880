// The steps that every editor performs: start typing, type a key into a long text, paste one.
import type { Page } from 'playwright'

/** An editor that hangs longer has lost the row. */
const STEP_LIMIT_MS = 90_000
/** The limit for keys: stock Monaco shows no error at 10 MB; what it has shown until then counts. */
const KEYS_LIMIT_MS = 40_000

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Rejects if a contestant hangs: it loses the row, the bench continues. */
function atMost<Result>(work: Promise<Result>, otherwise: Result, limitMs = STEP_LIMIT_MS): Promise<Result> {
  work.catch(() => {})
  return Promise.race([work, wait(limitMs).then(() => otherwise)])
}

/** Time until a key can be typed, the files that this loads, and proof that the key arrives. */
export async function measureFirstKey(
  page: Page,
  name: string,
): Promise<{ duration: number; files: string[] }> {
  const seen = await page.evaluate((which) => window.mount(which), name)
  await page.evaluate(() => window.contestant.focus())
  await page.keyboard.press('7')
  const isTyped = await page.evaluate(async () => {
    const end = performance.now() + 5_000
    while (window.contestant.text() !== '7' && performance.now() < end) await window.painted()
    return window.contestant.text() === '7'
  })
  if (!isTyped) throw new Error(`${name} did not take the first key`)
  return seen
}

/** Types at the end of a valid text of this length: one key breaks it, the next one fixes it. */
export async function measureKeys(page: Page, length: number, samples: number) {
  /** From the key to its paint; from the key that breaks the text to the error on the screen. */
  const times: Record<'paint' | 'error', number[]> = { paint: [], error: [] }
  const step = async () => {
    await page.evaluate(
      ([size]) => {
        window.contestant.set(window.makeText(size))
      },
      [length] as const,
    )
    await untilCalm(page)
    await page.evaluate(() => window.contestant.focus())
    await page.keyboard.press('Control+End')
    await wait(500)
    for (let sample = 0; sample < samples; sample++) {
      const { paint, error } = await pressAndWatch(page)
      times.paint.push(paint)
      times.error.push(error)
      for (let more = 0; more < 3; more++) times.paint.push((await pressAndWatch(page, false)).paint)
      for (let more = 0; more < 4; more++) await page.keyboard.press('Backspace')
      await untilCalm(page)
    }
  }
  await atMost(step(), undefined, KEYS_LIMIT_MS)
  return times
}

/** Resolves when no error has been shown for a while and the page is idle. */
async function untilCalm(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const start = performance.now()
    let calmSince = start
    while (performance.now() - calmSince < 1_000 && performance.now() - start < 20_000) {
      const before = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (window.contestant.hasError() || performance.now() - before > 150) calmSince = performance.now()
    }
  })
}

async function pressAndWatch(
  page: Page,
  forError = true,
  key = 'x',
): Promise<{ paint: number; error: number }> {
  await page.evaluate((isForError) => {
    ;(window as unknown as { watched: Promise<unknown> }).watched = new Promise((resolve) => {
      addEventListener(
        'keydown',
        (event) => {
          const start = event.timeStamp
          let paint = 0
          const painted = window.painted().then(() => (paint = performance.now() - start))
          const look = () => {
            const now = performance.now() - start
            if (now > 15_000) resolve({ paint, error: -1 })
            else if (paint > 0 && (!isForError || window.contestant.hasError())) {
              void painted.then(() => resolve({ paint, error: now }))
            } else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        },
        { once: true, capture: true },
      )
    })
  }, forError)
  await page.keyboard.press(key)
  return page.evaluate(
    () => (window as unknown as { watched: Promise<{ paint: number; error: number }> }).watched,
  )
}

/** Types extra digits into the last row of a valid text of this length, and removes them. */
export async function measureSchema(page: Page, length: number) {
  const step = async () => {
    await page.evaluate((size) => {
      window.contestant.set(window.makeText(size))
    }, length)
    await untilRight(page)
    await page.evaluate(() => window.contestant.focus())
    for (const key of ['Control+End', 'ArrowUp', 'End', 'ArrowLeft']) await page.keyboard.press(key)
    // Warm-up: compiles and loads what is needed once.
    await pressAndWatch(page, true, '1')
    await page.keyboard.press('Backspace')
    await untilRight(page)
    let error = -1
    const longest = await measureLongestTask(page, async () => {
      error = (await pressAndWatch(page, true, '1')).error
      // Like real typing: faster than the check, then a pause for it.
      for (const key of ['2', '3', '4', '5', '6']) {
        await page.keyboard.press(key)
        await wait(key === '4' ? 400 : 90)
      }
      for (let more = 0; more < 6; more++) await page.keyboard.press('Backspace')
      await untilRight(page)
    })
    // JSON.parse and the validator alone.
    const alone = await page.evaluate((size) => window.checkAlone(window.makeText(size)), length)
    return { error, longest, alone }
  }
  return atMost(step(), { error: -1, longest: -1, alone: -1 })
}

/** Common actions on a text of this length, with the work of the page's longest task meanwhile, in ms. */
export async function measureTasks(page: Page, length: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  const measure = async (what: string, work: () => Promise<unknown>) => {
    found[what] = await measureLongestTask(page, async () => {
      await work()
      // Includes the last paint.
      await wait(300)
    })
    await wait(500)
  }
  await page.evaluate((size) => {
    window.contestant.focus()
    window.clipboard = new DataTransfer()
    window.text = window.makeText(size)
    window.clipboard.setData('text/plain', window.text)
  }, length)
  await wait(500)
  await measure('paste', async () => {
    await page.evaluate(() => {
      const clipboardData = window.clipboard
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      window.contestant.target().dispatchEvent(event)
    })
    await wait(300)
    await untilRight(page)
  })
  if (!(await page.evaluate(() => window.contestant.validate !== undefined))) return found
  await measure('key', async () => {
    for (const key of ['Control+End', 'ArrowUp', 'End', 'ArrowLeft']) await page.keyboard.press(key)
    for (const key of ['1', 'x', 'Backspace', 'Backspace']) {
      await page.keyboard.press(key)
      await wait(400)
    }
    await untilRight(page)
  })
  await measure('validate()', () => page.evaluate(() => window.contestant.validate!()))
  await page.evaluate(() => window.contestant.set('[]'))
  await wait(1_000)
  await measure('open', async () => {
    await page.evaluate(() => window.contestant.set(window.text))
    await wait(300)
    await untilRight(page)
  })
  return found
}

/** CPU time of the longest task on the page's main thread: other load of the machine does not count. */
async function measureLongestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }[]
  }
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pages.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace shows no task of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000
}

const untilRight = async (page: Page): Promise<unknown> =>
  page.waitForFunction(() => window.contestant.isRight?.() ?? true, undefined, { timeout: STEP_LIMIT_MS })

const NO_PASTE = { text: -1, error: -1, longest: -1 }

/**
 * Pastes a broken text over a valid one and measures when it is in, when the error is shown, and the longest task. Some editors
 * mark an empty text as an error, and show that until they have read the pasted one.
 */
export async function measurePaste(page: Page, length: number) {
  await page.evaluate((size) => {
    window.contestant.set('[]')
    window.contestant.focus()
    window.clipboard = new DataTransfer()
    window.clipboard.setData('text/plain', `${window.makeText(size)}x`)
  }, length)
  await wait(800)
  await page.waitForFunction(() => !window.contestant.hasError())
  await page.keyboard.press('Control+a')
  const pasting = page.evaluate(
    () =>
      new Promise<typeof NO_PASTE>((resolve) => {
        const clipboardData = window.clipboard
        const { length: wanted } = clipboardData.getData('text/plain')
        window.longest = 0
        const start = performance.now()
        window.contestant
          .target()
          .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
        let text = -1
        const look = () => {
          const now = performance.now() - start
          if (text < 0 && window.contestant.length() >= wanted) text = now
          const isShown = text >= 0 && window.contestant.hasError()
          if (isShown || now > 30_000) {
            // The browser reports long tasks with a delay.
            setTimeout(() => resolve({ text, error: isShown ? now : -1, longest: window.longest }), 1_000)
          } else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
  )
  return atMost(pasting, NO_PASTE)
}

/** Memory growth of the page and its workers by a paste, in bytes; -1 if the browser gives none. */
export async function measureMemory(page: Page, length: number): Promise<number> {
  const read = async () =>
    page.evaluate(async () => {
      const { bytes } = await (
        performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> }
      ).measureUserAgentSpecificMemory()
      return bytes
    })
  const before = await atMost(read(), -1)
  await measurePaste(page, length)
  // The bench's own clipboard data is not the editor's memory.
  await page.evaluate(() => window.clipboard.clearData())
  await wait(1_000)
  const after = await atMost(read(), -1)
  return before < 0 || after < 0 ? -1 : after - before
}

/** JSON.parse of the same text in the same browser: the lower bound of every check. */
export async function measureParse(page: Page, length: number): Promise<number[]> {
  return page.evaluate((size) => {
    const text = window.makeText(size)
    return Array.from({ length: 7 }, () => {
      const start = performance.now()
      JSON.parse(text)
      return performance.now() - start
    })
  }, length)
}
