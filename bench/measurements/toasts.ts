// A thousand toasts in one tick: three in the page, and a page that answers meanwhile.
import { atMost, exactly, type Findings, median, plain } from '../figures.ts'
import type { ToastStorm } from '../page/benchPage.ts'
import { openStage } from '../stage.ts'

const TOASTS = 1_000
const ROUNDS = 7
/** What browsers call a long task. */
const LONG_TASK_MS = 50

export async function measureToasts(): Promise<Findings> {
  const stage = await openStage()
  try {
    const page = await stage.openSignedIn(await stage.openBrowser())
    const storms: ToastStorm[] = []
    while (storms.length < ROUNDS) {
      storms.push(await page.evaluate(async (count) => window.bench.raiseToastStorm(count), TOASTS))
    }
    return {
      figures: [
        exactly(
          '1,000 different toasts in one tick: in the page at once, the most of all rounds',
          Math.max(...storms.map(({ largestCount }) => largestCount)),
          3,
        ),
        atMost(
          'The longest task of the page after the one that said them, median',
          median(storms.map(({ longestLaterTaskMs }) => longestLaterTaskMs)),
          LONG_TASK_MS,
          ' ms',
        ),
        plain(
          'The task that said them, for each toast',
          `${((median(storms.map(({ saidMs }) => saidMs)) / TOASTS) * 1000).toFixed(1)} µs`,
        ),
      ],
      raw: storms,
    }
  } finally {
    await stage.close()
  }
}
