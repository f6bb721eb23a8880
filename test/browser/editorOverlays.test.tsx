// Menus and widgets over the text have their own background and colours, in light and in dark.

// @module-tag thorough

import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor } from '../../src/editor/index.ts'
import { box, problems, root, status } from './editorParts.ts'
import { showEditor, untilFull, untilStatus } from './editorScene.tsx'

const SCHEMA = { properties: { colour: { type: 'string', description: 'What it is painted in' } } }

/** Monaco keeps its context menu in a shadow root. */
const find = (selector: string) =>
  document.querySelector(selector) ??
  document.querySelector('.shadow-root-host')?.shadowRoot?.querySelector(selector) ??
  null

const smallerSide = (element: Element | null) => {
  const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
  return Math.min(width, height)
}

const BACKGROUND = '.monaco-menu-container > .monaco-scrollable-element'

const openByKeyboard = (keys: string) => async () => {
  box().focus()
  await userEvent.keyboard(keys)
}

/** The brightness (0 to 255) of an opaque colour; `undefined` for a transparent one. */
function brightness(color: string): number | undefined {
  const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.]+/g)!.map(Number)
  return alpha === 1 ? 0.299 * red + 0.587 * green + 0.114 * blue : undefined
}

const OVERLAYS = [
  ['context menu', '.monaco-menu', openByKeyboard('{Shift>}{F10}{/Shift}')],
  ['command palette', '.quick-input-widget', openByKeyboard('{F1}')],
  ['search', '.find-widget.visible', openByKeyboard('{Control>}f{/Control}')],
  [
    'explanation',
    '.monaco-hover:not(.hidden)',
    openByKeyboard('{Control>}{Home}{/Control}{ArrowRight>4/}{Control>}k{/Control}{Control>}i{/Control}'),
  ],
  [
    'suggestions',
    '.suggest-widget.visible',
    openByKeyboard('{Control>}{Home}{/Control}{ArrowRight>2/}{Control>} {/Control}'),
  ],
] as const

it.each(
  OVERLAYS.flatMap(([name, selector, open]) =>
    (['light', 'dark'] as const).map((theme) => [name, theme, selector, open] as const),
  ),
)('the %s hides the text under it and can be read: %s', async (_name, theme, selector, open) => {
  await showEditor({ theme, defaultValue: '{"colour": "red"}', schema: SCHEMA })
  await untilStatus('Valid JSON')
  await open()
  await expect.poll(() => smallerSide(find(selector))).toBeGreaterThan(20)
  const overlay = find(selector)!
  // The menu's background is on the box it scrolls in.
  const background = brightness(getComputedStyle(overlay.closest(BACKGROUND) ?? overlay).backgroundColor)
  expect(background).toEqual(expect.any(Number))
  expect(background! < 128).toBe(theme === 'dark')
  const text = brightness(getComputedStyle(overlay).color)!
  expect(Math.abs(background! - text)).toBeGreaterThan(100)
  await userEvent.keyboard('{Escape}{Escape}')
})

it.each([
  ['command palette', '{F1}'],
  ['symbols', '{Control>}{Shift>}o{/Shift}{/Control}'],
])('as wide as a narrow editor, and no wider: %s', async (_what, keys) => {
  await render(
    <div style={{ width: 330 }}>
      <JsonEditor label="Map" defaultValue={'{"colour": "red"}'} />
    </div>,
  )
  await untilFull()
  await openByKeyboard(keys)()
  const place = () => find('.quick-input-widget')?.getBoundingClientRect() ?? new DOMRect()
  await expect.poll(() => place().width).toBeGreaterThan(280)
  const editor = document.querySelector('.lkje-full')!.getBoundingClientRect()
  expect(place().left).toBeGreaterThanOrEqual(editor.left)
  expect(place().right).toBeLessThanOrEqual(editor.right)
  await userEvent.keyboard('{Escape}{Escape}')
})

it('shows suggestions at the caret in a box that a transform has moved', async () => {
  await render(
    <div style={{ transform: 'translateY(200px)', width: 380 }}>
      <JsonEditor label="Map" defaultValue={'{"colour": "red"}'} schema={SCHEMA} />
    </div>,
  )
  await untilFull()
  await untilStatus('Valid JSON')
  await openByKeyboard('{Control>}{Home}{/Control}{ArrowRight>2/}{Control>} {/Control}')()
  const place = () => find('.suggest-widget.visible')?.getBoundingClientRect() ?? new DOMRect()
  await expect.poll(() => place().width).toBeGreaterThan(20)
  const line = document.querySelector('.lkje-full .view-line')!.getBoundingClientRect()
  expect(Math.abs(place().top - line.bottom)).toBeLessThan(30)
  await userEvent.keyboard('{Escape}{Escape}')
})

it('shows suggestions beyond a low editor in a dialog that has moved into its place', async () => {
  const properties = Object.fromEntries('abcdef'.split('').map((key) => [key, { type: 'string' }]))
  await render(
    <div style={{ animation: 'opens 300ms', width: 380 }}>
      <style>{'@keyframes opens { from { transform: translateY(-50px) } }'}</style>
      <JsonEditor label="Map" height={72} defaultValue={'{\n\n}'} schema={{ properties }} />
    </div>,
  )
  await untilFull()
  await openByKeyboard('{Control>}{End}{/Control}{ArrowUp}{Control>} {/Control}')()
  const place = () => find('.suggest-widget.visible')?.getBoundingClientRect() ?? new DOMRect()
  await expect.poll(() => place().bottom).toBeGreaterThan(root().getBoundingClientRect().bottom)
  const { left, bottom } = place()
  expect(document.elementFromPoint(left + 20, bottom - 5)?.closest('.suggest-widget')).not.toBeNull()
  await userEvent.keyboard('{Escape}{Escape}')
})

it('shows "100+" if the scanner stopped counting', async () => {
  await render(<JsonEditor label="Map" full={false} defaultValue={`[${'1 '.repeat(300)}]`} />)
  await untilStatus('100+ errors')
  expect(status()).toContain('100+ errors')
  expect(problems().at(-1)).toBe('and 95+ more')
  expect(root()).not.toBeNull()
})

it('shows suggestions that go along when the page, or a part of it, is scrolled', async () => {
  await render(
    <div style={{ paddingBottom: 2000 }}>
      <div id="part" style={{ height: 500, overflow: 'auto' }}>
        <JsonEditor label="Map" defaultValue="{}" schema={SCHEMA} />
        <div style={{ height: 900 }} />
      </div>
    </div>,
  )
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{Control>} {/Control}')
  const top = (selector: string) => find(selector)?.getBoundingClientRect().top ?? 0
  const distance = () => top('.suggest-widget.visible') - top('.lkje-monaco')
  await expect.poll(() => smallerSide(find('.suggest-widget.visible'))).toBeGreaterThan(10)
  const before = distance()
  for (const scrolled of [document.documentElement, document.querySelector('#part')!]) {
    scrolled.scrollTop = 40
    await expect.poll(() => Math.round(scrolled.scrollTop)).toBe(40)
    await expect.poll(distance).toBeCloseTo(before, 0)
  }
  await userEvent.keyboard('{Escape}')
  scrollTo(0, 0)
})
