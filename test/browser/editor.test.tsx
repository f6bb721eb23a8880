// The editor in use: typing at once, the switch to Monaco, faults, actions, undo, a parent that updates late.
import * as monaco from 'monaco-editor/editor'
import { createRef, useEffect, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { pressTool, toTheEnd } from './editorHands.ts'
import { area, box, button, problems, root, status } from './editorParts.ts'
import { holdFull, pause, showEditor, SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

it('accepts typing at once, and keeps text, undo, selection and focus in the full editor', async () => {
  const onChange = vi.fn<(text: string) => void>()
  const ref = createRef<JsonEditorHandle>()
  const letFullCome = holdFull()
  await render(<JsonEditor ref={ref} label="Map" onChange={onChange} />)
  await userEvent.click(area())
  await userEvent.keyboard('[[1, 2')
  expect(ref.current!.getValue()).toBe('[1, 2')
  expect(onChange).toHaveBeenLastCalledWith('[1, 2')
  letFullCome()
  await untilFull()
  expect(ref.current!.getValue()).toBe('[1, 2')
  expect(document.activeElement).toBe(box())
  await userEvent.keyboard(', 3]')
  await expect.poll(() => ref.current!.getValue()).toBe('[1, 2, 3]')
  await untilStatus('Valid JSON')
  // What was typed in the textarea can still be undone.
  for (let step = 0; step < 12; step++) ref.current!.undo()
  expect(ref.current!.getValue()).toBe('')
  for (let step = 0; step < 12; step++) ref.current!.redo()
  expect(ref.current!.getValue()).toBe('[1, 2, 3]')
})

it('explains each fault in a sentence, underlines it, and links to it', async () => {
  const onValidate = vi.fn<(faults: readonly { code: string }[]) => void>()
  await showEditor({ defaultValue: '{\n  "a": 1 "name": 2,\n  "id": 9007199254740993\n', onValidate })
  await untilStatus('2 errors')
  expect(problems()).toEqual([
    'Line 2, column 10: Missing comma before "name"',
    'Line 4, column 1: Unexpected end: 1 bracket is open',
  ])
  expect(onValidate.mock.lastCall![0].map((fault) => fault.code)).toEqual(['missing-comma', 'unexpected-end'])
  expect(box().getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => document.querySelectorAll('.squiggly-error').length).toBeGreaterThan(0)
  await userEvent.click(document.querySelector('.lkje-problems a')!)
  await userEvent.keyboard('{ArrowLeft},')
  await expect.poll(() => problems()).toHaveLength(1)
  await toTheEnd()
  await userEvent.keyboard('}')
  await untilStatus('Valid JSON, 1 warning')
  expect(problems()).toEqual([
    expect.stringContaining(
      'Line 3, column 9: 9007199254740993 is larger or more precise than JavaScript can store',
    ),
  ])
})

it('formats, compacts, sorts and repairs as one undo step each', async () => {
  const text = '{"b":9007199254740993,"a":1.10}'
  const ref = await showEditor({ defaultValue: text })
  await pressTool('Format')
  await expect.poll(() => ref.current!.getValue()).toBe('{\n  "b": 9007199254740993,\n  "a": 1.10\n}')
  await pressTool('Sort keys')
  await expect.poll(() => ref.current!.getValue()).toBe('{\n  "a": 1.10,\n  "b": 9007199254740993\n}')
  await pressTool('Compact')
  await expect.poll(() => ref.current!.getValue()).toBe('{"a":1.10,"b":9007199254740993}')
  await pressTool('Undo')
  await pressTool('Undo')
  await pressTool('Undo')
  expect(ref.current!.getValue()).toBe(text)
  ref.current!.setValue("{'a': [1,}")
  await untilStatus('error')
  // By keyboard as well, wherever the focus is.
  box().focus()
  await userEvent.keyboard('{Shift>}{Alt>}c{/Alt}{/Shift}')
  await untilStatus('Correct the errors first')
  await userEvent.keyboard('{Shift>}{Alt>}r{/Alt}{/Shift}')
  await expect.poll(() => ref.current!.getValue()).toBe('{"a": [1]}')
  await untilStatus('Repair: done')
})

it.each([
  ['CRLF', '{\r\n  "a": 1\r\n}\r\n'],
  ['a byte order mark', '\ufeff{"a": 1}'],
  ['lone surrogates, line separators and NUL', '["\ud800", "\u2028\u2029", "\u0000", "é😀"]'],
  ['400 digits and a double key', `{"a": ${'9'.repeat(400)}, "a": -0.0}`],
])(
  'keeps %s byte for byte, in the textarea, through the switch, and after an edit undone',
  async (_what, text) => {
    const ref = createRef<JsonEditorHandle>()
    const onChange = vi.fn<(text: string) => void>()
    await render(<JsonEditor ref={ref} label="Map" defaultValue={text} onChange={onChange} />)
    expect(ref.current!.getValue()).toBe(text)
    await untilFull()
    expect(ref.current!.getValue()).toBe(text)
    expect(onChange).not.toHaveBeenCalled()
    await toTheEnd()
    await userEvent.keyboard('{Enter}x')
    await expect.poll(() => ref.current!.getValue().length).toBeGreaterThan(text.length)
    for (let step = 0; step < 4; step++) ref.current!.undo()
    expect(ref.current!.getValue()).toBe(text)
  },
)

it.each(SURFACES)(
  'keeps mixed line endings until an edit, which gives all lines the most common one: %s',
  async (_where, full) => {
    const text = '{\r\n  "a": 1,\r\n  "b": 2 3\r}'
    const onValidate = vi.fn<(faults: readonly { offset: number }[]) => void>()
    const ref = await showEditor({ full, defaultValue: text, onValidate })
    await untilStatus('1 error')
    expect(ref.current!.getValue()).toBe(text)
    expect(onValidate.mock.lastCall![0].map(({ offset }) => offset)).toEqual([text.indexOf('3')])
    await userEvent.click(document.querySelector('.lkje-problems a')!)
    await userEvent.keyboard('{Backspace}')
    await expect.poll(() => ref.current!.getValue()).toBe('{\r\n  "a": 1,\r\n  "b": 2 \r\n}')
  },
)

it('restores the line endings when the full editor undoes what was typed in the textarea', async () => {
  const ref = createRef<JsonEditorHandle>()
  const screen = await render(<JsonEditor ref={ref} label="Map" full={false} defaultValue={'[\r\n1]'} />)
  await untilTools()
  await userEvent.click(area())
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter}x')
  expect(ref.current!.getValue()).toBe('[\r\n1]\r\nx')
  await screen.rerender(<JsonEditor ref={ref} label="Map" defaultValue={'[\r\n1]'} />)
  await untilFull()
  for (let step = 0; step < 3; step++) ref.current!.undo()
  expect(ref.current!.getValue()).toBe('[\r\n1]')
})

it('keeps cursor and undo with a parent that echoes late or changes the value', async () => {
  const seen: string[] = []
  function Late() {
    const [value, setValue] = useState('[]')
    return (
      <JsonEditor
        label="Late"
        value={value}
        onChange={(text) => {
          seen.push(text)
          setTimeout(() => setValue(text), 120)
        }}
      />
    )
  }
  await render(<Late />)
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}')
  for (const key of '12345678') {
    await userEvent.keyboard(key)
    await pause(30)
  }
  await pause(500)
  expect(seen.at(-1)).toBe('[12345678]')
  expect(seen).toHaveLength(8)
})

it('shows the value of a transforming parent without moving the cursor, and does not loop', async () => {
  let calls = 0
  const ref = createRef<JsonEditorHandle>()
  function Shouting() {
    const [value, setValue] = useState('["ab"]')
    return (
      <JsonEditor
        ref={ref}
        label="Shouting"
        value={value}
        onChange={(text) => {
          calls++
          setValue(text.toUpperCase())
        }}
      />
    )
  }
  await render(<Shouting />)
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{ArrowRight}xy')
  await expect.poll(() => ref.current!.getValue()).toBe('["XYab"]'.toUpperCase())
  await userEvent.keyboard('z')
  await expect.poll(() => ref.current!.getValue()).toBe('["XYZAB"]')
  await pause(400)
  expect(calls).toBe(3)
})

it('shows a value that the parent sets, and undo reaches beyond it', async () => {
  const ref = createRef<JsonEditorHandle>()
  const onChange = vi.fn<(text: string) => void>()
  const screen = await render(<JsonEditor ref={ref} label="Map" value="[1]" onChange={onChange} />)
  await untilFull()
  await screen.rerender(<JsonEditor ref={ref} label="Map" value="[2]" onChange={onChange} />)
  expect(ref.current!.getValue()).toBe('[2]')
  expect(onChange).not.toHaveBeenCalled()
  ref.current!.undo()
  expect(onChange).toHaveBeenLastCalledWith('[1]')
})

it('checks, completes and explains by a schema, also by a changed one', async () => {
  const ref = createRef<JsonEditorHandle>()
  const schema = {
    type: 'object',
    properties: { colour: { enum: ['red', 'green'], description: 'Paint' } },
    required: ['colour'],
  }
  const screen = await render(<JsonEditor ref={ref} label="Map" defaultValue="{}" schema={schema} />)
  await untilFull()
  await untilStatus('1 error')
  expect(problems()[0]).toBe('Line 1, column 1: Key "colour" is missing')
  await screen.rerender(
    <JsonEditor ref={ref} label="Map" defaultValue="{}" schema={{ ...schema, required: [] }} />,
  )
  await untilStatus('Valid JSON')
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{Control>} {/Control}')
  await expect
    .poll(() => document.querySelector('.suggest-widget')?.textContent, { timeout: 20_000 })
    .toContain('colour')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => ref.current!.getValue()).toContain('"colour": ')
  // Monaco's service, which has responded by then, does not validate.
  await untilStatus('1 error')
  const owners = () => monaco.editor.getModelMarkers({}).map(({ owner }) => owner)
  await expect.poll(owners).toEqual(['latchkey'])
})

it('can be left by keyboard: Tab indents, Escape then Tab moves on, and the status says so', async () => {
  await render(
    <>
      <JsonEditor label="Map" defaultValue="[]" />
      <button type="button">After</button>
    </>,
  )
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement).toBe(box())
  await userEvent.keyboard('{Escape}')
  await untilStatus('Tab now leaves the editor.')
  await userEvent.tab()
  expect(root().querySelector('.lkje-full')!.contains(document.activeElement)).toBe(false)
  button('Format ▾').focus()
  await userEvent.tab()
  expect(document.activeElement).toBe(button('Find'))
  await userEvent.tab()
  expect(document.activeElement).toBe(button('More ▾'))
  await userEvent.tab()
  expect(document.activeElement).toBe(box())
})

it('compares with a given text, can be edited in the comparison, and restores everything afterwards', async () => {
  const ref = await showEditor({
    id: 'map',
    defaultValue: '{\n  "a": 1\n}',
    original: '{\n  "a": 2\n}',
    schema: { properties: { colour: { enum: ['red'] } } },
  })
  for (const mark of [' ', '\n']) {
    await pressTool('Compare')
    await expect
      .poll(() => document.querySelectorAll('.lkje-compare :is(.line-insert, .char-insert)').length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0)
    // Only one textbox is reachable, not also the one beneath.
    expect(box().closest('[inert]')).not.toBeNull()
    await expect
      .poll(() => document.activeElement!.getAttribute('aria-describedby'))
      .toBe('map-status map-help')
    await userEvent.keyboard(`{Control>}{End}{/Control}${mark === ' ' ? ' ' : '{Enter}'}`)
    await expect.poll(() => ref.current!.getValue().endsWith(mark)).toBe(true)
    await pressTool('Compare')
    expect(document.querySelector('.lkje-compare')).toBeNull()
    expect(document.activeElement).toBe(box())
  }
  expect(ref.current!.getValue()).toBe('{\n  "a": 1\n} \n')
  // Monaco would create suggestions with the services of the closed comparison.
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{Control>} {/Control}')
  await expect
    .poll(() => document.querySelector('.suggest-widget')?.textContent, { timeout: 20_000 })
    .toContain('colour')
  await userEvent.keyboard('{Escape}')
})

it('opens a file byte for byte, refuses one that is not text, and opens a dropped one', async () => {
  const ref = await showEditor({ defaultValue: '[]' })
  const bytes = new TextEncoder().encode('\ufeff{\r\n"é": "😀"}')
  await ref.current!.open(new File([bytes], 'map.json'))
  expect(ref.current!.getValue()).toBe('\ufeff{\r\n"é": "😀"}')
  await untilStatus('Opened map.json')
  await ref.current!.open(new File([new Uint8Array([0xc3, 0x28])], 'photo.json'))
  expect(ref.current!.getValue()).toBe('\ufeff{\r\n"é": "😀"}')
  expect(status()).toContain('photo.json is not a UTF-8 or UTF-16 text')
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['[42]'], 'dropped.json'))
  box().dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  await expect.poll(() => ref.current!.getValue()).toBe('[42]')
  ref.current!.undo()
  expect(ref.current!.getValue()).toBe('\ufeff{\n"é": "😀"}')
})

it('renders once per change, and does not announce the value that it received', async () => {
  let renders = 0
  const onChange = vi.fn<(text: string) => void>()
  function Parent() {
    const [, setCount] = useState(0)
    useEffect(() => {
      renders++
    })
    return (
      <JsonEditor
        label="Map"
        value="[1]"
        onChange={onChange}
        onValidate={() => setCount((count) => count + 1)}
      />
    )
  }
  await render(<Parent />)
  await untilFull()
  await untilStatus('Valid JSON')
  await pause(600)
  expect(onChange).not.toHaveBeenCalled()
  expect(renders).toBeLessThan(10)
})

it('warns of a duplicate key with a schema too, and lists all faults by place', async () => {
  const onValidate = vi.fn<(faults: readonly { code: string; severity: string }[]) => void>()
  await showEditor({
    defaultValue: '{\n  "a": 1,\n  "old": 2,\n  "a": 2,\n  "b": 3\n}',
    schema: {
      properties: { b: { type: 'string' }, old: { type: 'string' } },
    },
    onValidate,
  })
  await untilStatus('2 errors, 1 warning')
  expect(onValidate.mock.lastCall![0].map((fault) => [fault.code, fault.severity])).toEqual([
    ['schema', 'error'],
    ['duplicate-key', 'warning'],
    ['schema', 'error'],
  ])
})
