// The editor as a form field: data, reset, required, broken text, fieldset, read-only, and a form library.
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { openGroup, toTheEnd } from './editorHands.ts'
import { area, box, button, root } from './editorParts.ts'
import { showEditor, showInForm, SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

const form = () => document.querySelector('form')!

it('submits its text byte for byte, restores it on reset, and blocks the submit of broken text', async () => {
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault())
  const ref = createRef<JsonEditorHandle>()
  await render(
    <form onSubmit={onSubmit}>
      <JsonEditor ref={ref} label="Map" name="map" defaultValue={'{\r\n"a": 1}'} />
      <button type="submit">Save</button>
    </form>,
  )
  await untilTools()
  expect(new FormData(form()).get('map')).toBe('{\r\n"a": 1}')
  await untilFull()
  expect(new FormData(form()).get('map')).toBe('{\r\n"a": 1}')
  await toTheEnd()
  await userEvent.keyboard('x')
  expect(new FormData(form()).get('map')).toBe('{\r\n"a": 1}x')
  await untilStatus('1 error')
  form().requestSubmit()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(area().validationMessage).toBe('2:8 Text after the end of the JSON')
  form().reset()
  await expect.poll(() => ref.current!.getValue()).toBe('{\r\n"a": 1}')
  await untilStatus('Valid JSON')
  form().requestSubmit()
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

it('is only required with `required`, and an empty field is no fault', async () => {
  await render(
    <form>
      <JsonEditor label="Map" name="map" required />
    </form>,
  )
  await untilFull()
  await untilStatus('Empty')
  expect(form().checkValidity()).toBe(false)
  await expect.poll(() => box().getAttribute('aria-required')).toBe('true')
  box().focus()
  await userEvent.keyboard('1')
  await untilStatus('Valid JSON')
  expect(form().checkValidity()).toBe(true)
})

it('takes no focus while it is disabled, and can still be scrolled', async () => {
  const onFocus = vi.fn<() => void>()
  const defaultValue = JSON.stringify(Array.from({ length: 99 }), null, 2)
  const ref = await showEditor({ disabled: true, defaultValue, onFocus })
  const { editor } = ref.current!.getMonaco()!
  await userEvent.click(document.querySelector('.lkje-full .view-lines')!, { position: { x: 20, y: 20 } })
  expect(document.activeElement).toBe(document.body)
  ref.current!.focus()
  expect(document.activeElement).toBe(document.body)
  expect(onFocus).not.toHaveBeenCalled()
  await userEvent.wheel(document.querySelector('.lkje-full .view-lines')!, { delta: { y: 200 } })
  await expect.poll(() => editor.getScrollTop()).toBeGreaterThan(0)
})

it('is disabled and enabled with its fieldset', async () => {
  const screen = await render(
    <form>
      <fieldset disabled>
        <JsonEditor label="Map" name="map" defaultValue="[]" />
      </fieldset>
    </form>,
  )
  await untilFull()
  expect(new FormData(form()).has('map')).toBe(false)
  await expect.poll(() => root().dataset['disabled']).toBe('true')
  expect(button('Format ▾').matches(':disabled')).toBe(true)
  await screen.rerender(
    <form>
      <fieldset>
        <JsonEditor label="Map" name="map" defaultValue="[]" />
      </fieldset>
    </form>,
  )
  await expect.poll(() => root().dataset['disabled']).toBe('false')
  expect(button('Format ▾').matches(':disabled')).toBe(false)
  expect(new FormData(form()).get('map')).toBe('[]')
})

it('shows read-only text that can be found, copied and compared but not changed', async () => {
  const ref = await showEditor({ readOnly: true, full: true, defaultValue: '{ }' })
  box().focus()
  await userEvent.keyboard('x{Backspace}')
  await userEvent.keyboard('{Shift>}{Alt>}f{/Alt}{/Shift}')
  expect(await ref.current!.format()).toBe(false)
  expect(ref.current!.getValue()).toBe('{ }')
  // No message of Monaco covers the tools.
  expect(document.querySelector('.monaco-editor-overlaymessage')).toBeNull()
  await openGroup('More')
  expect(button('Copy').getAttribute('aria-disabled')).toBe('false')
  expect(button('Open…').getAttribute('aria-disabled')).toBe('true')
})

it('names and describes itself: label, required, status and help', async () => {
  await render(<JsonEditor label="Link map" id="map" aria-describedby="hint" defaultValue="[" />)
  expect(area().labels?.[0]?.textContent).toContain('Link map')
  expect(area().getAttribute('aria-describedby')).toBe('hint map-status')
  await untilFull()
  expect(box().getAttribute('aria-label')).toBe('Link map')
  expect(box().getAttribute('aria-describedby')).toBe('hint map-status map-help')
  expect(document.querySelector('#map-help')!.textContent).toBe(
    'Press Escape, then Tab, to leave the editor.',
  )
  // A click on the label leads into the full editor.
  document.querySelector('label')!.click()
  await expect.poll(() => document.activeElement === box()).toBe(true)
  await userEvent.keyboard('{Control>}{End}{/Control}]')
  await untilStatus('Valid JSON')
})

it.each(SURFACES)('is validated when the form is submitted, not 166 ms later: %s', async (_where, full) => {
  const { ref, onSubmit } = await showInForm({ full, defaultValue: '[1]' })
  await (full ? untilFull() : untilTools())
  await untilStatus('Valid JSON')
  ref.current!.setValue('[1')
  form().requestSubmit()
  expect(onSubmit).toHaveBeenCalledTimes(0)
  expect(area().validationMessage).toBe('1:3 Unexpected end: 1 bracket is open')
  ref.current!.setValue('[2]')
  form().requestSubmit()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  // A text that is too long to be validated with every key is validated by the click.
  const long = `[${'1,'.repeat(40_000)}1`
  ref.current!.setValue(long)
  document.querySelector<HTMLButtonElement>('[type=submit]')!.click()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  ref.current!.setValue(`${long}]`)
  document.querySelector<HTMLButtonElement>('[type=submit]')!.click()
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

it('is not submitted broken by a script or by a button outside the form, however long it is', async () => {
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault())
  const ref = createRef<JsonEditorHandle>()
  const long = `[${'1,'.repeat(40_000)}1`
  const screen = await render(
    <>
      <form id="maps" onSubmit={onSubmit}>
        <JsonEditor ref={ref} label="Map" name="map" full={false} defaultValue={`${long}]`} />
      </form>
      <button type="submit" form="maps">
        Save
      </button>
    </>,
  )
  await untilStatus('Valid JSON')
  const save = screen.getByText('Save').element() as HTMLButtonElement
  for (const send of [() => form().requestSubmit(), () => save.click()]) {
    ref.current!.setValue(long)
    send()
    expect(onSubmit).not.toHaveBeenCalled()
    ref.current!.setValue(`${long}]`)
  }
  save.click()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  ref.current!.setValue(long)
  form().noValidate = true
  save.click()
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

it.each(SURFACES)(
  'waits for the check of a large text without blocking the page: %s',
  async (_where, full) => {
    const { ref, onSubmit } = await showInForm(
      { full, defaultValue: '[1]' },
      <>
        <button type="submit">Save</button>
        <button type="submit" formNoValidate>
          Save a draft
        </button>
      </>,
    )
    await (full ? untilFull() : untilTools())
    await untilStatus('Valid JSON')
    const [save, draft] = [...document.querySelectorAll<HTMLButtonElement>('[type=submit]')]
    const long = `[${'1,'.repeat(1_000_000)}1`
    ref.current!.setValue(long)
    save!.click()
    // Not read here: the validity is still unknown.
    expect(area().validationMessage).toBe('Checking…')
    await expect.poll(() => area().validationMessage, { timeout: 20_000 }).toContain('1 bracket is open')
    expect(onSubmit).not.toHaveBeenCalled()
    ref.current!.setValue(`${long}]`)
    save!.click()
    expect(onSubmit).not.toHaveBeenCalled()
    await expect.poll(() => onSubmit.mock.calls.length, { timeout: 20_000 }).toBe(1)
    ref.current!.setValue(long)
    draft!.click()
    expect(onSubmit).toHaveBeenCalledTimes(2)
  },
)

it('does not move the submit button away under the click', async () => {
  const onSubmit = vi.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault())
  await render(
    <form onSubmit={onSubmit}>
      <JsonEditor label="Map" name="map" full={false} defaultValue="[1 2 3 4]" />
      <button type="submit">Save</button>
    </form>,
  )
  await untilStatus('3 errors')
  const save = document.querySelector<HTMLButtonElement>('[type=submit]')!
  const before = save.getBoundingClientRect().y
  await userEvent.click(area())
  // In one go, before the text is checked again: typed, and the mouse goes down. The focus leaves the text, and with it the list of problems.
  area().setRangeText('[1, 2, 3, 4]', 0, area().value.length)
  area().dispatchEvent(new InputEvent('input', { bubbles: true }))
  save.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  area().blur()
  await untilStatus('Valid JSON')
  expect(save.getBoundingClientRect().y).toBe(before)
  save.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  save.click()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  await expect.poll(() => save.getBoundingClientRect().y).toBeLessThan(before)
})

it('tells a screen reader that it is read-only', async () => {
  const screen = await render(<JsonEditor label="Map" readOnly full defaultValue="[]" />)
  await untilFull()
  await expect.poll(() => box().getAttribute('aria-readonly')).toBe('true')
  await screen.rerender(<JsonEditor label="Map" full defaultValue="[]" />)
  await expect.poll(() => box().getAttribute('aria-readonly')).toBe('false')
})
