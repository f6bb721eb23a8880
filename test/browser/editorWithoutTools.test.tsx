// Not even the tools arrive, as when a deploy has taken every chunk away: the textarea still says whether it holds JSON.

// @module-tag thorough

import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor } from '../../src/editor/index.ts'
import { area, root, status } from './editorParts.ts'
import { untilStatus } from './editorScene.tsx'

vi.mock('../../src/editor/tools/parts.ts', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

it('checks with the means of the browser, and keeps a form from being sent', async () => {
  await render(
    <form>
      <JsonEditor label="Map" name="map" defaultValue="[1 2]" />
    </form>,
  )
  await untilStatus('Not JSON: ')
  expect(document.querySelector('form')!.checkValidity()).toBe(false)
  await userEvent.fill(area(), '[1, 2]')
  await untilStatus('Valid JSON')
  expect(document.querySelector('form')!.checkValidity()).toBe(true)
})

it('does not call a text right that nothing has judged by its schema', async () => {
  await render(<JsonEditor label="Map" schema={{ type: 'object' }} defaultValue="[1 2]" />)
  await untilStatus('Not JSON: ')
  await userEvent.fill(area(), '[1, 2]')
  await expect.poll(() => root().dataset['invalid']).toBe('false')
  expect(status()).toBe('')
})
