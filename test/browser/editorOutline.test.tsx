// The outline: a tree beside the text to look at and to jump from, by mouse, keyboard and ear, up to 10 MB.

// @module-tag thorough

import { createRef } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle } from '../../src/editor/index.ts'
import { pressTool } from './editorHands.ts'
import { area, box } from './editorParts.ts'
import { showEditor, SURFACES, untilStatus } from './editorScene.tsx'

const TEXT = JSON.stringify({ users: [{ name: 'ada', age: 36 }, { name: 'bob' }], count: 2 }, undefined, 2)
const tree = () => document.querySelector<HTMLElement>('.lkje [role=tree]')
const items = () => [...document.querySelectorAll<HTMLElement>('.lkje [role=treeitem]')]
const labels = () => items().map((item) => item.querySelector('b')!.textContent)
const active = () => document.getElementById(tree()!.getAttribute('aria-activedescendant')!)
const untilTree = () => expect.poll(() => items().length, { timeout: 20_000 }).toBeGreaterThan(0)
const files = () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/Outline.'))

it.each(SURFACES)(
  'is opened by its tool, walked by keyboard, and leads into the text: %s',
  async (_where, full) => {
    await showEditor({ full, defaultValue: TEXT })
    expect(tree()).toBeNull()
    // The first one of the page; nothing has come before it is opened.
    if (full) expect(files()).toEqual([])
    await pressTool('Outline')
    await untilTree()
    // The rows that fit are known once the tree has its height.
    await expect.poll(labels).toEqual(['$', 'users', 'count'])
    tree()!.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowRight}')
    expect(labels()).toEqual(['$', 'users', '0', '1', 'count'])
    expect(active()!.getAttribute('aria-expanded')).toBe('true')
    expect(active()!.getAttribute('aria-level')).toBe('2')
    expect(active()!.textContent).toContain('2 items')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    expect(active()!.querySelector('b')!.textContent).toBe('name')
    expect(active()!.textContent).toContain('"ada"')
    expect(active()!.getAttribute('aria-posinset')).toBe('1')
    expect(active()!.getAttribute('aria-setsize')).toBe('2')
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{End}')
    expect(labels()).toEqual(['$', 'users', '0', '1', 'count'])
    expect(active()!.querySelector('b')!.textContent).toBe('count')
    // A letter goes to the next key that begins with it.
    await userEvent.keyboard('u')
    expect(active()!.querySelector('b')!.textContent).toBe('users')
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(full ? box() : area())
    if (!full) expect(TEXT.slice(area().selectionStart, area().selectionEnd)).toBe('"users"')
    await pressTool('Outline')
    await expect.poll(tree).toBeNull()
  },
)

it('finds a path, opens what is around it, follows the text, and changes nothing', async () => {
  const ref = createRef<JsonEditorHandle>()
  await render(<JsonEditor ref={ref} label="Map" full={false} defaultValue={TEXT} outline />)
  await untilTree()
  await userEvent.fill(page.getByLabelText('Path or key'), 'users[1].name')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => active()?.title).toBe('$.users[1].name')
  expect(TEXT.slice(area().selectionStart, area().selectionEnd)).toBe('"name"')
  await userEvent.fill(page.getByLabelText('Path or key'), 'nothing')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Not found')).toBeVisible()
  expect(ref.current!.getValue()).toBe(TEXT)
  // What is open stays open when the text changes.
  ref.current!.setValue(TEXT.replace('"count": 2', '"total": 3, "more": []'))
  await expect.poll(labels).toEqual(['$', 'users', '0', '1', 'name', 'total', 'more'])
  ref.current!.setValue('{"a": ')
  await expect.element(page.getByText('The outline is there as soon as the text is JSON.')).toBeVisible()
  expect(items()).toEqual([])
  ref.current!.outline(false)
  await expect.poll(tree).toBeNull()
})

it('shows a text of 10 MB with the rows that are seen only', { timeout: 120_000 }, async () => {
  const records = Array.from({ length: 60_000 }, (_, id) => ({
    id,
    name: `name of record ${id}`,
    tags: ['one', 'two', 'three'],
    note: 'a note of some length, so that the text is large enough for this test to mean something',
  }))
  const text = JSON.stringify(records)
  expect(text.length).toBeGreaterThan(10_000_000)
  const ref = await showEditor({ defaultValue: text })
  await untilStatus('Valid JSON')
  ref.current!.outline(true)
  await untilTree()
  await expect.poll(() => items()[0]!.textContent).toContain('60000 items')
  expect(items().length).toBeLessThan(30)
  tree()!.focus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => active()?.querySelector('b')?.textContent).toBe('59999')
  // A row for each value beside the one that the caret is at: one by one, a quarter of an hour.
  await userEvent.keyboard('*')
  await expect.poll(() => active()?.getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{End}')
  await expect.poll(() => active()?.title).toBe('$[59999].note')
  const shown = active()!.getBoundingClientRect()
  const seen = tree()!.getBoundingClientRect()
  expect(shown.top).toBeGreaterThanOrEqual(seen.top - 1)
  expect(shown.bottom).toBeLessThanOrEqual(seen.bottom + 1)
  await userEvent.fill(page.getByLabelText('Path or key'), '$[30000].tags[2]')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => active()?.title).toBe('$[30000].tags[2]')
  expect(items().length).toBeLessThan(30)
})
