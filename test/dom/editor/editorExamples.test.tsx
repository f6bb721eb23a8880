// The examples of docs/editor.md run in an app's own tests, where the DOM is jsdom: no layout, no media queries, no Monaco.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, it, vi } from 'vitest'
import * as editor from '../../../src/editor/index.ts'

/** A component of an example in the documentation. */
async function importExample(name: string): Promise<ComponentType<Record<string, unknown>>> {
  const page = readFileSync('docs/editor.md', 'utf8')
  const example = [...page.matchAll(/```tsx\n([\s\S]*?)```/g)].find(([, code]) => code!.includes(name))![1]!
  const file = resolve('.cache/editorExamples', `${name}.tsx`)
  mkdirSync(resolve(file, '..'), { recursive: true })
  writeFileSync(file, example.replace('latchkey/editor', resolve('src/editor/index.ts')))
  const exported = (await import(/* @vite-ignore */ file)) as Record<
    string,
    ComponentType<Record<string, unknown>>
  >
  return exported[name]!
}

/** The field, once the tools have loaded and checked it. */
async function findField(result: string) {
  await waitFor(() => expect(document.querySelector('.lkje-status')?.textContent).toContain(result))
  return screen.getByLabelText<HTMLTextAreaElement>('Link map')
}

it('shows, checks and changes a text', async () => {
  const LinkMapBox = await importExample('LinkMapBox')
  render(<LinkMapBox />)
  const field = await findField('Valid JSON')
  expect(field.value).toBe('[]')
  fireEvent.input(field, { target: { value: '[1 2]' } })
  await findField('1 error')
  expect(screen.getByText(/Missing comma before 2/, { selector: 'li *' })).toBeDefined()
})

it('is a field of a form', async () => {
  const LinkMapForm = await importExample('LinkMapForm')
  const onSave = vi.fn<(text: string) => void>()
  render(<LinkMapForm onSave={onSave} />)
  const field = await findField('Valid JSON')
  fireEvent.input(field, { target: { value: '[1' } })
  fireEvent.click(screen.getByText('Save'))
  await screen.findByRole('alert')
  fireEvent.input(field, { target: { value: '[1]' } })
  fireEvent.click(screen.getByText('Save'))
  await waitFor(() => expect(onSave).toHaveBeenCalledWith('[1]'))
})

it('accepts a text from Testing Library like any field', async () => {
  const onChange = vi.fn<(text: string) => void>()
  render(<editor.JsonEditor label="Link map" defaultValue="[]" onChange={onChange} />)
  fireEvent.change(await findField('Valid JSON'), { target: { value: '[1' } })
  await findField('1 error')
  expect(onChange).toHaveBeenLastCalledWith('[1')
})

it('stays a textarea in a test with a polyfilled DOM', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {} }))
  const said = vi.spyOn(console, 'info').mockImplementation(() => {})
  render(<editor.JsonEditor label="Link map" defaultValue="[]" />)
  await findField('Valid JSON')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(document.querySelector('.lkje-note')).toBeNull()
  expect(document.querySelector('.lkje-status')!.textContent).toBe('Valid JSON')
  expect(said).not.toHaveBeenCalled()
})

it('works in a test whose media queries were reset to a mock that returns nothing', async () => {
  vi.stubGlobal('matchMedia', vi.fn<() => void>())
  render(<editor.JsonEditor label="Link map" defaultValue="[]" />)
  await findField('Valid JSON')
  expect(document.querySelector<HTMLElement>('.lkje')!.dataset['theme']).toBe('light')
})

it.each([null, { a: 1 }, 5])('warns of a value that is no text, and shows nothing: %j', async (value) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { rerender } = render(<editor.JsonEditor label="Link map" value={value as never} />)
  const field = await findField('Empty')
  expect(field.value).toBe('')
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('JsonEditor expects a string, got'))
  rerender(<editor.JsonEditor label="Link map" value="[1]" />)
  expect(field.value).toBe('[1]')
  rerender(<editor.JsonEditor label="Link map" value={value as never} />)
  expect(field.value).toBe('')
})

it('accepts style, data attributes and the focus like a native element', async () => {
  render(
    <editor.JsonEditor
      label="Link map"
      defaultValue="[]"
      style={{ margin: 3 }}
      data-testid="map"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is tested
      autoFocus
      schema={null}
    />,
  )
  const field = await findField('Valid JSON')
  expect(screen.getByTestId('map').style.margin).toBe('3px')
  expect(screen.getByTestId('map').contains(field)).toBe(true)
  expect(document.activeElement).toBe(field)
})
