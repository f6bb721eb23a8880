// The props, sizes and mouse actions that docs/editor.md promises, each as a user sees it.

// @module-tag thorough

import * as monaco from 'monaco-editor/editor'
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { GERMAN_EDITOR } from '../../examples/texts/german.ts'
import { type EditorMessages, JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { pressTool, toTheEnd } from './editorHands.ts'
import { area, box, countDrawings, problems, root, status } from './editorParts.ts'
import { holdFull, showEditor, SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

const frame = () => document.querySelector<HTMLElement>('.lkje-box')!
const heightOf = (element: HTMLElement) => Math.round(element.getBoundingClientRect().height)

it.each([
  [
    'draft 4',
    { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 3, exclusiveMinimum: true },
    '3',
  ],
  ['draft 6', { $schema: 'http://json-schema.org/draft-06/schema#', exclusiveMinimum: 3 }, '3'],
  [
    'draft 7',
    { $schema: 'http://json-schema.org/draft-07/schema#', if: { type: 'string' }, else: { maximum: 2 } },
    '3',
  ],
  [
    '2019-09',
    { $schema: 'https://json-schema.org/draft/2019-09/schema', dependentRequired: { a: ['b'] } },
    '{"a": 1}',
  ],
  [
    '2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
    '[1]',
  ],
])('checks against a schema of %s', async (_draft, schema, text) => {
  await showEditor({ schema, defaultValue: text })
  await untilStatus('1 error')
  expect(problems()).toHaveLength(1)
})

it('does not fetch external references of a schema, and checks the rest', async () => {
  const schema = { properties: { a: { $ref: 'https://schemas.example/a.json' }, b: { type: 'string' } } }
  await showEditor({ schema, defaultValue: '{"a": 1, "b": 2}' })
  await untilStatus('1 error, 1 warning')
  expect(problems()).toEqual([
    'Line 1, column 1: The schema is checked without what it refers to elsewhere: https://schemas.example/a.json',
    'Line 1, column 15: Must be a text, not 2',
  ])
})

it('indents by its tab size', async () => {
  const ref = await showEditor({ tabSize: 4, defaultValue: '[1]' })
  expect(await ref.current!.format()).toBe(true)
  expect(ref.current!.getValue()).toBe('[\n    1\n]')
  await toTheEnd()
  await userEvent.keyboard('{Enter}{Tab}x')
  expect(ref.current!.getValue()).toBe('[\n    1\n]\n    x')
})

it.each(SURFACES)('is as high as `height`, its text or its parent: %s', async (_where, full) => {
  const show = (props: object) => (
    <div style={{ height: 400, display: 'flex', flexDirection: 'column' }}>
      <JsonEditor full={full} toolbar={false} defaultValue={'[\n1,\n2,\n3,\n4,\n5,\n6,\n7\n]'} {...props} />
    </div>
  )
  const screen = await render(show({ height: 150 }))
  await (full ? untilFull() : untilStatus('Valid JSON'))
  expect(heightOf(frame())).toBe(150)
  await screen.rerender(show({ height: '10em' }))
  expect(heightOf(frame())).toBe(140)
  await screen.rerender(show({ height: 'auto' }))
  await expect.poll(() => heightOf(frame())).toBe(9 * 19)
  await screen.rerender(show({ height: 'auto', maxHeight: 100 }))
  await expect.poll(() => heightOf(frame())).toBe(100)
  await screen.rerender(show({ height: '100%' }))
  await expect.poll(() => heightOf(root())).toBe(400)
  expect(heightOf(frame())).toBeGreaterThan(300)
})

it('can be resized at its corner, unless its height follows its text or its parent', async () => {
  const show = (height: number | string) => (
    <>
      <JsonEditor label="Map" toolbar={false} height={height} defaultValue="[]" />
      <div id="below" style={{ height: 200 }} />
    </>
  )
  const screen = await render(show(150))
  await untilFull()
  const { width } = frame().getBoundingClientRect()
  await userEvent.dragAndDrop(frame(), document.querySelector('#below')!, {
    sourcePosition: { x: width - 4, y: 146 },
    targetPosition: { x: width - 4, y: 60 },
    steps: 5,
  })
  await expect.poll(() => heightOf(frame())).toBeGreaterThan(190)
  for (const height of ['auto', '100%']) {
    await screen.rerender(show(height))
    expect(getComputedStyle(frame()).resize).toBe('none')
  }
})

it.each(SURFACES)(
  'shows its placeholder while empty, and calls onFocus and onBlur: %s',
  async (_where, full) => {
    const onFocus = vi.fn<() => void>()
    const onBlur = vi.fn<() => void>()
    await render(
      <>
        <JsonEditor
          full={full}
          aria-label="Rules"
          className="mine"
          placeholder="Paste here"
          onFocus={onFocus}
          onBlur={onBlur}
        />
        <button type="button">After</button>
      </>,
    )
    await (full ? untilFull() : untilTools())
    expect(root().classList.contains('mine')).toBe(true)
    const field = full ? box() : area()
    expect(field.getAttribute('aria-label')).toBe('Rules')
    if (full)
      await expect.poll(() => document.querySelector('.editorPlaceholder')?.textContent).toBe('Paste here')
    else expect(area().placeholder).toBe('Paste here')
    field.focus()
    await expect.poll(() => onFocus.mock.calls).toEqual([[]])
    ;[...document.querySelectorAll('button')].at(-1)!.focus()
    await expect.poll(() => onBlur.mock.calls).toEqual([[]])
  },
)

it('shows another language, down to the sentence of a fault', async () => {
  const messages = {
    valid: 'Gültiges JSON',
    format: 'Formatieren',
    countErrors: (count: number) => `${count} Fehler`,
    faults: { 'missing-comma': ({ detail }: { detail: string }) => `Komma fehlt vor ${detail}` },
  }
  await render(<JsonEditor label="Zuordnung" full={false} messages={messages} defaultValue="[1 2]" />)
  await untilStatus('1 Fehler')
  expect(problems()).toEqual(['Line 1, column 4: Komma fehlt vor 2'])
  expect(document.querySelector('.lkje-tools button')!.textContent).toBe('Formatieren ▾')
  await userEvent.fill(area(), '[1, 2]')
  await untilStatus('Gültiges JSON')
})

it('works in English if every text of the app throws or is no string', async () => {
  const fails = () => {
    throw new Error('no')
  }
  const names = Object.keys(GERMAN_EDITOR) as (keyof EditorMessages)[]
  const given = (text: unknown) =>
    ({
      ...Object.fromEntries(names.map((name) => [name, text])),
      faults: Object.fromEntries(Object.keys(GERMAN_EDITOR.faults).map((code) => [code, fails])),
    }) as EditorMessages
  const editor = (messages: EditorMessages) => (
    <JsonEditor label="Map" full={false} messages={messages} defaultValue="[1 2]" />
  )
  const screen = await render(editor(given(fails)))
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 1, column 4: Missing comma before 2'])
  expect(document.querySelector('.lkje-tools button')!.textContent).toBe('Format ▾')
  for (const text of [7, undefined, {}]) {
    await screen.rerender(editor(given(text)))
    expect(problems()).toEqual(['Line 1, column 4: Missing comma before 2'])
  }
  await pressTool('Format')
  await untilStatus('Correct the errors first; the text was not changed.')
})

it('saves under the file name it is given', async () => {
  const names: string[] = []
  const take = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[download]')
    if (link) names.push(link.download)
    if (link) event.preventDefault()
  }
  document.addEventListener('click', take, { capture: true })
  await showEditor({ full: false, fileName: 'rules.txt', defaultValue: '[]' })
  await pressTool('Download')
  await expect.poll(() => names).toEqual(['rules.txt'])
  document.removeEventListener('click', take, { capture: true })
})

it('is dark, light or high contrast by `theme`', async () => {
  const screen = await render(<JsonEditor label="Map" theme="dark" defaultValue="[]" />)
  await untilFull()
  const look = () => [
    root().dataset['theme'],
    document.querySelector('.lkje-full .monaco-editor')!.classList[2],
  ]
  for (const [theme, monaco] of [
    ['dark', 'vs-dark'],
    ['light', 'vs'],
    ['high-contrast', 'hc-black'],
  ] as const) {
    await screen.rerender(<JsonEditor label="Map" theme={theme} defaultValue="[]" />)
    await expect
      .poll(() => document.querySelector('.lkje-full .monaco-editor')!.classList.contains(monaco))
      .toBe(true)
    expect(look()[0]).toBe(theme)
  }
})

it('opens a URL by Ctrl+click', async () => {
  const opened: unknown[] = []
  vi.spyOn(window, 'open').mockImplementation((address) => (opened.push(String(address)), null))
  await showEditor({ defaultValue: '{"see": "https://example.test/a"}' })
  const full = document.querySelector<HTMLElement>('.lkje-full')!
  // Vitest finds an element again by its text, and this one's is just being drawn: once it has changed, it is found no more.
  full.dataset['testid'] = 'full'
  // The mouse is over the text before the key goes down, as in real use.
  await userEvent.hover(full, { position: { x: 150, y: 10 }, force: true })
  const drawings = countDrawings()
  // What is drawn instead says why there is none: no text yet, no address found in it, or nothing drawn any more.
  const drawn = () => {
    const lines = document.querySelector('.lkje-full .view-lines')?.innerHTML ?? root().outerHTML
    const found = monaco.editor.getModels().map((model) => model.getAllDecorations().length)
    return `${lines} after ${drawings()} drawings, decorations in the models: ${found.join(' ')}`
  }
  await expect.poll(drawn).toMatch(/class="[^"]*detected-link[^"]*"[^>]*>https:\/\/example\.test\/a</)
  await userEvent.click(document.querySelector('.detected-link')!, { modifiers: ['Control'] })
  await expect.poll(() => opened).toEqual(['https://example.test/a'])
})

it('lets Tab leave for good after Ctrl+M', async () => {
  const ref = await showEditor({ defaultValue: '[]' })
  await toTheEnd()
  await userEvent.keyboard('{Control>}m{/Control}x')
  await userEvent.tab()
  expect(document.activeElement).not.toBe(box())
  expect(ref.current!.getValue()).toBe('[]x')
  box().focus()
  await userEvent.keyboard('{Control>}m{/Control}{Tab}')
  expect(ref.current!.getValue()).toBe('[]x ')
})

it('shows no links and enclosing lines in a text of more than 500,000 characters', async () => {
  const letGo = holdFull()
  const text = `{\n  "see": "https://example.test/a",\n  "all": [\n${'    "aaaaaaaaaaaaaaaaaaaaa",\n'.repeat(20_000)}    1\n  ]\n}`
  const ref = createRef<JsonEditorHandle>()
  await render(<JsonEditor ref={ref} label="Map" defaultValue={text} />)
  // Until all of it is loaded, its beginning can be read.
  expect(area().value).toBe(text.slice(0, 50_000))
  expect(root().textContent).toContain('This is the beginning of a large text.')
  letGo()
  await untilFull()
  await untilStatus('Valid JSON')
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}')
  expect(document.querySelector('.detected-link')).toBeNull()
  await userEvent.keyboard('{PageDown>4/}')
  await expect
    .poll(() => ref.current!.getMonaco()!.editor.getVisibleRanges()[0]!.startLineNumber)
    .toBeGreaterThan(3)
  expect(document.querySelector('.sticky-widget')?.textContent ?? '').toBe('')
})

it('opens no file of more than 200 MB, and says so', async () => {
  const ref = await showEditor({ full: false, defaultValue: '[]' })
  const file = new File(['[1]'], 'all.json')
  Object.defineProperty(file, 'size', { value: 200_000_001, configurable: true })
  expect(await ref.current!.open(file)).toBe(false)
  expect(status()).toContain('all.json is too large to open here.')
  expect(ref.current!.getValue()).toBe('[]')
  Object.defineProperty(file, 'size', { value: 200_000_000 })
  expect(await ref.current!.open(file)).toBe(true)
})

it('blocks a form until its schema has been checked', async () => {
  const ref = createRef<JsonEditorHandle>()
  await render(
    <form onSubmit={(event) => event.preventDefault()}>
      <JsonEditor ref={ref} label="Map" name="map" schema={{ type: 'array' }} defaultValue="[1]" />
      <button type="submit">Save</button>
    </form>,
  )
  await untilFull()
  await untilStatus('Valid JSON')
  ref.current!.setValue('{}')
  expect(document.querySelector('form')!.checkValidity()).toBe(false)
  expect(area().validationMessage).toBe('Checking…')
  await untilStatus('1 error')
  ref.current!.setValue('[2]')
  await untilStatus('Valid JSON')
  expect(document.querySelector('form')!.checkValidity()).toBe(true)
})

it('gives all lines the most common ending after an action', async () => {
  const ref = await showEditor({ full: false, defaultValue: '[\r\n1,\r\n2,\n3\r]' })
  expect(await ref.current!.format()).toBe(true)
  expect(ref.current!.getValue()).toBe('[\r\n  1,\r\n  2,\r\n  3\r\n]')
})

it('lists two faults at one place', async () => {
  const warn = vi.spyOn(console, 'error')
  await showEditor({ schema: { required: ['a', 'b'] }, defaultValue: '{}' })
  await expect.poll(problems).toHaveLength(2)
  // React warns of children with the same key.
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

it('checks the schema once the syntax is valid, not before', async () => {
  const ref = await showEditor({ schema: { minItems: 3 }, defaultValue: '[1 2]' })
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 1, column 4: Missing comma before 2'])
  ref.current!.setValue('[1, 2]')
  await expect.poll(problems).toEqual(['Line 1, column 1: At least 3 elements'])
})
