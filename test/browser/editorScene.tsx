// What the editor's tests in Chromium share: reaching its parts, waiting for the full editor, typing.
import { expect, onTestFinished, vi } from 'vitest'
import { userEvent } from 'vitest/browser'

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

/** Presses a tool as a person does, behind "More" where the line is too short for it. */
export async function pressTool(name: string): Promise<void> {
  if (getComputedStyle(button(name)).visibility === 'hidden') await userEvent.click(button('More'))
  await userEvent.click(button(name))
}

// The first page of a fresh checkout waits until Vite has bundled Monaco.
const PATIENCE = { timeout: 120_000 }

export const untilFull = () => expect.poll(() => root()?.dataset['surface'], PATIENCE).toBe('full')
export const untilTools = () =>
  expect.poll(() => document.querySelector('.lkje-tools') !== null, PATIENCE).toBe(true)
export const untilStatus = (text: string) => expect.poll(status, PATIENCE).toContain(text)

/** Keeps the full editor away, however slowly a test types, until the answer is called: the browser is never idle. */
export function holdFull(): () => void {
  const waiting: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.push(run))
  return () => {
    vi.unstubAllGlobals()
    for (const run of waiting) run()
  }
}

/** Focuses Monaco at the end of its text. */
export async function toTheEnd(): Promise<void> {
  box().focus()
  await userEvent.keyboard('{Control>}{End}{/Control}')
}

/** Pastes as a person does, through the real clipboard event. */
export function paste(target: Element, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

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
