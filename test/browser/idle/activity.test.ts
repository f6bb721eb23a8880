// Activity in a real browser: real input counts, events from scripts do not.
import { afterEach, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { isFocusElsewhere } from '../../../src/session/platform/browserElsewhere.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'

let stop = () => {}
afterEach(() => {
  stop()
  document.body.replaceChildren()
  scrollTo(0, 0)
})

/** A long page with a field that counts activity. */
function openPage() {
  const field = document.createElement('input')
  const tail = document.createElement('div')
  tail.style.height = '5000px'
  document.body.append(field, tail)
  let count = 0
  stop = createBrowserPlatform().on('activity', () => (count += 1))
  return { field, tail, count: () => count }
}
const painted = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))

it('a page that a script scrolls has no activity', async () => {
  const { field, tail, count } = openPage()
  await userEvent.hover(field)
  const before = count()
  for (let step = 1; step <= 10; step += 1) {
    scrollTo(0, step * 100)
    await painted()
  }
  tail.scrollIntoView()
  await painted()
  expect(scrollY).toBeGreaterThan(0)
  expect(count() - before).toBe(0)
})

it.each([
  new PointerEvent('pointermove', { bubbles: true }),
  new PointerEvent('pointerdown', { bubbles: true }),
  new KeyboardEvent('keydown', { bubbles: true, key: 'a' }),
  new WheelEvent('wheel', { bubbles: true }),
  new Event('touchstart', { bubbles: true }),
  new Event('touchmove', { bubbles: true }),
  new Event('scroll', { bubbles: true }),
])('a $type dispatched by a script is no activity', (event) => {
  const { field, count } = openPage()
  field.dispatchEvent(event)
  expect(count()).toBe(0)
})

it('pointer movement, clicks, keys, the wheel and touch are', async () => {
  const { field, count } = openPage()
  const grows = async (act: () => Promise<unknown>) => {
    const before = count()
    await act()
    await expect.poll(count).toBeGreaterThan(before)
  }
  await grows(() => userEvent.hover(page.elementLocator(document.body)))
  await grows(() => userEvent.click(field))
  await grows(() => userEvent.keyboard('a'))
  const input = (type: string, more: object) => cdp().send(`Input.${type}` as never, more as never)
  await grows(() =>
    input('dispatchMouseEvent', { type: 'mouseWheel', x: 100, y: 100, deltaX: 0, deltaY: 50 }),
  )
  await grows(() => input('dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 100, y: 100 }] }))
  await grows(() => input('dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 100, y: 160 }] }))
  await input('dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
})

it('text input without keys is activity', async () => {
  const { field, count } = openPage()
  await userEvent.click(field)
  const before = count()
  await cdp().send('Input.insertText' as never, { text: 'dictated' } as never)
  await expect.poll(count).toBeGreaterThan(before)
})

it('typing in a same-origin frame is activity, also in a nested frame and after a reload of the frame', async () => {
  const { count } = openPage()
  const load = async (into: Document) => {
    into.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<input>"></iframe>')
    const frame = [...into.querySelectorAll('iframe')].at(-1)!
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    return frame
  }
  const grows = async (frame: HTMLIFrameElement) => {
    frame.contentDocument?.querySelector('input')?.focus()
    const before = count()
    // Listeners in frames start a second after those of the page.
    const type = async () => {
      await cdp().send('Input.insertText' as never, { text: 'x' } as never)
      return count()
    }
    await expect.poll(type, { timeout: 10_000 }).toBeGreaterThan(before)
    expect(isFocusElsewhere()).toBe(false)
  }
  const outer = await load(document)
  await grows(outer)
  await grows(await load(outer.contentDocument!))
  const reloaded = new Promise((resolve) => outer.addEventListener('load', resolve))
  outer.srcdoc = '<p>new</p><input>'
  await reloaded
  await grows(outer)
})

it('focus in a cross-origin frame is activity', async () => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', '')
  frame.srcdoc = '<input>'
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  await loaded
  expect(isFocusElsewhere()).toBe(false)
  frame.focus()
  expect(isFocusElsewhere()).toBe(true)
})
