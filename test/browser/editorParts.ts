// The parts of the editor as its tests in Chromium find them, and what it shows over a time.
import { onTestFinished } from 'vitest'

export const root = () => document.querySelector<HTMLElement>('.lkje')!
export const area = () => document.querySelector<HTMLTextAreaElement>('.lkje-area')!
export const status = () => document.querySelector('.lkje-status [role=status]')?.textContent ?? ''
export const problems = () =>
  [...document.querySelectorAll('.lkje-problems li')].map((item) => item.textContent)
/** Monaco's own textbox. */
export const box = () =>
  document.querySelector<HTMLElement>('.lkje-full [role=textbox], .lkje-full textarea')!
export const button = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('.lkje-tools button')].find(
    (tool) => tool.textContent === name,
  )!

/** Counts how often the page has been drawn from now on. */
export function countDrawings(): () => number {
  let count = 0
  let frame = requestAnimationFrame(function next() {
    count++
    frame = requestAnimationFrame(next)
  })
  onTestFinished(() => cancelAnimationFrame(frame))
  return () => count
}

/** Everything that the editor says of itself until it is told to stop. */
export function watchVerdicts(): () => string[] {
  const seen = new Set<string>()
  const read = () => seen.add(document.querySelector<HTMLElement>('.lkje-verdict')?.dataset['verdict'] ?? '')
  const observer = new MutationObserver(read)
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  return () => {
    observer.disconnect()
    return [...seen]
  }
}
