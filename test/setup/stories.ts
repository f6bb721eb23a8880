// Looks at each story a second time when its own test has passed: in the dark, on a phone, with axe, and nothing sticks out.
import axe from 'axe-core'
import { afterEach } from 'vitest'
import { page } from 'vitest/browser'

const PHONE = [360, 740] as const

/** Two frames, for layout and observers; what fades meanwhile is at its end. */
async function settle(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  for (const animation of document.getAnimations()) {
    const { endTime } = animation.effect?.getComputedTiming() ?? {}
    if (endTime !== Infinity) animation.finish()
  }
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') return
  const { documentElement } = document
  documentElement.style.colorScheme = 'dark'
  documentElement.dataset['theme'] = 'dark'
  await page.viewport(...PHONE)
  await settle()
  let faults = await findFaults()
  // Some parts follow a new look a moment later: what stays is a fault.
  for (let again = 0; faults.length > 0 && again < 10; again += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    faults = await findFaults()
  }
  if (faults.length > 0) throw new Error(`In the dark, 360 px wide:\n${faults.join('\n')}`)
})

async function findFaults(): Promise<string[]> {
  const { documentElement } = document
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    // A story is a piece of a page, without landmarks.
    rules: { region: { enabled: false } },
  })
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
  )
  const overflowPx = documentElement.scrollWidth - documentElement.clientWidth
  return overflowPx > 0 ? [...faults, `${overflowPx} px stick out to the side`] : faults
}
