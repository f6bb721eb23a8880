// Opening and closing the comparison: whenever it is closed, nothing of it remains and nothing is thrown.

// @module-tag thorough

import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { paste } from './editorHands.ts'
import { box } from './editorParts.ts'
import { pause, showEditor, untilStatus } from './editorScene.tsx'

/** Many records that differ slightly between two values of `name`. */
const linesOf = (count: number, name: string) =>
  `[\n${Array.from({ length: count }, (_, index) => `{\n"id": ${index},\n"name": "${index % 7 ? 'ada' : name}"\n},\n`).join('')}{}\n]`
const compared = () => document.querySelector('.lkje-compare')
const changes = () => compared()?.querySelectorAll(':is(.line-insert, .char-insert)').length ?? 0

const removals = () => compared()?.querySelectorAll(':is(.line-delete, .char-delete)').length ?? 0

it(
  'can be closed at any time, also while the differences of a long text are being computed',
  { tags: ['thorough'] },
  async () => {
    const text = linesOf(5000, 'ben')
    const ref = await showEditor({ defaultValue: text, original: linesOf(5000, 'cleo') })
    for (const restMs of [0, 20, 40, 80, 160, 320]) {
      ref.current!.compare(true)
      await expect.poll(compared, { interval: 5 }).not.toBeNull()
      await pause(restMs)
      ref.current!.compare(false)
      await expect.poll(compared).toBeNull()
      await pause(100)
    }
    // An error that nobody catches fails the run.
    await pause(1000)
    expect(ref.current!.getValue() === text).toBe(true)
  },
)

it('shows what differs in texts of 8 MB', { tags: ['thorough'], timeout: 240_000 }, async () => {
  const text = linesOf(260_000, 'ben')
  expect(text.length).toBeGreaterThan(8_000_000)
  const ref = await showEditor({ defaultValue: text, original: text.replace('"id": 100,', '"id": "other",') })
  await untilStatus('Valid JSON')
  ref.current!.compare(true)
  // The visible side need not be the one with the new words.
  await expect.poll(() => changes() + removals(), { timeout: 120_000 }).toBeGreaterThan(0)
  ref.current!.compare(false)
  await expect.poll(compared).toBeNull()
})

it('continues with a large text that is pasted over it', { tags: ['thorough'] }, async () => {
  const text = linesOf(12_000, 'ben')
  const ref = await showEditor({ defaultValue: '[]', original: text })
  ref.current!.compare(true)
  const right = () => document.querySelector('.lkje-compare .modified-in-monaco-diff-editor')
  await expect.poll(() => right()?.contains(document.activeElement), { timeout: 20_000 }).toBe(true)
  await userEvent.keyboard('{Control>}a{/Control}')
  paste(document.activeElement!, text)
  await expect.poll(() => ref.current!.getValue() === text).toBe(true)
  await expect.poll(changes, { timeout: 20_000 }).toBe(0)
  await userEvent.keyboard('{Control>}{Home}{/Control}1')
  await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(0)
  ref.current!.compare(false)
  await expect.poll(compared).toBeNull()
  expect(document.activeElement).toBe(box())
})

it('survives a text that becomes shorter while its differences are being computed', async () => {
  const ref = await showEditor({ defaultValue: '[1]', original: '[]' })
  ref.current!.compare(true)
  await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(0)
  // Monaco begins 200 ms after the last change.
  for (const restMs of [215, 235, 260]) {
    ref.current!.setValue(linesOf(20_000, 'ben'))
    await pause(restMs)
    ref.current!.setValue('[2]')
    await pause(500)
  }
  // An error that nobody catches fails the run.
  await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(0)
  ref.current!.compare(false)
  await expect.poll(compared).toBeNull()
})
