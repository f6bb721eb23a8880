// What the queue promises: three on stage, errors first, each text once, nothing starves, nothing is lost unsaid.

// @module-tag generated

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ToastView } from '../../../src/toaster/toast.ts'
import { createToastQueue, EXIT_MS, type ToastQueue } from '../../../src/toaster/toastQueue.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { checkGenerated } from '../../generated.ts'

let host: FakeHost
let queue: ToastQueue
let stage: Map<string, ToastView & { isLeaving: boolean }>
let largestStage: number

const texts = () => [...stage.values()].filter(({ isLeaving }) => !isLeaving).map(({ text }) => text)
const view = (text: string) => [...stage.values()].find((found) => found.text === text)!
const attach = (page = host) => queue.attach({ platform: page.platform })
const info = (text: string, more = {}) => queue.add({ kind: 'info', text, ...more })
const error = (text: string, more = {}) => queue.add({ kind: 'error', text, ...more })

beforeEach(() => {
  host = createFakeHost('https://app.test/')
  stage = new Map()
  largestStage = 0
  queue = createToastQueue({
    put(shown) {
      stage.set(shown.id, Object.assign(shown, { isLeaving: false }))
      largestStage = Math.max(largestStage, stage.size)
    },
    leave: (id) => Object.assign(stage.get(id)!, { isLeaving: true }),
    remove: (id) => stage.delete(id),
  })
})

describe('three at most', () => {
  it('shows three and lets the others wait in order', async () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd', 'e']) info(text)
    expect(texts()).toEqual(['a', 'b', 'c'])
    expect(queue.surroundings().waitingCount).toBe(2)
    await host.clock.advance(5000 + EXIT_MS)
    expect(texts()).toEqual(['d', 'e'])
    expect(largestStage).toBe(3)
  })

  it('gives the place of a leaving toast away only when it has gone', async () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    await host.clock.advance(1500)
    queue.close(view('b').id)
    await host.clock.advance(EXIT_MS - 1)
    expect(stage.size).toBe(3)
    expect(texts()).toEqual(['a', 'c'])
    await host.clock.advance(1)
    expect(texts()).toEqual(['a', 'c', 'd'])
  })

  it('never has four on stage, whatever is asked of it', async () => {
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
            fc.record({ do: fc.constant('close' as const), text: fc.constantFrom('a', 'b', 'c', 'd') }),
            fc.record({ do: fc.constant('closeAll' as const) }),
            fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }),
            fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 6000 }) }),
          ),
          { maxLength: 30 },
        ),
        async (steps) => {
          queue.clear()
          largestStage = 0
          const detach = attach()
          for (const step of steps) {
            if (step.do === 'add') queue.add(step)
            if (step.do === 'close') queue.close(view(step.text)?.id ?? '')
            if (step.do === 'closeAll') queue.closeAll()
            if (step.do === 'pause') queue.pause('hover')
            if (step.do === 'resume') queue.resume('hover')
            if (step.do === 'wait') await host.clock.advance(step.ms)
          }
          expect(largestStage).toBeLessThanOrEqual(3)
          // Nothing hangs: what is not endless has gone after its time.
          queue.resume('hover')
          queue.closeAll()
          await host.clock.advance(60_000)
          expect(queue.surroundings().waitingCount).toBe(0)
          detach()
          expect(host.counts().timers).toBe(0)
        },
      ),
    )
  })
})

describe('time', () => {
  const expectGoneAfter = async (ms: number) => {
    await host.clock.advance(ms - 1)
    expect(texts()).toEqual(['a'])
    await host.clock.advance(1)
    expect(texts()).toEqual([])
  }

  it('shows a toast for 5000 ms', async () => {
    attach()
    info('a')
    await expectGoneAfter(5000)
  })

  it('keeps to it when somebody sets the clock, a day forward or back', async () => {
    attach()
    info('a')
    host.clock.jump(86_400_000)
    await host.clock.advance(4999)
    expect(texts()).toEqual(['a'])
    host.clock.jump(-2 * 86_400_000)
    await host.clock.advance(1)
    expect(texts()).toEqual([])
  })

  it('shows loading toasts and those with an action until they are closed', async () => {
    attach()
    queue.add({ kind: 'loading', text: 'saving' })
    info('look', { action: { label: 'Open', onClick() {} } })
    await host.clock.advance(3_600_000)
    expect(texts()).toEqual(['saving', 'look'])
  })

  it('takes a duration above what timers can hold at its word', async () => {
    attach()
    info('a', { durationMs: 2 ** 31 + 1000 })
    await expectGoneAfter(2 ** 31 + 1000)
  })

  it.each([0, -1, Number.NaN])('takes a duration of %s for the usual one', async (durationMs) => {
    attach()
    info('a', { durationMs })
    await expectGoneAfter(5000)
  })

  it('stops for hover, focus and a hidden page, and goes on when the last of them has ended', async () => {
    attach()
    info('a')
    await host.clock.advance(3000)
    queue.pause('hover')
    host.setVisible(false)
    await host.clock.advance(60_000)
    queue.resume('hover')
    await host.clock.advance(60_000)
    expect(texts()).toEqual(['a'])
    host.setVisible(true)
    await host.clock.advance(1999)
    expect(texts()).toEqual(['a'])
    await host.clock.advance(1)
    expect(texts()).toEqual([])
  })

  it('does not begin to count on a page that is hidden when the toaster mounts', async () => {
    host.setVisible(false)
    attach()
    info('a')
    await host.clock.advance(60_000)
    expect(texts()).toEqual(['a'])
  })
})

describe('the same text', () => {
  it('stands once with a count, and its time begins again', async () => {
    attach()
    info('a')
    await host.clock.advance(4000)
    expect(info('a')).toBe(view('a').id)
    expect(view('a').count).toBe(2)
    await host.clock.advance(4999)
    expect(texts()).toEqual(['a'])
  })

  it('is counted while it waits too', async () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd', 'd', 'd']) info(text)
    expect(queue.surroundings().waitingCount).toBe(1)
    await host.clock.advance(5000 + EXIT_MS)
    expect(view('d').count).toBe(3)
  })

  it('is another toast when one is an error and one is not', () => {
    attach()
    info('a')
    error('a')
    expect(texts()).toEqual(['a', 'a'])
  })

  it('is told anew when it comes after its toast has begun to leave', async () => {
    attach()
    info('a')
    await host.clock.advance(5000)
    info('a')
    await host.clock.advance(EXIT_MS)
    expect(texts()).toEqual(['a'])
    expect(view('a').count).toBe(1)
  })
})

describe('order', () => {
  it('lets errors go before what waits longer', async () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    error('wrong')
    await host.clock.advance(5000 + EXIT_MS)
    expect(texts()).toEqual(['wrong', 'd'])
  })

  it('lets an endless toast give its place to one that ends by itself, and brings it back afterwards', async () => {
    attach()
    for (const text of ['a', 'b', 'c']) info(text, { durationMs: Infinity })
    info('d')
    await host.clock.advance(EXIT_MS)
    expect(texts()).toEqual(['b', 'c', 'd'])
    await host.clock.advance(5000 + EXIT_MS)
    expect(texts()).toEqual(['b', 'c', 'a'])
    expect(largestStage).toBe(3)
  })

  it('lets a fourth endless toast wait until one of the three is closed', async () => {
    attach()
    const id = info('a', { durationMs: Infinity })
    for (const text of ['b', 'c', 'd']) info(text, { durationMs: Infinity })
    await host.clock.advance(60_000)
    expect(texts()).toEqual(['a', 'b', 'c'])
    expect(queue.surroundings().waitingCount).toBe(1)
    queue.close(id)
    await host.clock.advance(EXIT_MS)
    expect(texts()).toEqual(['b', 'c', 'd'])
  })

  it('does not let an endless error give way to what is no error', async () => {
    attach()
    for (const text of ['a', 'b', 'c']) error(text, { durationMs: Infinity })
    info('d')
    for (let step = 0; step < 100; step += 1) {
      await host.clock.advance(101)
      expect(texts()).toEqual(['a', 'b', 'c'])
    }
  })

  it('gives what must be seen a place at once, and its own time back to who had to go', async () => {
    attach()
    for (const text of ['a', 'b', 'c']) info(text)
    await host.clock.advance(1000)
    queue.add({ kind: 'info', text: 'countdown', urgency: 0, id: 'idle', durationMs: Infinity })
    await host.clock.advance(EXIT_MS)
    expect(texts()).toEqual(['b', 'c', 'countdown'])
    await host.clock.advance(4000)
    expect(texts()).toEqual(['countdown', 'a'])
    await host.clock.advance(3999)
    expect(texts()).toEqual(['countdown', 'a'])
    await host.clock.advance(1)
    expect(texts()).toEqual(['countdown'])
  })

  it('never lets what must be seen give its place away', async () => {
    attach()
    queue.add({ kind: 'info', text: 'countdown', urgency: 0, durationMs: Infinity })
    for (const text of ['a', 'b', 'c']) info(text, { durationMs: Infinity })
    for (let turn = 0; turn < 6; turn += 1) {
      await host.clock.advance(2600)
      expect(texts()).toContain('countdown')
    }
  })
})

describe('a storm', () => {
  it('lets all of them wait in order, and loses none', async () => {
    attach()
    for (let number = 1; number <= 1000; number += 1) info(`message ${number}`)
    expect(queue.surroundings().waitingCount).toBe(997)
    const seen = new Set<string>()
    while (stage.size > 0) {
      for (const text of texts()) seen.add(text)
      await host.clock.advance(5000 + EXIT_MS)
    }
    expect([...seen]).toEqual(Array.from({ length: 1000 }, (_, index) => `message ${index + 1}`))
  })

  it('keeps the errors among a thousand others', async () => {
    attach()
    for (let number = 1; number <= 1000; number += 1) {
      if (number % 100 === 0) error(`error ${number}`)
      else info(`message ${number}`)
    }
    const seen = new Set<string>()
    while (stage.size > 0) {
      for (const text of texts()) seen.add(text)
      await host.clock.advance(5000 + EXIT_MS)
    }
    expect([...seen].filter((text) => text.startsWith('error'))).toHaveLength(10)
  })

  it('makes one toast of a thousand that say the same', () => {
    attach()
    for (let number = 1; number <= 1000; number += 1) error('The server could not be reached')
    expect(stage.size).toBe(1)
    expect(view('The server could not be reached').count).toBe(1000)
    expect(queue.surroundings().waitingCount).toBe(0)
  })

  it('ends when the user closes all', async () => {
    attach()
    for (let number = 1; number <= 1000; number += 1) info(`message ${number}`)
    await host.clock.advance(1500)
    queue.closeAll()
    await host.clock.advance(EXIT_MS - 1)
    expect(stage.size).toBe(3)
    await host.clock.advance(1)
    expect(stage.size).toBe(0)
    expect(queue.surroundings().waitingCount).toBe(0)
  })
})

describe('ids', () => {
  it('replaces the toast of that id in its place, with a time of its own', async () => {
    attach()
    const id = queue.add({ kind: 'loading', text: 'saving' })
    info('b')
    queue.add({ kind: 'success', text: 'saved', id })
    expect(texts()).toEqual(['saved', 'b'])
    await host.clock.advance(5000)
    expect(texts()).toEqual([])
  })

  it('lets two runs behind one loading toast end one after the other', async () => {
    attach()
    const first = queue.add({ kind: 'loading', text: 'saving' })
    const second = queue.add({ kind: 'loading', text: 'saving' })
    expect(second).toBe(first)
    queue.add({ kind: 'success', text: 'saved a', id: first })
    expect(texts()).toEqual(['saving', 'saved a'])
    expect(view('saving').count).toBe(1)
    queue.add({ kind: 'error', text: 'b failed', id: second })
    expect(texts()).toEqual(['b failed', 'saved a'])
  })

  it('brings a leaving toast back when its id is used again', async () => {
    attach()
    info('a', { id: 'x' })
    await host.clock.advance(5000)
    info('b', { id: 'x' })
    await host.clock.advance(EXIT_MS)
    expect(texts()).toEqual(['b'])
  })

  it('replaces a toast that still waits, and moves it among the errors when it became one', async () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    const id = queue.add({ kind: 'loading', text: 'saving' })
    error('failed', { id })
    await host.clock.advance(5000 + EXIT_MS)
    expect(texts()).toEqual(['failed', 'd'])
  })

  it('closes a toast that waits without ever showing it', async () => {
    attach()
    for (const text of ['a', 'b', 'c']) info(text)
    queue.close(info('d'))
    await host.clock.advance(5000 + EXIT_MS)
    expect(stage.size).toBe(0)
  })

  it('lets a toast that somebody else dismissed go, and heeds no older view of it', async () => {
    attach()
    const id = info('a', { id: 'x' })
    const older = stage.get(id)!
    info('b', { id: 'x' })
    queue.heedDismissal(older)
    expect(texts()).toEqual(['b'])
    await host.clock.advance(1500)
    queue.heedDismissal(stage.get(id)!)
    await host.clock.advance(EXIT_MS - 1)
    expect(stage.size).toBe(1)
    await host.clock.advance(1)
    expect(stage.size).toBe(0)
  })
})

describe('announcements', () => {
  const said = () => queue.surroundings().announcements.map(({ text, isUrgent }) => [text, isUrgent])

  it('says each toast once when it comes on stage, errors as urgent, and falls silent after a second', async () => {
    attach()
    info('a')
    error('b')
    expect(said()).toEqual([
      ['a', false],
      ['b', true],
    ])
    await host.clock.advance(1000)
    expect(said()).toEqual([])
    info('a')
    expect(said()).toEqual([])
  })

  it('says a countdown once, not every second', async () => {
    attach()
    for (let seconds = 60; seconds > 50; seconds -= 1) {
      queue.add({
        kind: 'info',
        text: `out in ${seconds} s`,
        announcement: `out in ${seconds} seconds`,
        id: 'idle',
        urgency: 0,
        durationMs: Infinity,
      })
      expect(said()).toEqual(seconds === 60 ? [['out in 60 seconds', true]] : [])
      await host.clock.advance(1000)
    }
  })

  it('does not repeat a toast that comes back', async () => {
    attach()
    const heard: string[] = []
    const stop = queue.subscribe(() => {
      for (const { key, text } of queue.surroundings().announcements) {
        if (!heard.includes(`${key} ${text}`)) heard.push(`${key} ${text}`)
      }
    })
    for (const text of ['a', 'b', 'c']) info(text, { durationMs: Infinity })
    info('d')
    await host.clock.advance(60_000)
    expect(texts()).toEqual(['b', 'c', 'a'])
    stop()
    expect(heard).toEqual(['1 a', '2 b', '3 c', '4 d'])
  })
})

describe('who draws', () => {
  it('lets everything wait until somebody does', async () => {
    info('a')
    await host.clock.advance(60_000)
    expect(stage.size).toBe(0)
    attach()
    expect(texts()).toEqual(['a'])
  })

  it('draws for the first one attached, and for the next one when it goes', () => {
    const detachFirst = attach()
    const first = queue.surroundings().owner
    const detachSecond = attach()
    expect(queue.surroundings().owner).toBe(first)
    detachFirst()
    expect(queue.surroundings().owner).not.toBe(first)
    expect(queue.surroundings().owner).toBeDefined()
    detachSecond()
    expect(queue.surroundings().owner).toBeUndefined()
  })

  it('stops the time while nobody draws, and leaves no timer and no listener behind', async () => {
    const detach = attach()
    info('a')
    await host.clock.advance(3000)
    detach()
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0 })
    await host.clock.advance(60_000)
    const other = createFakeHost('https://app.test/')
    attach(other)
    await other.clock.advance(1999)
    expect(texts()).toEqual(['a'])
    await other.clock.advance(1)
    expect(texts()).toEqual([])
  })

  it("forgets all at once when they are nobody's business any more", () => {
    attach()
    for (const text of ['a', 'b', 'c', 'd']) info(text)
    queue.clear()
    expect(stage.size).toBe(0)
    expect(queue.surroundings()).toMatchObject({ waitingCount: 0, announcements: [] })
  })
})
