// Locators for the editor's parts in Chromium tests, and what it shows over time.
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

/** Counts the frames drawn from now on. */
export function countDrawings(): () => number {
  let count = 0
  let frame = requestAnimationFrame(function next() {
    count++
    frame = requestAnimationFrame(next)
  })
  onTestFinished(() => cancelAnimationFrame(frame))
  return () => count
}

/** Collects every result that the editor shows, until the returned function is called. */
export function watchResults(): () => string[] {
  const seen = new Set<string>()
  const read = () => seen.add(document.querySelector<HTMLElement>('.lkje-verdict')?.dataset['verdict'] ?? '')
  const observer = new MutationObserver(read)
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  return () => {
    observer.disconnect()
    return [...seen]
  }
}
