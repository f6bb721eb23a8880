// What the editor relies on in Monaco that Monaco does not promise: a new version has to be looked at here first.

// @module-tag thorough

import * as monaco from 'monaco-editor/editor'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { version } from '../../node_modules/monaco-editor/package.json'
import { paste } from './editorHands.ts'
import { box } from './editorParts.ts'
import { showEditor, untilStatus } from './editorScene.tsx'

interface ModelLimits {
  LARGE_FILE_SIZE_THRESHOLD?: number | undefined
}

/** Of an editor that is there: Monaco takes in no further feature once it has been used. */
function limitsOfModels(): ModelLimits {
  const model = monaco.editor.createModel('')
  model.dispose()
  return model.constructor as ModelLimits
}

const LONG = `[${'"text", '.repeat(80_000)}1]`

it('finds in Monaco 0.57.0 the limit from which it spares itself work, 20 MB', async () => {
  await showEditor({ defaultValue: '[1]' })
  expect(version).toBe('0.57.0')
  expect(limitsOfModels().LARGE_FILE_SIZE_THRESHOLD).toBe(20 * 1024 * 1024)
})

it.each([
  ['as it is', undefined],
  ['gone in another Monaco', 'gone'],
])('puts a large paste in, and leaves the limit of other editors alone: %s', async (_what, change) => {
  const ref = await showEditor({ defaultValue: '[1]' })
  const limits = limitsOfModels()
  const usual = limits.LARGE_FILE_SIZE_THRESHOLD
  if (change) delete limits.LARGE_FILE_SIZE_THRESHOLD
  try {
    box().focus()
    await userEvent.keyboard('{Control>}a{/Control}')
    paste(box(), LONG)
    await expect.poll(() => ref.current!.getValue() === LONG).toBe(true)
    await untilStatus('Valid JSON')
    expect(limits.LARGE_FILE_SIZE_THRESHOLD).toBe(change ? undefined : usual)
    ref.current!.undo()
    expect(ref.current!.getValue()).toBe('[1]')
  } finally {
    limits.LARGE_FILE_SIZE_THRESHOLD = usual
  }
})
