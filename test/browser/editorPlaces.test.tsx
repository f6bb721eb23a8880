// Going to a place: every fault can be reached and seen; keys work the same at every size.

// @module-tag thorough

import { useState } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor } from '../../src/editor/index.ts'
import { pressTool, toTheEnd } from './editorHands.ts'
import { area, box, root, status } from './editorParts.ts'
import { showEditor, untilFull, untilStatus } from './editorScene.tsx'

it('shows a fault past column 10,000 in the full editor', async () => {
  const text = `[${'"word", '.repeat(3_000)}"before" "after"]`
  await showEditor({ defaultValue: text })
  await untilStatus('1 error')
  await userEvent.click(document.querySelector('.lkje-problems a')!)
  await expect.poll(() => document.querySelectorAll('.lkje-full .squiggly-error').length).toBeGreaterThan(0)
  const seen = [...document.querySelectorAll('.lkje-full .view-line')]
    .map((line) => line.textContent)
    .join('')
  expect(seen.replaceAll('\u00a0', ' ')).toContain('"before" "after"')
})

it.each([
  ['sideways', `[${'"word", '.repeat(400)}"a" "b"]`, false],
  ['down over wrapped lines', `["${'word '.repeat(2_000)}",\n "a" "b"]`, true],
])('scrolls %s to a fault in the textarea', async (_where, text, isWrapped) => {
  await render(<JsonEditor label="Map" full={false} defaultValue={text} />)
  await untilStatus('1 error')
  if (isWrapped) await pressTool('Wrap')
  await userEvent.click(document.querySelector('.lkje-problems a')!)
  await expect.poll(() => area().selectionStart).toBe(text.indexOf('"b"'))
  if (isWrapped) {
    expect(area().scrollTop).toBeGreaterThan(area().scrollHeight - 2 * area().clientHeight)
    expect(area().scrollTop).toBeGreaterThan(0)
  } else expect(area().scrollLeft).toBeGreaterThan(area().scrollWidth - 2 * area().clientWidth)
})

it.each([
  ['100,001', 100_001],
  ['600,000', 600_000],
])(
  'closes brackets and quotes, indents and selects words in a text of %s characters',
  async (_size, size) => {
    const line = '  "word",\n'
    const ref = await showEditor({ defaultValue: `[\n${line.repeat(size / line.length)}  ` })
    await untilStatus('1 error')
    await toTheEnd()
    // Monaco looks at the lines of a long text in its spare time; until then it closes nothing.
    const opens = async () => {
      await userEvent.keyboard('{{')
      const isClosed = ref.current!.getValue().endsWith('{}')
      if (!isClosed) await userEvent.keyboard('{Backspace}')
      return isClosed
    }
    await expect.poll(opens, { timeout: 30_000, interval: 300 }).toBe(true)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => ref.current!.getValue().slice(-10)).toBe('\n  {\n    \n  }'.slice(-10))
  },
)

it('goes from fault to fault by F8, announces each, and shows no file name', async () => {
  await showEditor({ defaultValue: '[\n  1 2,\n  3 4\n]' })
  await untilStatus('2 errors')
  box().focus()
  await userEvent.keyboard('{F8}')
  await untilStatus('Line 2, column 5: Missing comma before 2')
  await userEvent.keyboard('{F8}')
  await untilStatus('Line 3, column 5: Missing comma before 4')
  await userEvent.keyboard('{F8}')
  await untilStatus('Line 2, column 5: Missing comma before 2')
  await userEvent.keyboard('{Shift>}{F8}{/Shift}')
  await untilStatus('Line 3, column 5: Missing comma before 4')
  expect(document.querySelector('.marker-widget')).toBeNull()
})

it('keeps the caret at its token when a large text is compacted', async () => {
  const text = `[\n${'  "word",\n'.repeat(60_000)}  "last"\n]`
  const ref = await showEditor({ defaultValue: text })
  await toTheEnd()
  await userEvent.keyboard('{ArrowUp}')
  expect(await ref.current!.compact()).toBe(true)
  await userEvent.keyboard('x')
  await expect.poll(() => ref.current!.getValue().slice(-10)).toContain('x')
})

it('shows "Checking…" after a paste, not the previous result', async () => {
  await render(<JsonEditor label="Map" full={false} defaultValue="[]" />)
  await untilStatus('Valid JSON')
  await userEvent.fill(area(), `[${'1,'.repeat(100)}`)
  expect(status()).toContain('Checking…')
  expect(status()).not.toContain('Valid JSON')
  await untilStatus('1 error')
})

it('serializes a schema once, not with every key', async () => {
  let count = 0
  const schema = {
    type: 'array',
    toJSON: () => {
      count++
      return { type: 'array' }
    },
  }
  function Parent() {
    const [text, setText] = useState('[]')
    return <JsonEditor label="Map" value={text} onChange={setText} schema={schema} />
  }
  await render(<Parent />)
  await untilFull()
  await untilStatus('Valid JSON')
  const before = count
  await toTheEnd()
  await userEvent.keyboard('  ')
  await untilStatus('Valid JSON')
  expect(count).toBe(before)
  expect(root()).not.toBeNull()
})
