// How often a hundred components that use the session render: when start-up ends, and when the token is renewed.
import type { Page } from 'playwright'
import { exactly, type Findings } from '../figures.ts'
import { openStage, signedIn } from '../stage.ts'

const RENEWALS = 10

export async function measureRenders(): Promise<Findings> {
  const stage = await openStage()
  try {
    const page = await stage.openSignedIn(await stage.openBrowser())
    await page.reload()
    await signedIn(page)
    const atStart = await rendersOf(page)
    await page.evaluate(async (times) => {
      for (let round = 0; round < times; round += 1) await window.bench.auth.renew({ force: true })
    }, RENEWALS)
    const afterRenewals = await rendersOf(page)
    const caused = afterRenewals.map((renders, index) => renders - (atStart[index] ?? 0))
    return {
      figures: [
        exactly('100 components: renders of each for start-up’s end', Math.max(...atStart), 1),
        exactly('100 components: renders of all for ten silent renewals', Math.max(...caused), 0),
      ],
      raw: { atStart, afterRenewals },
    }
  } finally {
    await stage.close()
  }
}

// Two frames later, so that nothing that was about to render is missed.
const rendersOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([...window.bench.renders])))
      }),
  )
