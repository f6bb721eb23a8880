// Not even the tools load, as after a deployment that removed every chunk: the textarea stays a form field.

// @module-tag thorough

import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor } from '../../src/editor/index.ts'
import { area, root, status } from './editorParts.ts'

vi.mock('../../src/editor/tools/parts.ts', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

it('keeps and submits the text, says what is missing, and checks nothing', async () => {
  await render(
    <form>
      <JsonEditor label="Map" name="map" defaultValue="[1 2]" />
    </form>,
  )
  await expect.poll(() => root().textContent, { timeout: 20_000 }).toContain('could not be loaded')
  await userEvent.fill(area(), '[1, 2]')
  expect(new FormData(document.querySelector('form')!).get('map')).toBe('[1, 2]')
  expect(status()).toBe('')
  expect(root().dataset['invalid']).toBe('false')
})
