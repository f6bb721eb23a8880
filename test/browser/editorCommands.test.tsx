// Features that users of VS Code and CodeMirror expect: symbols, groups of tools, undo steps.

// @module-tag thorough

import { createRef } from 'react'
import { afterEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { openGroup } from './editorHands.ts'
import { area, box, button, root } from './editorParts.ts'
import { showEditor, SURFACES, untilTools } from './editorScene.tsx'

const MAP = '{\n  "users": [\n    { "id": "ada", "old name": 1 }\n  ]\n}'
afterEach(() => userEvent.keyboard('{Escape}{Escape}'))

it('lists no symbols of a long text, which would freeze the page', async () => {
  const ref = await showEditor({ defaultValue: MAP })
  const { editor } = ref.current!.getMonaco()!
  const isOffered = () => editor.getAction('editor.action.quickOutline')!.isSupported()
  await expect.poll(isOffered).toBe(true)
  ref.current!.setValue(JSON.stringify({ long: 'x'.repeat(100_000) }))
  await expect.poll(isOffered).toBe(false)
})

it('goes to a symbol', async () => {
  const ref = await showEditor({ defaultValue: MAP })
  box().focus()
  await userEvent.keyboard('{Control>}{Shift>}o{/Shift}{/Control}')
  await expect.poll(() => document.activeElement?.closest('.quick-input-widget') !== null).toBe(true)
  await expect.poll(() => document.querySelector('.quick-input-list')?.textContent).toContain('old name')
  await userEvent.keyboard('old name{Enter}')
  await expect.poll(() => ref.current!.getMonaco()!.editor.getPosition()).toMatchObject({ lineNumber: 3 })
})

it('keeps the dialog around it open when Escape closes something in the editor', async () => {
  await render(
    <dialog>
      <JsonEditor label="Map" full={false} defaultValue="{'a': 1}" />
    </dialog>,
  )
  const dialog = document.querySelector('dialog')!
  dialog.showModal()
  await untilTools()
  const isOpen = () => root().matches('.lkje:has(.lkje-opened)')
  await openGroup('More')
  await expect.poll(isOpen).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.poll(isOpen).toBe(false)
  expect(dialog.open).toBe(true)
})

it('fits a phone: one line of buttons that a finger can hit, the rest in groups', async () => {
  await render(
    <div style={{ width: 360 }}>
      <JsonEditor label="Map" full={false} defaultValue={MAP} original="[]" />
    </div>,
  )
  await untilTools()
  const tools = () => [...document.querySelectorAll<HTMLElement>('.lkje-tools button')]
  const places = () => tools().map((tool) => tool.getBoundingClientRect())
  expect(tools().map(({ textContent }) => textContent)).toEqual(['Format ▾', 'Find', 'Compare', 'More ▾'])
  expect(new Set(places().map(({ y }) => y)).size).toBe(1)
  await openGroup('More')
  expect(tools()).toHaveLength(10)
  expect(places().filter(({ width, height }) => width < 44 || height < 44)).toEqual([])
  const { left, right } = root().getBoundingClientRect()
  expect(Math.max(...places().map((place) => place.right))).toBeLessThanOrEqual(right)
  expect(Math.min(...places().map((place) => place.left))).toBeGreaterThanOrEqual(left)
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Undo')
})

it('closes "More" after a choice, a click elsewhere, Escape and a focus change, but not between undo and redo', async () => {
  let clicks = 0
  const ref = createRef<JsonEditorHandle>()
  await render(
    <dialog style={{ width: 360, padding: 0 }}>
      <JsonEditor ref={ref} label="Map" full={false} defaultValue={MAP} />
      <button type="button" onClick={() => clicks++}>
        Save
      </button>
    </dialog>,
  )
  const dialog = document.querySelector('dialog')!
  dialog.showModal()
  await untilTools()
  const isOpen = () => button('More ▾').getAttribute('aria-expanded') === 'true'
  const open = async () => {
    await userEvent.click(button('More ▾'))
    await expect.poll(isOpen).toBe(true)
  }
  const isShut = () => expect.poll(isOpen).toBe(false)

  await open()
  await userEvent.click(button('Wrap'))
  await isShut()
  expect(document.activeElement).toBe(button('More ▾'))

  await open()
  await userEvent.click([...dialog.querySelectorAll('button')].at(-1)!)
  await isShut()
  expect(clicks).toBe(1)

  await open()
  await userEvent.tab()
  await userEvent.keyboard('{Escape}')
  await isShut()
  expect(document.activeElement).toBe(button('More ▾'))
  expect(dialog.open).toBe(true)

  await open()
  button('Open…').focus()
  await userEvent.tab()
  await isShut()
  expect(document.activeElement).toBe(area())

  // A screen reader announces the tool's new state at the focus.
  await open()
  button('Wrap').focus()
  await userEvent.keyboard('{Enter}')
  expect([isOpen(), button('Wrap').getAttribute('aria-pressed')]).toEqual([true, 'false'])
  await userEvent.keyboard('{Escape}')
  await isShut()

  await ref.current!.format()
  const formatted = ref.current!.getValue()
  await open()
  await userEvent.click(button('Undo'))
  await expect.poll(() => ref.current!.getValue()).toBe(MAP)
  await userEvent.click(button('Redo'))
  await expect.poll(() => ref.current!.getValue()).toBe(formatted)
  expect(isOpen()).toBe(true)
})

it.each(SURFACES)('restores text and caret when a tool is undone: %s', async (_where, full) => {
  const ref = await showEditor({ full, defaultValue: MAP })
  const field = full ? box() : area()
  field.focus()
  for (const tool of ['format', 'compact', 'sortKeys'] as const) {
    const text = tool === 'sortKeys' ? '{"b": 1, "a": 2}' : MAP
    ref.current!.setValue(text)
    await userEvent.keyboard('{Control>}{End}{/Control}{ArrowLeft>3/}')
    expect(await ref.current![tool]()).toBe(true)
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => ref.current!.getValue()).toBe(text)
    // A textarea then selects the replaced text.
    if (!full) continue
    await userEvent.keyboard('x')
    await expect.poll(() => ref.current!.getValue()).toBe(`${text.slice(0, -3)}x${text.slice(-3)}`)
  }
})

it('opens a URL in the text, and keeps the line of an object in view', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `    "key${index}": ${index}`).join(',\n')
  await showEditor({ defaultValue: `{\n  "see": "https://example.test/a",\n  "all": {\n${lines}\n  }\n}` })
  await expect.poll(() => document.querySelector('.detected-link')?.textContent).toContain('https://')
  box().focus()
  await userEvent.keyboard('{PageDown}{PageDown}')
  await expect.poll(() => document.querySelector('.sticky-widget')?.textContent).toContain('"all"')
})

it('moves selected text by dragging, as one undo step', async () => {
  const ref = await showEditor({ defaultValue: '[1, "two", 3]\n' })
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight>4/}{Shift>}{ArrowRight>5/}{/Shift}')
  // Monaco draws a line anew whenever it has more to show there, a colour or a highlight. An element of the line that gives way
  // under the pointer would make the driver swallow the press: where the lines lie stays.
  const lines = document.querySelector<HTMLElement>('.lkje-full .view-lines')!
  const selected = () =>
    [...lines.querySelectorAll('span')].find(({ textContent }) => textContent === '"two"')
  // It is an element of its own once the text is coloured.
  await expect.poll(selected).toBeDefined()
  const { left, top, width } = selected()!.getBoundingClientRect()
  const { left: linesLeft, top: linesTop } = lines.getBoundingClientRect()
  const sourcePosition = { x: left - linesLeft + width / 2, y: top - linesTop + 8 }
  await userEvent.dragAndDrop(lines, lines, { sourcePosition, targetPosition: { x: 2, y: 8 }, steps: 10 })
  await expect.poll(() => ref.current!.getValue()).toBe('"two"[1, , 3]\n')
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(ref.current!.getValue()).toBe('[1, "two", 3]\n')
})
