// The editor as a field of react-hook-form, as docs/editor.md writes it.

// @module-tag thorough

import { Controller, useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, parseJson } from '../../src/editor/index.ts'
import { paste, toTheEnd } from './editorHands.ts'
import { area, box, problems, root } from './editorParts.ts'
import { SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'

interface LinkMapFormProps {
  readonly onSave: (linkMap: string) => void
  readonly full?: boolean
}

function LinkMapForm({ onSave, full }: LinkMapFormProps) {
  const { control, handleSubmit, reset, setValue, formState } = useForm({
    defaultValues: { linkMap: '[]' },
  })
  return (
    <form noValidate onSubmit={handleSubmit(({ linkMap }) => onSave(linkMap))}>
      <Controller
        name="linkMap"
        control={control}
        rules={{ validate: (text) => parseJson(text).valid || 'This is not JSON yet' }}
        render={({ field, fieldState }) => (
          <>
            <JsonEditor
              ref={field.ref}
              label="Link map"
              full={full}
              name={field.name}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              disabled={field.disabled}
            />
            {fieldState.error && <p role="alert">{fieldState.error.message}</p>}
            {/* On a line of its own: the buttons stay where they are when it speaks. */}
            <output style={{ display: 'block', height: 20 }}>
              {[fieldState.isDirty && 'dirty', fieldState.isTouched && 'touched'].filter(Boolean).join(' ')}
            </output>
          </>
        )}
      />
      <button type="submit">{formState.isDirty ? 'Save changes' : 'Save'}</button>
      <button type="button" onClick={() => reset()}>
        Reset
      </button>
      <button type="button" onClick={() => setValue('linkMap', '[7]', { shouldDirty: true })}>
        Seven
      </button>
    </form>
  )
}

const press = (name: string) =>
  userEvent.click([...document.querySelectorAll('button')].find((button) => button.textContent === name)!)
const alert = () => document.querySelector('p[role=alert]')?.textContent
const says = () => document.querySelector('output')!.textContent
/** What the box shows; Monaco writes spaces that do not break. */
const shown = () => root().querySelector('.view-lines')?.textContent?.replaceAll('\u00a0', ' ')

it('is checked, focused if invalid, submitted, set and reset by the form', async () => {
  const onSave = vi.fn<(linkMap: string) => void>()
  await render(<LinkMapForm onSave={onSave} />)
  await untilFull()
  await toTheEnd()
  await userEvent.keyboard('x')
  await untilStatus('1 error')
  expect(says()).toBe('dirty')
  await press('Save changes')
  await expect.poll(alert).toBe('This is not JSON yet')
  expect(onSave).not.toHaveBeenCalled()
  // The form focuses the invalid field, in the full editor.
  await expect.poll(() => document.activeElement === box()).toBe(true)
  await userEvent.keyboard('{Backspace}{ArrowLeft}1')
  await expect.poll(alert).toBeUndefined()
  await press('Save changes')
  await expect.poll(() => onSave.mock.calls).toEqual([['[1]']])
  await expect.poll(says).toBe('dirty touched')
  await press('Seven')
  await expect.poll(shown).toBe('[7]')
  await press('Reset')
  await expect.poll(shown).toBe('[]')
  expect(says()).toBe('')
  await press('Save')
  await expect.poll(() => onSave.mock.lastCall).toEqual(['[]'])
})

/** The real mouse, pressed or released over the middle of where an element was. */
async function mouse(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', { x, y }: DOMPoint) {
  const frame = window.frameElement?.getBoundingClientRect()
  const scale = frame ? frame.width / innerWidth : 1
  const place = { x: (frame?.x ?? 0) + x * scale, y: (frame?.y ?? 0) + y * scale }
  const session = cdp() as unknown as { send(method: string, parameters: object): Promise<void> }
  await session.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 })
}

it.each(SURFACES)(
  'submits a valid text even if the list of faults closes in the middle of the click: %s',
  async (_where, full) => {
    const onSave = vi.fn<(linkMap: string) => void>()
    await render(<LinkMapForm onSave={onSave} full={full} />)
    await (full ? untilFull() : untilTools())
    const countsAtPress: number[] = []
    document.addEventListener('pointerdown', () => countsAtPress.push(problems().length), { capture: true })
    let save = new DOMRect()
    let place = new DOMPoint()
    // On a busy machine the result may come before the mouse is down: then it was not in the middle of the click.
    for (let count = 0; count < 20 && countsAtPress.at(-1) !== 1; count += 1) {
      if (count > 0) await mouse('mouseReleased', place)
      if (full) await toTheEnd()
      else area().focus()
      await userEvent.keyboard('{End}x')
      await untilStatus('1 error')
      save = document.querySelector('[type=submit]')!.getBoundingClientRect()
      // Near its lower edge: when the list closes, 25 px further up, the button is no longer there.
      place = new DOMPoint(save.x + 10, save.bottom - 3)
      await mouse('mouseMoved', place)
      await userEvent.keyboard('{Backspace}')
      await mouse('mousePressed', place)
    }
    expect(countsAtPress.at(-1)).toBe(1)
    await untilStatus('Valid JSON')
    expect(problems()).toHaveLength(0)
    await mouse('mouseReleased', place)
    await expect.poll(() => onSave.mock.calls).toEqual([['[]']])
    // Nothing is pressed any more: the list releases its height.
    await expect
      .poll(() => document.querySelector('[type=submit]')!.getBoundingClientRect().y)
      .toBeLessThan(save.y)
  },
)

it('submits every key of a large text, also in the middle of typing', async () => {
  const long = `[${'"text", '.repeat(80_000)}1]`
  const onSave = vi.fn<(linkMap: string) => void>()
  await render(<LinkMapForm onSave={onSave} />)
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Control>}a{/Control}')
  paste(box(), long)
  document.querySelector('form')!.requestSubmit()
  await expect.poll(() => onSave.mock.lastCall?.[0] === long).toBe(true)
  expect(area().form).toBe(document.querySelector('form'))
})
