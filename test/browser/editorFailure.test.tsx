// Monaco's files are missing, as after a deploy: the textarea stays, works, and loads the rest when asked again.
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import type * as LaterFile from '../../src/editor/laterFile.ts'
import { area, box, problems, root, watchResults } from './editorParts.ts'
import { untilFull, untilStatus } from './editorScene.tsx'

const network = vi.hoisted(() => ({ isDown: true, waits: Promise.resolve() }))

vi.mock('../../src/editor/laterFile.ts', async (importOriginal) => {
  const original = await importOriginal<typeof LaterFile>()
  const createLaterFile: typeof original.createLaterFile = (load) =>
    original.createLaterFile(async () => {
      const part = await load()
      if (!('FullEditor' in part)) return part
      await network.waits
      if (network.isDown) throw new Error('Failed to fetch dynamically imported module')
      return part
    })
  return { createLaterFile }
})

it('shows loadingFallback while the full editor loads, or nothing', async () => {
  let goOn = () => {}
  network.waits = new Promise((resolve) => (goOn = resolve))
  const below = () => root().querySelector('.lkje-status')!.textContent
  const screen = await render(<JsonEditor label="Map" loadingFallback={<b>One moment</b>} />)
  await expect.poll(below).toContain('One moment')
  await screen.rerender(<JsonEditor label="Map" />)
  expect(below()).toContain('The full editor is loading; you can type already.')
  await screen.rerender(<JsonEditor label="Map" loadingFallback={null} />)
  expect(below()).not.toContain('loading')
  goOn()
  await expect.poll(() => root().textContent).toContain('could not be loaded')
})

it('checks the schema without the full editor, and submits no form that violates it', async () => {
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault())
  const results = watchResults()
  await render(
    <form onSubmit={onSubmit}>
      <JsonEditor label="Map" name="map" schema={{ maxItems: 1 }} defaultValue="[1, 2]" />
      <button type="submit">Save</button>
    </form>,
  )
  await expect.poll(() => root().textContent, { timeout: 20_000 }).toContain('could not be loaded')
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 1, column 1: At most 1 element'])
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onSubmit).not.toHaveBeenCalled()
  expect(results()).not.toContain('valid')
  await userEvent.fill(area(), '[1]')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  await expect.poll(() => onSubmit.mock.calls.length).toBe(1)
})

it('continues as a textarea with faults, actions and undo, and loses nothing when the full editor loads later', async () => {
  const ref = createRef<JsonEditorHandle>()
  const onChange = vi.fn<(text: string) => void>()
  await render(<JsonEditor ref={ref} label="Map" defaultValue={'[\r\n1 2]'} onChange={onChange} />)
  const again = () =>
    [...root().querySelectorAll('button')].find((button) => button.textContent === 'Load the editor again')
  await expect.poll(() => again() !== undefined, { timeout: 20_000 }).toBe(true)
  expect(root().textContent).toContain('nothing is lost')
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 2, column 3: Missing comma before 2'])
  await userEvent.click(document.querySelector('.lkje-problems a')!)
  expect(document.activeElement).toBe(area())
  expect([area().selectionStart, area().selectionEnd]).toEqual([4, 5])
  expect(await ref.current!.repair()).toBe(true)
  expect(ref.current!.getValue()).toBe('[\r\n1, 2]')
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(ref.current!.getValue()).toBe('[\r\n1 2]')
  await userEvent.keyboard('{Control>}y{/Control}')
  expect(onChange).toHaveBeenLastCalledWith('[\r\n1, 2]')
  network.isDown = false
  let goOn = () => {}
  network.waits = new Promise((resolve) => (goOn = resolve))
  again()!.focus()
  await userEvent.keyboard('{Enter}')
  // The button disappears: the focus moves into the text.
  expect(document.activeElement).toBe(area())
  goOn()
  await untilFull()
  expect(document.activeElement).toBe(box())
  expect(ref.current!.getValue()).toBe('[\r\n1, 2]')
  expect(again()).toBeUndefined()
  // So are the undo steps from before it loaded.
  ref.current!.undo()
  expect(ref.current!.getValue()).toBe('[\r\n1 2]')
})
