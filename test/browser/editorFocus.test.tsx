// The focus is visible in every theme: each tab stop has an outline with enough contrast. The placeholder of an empty field can be read.

// @module-tag thorough

import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor } from '../../src/editor/index.ts'
import { area, root } from './editorParts.ts'
import { showEditor, untilStatus, untilTools } from './editorScene.tsx'

/** The outline of an element; that of the text is drawn around its frame. */
function lineAround(element: Element) {
  const drawn = element === area() ? element.closest('.lkje-frame')! : element
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(drawn)
  return outlineStyle === 'none' ? undefined : { width: Number.parseFloat(outlineWidth), color: outlineColor }
}

/** The relative luminance of a colour, by WCAG 2. */
function luminance(color: string): number {
  const [red, green, blue] = color
    .match(/[\d.]+/g)!
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright! + 0.05) / (dark! + 0.05)
}

it.each(['light', 'dark', 'high-contrast'] as const)('outlines the focused element, in %s', async (theme) => {
  const screen = await render(
    <>
      <button type="button">Before</button>
      <JsonEditor label="Map" theme={theme} full={false} defaultValue={'{"a": 1 "b": 2}'} />
      <button type="button">After</button>
    </>,
  )
  await untilTools()
  await untilStatus('1 error')
  screen.getByRole('button', { name: 'Before' }).element().focus()
  const after = screen.getByRole('button', { name: 'After' }).element()
  const visited = new Set<Element>()
  /** Is it a new stop? */
  const visit = (): boolean => {
    const element = document.activeElement!
    if (element === after || visited.has(element)) return false
    visited.add(element)
    const line = lineAround(element)
    expect(line, element.outerHTML).toBeDefined()
    expect(line!.width, element.outerHTML).toBeGreaterThanOrEqual(2)
    const { backgroundColor } = getComputedStyle(root().querySelector('.lkje-frame')!)
    expect(contrast(line!.color, backgroundColor), element.outerHTML).toBeGreaterThanOrEqual(3)
    return true
  }
  await userEvent.tab()
  while (visit()) await userEvent.tab()
  const names = [...visited].map((element) => element.tagName.toLowerCase())
  expect([...new Set(names)].toSorted()).toEqual(['a', 'button', 'textarea'])
  expect(names.length).toBe(5)
  // No outline remains when the focus has moved.
  for (const element of visited) expect(lineAround(element), element.outerHTML).toBeUndefined()
})

it.each(['light', 'dark', 'high-contrast'] as const)(
  'shows a readable placeholder in an empty field, in %s',
  async (theme) => {
    await showEditor({ theme, full: false, defaultValue: '', placeholder: 'Paste' })
    const { backgroundColor } = getComputedStyle(root().querySelector('.lkje-frame')!)
    const { color, opacity } = getComputedStyle(area(), '::placeholder')
    expect(opacity).toBe('1')
    expect(contrast(color, backgroundColor)).toBeGreaterThanOrEqual(4.5)
  },
)
