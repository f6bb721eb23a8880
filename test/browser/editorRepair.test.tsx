// Repair fixes the text at once, as one undo step.

// @module-tag thorough

import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { pressTool } from './editorHands.ts'
import { showEditor, SURFACES, untilStatus } from './editorScene.tsx'

const BROKEN = '{\n  "url": http://x.y/z,\n  "pem": "-----BEGIN\nMIIB\n-----END",\n}'
const MENDED = '{\n  "url": "http://x.y/z",\n  "pem": "-----BEGIN\\nMIIB\\n-----END"\n}'

it.each(SURFACES)('fixes a text as one undo step: %s', async (_where, full) => {
  const ref = await showEditor({ full, defaultValue: BROKEN })
  await untilStatus('error')
  await pressTool('Repair')
  await expect.poll(() => ref.current!.getValue()).toBe(MENDED)
  await untilStatus('Valid JSON')
  await pressTool('Undo')
  expect(ref.current!.getValue()).toBe(BROKEN)
  ref.current!.focus()
  await userEvent.keyboard('{Control>}y{/Control}')
  expect(ref.current!.getValue()).toBe(MENDED)
})

it('leaves a text unchanged that it cannot repair, and says so', async () => {
  const ref = await showEditor({ full: false, defaultValue: '<p>no JSON</p>' })
  expect(await ref.current!.repair()).toBe(false)
  await untilStatus('This cannot be repaired automatically; the text was not changed.')
  expect(ref.current!.getValue()).toBe('<p>no JSON</p>')
})
