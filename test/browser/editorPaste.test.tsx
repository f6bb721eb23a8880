// Large pastes: byte for byte, one undo step each, and nothing else changes.

// @module-tag thorough

import { createRef, StrictMode, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import * as monaco from 'monaco-editor/editor'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { paste, pressTool, toTheEnd } from './editorHands.ts'
import { box, problems } from './editorParts.ts'
import { pause, showEditor, untilFull, untilStatus } from './editorScene.tsx'

/** Long enough to be "large". */
const LONG = `[\n${'{"id": 1, "name": "ada"},\n'.repeat(25_000)}{}]`
const LONGER = `[${'["é", 9007199254740992],\n'.repeat(30_000)}\n2]`

const all = () => userEvent.keyboard('{Control>}a{/Control}')
const undo = () => userEvent.keyboard('{Control>}z{/Control}')
const redo = () => userEvent.keyboard('{Control>}y{/Control}')

/** Expects a text without printing megabytes if it differs. */
const expectText = (ref: { current: JsonEditorHandle | null }, text: string) =>
  expect
    .poll(() => {
      const value = ref.current!.getValue()
      return value === text || `${value.length} characters: ${value.slice(0, 60)}…${value.slice(-30)}`
    })
    .toBe(true)

it('are one undo step by keyboard, toolbar and ref, and keep all steps before and after', async () => {
  const ref = createRef<JsonEditorHandle>()
  const onBlur = vi.fn<() => void>()
  await render(
    <StrictMode>
      <JsonEditor ref={ref} label="Map" id="map" defaultValue="[]" onBlur={onBlur} />
    </StrictMode>,
  )
  await untilFull()
  await toTheEnd()
  await userEvent.keyboard(' ')
  await all()
  paste(box(), LONG)
  await expectText(ref, LONG)
  // The caret is at the end of the pasted text, in the same textbox with the same description.
  expect(document.activeElement).toBe(box())
  expect(onBlur).not.toHaveBeenCalled()
  expect(box().getAttribute('aria-describedby')).toBe('map-status map-help')
  await userEvent.keyboard('x')
  await expectText(ref, `${LONG}x`)
  await all()
  paste(box(), LONGER)
  await expectText(ref, LONGER)

  for (const text of [`${LONG}x`, LONG, '[] ', '[]']) {
    await undo()
    await expectText(ref, text)
  }
  expect(onBlur).not.toHaveBeenCalled()
  for (const text of ['[] ', LONG, `${LONG}x`, LONGER]) {
    await pressTool('Redo')
    await expectText(ref, text)
  }
  for (let step = 0; step < 4; step++) ref.current!.undo()
  await expectText(ref, '[]')
  for (let step = 0; step < 4; step++) ref.current!.redo()
  await expectText(ref, LONGER)
  box().focus()
  await undo()
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expectText(ref, LONGER)
  // Leaving it for the toolbar was the only time.
  expect(onBlur).toHaveBeenCalledTimes(1)
})

it('cannot be redone once something else is typed, nor can what was undone before', async () => {
  const ref = await showEditor({ defaultValue: '[1]' })
  await toTheEnd()
  await userEvent.keyboard(' ')
  await undo()
  await expectText(ref, '[1]')
  await all()
  paste(box(), LONG)
  await expectText(ref, LONG)
  await undo()
  await expectText(ref, '[1]')
  // What comes next is the paste, not the space of before.
  await redo()
  await expectText(ref, LONG)
  await redo()
  await expectText(ref, LONG)
  await undo()
  await expectText(ref, '[1]')
  await toTheEnd()
  await userEvent.keyboard('2')
  await redo()
  await expectText(ref, '[1]2')
  expect(monaco.editor.getModels()).toHaveLength(1)
})

it('replace the selection at the caret, and undo restores it', async () => {
  const inserted = '{"a": 1},\n'.repeat(60_000)
  const ref = await showEditor({ defaultValue: '[\r\n"x",\r\n2]' })
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{Shift>}{ArrowRight>4}{/Shift}')
  paste(box(), inserted)
  // A text that is put into a document gets the document's line ends.
  await expectText(ref, `[\r\n${inserted.replaceAll('\n', '\r\n')}\r\n2]`)
  await userEvent.keyboard('3,')
  await expectText(ref, `[\r\n${inserted.replaceAll('\n', '\r\n')}3,\r\n2]`)
  await untilStatus('Valid JSON')
  await undo()
  await undo()
  await expectText(ref, '[\r\n"x",\r\n2]')
  await userEvent.keyboard('7,')
  await expectText(ref, '[\r\n7,\r\n2]')
})

it('do not split what is typed while they are drawn into two undo steps', async () => {
  const ref = await showEditor({ defaultValue: '[2]' })
  box().focus()
  await all()
  const frames: FrameRequestCallback[] = []
  const draw = requestAnimationFrame
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => {
    frames.push(run)
    return draw(run)
  })
  paste(box(), LONG)
  vi.unstubAllGlobals()
  await expectText(ref, LONG)
  await userEvent.keyboard('3')
  // As on a machine that draws late.
  for (const run of frames) run(performance.now())
  await pause(50)
  await userEvent.keyboard('4')
  await expectText(ref, `${LONG}34`)
  await undo()
  await expectText(ref, LONG)
  await undo()
  await expectText(ref, '[2]')
})

it('keep faults, the schema and the comparison', async () => {
  const ref = await showEditor({
    id: 'map',
    defaultValue: '[]',
    original: '[]',
    schema: { type: 'array', maxItems: 3 },
  })
  await untilStatus('Valid JSON')
  box().focus()
  await all()
  const items = `[${'"a", '.repeat(110_000)}"b"]`
  paste(box(), items)
  await untilStatus('1 error')
  expect(problems()[0]).toContain('At most 3 elements')
  await expect.poll(() => document.querySelectorAll('.squiggly-error').length).toBeGreaterThan(0)
  await pressTool('Compare')
  const right = () => document.querySelector('.lkje-compare .modified-in-monaco-diff-editor')
  await expect.poll(() => right()?.contains(document.activeElement), { timeout: 20_000 }).toBe(true)
  // In the comparison too: replacing everything, line endings, undo, leaving it.
  await all()
  paste(document.activeElement!, LONG)
  await expectText(ref, LONG)
  expect(right()!.contains(document.activeElement)).toBe(true)
  await expect
    .poll(() => document.activeElement!.getAttribute('aria-describedby'))
    .toBe('map-status map-help')
  await undo()
  await expectText(ref, items)
  await redo()
  await expectText(ref, LONG)
  // Copying on the other side copies the saved text.
  await all()
  const copied = new DataTransfer()
  document
    .querySelector('.original-in-monaco-diff-editor [role=textbox]')!
    .dispatchEvent(new ClipboardEvent('copy', { clipboardData: copied, bubbles: true, cancelable: true }))
  expect(copied.getData('text/plain')).not.toBe(LONG)
  await undo()
  await userEvent.keyboard('{Escape}')
  await untilStatus('Tab now leaves the editor.')
  await pressTool('Compare')
  expect(document.activeElement).toBe(box())
  await undo()
  await expectText(ref, '[]')
  await untilStatus('Valid JSON')
})

it('are drawn without bracket colours, which return with a short text', async () => {
  const ref = await showEditor({ defaultValue: '[[1]]' })
  const hasColours = () => document.querySelector('.lkje-full [class*=bracket-highlighting]') !== null
  const looksForThem = () =>
    ref.current!.getMonaco()!.editor.getModel()!.getOptions().bracketPairColorizationOptions.enabled
  await expect.poll(hasColours).toBe(true)
  box().focus()
  await all()
  paste(box(), LONG)
  expect(looksForThem()).toBe(false)
  await expect.poll(hasColours).toBe(false)
  await undo()
  await expect.poll(hasColours).toBe(true)
})

it('reach a parent that updates late or with another text, once each', async () => {
  const ref = createRef<JsonEditorHandle>()
  const seen: number[] = []
  function Late({ change }: { readonly change: (text: string) => string }) {
    const [value, setValue] = useState('[]')
    return (
      <JsonEditor
        ref={ref}
        label="Late"
        value={value}
        onChange={(text) => {
          seen.push(text.length)
          setTimeout(() => setValue(change(text)), 100)
        }}
      />
    )
  }
  const screen = await render(<Late change={(text) => text} />)
  await untilFull()
  box().focus()
  await all()
  paste(box(), LONG)
  await userEvent.keyboard('x')
  await expect.poll(() => seen.at(-1)).toBe(LONG.length + 1)
  await pause(400)
  await expectText(ref, `${LONG}x`)
  await undo()
  await undo()
  await expectText(ref, '[]')
  await expect.poll(() => seen.at(-1)).toBe(2)
  await screen.rerender(<Late change={(text) => text.replaceAll('ada', 'bob')} />)
  box().focus()
  await all()
  paste(box(), LONG)
  await expectText(ref, LONG.replaceAll('ada', 'bob'))
  await pause(400)
  await undo()
  await undo()
  await expectText(ref, '[]')
})

it('change nothing in a read-only text, and leave nothing behind if the editor unmounts meanwhile', async () => {
  const ref = createRef<JsonEditorHandle>()
  const screen = await render(<JsonEditor ref={ref} label="Map" readOnly full defaultValue="[]" />)
  await untilFull()
  box().focus()
  await all()
  paste(box(), LONG)
  await undo()
  await expectText(ref, '[]')
  const onChange = vi.fn<(text: string) => void>()
  await screen.rerender(<JsonEditor ref={ref} label="Map" defaultValue="[]" onChange={onChange} />)
  box().focus()
  await all()
  paste(box(), LONG)
  await screen.unmount()
  // What was pasted a moment before is not lost.
  expect(onChange.mock.calls.map(([text]) => text === LONG)).toEqual([true])
  await expect.poll(() => monaco.editor.getModels().length).toBe(0)
})

it('into the textarea are kept by Monaco, with what was typed around them as one step', async () => {
  const ref = createRef<JsonEditorHandle>()
  const { rerender } = await render(<JsonEditor ref={ref} label="Map" full={false} defaultValue={'[\r\n]'} />)
  await expect.poll(() => document.querySelector('.lkje-tools') !== null).toBe(true)
  const area = document.querySelector<HTMLTextAreaElement>('.lkje-area')!
  area.focus()
  await userEvent.keyboard('{Control>}{End}{/Control} ')
  area.setSelectionRange(0, 0)
  paste(area, LONG)
  await expectText(ref, `${LONG.replaceAll('\n', '\r\n')}[\r\n] `)
  await rerender(<JsonEditor ref={ref} label="Map" defaultValue={'[\r\n]'} />)
  await untilFull()
  await expectText(ref, `${LONG.replaceAll('\n', '\r\n')}[\r\n] `)
  ref.current!.undo()
  await expectText(ref, '[\r\n]')
  ref.current!.redo()
  await expectText(ref, `${LONG.replaceAll('\n', '\r\n')}[\r\n] `)
})
