// Toasts in a real browser: the cap at any time, real keys and pointers, a storm, a strict CSP, a dialog.
import { act } from '@testing-library/react'
import { StrictMode, version } from 'react'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EXIT_MS } from '../../../src/toaster/toastStyle.ts'
import { notify } from '../../../src/toaster/notify.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { openFreshPage } from '../freshPage.ts'
import type { ToastsPage } from './toastsPage.tsx'

const TOAST = '.latchkey-toast'
const count = () => document.querySelectorAll(TOAST).length
const texts = () =>
  [...document.querySelectorAll(`${TOAST}:not([data-leaving]) [dir=auto]`)].map((text) => text.textContent)
const until = (isTrue: () => boolean) => expect.poll(isTrue, { timeout: 15_000, interval: 20 }).toBe(true)

/** The largest number of toasts in the page at any time, and every text that was shown. */
function watchToasts() {
  let largest = 0
  const seen = new Set<string | null>()
  const observer = new MutationObserver(() => {
    largest = Math.max(largest, count())
    for (const text of texts()) seen.add(text)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  return {
    seen,
    end() {
      observer.disconnect()
      return largest
    },
  }
}

beforeEach(async () => {
  await page.viewport(800, 600)
  // Another test file may leave the pointer over the toasts, which would pause them.
  await userEvent.hover(document.documentElement, { position: { x: 790, y: 5 } })
})
afterEach(async () => {
  notify.dismiss()
  await until(() => count() === 0)
})

it('never has a fourth toast in the page, exit animations included', async () => {
  await render(<AuthToaster />)
  const watch = watchToasts()
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) notify.info(text, { durationMs: 300 })
  // On a busy machine it may appear between two polls.
  await until(() => watch.seen.has('f'))
  await until(() => count() === 0)
  expect(watch.end()).toBe(3)
  expect(version).toMatch(/^19/)
})

it('shows toasts at the bottom left, above an open dialog', async () => {
  await render(
    <StrictMode>
      <AuthToaster />
      <dialog ref={(dialog) => dialog?.showModal()} style={{ width: '100vw', height: '100vh' }}>
        <p>A dialog over everything</p>
      </dialog>
    </StrictMode>,
  )
  notify.error('seen')
  await until(() => count() === 1)
  const box = () => document.querySelector(TOAST)!.getBoundingClientRect()
  // It slides in.
  await until(() => innerHeight - box().bottom === 16)
  expect(box().left).toBe(16)
  expect(document.querySelector('.latchkey-toasts')!.matches(':popover-open')).toBe(true)
})

it('leaves room for a menu beside it and a bar below it, whose sizes the page gives', async () => {
  const { style } = document.documentElement
  style.setProperty('--latchkey-toasts-side', '240px')
  style.setProperty('--latchkey-toasts-bottom', '40px')
  onTestFinished(() => void (style.cssText = ''))
  await render(<AuthToaster />)
  notify.info('a')
  await until(() => count() === 1)
  const box = () => document.querySelector(TOAST)!.getBoundingClientRect()
  const edges = () => [box().left, innerHeight - box().bottom]
  await expect.poll(edges, { timeout: 15_000, interval: 20 }).toEqual([256, 56])
})

it('is as wide as a phone allows, and nothing overflows', async () => {
  await page.viewport(360, 640)
  await render(<AuthToaster />)
  notify.error('x'.repeat(300), { action: { label: 'Try again', onClick() {} } })
  notify.info('A sentence of quite usual length about nothing in particular.')
  await until(() => count() === 2)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  for (const element of document.querySelectorAll(`${TOAST}, ${TOAST} button`)) {
    const { left, right } = element.getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(360)
  }
})

it('can be reached by Tab, closed by Escape and by Enter, and returns the focus', async () => {
  await render(
    <>
      <input aria-label="name" />
      <AuthToaster />
    </>,
  )
  await userEvent.click(page.getByLabelText('name'))
  for (const text of ['a', 'b']) notify.info(text, { durationMs: 4000 })
  await until(() => count() === 2)
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Close: a' })).toHaveFocus()
  // The focus is inside: no toast closes automatically.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  expect(texts()).toEqual(['a', 'b'])
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Close: b' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByLabelText('name')).toHaveFocus()
  await until(() => count() === 0)
})

it(
  'pauses under the mouse, and continues when the mouse leaves or its toast was closed',
  { tags: ['thorough'] },
  async () => {
    await render(
      <>
        <p>elsewhere</p>
        <AuthToaster />
      </>,
    )
    notify.info('a', { durationMs: 4000 })
    await until(() => count() === 1)
    await userEvent.hover(document.querySelector('.latchkey-toast')!)
    await new Promise((resolve) => setTimeout(resolve, 4500))
    expect(texts()).toEqual(['a'])
    await userEvent.hover(page.getByText('elsewhere'))
    await until(() => count() === 0)

    notify.info('b', { durationMs: Infinity })
    notify.info('c', { durationMs: 2000 })
    await until(() => count() === 2)
    await userEvent.click(page.getByRole('button', { name: 'Close: b' }))
    await userEvent.hover(page.getByText('elsewhere'))
    await until(() => count() === 0)
  },
)

it('stays at three during a thousand different texts at once, and the page stays responsive', async () => {
  await render(<AuthToaster />)
  const watch = watchToasts()
  const longTasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map(({ duration }) => duration))
  })
  observer.observe({ type: 'longtask' })
  let frameCount = 0
  const countFrame = () => {
    frameCount += 1
    if (frameCount < 30) requestAnimationFrame(countFrame)
  }
  for (let number = 0; number < 1000; number += 1) notify[number % 100 ? 'info' : 'error'](`number ${number}`)
  requestAnimationFrame(countFrame)
  await until(() => frameCount === 30)
  observer.disconnect()
  expect(watch.end()).toBe(3)
  expect(texts()).toHaveLength(3)
  await expect.element(page.getByText(/^997 more/)).toBeVisible()
  console.info(`long tasks in a storm of 1000: ${JSON.stringify(longTasks)}`)
})

it('works with a strict CSP: no inline style, no style element', async () => {
  const { page, document, window } = await openFreshPage<ToastsPage>('/test/browser/toaster/toastsPage.tsx', {
    policy: "style-src 'none'",
  })
  const cards = () => document.querySelectorAll('.latchkey-toast')
  page.notify.error('seen', { action: { label: 'Try again', onClick() {} } })
  await until(() => cards().length === 1)
  expect(window.getComputedStyle(cards()[0]!).borderRadius).toBe('10px')
  page.notify.dismiss()
  await until(() => cards().length === 0)
  expect(page.violations).toEqual([])
  // The policy is enforced.
  document.body.append(document.createElement('style'))
  await until(() => page.violations.length === 1)
})

it('restores the page when it unmounts', async () => {
  const before = document.adoptedStyleSheets.length
  const { unmount } = await render(<AuthToaster />)
  notify.info('a')
  await until(() => count() === 1)
  await act(unmount)
  expect(document.adoptedStyleSheets).toHaveLength(before)
  expect(count()).toBe(0)
  const again = await render(<AuthToaster />)
  await until(() => count() === 1)
  await again.unmount()
  expect(EXIT_MS).toBeLessThan(1000)
})
