// Renders the editor in Chromium tests and waits for it.
import { createRef, type ReactNode, type RefObject } from 'react'
import { expect, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle, type JsonEditorProps } from '../../src/editor/index.ts'
import { root, status } from './editorParts.ts'

/** Parameters of a test for both surfaces: its name, and `full`. */
export const SURFACES = [
  ['full editor', true],
  ['textarea', false],
] as const

/** Shows an editor and waits until it can be used: the full one, or with `full: false` the textarea with its tools. */
export async function showEditor(
  props: Partial<JsonEditorProps>,
): Promise<RefObject<JsonEditorHandle | null>> {
  const ref = createRef<JsonEditorHandle>()
  await render(<JsonEditor ref={ref} label="Map" {...props} />)
  await (props.full === false ? untilTools() : untilFull())
  return ref
}

/** Shows an editor in a form and waits for nothing. `onSubmit` is called on every submit, and the page does not navigate. */
export async function showInForm(
  props: Partial<JsonEditorProps>,
  buttons: ReactNode = <button type="submit">Save</button>,
) {
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault())
  const ref = createRef<JsonEditorHandle>()
  await render(
    <form onSubmit={onSubmit}>
      <JsonEditor ref={ref} label="Map" name="map" {...props} />
      {buttons}
    </form>,
  )
  return { ref, onSubmit }
}

// The first page of a fresh checkout waits until Vite has bundled Monaco.
export const PATIENCE = { timeout: 120_000 }

const drawnLines = () => document.querySelectorAll('.lkje-full .view-line').length

/** Waits until the full editor has taken over and has drawn its lines in the next frame. */
export async function untilFull(): Promise<void> {
  await expect.poll(() => root()?.dataset['surface'], PATIENCE).toBe('full')
  await expect.poll(drawnLines, PATIENCE).toBeGreaterThan(0)
}
export const untilTools = () =>
  expect.poll(() => document.querySelector('.lkje-tools') !== null, PATIENCE).toBe(true)
export const untilStatus = (text: string) => expect.poll(status, PATIENCE).toContain(text)

/** Delays the full editor, however slowly a test types, until the returned function is called: the browser is never idle. */
export function holdFull(): () => void {
  const waiting: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.push(run))
  return () => {
    vi.unstubAllGlobals()
    for (const run of waiting) run()
  }
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
