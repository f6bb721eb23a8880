// The server renders a textarea that works before any script, and touches nothing of a browser.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { JsonEditor } from '../../src/editor/index.ts'

afterEach(() => vi.restoreAllMocks())

it('renders the label, the textarea and its form attributes', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  const html = renderToString(
    createElement(JsonEditor, {
      id: 'map',
      label: 'Link map',
      name: 'linkMap',
      required: true,
      defaultValue: '{"a": "</textarea><script>"}',
      schema: {},
      original: '{}',
    }),
  )
  expect(html).toContain('<label class="lkje-label latchkey-editor-label" for="map">Link map')
  expect(html).toMatch(/<textarea[^>]* id="map"[^>]* name="linkMap"[^>]* required=""/)
  expect(html).toContain('&lt;/textarea&gt;&lt;script&gt;')
  expect(html).toContain('role="status"')
  expect(complaints).not.toHaveBeenCalled()
})

it('renders only the beginning of a large text, because the rest would freeze the textarea', () => {
  const html = renderToString(createElement(JsonEditor, { label: 'x', value: `"${'x'.repeat(2_000_000)}"` }))
  expect(html.length).toBeLessThan(60_000)
  const plain = renderToString(
    createElement(JsonEditor, { label: 'x', full: false, value: `"${'x'.repeat(2_000_000)}"` }),
  )
  expect(plain.length).toBeGreaterThan(2_000_000)
})
