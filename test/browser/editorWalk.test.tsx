// The editor without a mouse or a screen: by keyboard from the first tab stop to the last, and as a screen reader receives it.

// @module-tag thorough

import { createRef } from 'react'
import { expect, it } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle, type JsonEditorProps } from '../../src/editor/index.ts'
import { area, box, button } from './editorParts.ts'
import { SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

const BROKEN = '{\n  "a": 1 "b": 2,\n  c: 3\n}'

interface AxNode {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[]
}
interface DomNode {
  readonly backendNodeId: number
  readonly attributes?: readonly string[]
  readonly children?: readonly DomNode[]
  readonly contentDocument?: DomNode
}

/** The editor in the page around the test's frame. */
function findEditor(node: DomNode): number | undefined {
  if (node.attributes?.some((value) => value.split(' ').includes('lkje'))) return node.backendNodeId
  for (const child of [...(node.children ?? []), ...(node.contentDocument ? [node.contentDocument] : [])]) {
    const found = findEditor(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** The accessibility tree of the editor, in order. */
async function readTree(): Promise<AxNode[]> {
  const session = cdp() as unknown as { send<Answer>(method: string, given: object): Promise<Answer> }
  const page = await session.send<{ root: DomNode }>('DOM.getDocument', { depth: -1, pierce: true })
  const given = { backendNodeId: findEditor(page.root) }
  const { nodes } = await session.send<{ nodes: AxNode[] }>('Accessibility.queryAXTree', given)
  return nodes.filter(({ ignored }) => !ignored)
}

const STOPS = ['textbox', 'searchbox', 'button', 'list', 'link', 'dialog', 'combobox', 'option']
const STATES = ['readonly', 'required', 'invalid', 'disabled', 'expanded', 'pressed', 'focused']

/** The focusable elements, each with its name and active states. */
async function hear(): Promise<string[]> {
  const stops = (await readTree()).filter(({ role }) => STOPS.includes(role?.value ?? ''))
  return stops.map(({ role, name, properties = [] }) => {
    const states = properties.filter(
      (state) => STATES.includes(state.name) && String(state.value.value) === 'true',
    )
    return [role!.value, name?.value, ...states.map((state) => state.name)].join(' ')
  })
}

async function show(props: JsonEditorProps & { full: boolean }) {
  const ref = createRef<JsonEditorHandle>()
  const screen = await render(
    <div style={{ width: 360 }}>
      <button type="button">Before</button>
      <JsonEditor ref={ref} label="Map" {...props} />
      <button type="button">After</button>
    </div>,
  )
  await (props.full ? untilFull() : untilTools())
  const [before] = screen.container.querySelectorAll('button')
  return { editor: ref.current!, before: before!, field: props.full ? box() : area() }
}

const said = () => document.activeElement?.textContent

const tools = (full: boolean) => ['button Format', full ? 'button Find' : 'button Find disabled']
const PROBLEMS = ['list Problems', 'link Line 2, column 10', 'link Line 3, column 3']

it.each(SURFACES)('tells a screen reader each of its stops, in order: %s', async (_where, full) => {
  await show({ full, readOnly: true, required: true, defaultValue: BROKEN })
  const shut = tools(full)
  const below = ['textbox Map invalid readonly required', ...PROBLEMS]
  await expect.poll(hear).toEqual([...shut, 'button More', ...below])
  const text = (await readTree()).find(({ role }) => role?.value === 'textbox')
  expect(text?.description?.value).toMatch(/^2 errors ?. Line 2, column 10: Missing comma before "b"/)
  expect(text?.description?.value.endsWith('Press Escape, then Tab, to leave the editor.')).toBe(full)
  button('More ▾').focus()
  await userEvent.keyboard('{Enter}')
  const more = ['Undo disabled', 'Redo disabled', 'Wrap', 'Copy', 'Download', 'Open… disabled']
  await expect
    .poll(hear)
    .toEqual([...shut, 'button More focused expanded', ...more.map((tool) => `button ${tool}`), ...below])
})

it('compares by keyboard alone, names both sides, and returns to the text', async () => {
  const { field } = await show({ full: true, original: '[]', defaultValue: BROKEN })
  button('Compare').focus()
  await userEvent.keyboard('{Enter}')
  const sides = async () => (await hear()).filter((stop) => stop.startsWith('textbox'))
  await expect.poll(sides).toEqual(['textbox Saved text', 'textbox Map invalid focused'])
  await userEvent.keyboard('{Escape}')
  await userEvent.tab({ shift: true })
  await expect.poll(sides).toEqual(['textbox Saved text focused', 'textbox Map invalid'])
  await userEvent.tab()
  await expect.poll(sides).toEqual(['textbox Saved text', 'textbox Map invalid focused'])
  await expect.poll(hear).toContain('button Compare pressed')
  button('Compare').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement).toBe(field)
  expect(await sides()).toEqual(['textbox Map invalid focused'])
})

it.each(SURFACES)('can be used, fixed and left by keyboard alone: %s', async (_where, full) => {
  const { editor, before, field } = await show({ full, defaultValue: BROKEN })
  await untilStatus('2 errors')
  before.focus()
  await userEvent.tab()
  for (const stop of ['Format ▾', 'Find', 'More ▾']) {
    expect(said()).toBe(stop)
    await userEvent.tab()
  }
  expect(document.activeElement).toBe(field)
  if (full) await userEvent.keyboard('{Escape}')
  for (const stop of ['Line 2, column 10', 'Line 3, column 3', 'After']) {
    await userEvent.tab()
    expect(said()).toBe(stop)
  }
  // Back to a fault, from there into the text, and everything is fixed.
  await userEvent.tab({ shift: true })
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement).toBe(field)
  await userEvent.keyboard('{Shift>}{F8}{/Shift}')
  await untilStatus('Line 2, column 10: Missing comma before')
  await userEvent.keyboard('{Shift>}{Alt>}r{/Alt}{/Shift}')
  await untilStatus('Repair: done')
  await expect.poll(() => document.activeElement).toBe(field)
  expect(JSON.parse(editor.getValue())).toEqual({ a: 1, b: 2, c: 3 })
  await untilStatus('Valid JSON')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(() => editor.getValue()).toBe(BROKEN)
})
