// What the debounced hooks promise: one call when the rest has come, with the last arguments, and nothing after unmounting.
import { act, render, renderHook } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDebouncedCallback, useDebouncedValue } from '../../../src/hooks/useDebounced.ts'
import { AuthContext } from '../../../src/provider/context.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'

let host: FakeHost
let wrapper: (props: { children: ReactNode }) => ReactNode
const advance = (ms: number) => act(() => host.clock.advance(ms))

beforeEach(() => {
  host = createFakeHost('https://app.test/')
  const auth = createAuth(
    { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] },
    { platform: host.platform },
  )
  wrapper = ({ children }) => <AuthContext.Provider value={auth}>{children}</AuthContext.Provider>
})

describe('useDebouncedValue', () => {
  const show = (value: unknown, waitMs?: number) =>
    renderHook((props: { value: unknown }) => useDebouncedValue(props.value, waitMs), {
      wrapper,
      initialProps: { value },
    })

  it('has the first value at once, and no timer runs for it', () => {
    const { result } = show('a')
    expect(result.current).toBe('a')
    expect(host.counts().timers).toBe(0)
  })

  it('follows 166 ms after the last change', async () => {
    const { result, rerender } = show('a')
    rerender({ value: 'ab' })
    await advance(165)
    rerender({ value: 'abc' })
    await advance(165)
    expect(result.current).toBe('a')
    await advance(1)
    expect(result.current).toBe('abc')
    expect(host.counts().timers).toBe(0)
  })

  it('waits as long as it is told, for ever too', async () => {
    const { result, rerender } = show('a', 1000)
    rerender({ value: 'b' })
    await advance(999)
    expect(result.current).toBe('a')
    await advance(1)
    expect(result.current).toBe('b')

    const endless = show('a', Infinity)
    endless.rerender({ value: 'b' })
    await advance(3_600_000)
    expect(endless.result.current).toBe('a')
  })

  it('does not change when the value is back before the rest', async () => {
    const { result, rerender } = show('a')
    rerender({ value: 'b' })
    rerender({ value: 'a' })
    expect(host.counts().timers).toBe(0)
    await advance(1000)
    expect(result.current).toBe('a')
  })

  it('carries functions without calling them', async () => {
    const fn = vi.fn<() => void>()
    const { result, rerender } = show(undefined)
    rerender({ value: fn })
    await advance(166)
    expect(result.current).toBe(fn)
    expect(fn).not.toHaveBeenCalled()
  })

  it('leaves no timer behind', async () => {
    const { rerender, unmount } = show('a')
    rerender({ value: 'b' })
    unmount()
    expect(host.counts().timers).toBe(0)
  })
})

describe('useDebouncedCallback', () => {
  const show = <Args extends unknown[]>(callback: (...args: Args) => unknown, waitMs?: number) =>
    renderHook(
      (props: { callback: (...args: Args) => unknown; waitMs?: number | undefined }) =>
        useDebouncedCallback(props.callback, props.waitMs),
      { wrapper, initialProps: { callback, waitMs } },
    )

  it('calls once, 166 ms after the last call, with the last arguments', async () => {
    const callback = vi.fn<(text: string) => void>()
    const { result } = show(callback)
    for (const text of ['a', 'ab', 'abc']) {
      result.current(text)
      await advance(165)
    }
    expect(callback).not.toHaveBeenCalled()
    await advance(1)
    expect(callback.mock.calls).toEqual([['abc']])
    await advance(1000)
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it('is the same function at every render, and calls what was rendered last', async () => {
    const first = vi.fn<() => void>()
    const second = vi.fn<() => void>()
    const { result, rerender } = show(first)
    const debounced = result.current
    debounced()
    rerender({ callback: second, waitMs: undefined })
    await advance(166)
    expect(result.current).toBe(debounced)
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('takes a new wait from the next call on, and keeps the call that is held back', async () => {
    const callback = vi.fn<() => void>()
    const { result, rerender } = show(callback, 1000)
    result.current()
    rerender({ callback, waitMs: 10 })
    await advance(999)
    expect(callback).not.toHaveBeenCalled()
    await advance(1)
    result.current()
    await advance(10)
    expect(callback).toHaveBeenCalledTimes(2)
  })

  it('flushes at once and only what is held back, cancels without a call', async () => {
    const callback = vi.fn<(text: string) => void>()
    const { result } = show(callback)
    result.current.flush()
    expect(callback).not.toHaveBeenCalled()
    result.current('a')
    result.current.flush()
    expect(callback.mock.calls).toEqual([['a']])
    result.current('b')
    result.current.cancel()
    await advance(1000)
    expect(callback).toHaveBeenCalledTimes(1)
    expect(host.counts().timers).toBe(0)
  })

  it('can be called again from within its callback', async () => {
    const seen: number[] = []
    const { result } = show((count: number) => {
      seen.push(count)
      if (count < 3) result.current(count + 1)
    })
    result.current(1)
    await advance(500)
    expect(seen).toEqual([1, 2, 3])
  })

  it('drops the call when the component goes, and takes no further one', async () => {
    const callback = vi.fn<() => void>()
    const { result, unmount } = show(callback)
    result.current()
    unmount()
    result.current()
    await advance(1000)
    expect(callback).not.toHaveBeenCalled()
    expect(host.counts().timers).toBe(0)
  })

  it('works in StrictMode, which mounts twice', async () => {
    const callback = vi.fn<() => void>()
    let debounced = () => {}
    const Probe = () => {
      const own = useDebouncedCallback(callback)
      return <p ref={() => void (debounced = own)}>ready</p>
    }
    render(
      <StrictMode>
        <Probe />
      </StrictMode>,
      { wrapper },
    )
    debounced()
    await advance(166)
    expect(callback).toHaveBeenCalledTimes(1)
  })
})

describe('without a provider', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('both take the timers of the page', () => {
    const callback = vi.fn<() => void>()
    const value = renderHook((props: { value: string }) => useDebouncedValue(props.value), {
      initialProps: { value: 'a' },
    })
    const { result } = renderHook(() => useDebouncedCallback(callback))
    value.rerender({ value: 'b' })
    result.current()
    act(() => void vi.advanceTimersByTime(165))
    expect([value.result.current, callback.mock.calls.length]).toEqual(['a', 0])
    act(() => void vi.advanceTimersByTime(1))
    expect([value.result.current, callback.mock.calls.length]).toEqual(['b', 1])
  })
})
