// The tools around the text by keyboard and mouse: hover, find and replace, wrap, download, the list of problems, scrolling.

// @module-tag thorough

import { createRef } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server.browser'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type EditorTool, JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { pressTool } from './editorHands.ts'
import { area, box, problems, root } from './editorParts.ts'
import { showEditor, SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

const PATIENCE = { timeout: 20_000 }

it('explains the value at the caret from the schema', async () => {
  await showEditor({
    defaultValue: '{"colour": "red"}',
    schema: { properties: { colour: { type: 'string', description: 'What it is painted in' } } },
  })
  await untilStatus('Valid JSON')
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight>4}')
  await userEvent.keyboard('{Control>}k{/Control}{Control>}i{/Control}')
  await expect
    .poll(() => document.querySelector('.monaco-hover:not(.hidden)')?.textContent, PATIENCE)
    .toContain('What it is painted in')
})

it('folds and unfolds an object by keyboard', async () => {
  await showEditor({ defaultValue: '{\n  "a": {\n    "b": 1\n  }\n}' })
  const lines = () => document.querySelectorAll('.lkje-full .view-line').length
  await expect.poll(lines, PATIENCE).toBe(5)
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}')
  await userEvent.keyboard('{Control>}{Shift>}[[{/Shift}{/Control}')
  await expect.poll(lines, PATIENCE).toBe(4)
  await userEvent.keyboard('{Control>}{Shift>}]{/Shift}{/Control}')
  await expect.poll(lines, PATIENCE).toBe(5)
})

it('finds and replaces in the full editor by keyboard, as one undo step', async () => {
  const ref = await showEditor({ defaultValue: '[1, 2, 1]' })
  box().focus()
  await userEvent.keyboard('{Control>}h{/Control}')
  await expect.poll(() => document.activeElement?.closest('.find-widget') !== null, PATIENCE).toBe(true)
  await userEvent.keyboard('{Control>}a{/Control}1{Tab}7')
  await userEvent.keyboard('{Control>}{Alt>}{Enter}{/Alt}{/Control}')
  await expect.poll(() => ref.current!.getValue(), PATIENCE).toBe('[7, 2, 7]')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.activeElement === box()).toBe(true)
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(() => ref.current!.getValue()).toBe('[1, 2, 1]')
})

it.each([
  ['a phone', 280, {}],
  ['a phone, with a text to compare with', 280, { original: '[1]' }],
  ['a desk', 900, {}],
  [
    'chosen tools in another language',
    280,
    { toolbar: ['find', 'wrap', 'copy', 'download'], messages: { copy: 'In die Zwischenablage' } },
  ],
] as const)('keeps the place of the toolbar from the first moment: %s', async (_where, width, props) => {
  // As the server renders it; the styles are those of a previous editor.
  await render(<JsonEditor label="Other" full={false} />)
  const map = <JsonEditor label="Map" full={false} defaultValue="[]" {...props} />
  const place = document.body.appendChild(document.createElement('div'))
  place.style.width = `${width}px`
  place.innerHTML = renderToString(map)
  const top = () =>
    place.querySelector('.lkje-area')!.getBoundingClientRect().top - place.getBoundingClientRect().top
  const before = top()
  expect(place.querySelector('.lkje-tools')).toBe(null)
  const shown = hydrateRoot(place, map)
  await expect.poll(() => place.querySelector('.lkje-tools') !== null, PATIENCE).toBe(true)
  await expect.poll(() => place.querySelector('[role=status]')?.textContent, PATIENCE).toBe('Valid JSON')
  expect(top()).toBe(before)
  shown.unmount()
  place.remove()
})

it('keeps what was typed into server-rendered HTML before hydration', async () => {
  const changes: string[] = []
  const handle = createRef<JsonEditorHandle>()
  const map = (
    <JsonEditor
      ref={handle}
      label="Map"
      full={false}
      defaultValue="[]"
      onChange={(text) => void changes.push(text)}
    />
  )
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = renderToString(map)
  place.querySelector('textarea')!.value = '[1]'
  const shown = hydrateRoot(place, map)
  await expect.poll(() => handle.current?.getValue()).toBe('[1]')
  expect(changes).toEqual(['[1]'])
  expect(place.querySelector('textarea')!.value).toBe('[1]')
  shown.unmount()
  place.remove()
})

it('reserves a height for the list of problems, which scrolls there, so that nothing below moves', async () => {
  await render(
    <>
      <JsonEditor label="Map" full={false} faultsHeight={70} />
      <button type="button">Save</button>
    </>,
  )
  const save = () => [...document.querySelectorAll('button')].at(-1)!.getBoundingClientRect().y
  await untilStatus('Empty')
  const before = save()
  await userEvent.fill(area(), '[1 2 3 4 5 6 7 8]')
  await expect.poll(problems, PATIENCE).toHaveLength(6)
  expect(save()).toBe(before)
  const list = document.querySelector('.lkje-problems')!
  expect(list.scrollHeight).toBeGreaterThan(list.clientHeight)
  expect(list.getBoundingClientRect().bottom).toBeLessThanOrEqual(root().getBoundingClientRect().bottom + 2)
  const last = [...list.querySelectorAll('a')].at(-1)!
  last.focus()
  expect(list.getBoundingClientRect().bottom).toBeGreaterThanOrEqual(last.getBoundingClientRect().bottom)
  await userEvent.fill(area(), '[1, 2]')
  await untilStatus('Valid JSON')
  expect(save()).toBe(before)
})

it.each([
  ['text, in which somebody looks for something', false],
  ['comparison', true],
])('stays under a sticky bar of the page, also the %s', async (_what, isComparing) => {
  const ref = createRef<JsonEditorHandle>()
  const text = `[\n${'  "a",\n'.repeat(400)}  "b"\n]`
  await render(
    <>
      <div id="bar" style={{ position: 'fixed', inset: '0 0 auto', height: 60, zIndex: 1 }} />
      <JsonEditor ref={ref} toolbar={false} defaultValue={text} original={text.replace('[', '[\n  0,')} />
    </>,
  )
  await untilFull()
  await untilStatus('Valid JSON')
  if (isComparing) ref.current!.compare(true)
  else ref.current!.find()
  const shown = () =>
    document.querySelector(
      isComparing ? '.lkje-compare :is(.line-insert, .line-delete)' : '.find-widget.visible',
    ) !== null
  await expect.poll(shown, PATIENCE).toBe(true)
  const across = Array.from({ length: innerWidth }, (_, x) => document.elementFromPoint(x, 30))
  expect([...new Set(across.map((element) => element?.id || element?.className))]).toEqual(['bar'])
})

it('leaves out a tool that it does not know', async () => {
  const toolbar = ['copy', 'print', 'toString', 'more'] as unknown as readonly EditorTool[]
  await render(<JsonEditor toolbar={toolbar} defaultValue="[]" />)
  const buttons = page.getByRole('group', { name: 'JSON actions' }).getByRole('button')
  await expect.poll(() => buttons.elements().map((button) => button.textContent)).toEqual(['Copy', 'More ▾'])
})

it.each(SURFACES)('wraps long lines in the %s, and does not change them', async (_where, full) => {
  const text = `["${'word '.repeat(400)}"]`
  const ref = await showEditor({ full, defaultValue: text })
  const lines = () =>
    full ? document.querySelectorAll('.lkje-full .view-line').length : area().scrollHeight / 19
  // Monaco draws its lines with the next picture.
  await expect.poll(lines).toBeGreaterThan(0)
  const before = lines()
  await pressTool('Wrap')
  expect(root().dataset['wrapped']).toBe('true')
  await expect.poll(lines).toBeGreaterThan(full ? before : before - 1)
  await expect.poll(() => area().scrollWidth <= area().clientWidth || full).toBe(true)
  expect(ref.current!.getValue()).toBe(text)
  await pressTool('Wrap')
  await expect.poll(lines).toBe(before)
})

it('downloads the text byte for byte under its name', async () => {
  const text = '\ufeff{\r\n"é": "\u2028"}'
  const given: { name: string; blob: Promise<Blob> }[] = []
  const take = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[download]')
    if (!link) return
    event.preventDefault()
    given.push({ name: link.download, blob: fetch(link.href).then((answer) => answer.blob()) })
  }
  document.addEventListener('click', take, { capture: true })
  try {
    await showEditor({ name: 'links', defaultValue: text })
    await pressTool('Download')
    await expect.poll(() => given.length).toBe(1)
    const blob = await given[0]!.blob
    expect([given[0]!.name, blob.type]).toEqual(['links.json', 'application/json'])
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(new TextEncoder().encode(text))
  } finally {
    document.removeEventListener('click', take, { capture: true })
  }
})

it('reaches each problem by keyboard alone', async () => {
  const ref = await showEditor({ defaultValue: '[\n  1 2,\n  3 4\n]' })
  await untilStatus('2 errors')
  expect(problems()).toHaveLength(2)
  box().focus()
  await userEvent.keyboard('{Escape}')
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Line 2, column 5')
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Line 3, column 5')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement === box()).toBe(true)
  await userEvent.keyboard('{ArrowLeft},')
  await expect.poll(() => ref.current!.getValue()).toBe('[\n  1 2,\n  3 ,4\n]')
  await untilStatus('1 error')
})

it('keeps the scroll position when the full editor loads', async () => {
  const text = Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n')
  const screen = await render(<JsonEditor label="Map" full={false} defaultValue={text} />)
  await untilTools()
  area().focus()
  area().setSelectionRange(1_500, 1_510, 'backward')
  area().scrollTop = 19 * 150
  await screen.rerender(<JsonEditor label="Map" defaultValue={text} />)
  await untilFull()
  const firstShown = () =>
    Math.min(...[...root().querySelectorAll('.line-numbers')].map((number) => Number(number.textContent)))
  // Before it has drawn a line, there is none.
  await expect.poll(() => firstShown() > 140 && firstShown() < 152, PATIENCE).toBe(true)
  expect(document.activeElement).toBe(box())
})
