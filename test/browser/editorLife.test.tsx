// Mounting and unmounting: StrictMode, Activity, a hundred mounts, several at once, and huge texts.

// @module-tag thorough

import { Activity, createRef, StrictMode, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import * as monaco from 'monaco-editor/editor'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { paste, toTheEnd } from './editorHands.ts'
import { area, box, root, status } from './editorParts.ts'
import { holdFull, pause, showEditor, untilFull, untilStatus } from './editorScene.tsx'
import type { FirstEditorPage } from './firstEditorPage.tsx'
import { openFreshPage } from './freshPage.ts'

it('is rendered once before it is shown', async () => {
  const { page } = await openFreshPage<FirstEditorPage>('/test/browser/firstEditorPage.tsx')
  expect(page.phasesWhenShown).toEqual(['mount'])
})

it('paints its tools at once if the page has had an editor before', async () => {
  const first = await render(<JsonEditor label="Map" defaultValue="[1]" />)
  await untilFull()
  await first.unmount()
  // The browser is never idle.
  const letGo = holdFull()
  await render(<JsonEditor label="Map" defaultValue="[2]" />)
  expect(document.querySelector('.lkje-tools')).not.toBeNull()
  letGo()
  await untilFull()
})

it('keeps the text and the undo steps while React hides it', async () => {
  const ref = createRef<JsonEditorHandle>()
  const tree = (mode: 'visible' | 'hidden') => (
    <StrictMode>
      <Activity mode={mode}>
        <JsonEditor ref={ref} label="Map" defaultValue="[1]" />
      </Activity>
    </StrictMode>
  )
  const screen = await render(tree('visible'))
  await untilFull()
  await toTheEnd()
  await userEvent.keyboard(' ')
  await expect.poll(() => ref.current!.getValue()).toBe('[1] ')
  for (let round = 0; round < 3; round++) {
    await screen.rerender(tree('hidden'))
    await screen.rerender(tree('visible'))
    await expect
      .poll(() => document.querySelectorAll('.lkje .monaco-editor.no-user-select').length, {
        timeout: 20_000,
      })
      .toBe(1)
    expect(ref.current!.getValue()).toBe('[1] ')
  }
  await toTheEnd()
  await userEvent.keyboard('2')
  await expect.poll(() => ref.current!.getValue()).toBe('[1] 2')
  ref.current!.undo()
  ref.current!.undo()
  expect(ref.current!.getValue()).toBe('[1]')
  await screen.unmount()
  await expect.poll(() => monaco.editor.getModels().length).toBe(0)
})

it('keeps the text when React hides it in the middle of a comparison', async () => {
  const ref = createRef<JsonEditorHandle>()
  const tree = (mode: 'visible' | 'hidden') => (
    <Activity mode={mode}>
      <JsonEditor ref={ref} label="Map" defaultValue="[1]" original="[2]" />
    </Activity>
  )
  const screen = await render(tree('visible'))
  await untilFull()
  ref.current!.compare(true)
  const changes = () => document.querySelectorAll('.lkje-compare :is(.line-insert, .char-insert)').length
  await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(0)
  await screen.rerender(tree('hidden'))
  await screen.rerender(tree('visible'))
  await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(0)
  await expect.poll(() => document.activeElement?.closest('.lkje-compare') !== null).toBe(true)
  await userEvent.keyboard('{Control>}{End}{/Control} ')
  await expect.poll(() => ref.current!.getValue()).toBe('[1] ')
  await screen.unmount()
  await expect.poll(() => monaco.editor.getModels().length).toBe(0)
})

it('leaks nothing in a hundred mounts: no model, no editor, no worker', { tags: ['thorough'] }, async () => {
  const workers = new Set<Worker>()
  const RealWorker = globalThis.Worker
  vi.stubGlobal(
    'Worker',
    class extends RealWorker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options)
        workers.add(this)
      }
      override terminate() {
        workers.delete(this)
        super.terminate()
      }
    },
  )
  const long = `[${'"text", '.repeat(20_000)}1]`
  let mounts = 0
  for (; mounts < 100; mounts++) {
    const screen = await render(
      <JsonEditor
        label="Map"
        defaultValue={mounts % 10 === 0 ? long : '[1]'}
        schema={mounts % 10 === 1 ? {} : undefined}
      />,
    )
    await untilFull()
    if (mounts % 10 < 2) await untilStatus('Valid JSON')
    await screen.unmount()
  }
  expect(mounts).toBe(100)
  await expect.poll(() => monaco.editor.getModels().length).toBe(0)
  expect(monaco.editor.getEditors()).toHaveLength(0)
  expect(document.querySelectorAll('.lkje, .monaco-editor')).toHaveLength(0)
  expect(workers.size).toBe(0)
})

it('reuses the URI of an unmounted editor, and nothing else of it: Monaco never frees a URI', async () => {
  const addresses = new Set<string>()
  const ref = createRef<JsonEditorHandle>()
  for (let mount = 0; mount < 3; mount++) {
    const screen = await render(<JsonEditor ref={ref} label="Map" defaultValue="[1]" original="[2]" />)
    await untilFull()
    const [model] = monaco.editor.getModels()
    addresses.add(model!.uri.toString())
    expect(monaco.editor.getModelMarkers({})).toEqual([])
    ref.current!.undo()
    expect(ref.current!.getValue()).toBe('[1]')
    await toTheEnd()
    await userEvent.keyboard('2')
    await untilStatus('1 error')
    await expect.poll(() => monaco.editor.getModelMarkers({}).length).toBe(1)
    ref.current!.compare(true)
    await expect.poll(() => monaco.editor.getModels().length).toBe(2)
    await screen.unmount()
    await expect.poll(() => monaco.editor.getModels().length).toBe(0)
  }
  expect(addresses.size).toBe(1)
})

it('returns to the textarea with its text when `full` becomes false, and to Monaco when it becomes true', async () => {
  const ref = createRef<JsonEditorHandle>()
  const editor = (full: boolean) => <JsonEditor ref={ref} label="Map" full={full} defaultValue="[1]" />
  const screen = await render(editor(true))
  await untilFull()
  await screen.rerender(editor(false))
  await expect.poll(() => root().dataset['surface']).toBe('plain')
  expect(area().value).toBe('[1]')
  area().focus()
  await userEvent.keyboard('{Control>}{End}{/Control}{Enter}')
  await screen.rerender(editor(true))
  await untilFull()
  expect(ref.current!.getValue()).toBe('[1]\n')
})

it('returns to the textarea with its text when Monaco breaks', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const ref = createRef<JsonEditorHandle>()
  const screen = await render(<JsonEditor ref={ref} label="Map" defaultValue="[1]" />)
  await untilFull()
  const breaking = {
    get fontSize(): number {
      throw new Error('broken')
    },
  }
  await screen.rerender(<JsonEditor ref={ref} label="Map" defaultValue="[1]" options={breaking} />)
  await expect.poll(() => root().dataset['surface']).toBe('plain')
  expect(area().value).toBe('[1]')
  expect(ref.current!.getValue()).toBe('[1]')
})

it('keeps text, schema and faults of several editors apart', async () => {
  const refs = [createRef<JsonEditorHandle>(), createRef<JsonEditorHandle>()]
  await render(
    <>
      <JsonEditor ref={refs[0]} label="One" defaultValue="1" schema={{ type: 'string' }} />
      <JsonEditor ref={refs[1]} label="Two" defaultValue="2" schema={{ type: 'number' }} />
    </>,
  )
  const states = () =>
    [...document.querySelectorAll('.lkje')].map((editor) => (editor as HTMLElement).dataset['surface'])
  await expect.poll(states, { timeout: 40_000 }).toEqual(['full', 'full'])
  const said = () =>
    [...document.querySelectorAll('.lkje-status [role=status]')].map((line) => line.textContent)
  await expect.poll(said, { timeout: 20_000 }).toEqual([expect.stringContaining('1 error'), 'Valid JSON'])
  refs[0]!.current!.setValue('"x"')
  expect(refs[1]!.current!.getValue()).toBe('2')
  await expect.poll(said, { timeout: 20_000 }).toEqual(['Valid JSON', 'Valid JSON'])
})

it(
  'takes 10 MB: shows the beginning at once, then all of it, checks, changes and returns it',
  { tags: ['thorough'] },
  async () => {
    const row = '{"id": 12345, "name": "user", "tags": ["a", "b"], "ok": true},\n'
    const text = `[\n${row.repeat(160_000)}1]`
    const ref = createRef<JsonEditorHandle>()
    const onChange = vi.fn<(text: string) => void>()
    const letGo = holdFull()
    await render(<JsonEditor ref={ref} label="Map" defaultValue={text} onChange={onChange} />)
    expect(area().value.length).toBe(50_000)
    expect(ref.current!.getValue()).toBe(text)
    letGo()
    await untilFull()
    expect(ref.current!.getValue() === text).toBe(true)
    await untilStatus('Valid JSON')
    expect(status()).toContain('Large text')
    await toTheEnd()
    await userEvent.keyboard(' x')
    await untilStatus('1 error')
    expect(onChange.mock.lastCall![0] === `${text} x`).toBe(true)
    // One call for the two keys, or two: never one for each of many in a row.
    expect(onChange.mock.calls.length).toBeLessThan(3)
  },
)

it.each([
  ['one line of 10 MB', `"${'x'.repeat(10_000_000)}"`, 'Valid JSON'],
  ['a million levels', '['.repeat(1_000_000) + ']'.repeat(1_000_000), 'Valid JSON'],
  ['two hundred thousand levels', '['.repeat(200_000) + ']'.repeat(200_000), 'Valid JSON'],
  ['a million open brackets', '['.repeat(1_000_000), '1 error'],
])('has a result for %s and stays usable', { tags: ['thorough'] }, async (_what, text, result) => {
  const ref = await showEditor({ defaultValue: '' })
  ref.current!.setValue(text)
  await expect.poll(status, { timeout: 240_000 }).toContain(result)
  // Colouring pairs of brackets would take minutes.
  expect(document.querySelector('[class*=bracket-highlighting]')).toBeNull()
  expect(ref.current!.getValue() === text).toBe(true)
  ref.current!.setValue('[]')
  await untilStatus('Valid JSON')
})

it('takes a paste of 50 MB: complete, checked and changed', { tags: ['thorough'] }, async () => {
  const row = '{"id": 12345, "name": "user", "tags": ["a", "b"], "ok": true},\n'
  const text = `[\n${row.repeat(800_000)}1`
  const ref = await showEditor({ defaultValue: '[]' })
  box().focus()
  await userEvent.keyboard('{Control>}a{/Control}')
  paste(box(), text)
  expect(ref.current!.getValue() === text).toBe(true)
  await untilStatus('1 error')
  expect(status()).toContain('Large text: colours, folding and wrapping are off.')
  await userEvent.keyboard(']')
  await untilStatus('Valid JSON')
})

it('follows the page from light to dark and back', async () => {
  const html = document.documentElement
  await render(<JsonEditor label="Map" defaultValue="[]" />)
  await expect.poll(() => root().dataset['theme']).toBe('light')
  html.style.cssText = 'background:#111;color:#eee'
  await expect.poll(() => root().dataset['theme']).toBe('dark')
  html.style.cssText = ''
  await expect.poll(() => root().dataset['theme']).toBe('light')
})

it('accepts typing at the right place after the parent has remounted it with a key', async () => {
  const ref = createRef<JsonEditorHandle>()
  function Keyed() {
    const [count, setCount] = useState(0)
    return (
      <>
        <JsonEditor key={count} ref={ref} label="Map" defaultValue={String(count)} />
        <button type="button" data-testid="next" onClick={() => setCount(count + 1)}>
          Next
        </button>
      </>
    )
  }
  await render(<Keyed />)
  await untilFull()
  document.querySelector<HTMLElement>('[data-testid=next]')!.click()
  await pause(50)
  await untilFull()
  await toTheEnd()
  expect(document.activeElement).toBe(box())
  await userEvent.keyboard('23')
  await expect.poll(() => ref.current!.getValue()).toBe('123')
})
