// What a user sees of idle time: nothing for 29 minutes, then a countdown that a key, a click or another tab ends.
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { useIdle } from '../../../src/hooks/useIdle.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { toastQueue } from '../../../src/toaster/toastQueue.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import {
  holdToastClock,
  saidTexts,
  showScene,
  toastTexts,
  type ToastsScene,
} from '../toaster/toastsScene.tsx'

holdToastClock()
afterEach(() => act(() => toastQueue.clear()))

const MINUTE_MS = 60_000
const countdown = (seconds: number) =>
  `You will be signed out in ${seconds} s, because nothing has happened here for a while.`

/** Idle time begins to count when its part of the session has loaded. */
async function showIdle(
  ui: ReactNode,
  { idleTimeoutInMinutes = 30, ...config }: Partial<AuthConfig> = {},
): Promise<ToastsScene> {
  const scene = await showScene(ui, { config: { idleTimeoutInMinutes, ...config } })
  while (!internalsOf(scene.auth).idle()) await scene.settle()
  return scene
}

describe('the countdown', () => {
  it('is not there before the last minute, and then counts every second', async () => {
    const { advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS - 1)
    expect(toastTexts()).toEqual([])
    await advance(1)
    expect(toastTexts()).toEqual([countdown(60)])
    await advance(1000)
    expect(toastTexts()).toEqual([countdown(59)])
    await advance(49_000)
    expect(toastTexts()).toEqual([countdown(10)])
  })

  it('ends in one logout, with the toast gone', async () => {
    const { host, auth, advance, settle } = await showIdle(<AuthToaster />)
    await advance(30 * MINUTE_MS)
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(host.navigations).toHaveLength(1)
    await advance(1000)
    expect(toastTexts()).toEqual([])
  })

  it('is announced once, at once, not every second', async () => {
    const { advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS)
    expect(saidTexts().assertive).toBe(countdown(60))
    const close = screen.getByRole('button', { name: /^Close/ })
    const name = close.getAttribute('aria-label')
    expect(name).toBe(`Close: ${countdown(60)}`)
    for (let second = 0; second < 20; second += 1) {
      await advance(1000)
      expect(saidTexts()).toEqual({ polite: '', assertive: '' })
      // Nor does the name of a focused button change under the reader.
      expect(close.getAttribute('aria-label')).toBe(name)
    }
  })

  it('takes a place at once from a page full of toasts, and gives it back', async () => {
    const { advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS - 1000)
    act(() => ['a', 'b', 'c', 'd'].forEach((text) => notify.loading(text)) as never)
    await advance(1200)
    expect(toastTexts()).toEqual([countdown(60), 'b', 'c'])
    expect(document.querySelectorAll('.latchkey-toast')).toHaveLength(3)
    act(() => toastQueue.close('latchkey idle'))
    await advance(200)
    expect(toastTexts()).toHaveLength(3)
  })

  it.each([
    ['"Stay signed in"', () => fireEvent.click(screen.getByRole('button', { name: 'Stay signed in' }))],
    ['its close button', () => fireEvent.click(screen.getByRole('button', { name: /^Close/ }))],
  ])('is ended by %s, and 30 minutes begin again', async (_, use) => {
    const { auth, advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS + 30_000)
    use()
    await advance(200)
    expect(toastTexts()).toEqual([])
    await advance(29 * MINUTE_MS - 201)
    expect(toastTexts()).toEqual([])
    await advance(1)
    expect(toastTexts()).toEqual([countdown(60)])
    expect(auth.getState().status).toBe('authenticated')
  })

  it('is reached by Tab, and ended by Enter and by Escape', async () => {
    const user = userEvent.setup()
    const { advance } = await showIdle(<AuthToaster />)
    for (const keys of ['{Enter}', '{Escape}']) {
      await advance(29 * MINUTE_MS + 30_000)
      await user.tab()
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay signed in' }))
      await user.keyboard(keys)
      await advance(200)
      expect(toastTexts()).toEqual([])
      act(() => (document.activeElement as HTMLElement | null)?.blur())
    }
  })

  it('goes when the user works in another tab of the browser', async () => {
    const { host, advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS + 10_000)
    expect(toastTexts()).toHaveLength(1)
    const key = Object.keys(host.localStorage.entries()).find((name) => name.endsWith('activity'))!
    host.localStorage.set(key, String(host.clock.nowMs))
    await advance(1200)
    expect(toastTexts()).toEqual([])
  })

  it('goes when the user moves', async () => {
    const { host, advance } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS + 10_000)
    act(() => host.emit('activity'))
    await advance(200)
    expect(toastTexts()).toEqual([])
  })

  it('is there from the start when the whole idle time is a minute', async () => {
    const { advance } = await showIdle(<AuthToaster />, { idleTimeoutInMinutes: 1 })
    await advance(1000)
    expect(toastTexts()).toEqual([countdown(59)])
  })

  it('shows the time left as a ring that empties', async () => {
    const { advance } = await showIdle(<AuthToaster />)
    const left = () =>
      document.querySelector('.latchkey-toast [stroke-dasharray]')?.getAttribute('stroke-dasharray')
    await advance(29 * MINUTE_MS + 15_000)
    expect(left()).toBe('0.75 1')
    await advance(30_000)
    expect(left()).toBe('0.25 1')
    expect(document.querySelectorAll('.latchkey-toast > svg')).toHaveLength(1)
  })

  it('has texts of the app', async () => {
    const { advance } = await showIdle(<AuthToaster />, {
      idleTimeoutInMinutes: 1,
      messages: { idleCountdown: ({ seconds }) => `Nog ${seconds} s`, idleStay: 'Blijf ingelogd' },
    })
    await advance(1000)
    expect(toastTexts()).toEqual(['Nog 59 s'])
    expect(screen.getByRole('button', { name: 'Blijf ingelogd' })).toBeDefined()
  })

  it('leaves no timer behind when the page goes in the middle of it', async () => {
    const { host, unmount, advance, settle } = await showIdle(<AuthToaster />)
    await advance(29 * MINUTE_MS + 10_000)
    unmount()
    await settle()
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0 })
  })
})

describe('useIdle', () => {
  const renders: (number | undefined)[] = []
  let idle: ReturnType<typeof useIdle>
  const Probe = () => {
    idle = useIdle()
    renders.push(idle.remainingMs)
    return null
  }

  it('renders once a second in the last minute, and not once before it', async () => {
    const { advance } = await showIdle(<Probe />)
    renders.length = 0
    await advance(29 * MINUTE_MS - 1)
    expect(renders).toEqual([])
    await advance(1)
    for (let second = 0; second < 5; second += 1) await advance(1000)
    // StrictMode renders twice what it renders.
    expect([...new Set(renders)]).toEqual([60_000, 59_000, 58_000, 57_000, 56_000, 55_000])
    expect(renders.length).toBeLessThanOrEqual(12)
  })

  it('says at any time how long it has been and how long it will be', async () => {
    const { advance } = await showIdle(<Probe />)
    const sinceMs = idle.idleSinceMs
    await advance(600_000)
    expect(sinceMs).toBeGreaterThanOrEqual(FAKE_START_MS)
    expect(idle.idleSinceMs).toBe(sinceMs)
    expect(idle.remainingMs).toBeLessThanOrEqual(20 * MINUTE_MS)
    expect(idle.remainingMs).toBeGreaterThan(20 * MINUTE_MS - 1000)
  })

  it('keeps the user signed in when it is told to', async () => {
    const { auth, advance } = await showIdle(<Probe />)
    await advance(29 * MINUTE_MS + 59_000)
    act(() => idle.stayActive())
    expect(idle.remainingMs).toBe(30 * MINUTE_MS)
    await advance(29 * MINUTE_MS)
    expect(auth.getState().status).toBe('authenticated')
  })

  it.each([
    ['while nobody is signed in', { isSignedIn: false }],
    ['without autoLogout', { config: { autoLogout: false } }],
  ])('has nothing to say %s', async (_, options) => {
    const { settle } = await showScene(<Probe />, options)
    await settle()
    expect(idle.idleSinceMs).toBeUndefined()
    expect(idle.remainingMs).toBeUndefined()
    expect(() => idle.stayActive()).not.toThrow()
  })

  it('says what is missing outside a provider', () => {
    expect(() => render(<Probe />)).toThrow('No <AuthProvider> above this component')
  })
})
