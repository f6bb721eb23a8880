// What the queue promises: three at most, errors first, each text once, nothing starves, nothing is lost unsaid.

import { act, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { toastQueue } from '../../../src/toaster/toastQueue.ts'
import type { ToastRequest } from '../../../src/toaster/toast.ts'
import { EXIT_MS } from '../../../src/toaster/toastStyle.ts'
import { checkGenerated } from '../../generated.ts'
import { holdToastClock, passTime, toastTexts } from './toastsScene.tsx'

const FOR_EVER = { durationMs: Infinity }
function add(request: ToastRequest) {
  let id = ''
  act(() => void (id = toastQueue.add(request)))
  return id
}
const info = (text: string, more: Partial<ToastRequest> = {}) => add({ kind: 'info', text, ...more })
const error = (text: string, more: Partial<ToastRequest> = {}) => add({ kind: 'error', text, ...more })
const countdown = () => info('countdown', { urgency: 0, id: 'idle', ...FOR_EVER })
const inThePage = () => document.querySelectorAll('.latchkey-toast').length
const { waitingCount } = toastQueue
const countOf = (text: string) =>
  screen.getByText(text).parentElement!.querySelector('.latchkey-toast-count')?.textContent
const close = (text: string) => act(() => screen.getByRole('button', { name: `Close: ${text}` }).click())

let largest = 0
let observer: MutationObserver

holdToastClock()
beforeEach(() => {
  largest = 0
  observer = new MutationObserver(() => (largest = Math.max(largest, inThePage())))
  observer.observe(document.body, { childList: true, subtree: true })
  render(<AuthToaster />)
})
afterEach(() => {
  observer.disconnect()
  if (largest > 3) throw new Error(`${largest} toasts were in the page`)
})

describe('three at most', () => {
  it('shows three and lets the others wait in order', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) info(text)
    expect(toastTexts()).toEqual(['a', 'b', 'c'])
    expect(waitingCount()).toBe(2)
    // Nothing that is shown has changed meanwhile.
    expect(screen.getByText(/^2 more/)).toBeDefined()
    await passTime(5000 + EXIT_MS)
    expect(toastTexts()).toEqual(['d', 'e'])
  })

  it('gives the place of a leaving toast away only when it has gone', async () => {
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    await passTime(1500)
    close('b')
    await passTime(EXIT_MS - 1)
    expect(inThePage()).toBe(3)
    expect(toastTexts()).toEqual(['a', 'c'])
    await passTime(1)
    expect(toastTexts()).toEqual(['a', 'c', 'd'])
  })

  it('never has four in the page, whatever is asked of it', { tags: ['generated'] }, async () => {
    await checkGenerated(
      'orders to the toaster',
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              do: fc.constant('add' as const),
              kind: fc.constantFrom('info', 'error', 'loading', 'success'),
              text: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
              id: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
              durationMs: fc.constantFrom(undefined, Infinity, 50),
              urgency: fc.constantFrom(undefined, 0, 1),
            }),
            fc.record({ do: fc.constant('close' as const), place: fc.integer({ min: 0, max: 2 }) }),
            fc.record({ do: fc.constant('closeAll' as const) }),
            fc.record({ do: fc.constantFrom('enter' as const, 'leave' as const) }),
            fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 6000 }) }),
          ),
          { maxLength: 20 },
        ),
        async (steps) => {
          act(() => toastQueue.clear())
          const section = () => document.querySelector('.latchkey-toasts')!
          for (const step of steps) {
            if (step.do === 'add') add(step)
            if (step.do === 'close')
              act(() => document.querySelectorAll<HTMLElement>('.latchkey-toast-close')[step.place]?.click())
            if (step.do === 'closeAll') act(toastQueue.closeAll)
            if (step.do === 'enter') fireEvent.pointerEnter(section(), { pointerType: 'mouse' })
            if (step.do === 'leave') fireEvent.pointerLeave(section(), { pointerType: 'mouse' })
            if (step.do === 'wait') await passTime(step.ms)
          }
          expect(largest).toBeLessThanOrEqual(3)
          // Nothing hangs: what is not endless has gone after its time.
          fireEvent.pointerLeave(section(), { pointerType: 'mouse' })
          act(toastQueue.closeAll)
          await passTime(10_000)
          expect(waitingCount()).toBe(0)
        },
      ),
    )
  })
})

describe('time', () => {
  it('shows a toast for 5000 ms', async () => {
    info('a')
    await passTime(4999)
    expect(toastTexts()).toEqual(['a'])
    await passTime(1)
    expect(toastTexts()).toEqual([])
  })

  it('shows loading toasts, those with an action and those longer than any timer until they are closed', async () => {
    add({ kind: 'loading', text: 'saving' })
    info('look', { action: { label: 'Open', onClick() {} } })
    info('stay', { durationMs: 2 ** 31 })
    await passTime(3_600_000)
    expect(toastTexts()).toEqual(['saving', 'look', 'stay'])
  })

  it.each([0, -1, Number.NaN])('takes a duration of %s for the usual one', async (durationMs) => {
    info('a', { durationMs })
    await passTime(4999)
    expect(toastTexts()).toEqual(['a'])
    await passTime(1)
    expect(toastTexts()).toEqual([])
  })

  it('stops while the mouse is over them, and goes on where it was; what came meanwhile has all of its time', async () => {
    const section = document.querySelector('.latchkey-toasts')!
    info('a')
    await passTime(3000)
    fireEvent.pointerEnter(section, { pointerType: 'mouse' })
    await passTime(30_000)
    info('b')
    await passTime(30_000)
    fireEvent.pointerLeave(section, { pointerType: 'mouse' })
    await passTime(1900)
    expect(toastTexts()).toEqual(['a', 'b'])
    await passTime(100)
    expect(toastTexts()).toEqual(['b'])
    await passTime(2900)
    expect(toastTexts()).toEqual(['b'])
    await passTime(100)
    expect(toastTexts()).toEqual([])
  })
})

describe('the same text', () => {
  it('stands once with a count, and its time begins again', async () => {
    const id = info('a')
    await passTime(4000)
    expect(info('a')).toBe(id)
    expect(countOf('a')).toBe('×2')
    await passTime(4900)
    expect(toastTexts()).toEqual(['a'])
  })

  it('is counted while it waits too', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'd', 'd']) info(text)
    expect(waitingCount()).toBe(1)
    await passTime(5000 + EXIT_MS)
    expect(countOf('d')).toBe('×3')
  })

  it('is another toast when one is an error and one is not', () => {
    info('a')
    error('a')
    expect(toastTexts()).toEqual(['a', 'a'])
  })

  it('is told anew when it comes after its toast has begun to leave', async () => {
    info('a')
    await passTime(5000)
    info('a')
    await passTime(EXIT_MS)
    expect(toastTexts()).toEqual(['a'])
    expect(countOf('a')).toBeUndefined()
  })
})

describe('order', () => {
  it('lets errors go before what waits longer', async () => {
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    error('wrong')
    await passTime(5000 + EXIT_MS)
    expect(toastTexts()).toEqual(['wrong', 'd'])
  })

  it('lets an endless toast give its place to one that ends by itself, and brings it back, announced once', async () => {
    for (const text of ['a', 'b', 'c']) info(text, FOR_EVER)
    info('d')
    await passTime(EXIT_MS)
    expect(toastTexts()).toEqual(['b', 'c', 'd'])
    await passTime(5000 + EXIT_MS)
    expect(toastTexts()).toEqual(['b', 'c', 'a'])
    expect(screen.getByText('a').closest('li')!.getAttribute('aria-live')).toBe('off')
    expect(screen.getByText('b').closest('li')!.hasAttribute('aria-live')).toBe(false)
  })

  it('announces what replaces a toast that had given its place away', async () => {
    for (const text of ['a', 'b', 'c']) info(text, { ...FOR_EVER, id: text })
    info('d')
    await passTime(5000 + 2 * EXIT_MS)
    info('a is done', { ...FOR_EVER, id: 'a' })
    expect(screen.getByText('a is done').closest('li')!.hasAttribute('aria-live')).toBe(false)
  })

  it('lets a fourth endless toast wait until one of the three is closed', async () => {
    for (const text of ['a', 'b', 'c', 'd']) info(text, FOR_EVER)
    await passTime(60_000)
    expect(toastTexts()).toEqual(['a', 'b', 'c'])
    expect(waitingCount()).toBe(1)
    close('a')
    await passTime(EXIT_MS)
    expect(toastTexts()).toEqual(['b', 'c', 'd'])
  })

  it('does not let an endless error give way to what is no error', async () => {
    for (const text of ['a', 'b', 'c']) error(text, FOR_EVER)
    info('d')
    await passTime(10_000)
    expect(toastTexts()).toEqual(['a', 'b', 'c'])
  })

  it('gives the countdown a place at once, and brings back who had to go', async () => {
    for (const text of ['a', 'b', 'c']) info(text)
    await passTime(1000)
    countdown()
    await passTime(EXIT_MS)
    expect(toastTexts()).toEqual(['countdown', 'b', 'c'])
    await passTime(4000)
    expect(toastTexts()).toEqual(['countdown', 'a'])
    await passTime(5000 + EXIT_MS)
    expect(toastTexts()).toEqual(['countdown'])
  })

  it('never lets the countdown give its place away', async () => {
    countdown()
    for (const text of ['a', 'b', 'c']) info(text, FOR_EVER)
    for (const text of ['d', 'e']) error(text)
    for (let turn = 0; turn < 6; turn += 1) {
      await passTime(2600)
      expect(toastTexts()).toContain('countdown')
    }
  })
})

describe('a storm', () => {
  it('lets all of them wait, loses none, and shows the errors first', async () => {
    act(() => {
      for (let number = 1; number <= 60; number += 1)
        notify[number % 10 ? 'info' : 'error'](`number ${number}`, { durationMs: 1000 })
    })
    expect(waitingCount()).toBe(57)
    const seen: string[] = []
    while (inThePage() > 0) {
      seen.push(...toastTexts().filter((text) => !seen.includes(text)))
      await passTime(1000 + EXIT_MS)
    }
    expect(seen).toHaveLength(60)
    expect(seen.slice(3, 9)).toEqual([10, 20, 30, 40, 50, 60].map((number) => `number ${number}`))
  })
})

describe('ids', () => {
  it('replaces the toast of that id, with a time of its own', async () => {
    const id = add({ kind: 'loading', text: 'saving' })
    info('b')
    add({ kind: 'success', text: 'saved', id })
    expect(toastTexts()).toEqual(['saved', 'b'])
    await passTime(5000)
    expect(toastTexts()).toEqual([])
  })

  it('lets two runs behind one loading toast end one after the other', () => {
    const first = add({ kind: 'loading', text: 'saving' })
    const second = add({ kind: 'loading', text: 'saving' })
    expect(second).toBe(first)
    add({ kind: 'success', text: 'saved a', id: first })
    expect(toastTexts()).toEqual(['saving', 'saved a'])
    expect(countOf('saving')).toBeUndefined()
    add({ kind: 'error', text: 'b failed', id: second })
    expect(toastTexts()).toEqual(['b failed', 'saved a'])
  })

  it('brings a leaving toast back when its id is used again', async () => {
    info('a', { id: 'x' })
    await passTime(5000)
    info('b', { id: 'x' })
    await passTime(EXIT_MS)
    expect(toastTexts()).toEqual(['b'])
  })

  it('replaces a toast that still waits, and moves it among the errors when it became one', async () => {
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    const id = add({ kind: 'loading', text: 'saving' })
    error('failed', { id })
    await passTime(5000 + EXIT_MS)
    expect(toastTexts()).toEqual(['failed', 'd'])
  })

  it('closes a toast that waits without ever showing it', async () => {
    for (const text of ['a', 'b', 'c']) info(text)
    const id = info('d')
    act(() => toastQueue.close(id))
    await passTime(5000 + EXIT_MS)
    expect(inThePage()).toBe(0)
  })
})
