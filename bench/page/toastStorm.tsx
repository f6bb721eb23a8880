// A storm of toasts in the measured page: how long the page was busy with it, and how many toasts it showed at once.
import { AuthToaster, notify } from 'latchkey'
import { createRoot } from 'react-dom/client'
import type { ToastStorm } from './benchPage.ts'

const FRAMES = 60
/** By now the observer has told of every task there was. */
const REST_MS = 500

export async function raiseToastStorm(count: number): Promise<ToastStorm> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(<AuthToaster />)
  await frames(2)

  const tasks: { startMs: number; durationMs: number }[] = []
  const tasksSeen = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      tasks.push({ startMs: startTime, durationMs: duration })
    }
  })
  tasksSeen.observe({ type: 'longtask' })
  let largestCount = 0
  const toastsSeen = new MutationObserver(() => {
    largestCount = Math.max(largestCount, document.querySelectorAll('.latchkey-toast').length)
  })
  toastsSeen.observe(document.body, { childList: true, subtree: true })

  const { startedAtMs, saidMs } = await inTaskOfItsOwn(() => {
    const startMs = performance.now()
    for (let number = 0; number < count; number += 1) {
      notify[number % 100 === 0 ? 'error' : 'info'](`number ${number}`)
    }
    return { startedAtMs: startMs, saidMs: performance.now() - startMs }
  })
  await frames(FRAMES)
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  tasksSeen.disconnect()
  toastsSeen.disconnect()
  notify.dismiss()
  root.unmount()
  place.remove()

  const later = tasks.filter(({ startMs }) => startMs > startedAtMs).map(({ durationMs }) => durationMs)
  return { saidMs, largestCount, longestLaterTaskMs: Math.max(0, ...later), tasks }
}

const inTaskOfItsOwn = <Result,>(work: () => Result) =>
  new Promise<Result>((resolve) => setTimeout(() => resolve(work()), 0))

async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame)
}
