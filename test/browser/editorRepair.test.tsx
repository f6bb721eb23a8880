// Repair shows what it would change, place by place, and changes nothing before somebody has agreed.

// @module-tag thorough

import { createRef } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { pressTool } from './editorHands.ts'
import { area, box } from './editorParts.ts'
import { showEditor, SURFACES, untilStatus, untilTools } from './editorScene.tsx'

const BROKEN = '{\n  "url": http://x.y/z,\n  "pem": "-----BEGIN\nMIIB\n-----END",\n}'
const MENDED = '{\n  "url": "http://x.y/z",\n  "pem": "-----BEGIN\\nMIIB\\n-----END"\n}'
const proposal = () => document.querySelector('.lkje-proposal')
const said = (kind: 'del' | 'ins') =>
  [...document.querySelectorAll(`.lkje-proposal ${kind}`)].map((part) => part.textContent)

it.each(SURFACES)(
  'shows a comparison first, and one step of undo takes the repair back: %s',
  async (_where, full) => {
    const ref = await showEditor({ full, defaultValue: BROKEN })
    await untilStatus('error')
    await pressTool('Repair')
    await expect.poll(proposal).not.toBeNull()
    expect(ref.current!.getValue()).toBe(BROKEN)
    expect(proposal()!.getAttribute('aria-label')).toBe('Repair: 2 changes')
    expect(said('ins')).toEqual(['"http://x.y/z"', '"-----BEGIN\\nMIIB\\n-----END"'])
    expect(said('del')).toEqual(['http://x.y/z', '"-----BEGIN↵MIIB↵-----END",'])
    // By keyboard: Apply has the focus, Escape means no.
    expect(document.activeElement?.textContent).toBe('Apply')
    await userEvent.keyboard('{Escape}')
    await expect.poll(proposal).toBeNull()
    expect(ref.current!.getValue()).toBe(BROKEN)
    expect(document.activeElement).toBe(full ? box() : area())
    await pressTool('Repair')
    await userEvent.click(page.getByRole('button', { name: 'Apply' }))
    await expect.poll(() => ref.current!.getValue()).toBe(MENDED)
    await untilStatus('Valid JSON')
    expect(document.activeElement).toBe(full ? box() : area())
    ref.current!.undo()
    expect(ref.current!.getValue()).toBe(BROKEN)
  },
)

it('changes nothing that has become read-only, and takes no focus that is elsewhere', async () => {
  const ref = createRef<JsonEditorHandle>()
  const showPage = (value: string, readOnly: boolean) => (
    <>
      <JsonEditor ref={ref} label="Map" full={false} value={value} readOnly={readOnly} />
      <input aria-label="Name" />
    </>
  )
  const screen = await render(showPage("{'a': 1}", false))
  await untilTools()
  const repairing = ref.current!.repair()
  await expect.poll(proposal).not.toBeNull()
  await screen.rerender(showPage("{'a': 1}", true))
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  expect(await repairing).toBe(false)
  expect(ref.current!.getValue()).toBe("{'a': 1}")
  await screen.rerender(showPage("{'a': 1}", false))
  void ref.current!.repair()
  await expect.poll(proposal).not.toBeNull()
  const name = screen.getByLabelText('Name').element() as HTMLInputElement
  name.focus()
  await screen.rerender(showPage('[2]', false))
  await expect.poll(proposal).toBeNull()
  expect(document.activeElement).toBe(name)
})

it('gives the comparison up when the text changes meanwhile, and says when nothing can be repaired', async () => {
  const ref = await showEditor({ full: false, defaultValue: "{'a': 1}" })
  const repairing = ref.current!.repair()
  await expect.poll(proposal).not.toBeNull()
  ref.current!.setValue('<p>no JSON</p>')
  expect(await repairing).toBe(false)
  await expect.poll(proposal).toBeNull()
  expect(await ref.current!.repair()).toBe(false)
  await untilStatus('This cannot be repaired automatically; the text was not changed.')
  expect(ref.current!.getValue()).toBe('<p>no JSON</p>')
})
