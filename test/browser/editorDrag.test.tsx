// Text dragged by the mouse: in a page of its own, because the browser keeps state of a drag as long as the page.

// @module-tag thorough

import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { area } from './editorParts.ts'
import { showEditor } from './editorScene.tsx'

it('moves selected text of the textarea by dragging, as one undo step', async () => {
  const ref = await showEditor({ full: false, defaultValue: '[1, "two", 3]\n' })
  area().focus()
  area().setSelectionRange(4, 9)
  const ruler = document.createElement('canvas').getContext('2d')!
  ruler.font = getComputedStyle(area()).font
  const left = (column: number) => 12 + ruler.measureText('x'.repeat(column)).width
  await userEvent.dragAndDrop(area(), area(), {
    sourcePosition: { x: left(6), y: 9 },
    targetPosition: { x: left(0) + 1, y: 9 },
    steps: 10,
  })
  await expect.poll(() => ref.current!.getValue()).toBe('"two"[1, , 3]\n')
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(ref.current!.getValue()).toBe('[1, "two", 3]\n')
})
