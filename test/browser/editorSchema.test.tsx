// A text that violates its schema is never shown as valid: with and without Monaco, before and after it loads, in a form.
import { createRef, type RefObject } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { GERMAN_EDITOR } from '../../examples/texts/german.ts'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { toTheEnd } from './editorHands.ts'
import { area, box, problems, root, status, watchResults } from './editorParts.ts'
import {
  holdFull,
  pause,
  showEditor,
  showInForm,
  untilFull,
  untilStatus,
  untilTools,
} from './editorScene.tsx'

const SCHEMA = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

it.each([true, false])('never calls a text right that breaks its schema: full %s', async (full) => {
  const release = holdFull()
  const onValidate = vi.fn<(faults: readonly { code: string }[]) => void>()
  const results = watchResults()
  await render(
    <JsonEditor
      label="Map"
      full={full}
      schema={SCHEMA}
      defaultValue={'{"name": 1}'}
      onValidate={onValidate}
    />,
  )
  await untilTools()
  await untilStatus('1 error')
  expect(root().dataset['surface']).toBe('plain')
  expect(area().validationMessage).toBe('1:10 Must be a text, not 1')
  release()
  if (full) await untilFull()
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 1, column 10: Must be a text, not 1'])
  expect(results()).not.toContain('valid')
  for (const [faults] of onValidate.mock.calls) expect(faults.map(({ code }) => code)).toEqual(['schema'])
})

it.each([true, false])('is not right for a moment while a key makes it wrong: full %s', async (full) => {
  const ref = await showEditor({ full, schema: { maxItems: 2 }, defaultValue: '[1,2]' })
  await untilStatus('Valid JSON')
  const results = watchResults()
  ref.current!.setValue('[1,2,3]')
  await untilStatus('1 error')
  expect(results()).not.toContain('valid')
  expect(await ref.current!.validate()).toMatchObject([{ code: 'schema', keyword: 'maxItems', path: '' }])
})

it('shows a schema fault in German, in the field and in the list', async () => {
  await render(
    <JsonEditor
      label="Zuordnung"
      full={false}
      schema={SCHEMA}
      messages={GERMAN_EDITOR}
      defaultValue={'{"name": ["ada"]}'}
    />,
  )
  await untilTools()
  await untilStatus('1 Fehler')
  expect(area().validationMessage).toBe('1:2 Muss ein Text sein, nicht eine Liste')
  expect(problems()).toEqual(['Zeile 1, Spalte 2: Muss ein Text sein, nicht eine Liste'])
})

it('makes a submitted form wait for the result: it is sent if the text is valid, else the fault is shown', async () => {
  const { ref, onSubmit } = await showInForm({
    full: false,
    schema: SCHEMA,
    defaultValue: '{"name": "a"}',
  })
  await untilStatus('Valid JSON')
  const save = document.querySelector<HTMLButtonElement>('form > button')!
  ref.current!.setValue('{"name": "b"}')
  save.click()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(area().validationMessage).toBe('Checking…')
  await expect.poll(() => onSubmit.mock.calls.length).toBe(1)
  ref.current!.setValue('{"name": 2}')
  save.click()
  await untilStatus('1 error')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(area())
  // checkValidity alone returns false while pending, and nothing is submitted later.
  ref.current!.setValue('{"name": "c"}')
  expect(document.querySelector('form')!.checkValidity()).toBe(false)
  await untilStatus('Valid JSON')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  // Typing cancels the waiting submit.
  ref.current!.setValue('{"name": "d"}')
  save.click()
  ref.current!.setValue('{"name": "e"}')
  await untilStatus('Valid JSON')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

it.each([true, false])(
  'never submits a text that violates its schema, with Monaco and before it loads: full %s',
  async (full) => {
    const release = holdFull()
    const results = watchResults()
    const { ref, onSubmit } = await showInForm({ full, schema: SCHEMA, defaultValue: '{"name": 1}' })
    await untilTools()
    const save = document.querySelector<HTMLButtonElement>('form > button')!
    save.click()
    await untilStatus('1 error')
    release()
    if (full) await untilFull()
    save.click()
    expect(document.querySelector('form')!.checkValidity()).toBe(false)
    expect(root().contains(document.activeElement)).toBe(true)
    ref.current!.setValue('{"name": [2]}')
    save.click()
    await expect.poll(problems).toEqual(['Line 1, column 2: Must be a text, not a list'])
    expect(onSubmit).not.toHaveBeenCalled()
    expect(results()).not.toContain('valid')
    ref.current!.setValue('{"name": "a"}')
    save.click()
    await expect.poll(() => onSubmit.mock.calls.length).toBe(1)
  },
)

function longText(full = false): RefObject<JsonEditorHandle | null> {
  const ref = createRef<JsonEditorHandle>()
  void render(
    <JsonEditor
      ref={ref}
      label="Map"
      full={full}
      schema={{ items: { type: 'number' } }}
      defaultValue="[1]"
    />,
  )
  return ref
}

it('shows a text with a circular schema in Monaco, and says that the schema cannot be used', async () => {
  const schema: Record<string, unknown> = { type: 'array' }
  schema['items'] = schema
  await showEditor({ defaultValue: '[[]]', schema })
  await expect.poll(problems).toEqual([expect.stringContaining('The schema cannot be used')])
})

it('offers hover and completion again after the schema took too long with the previous text', async () => {
  const schema = { properties: { a: { pattern: '^([\\w.+-]+)+@x$', description: 'The explanation' } } }
  const ref = await showEditor({ defaultValue: `{"a": "${'a'.repeat(50)}"}`, schema })
  const explain = async () => {
    box().focus()
    await userEvent.keyboard(
      '{Control>}{Home}{/Control}{ArrowRight>2/}{Control>}k{/Control}{Control>}i{/Control}',
    )
  }
  await expect.poll(problems).toEqual([expect.stringContaining('took too long')])
  // Monaco's own worker would also take forever.
  await explain()
  await pause(500)
  ref.current!.setValue('{"a": "b"}')
  await expect.poll(problems).toEqual([expect.stringContaining('"b" does not match')])
  await explain()
  await expect.poll(() => document.querySelector('.monaco-hover')?.textContent).toContain('The explanation')
})

it('checks a long text in its worker', async () => {
  const ref = longText()
  await untilStatus('Valid JSON')
  ref.current!.setValue(`[${'1,'.repeat(1_000_000)}"x"]`)
  await untilStatus('1 error')
  expect(problems()[0]).toContain('Must be a number, not "x"')
})

it(
  'checks a text of more than 5 MB in the full editor, every key of it, and never shows it as valid',
  { tags: ['thorough'], timeout: 180_000 },
  async () => {
    const ref = longText(true)
    await untilFull()
    await untilStatus('Valid JSON')
    const text = `[${'1,\n'.repeat(1_800_000)}"x"]`
    expect(text.length).toBeGreaterThan(5_000_000)
    ref.current!.setValue(text)
    // Monaco has changed the page before React has; what counts is what the next picture shows.
    await new Promise((resolve) => requestAnimationFrame(resolve))
    expect(document.querySelector<HTMLElement>('.lkje-verdict')?.dataset['verdict']).not.toBe('valid')
    const results = watchResults()
    await untilStatus('1 error')
    await toTheEnd()
    await userEvent.keyboard('{Backspace}')
    await expect.poll(problems, { timeout: 60_000 }).toEqual([expect.stringContaining('Unexpected end')])
    await userEvent.keyboard(']')
    await expect
      .poll(problems, { timeout: 60_000 })
      .toEqual([expect.stringContaining('Must be a number, not "x"')])
    expect(results()).not.toContain('valid')
    // The worker has checked the text of the full editor, with every key at its place.
    expect(ref.current!.getValue() === text).toBe(true)
  },
)

// In lines: the browser needs a minute of work to lay out 21 MB in one.
it('warns that a text is too long for its schema to be checked', { tags: ['thorough'] }, async () => {
  const ref = longText()
  await untilStatus('Valid JSON')
  ref.current!.setValue(`[${`${'1,'.repeat(500)}\n`.repeat(21_000)}1]`)
  await expect.poll(status, { timeout: 240_000 }).toContain('1 warning')
  expect(problems()).toEqual(['Line 1, column 1: Too large for the schema to be checked'])
  expect(document.querySelector<HTMLElement>('.lkje-verdict')!.dataset['verdict']).toBe('doubtful')
})

it('follows its rules when they change: schema, duplicate keys', async () => {
  const text = '{"a": 1, "a": 2}'
  const onValidate = vi.fn<(faults: readonly { code: string; severity: string }[]) => void>()
  const editor = (rules: object) => (
    <JsonEditor label="Map" full={false} defaultValue={text} onValidate={onValidate} {...rules} />
  )
  const screen = await render(editor({}))
  await untilStatus('Valid JSON, 1 warning')
  expect(onValidate.mock.lastCall![0].map(({ code }) => code)).toEqual(['duplicate-key'])
  await screen.rerender(editor({ duplicates: 'error' }))
  await untilStatus('1 error')
  await screen.rerender(editor({ duplicates: 'ignore' }))
  await expect.poll(status).toBe('Valid JSON')
  await screen.rerender(editor({ duplicates: 'ignore', schema: { type: 'array' } }))
  await untilStatus('1 error')
  expect(problems()).toEqual(['Line 1, column 1: Must be a list, not an object'])
  await userEvent.click(document.querySelector('.lkje-problems a')!)
  expect(area().selectionStart).toBe(0)
})
