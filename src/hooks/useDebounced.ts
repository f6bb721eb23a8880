'use client'
// Delays a value or a call until there have been no further ones for a while.
import { useEffect, useState } from 'react'
import { DEBOUNCE_MS, LARGEST_TIMER_DELAY_MS } from '../base/constants.ts'
import { usePlatform } from '../provider/context.ts'
import type { Platform } from '../session/platform/platform.ts'

/**
 * Returns the last value that did not change for `waitMs`. Default: 166 ms. Works without an `AuthProvider`.
 *
 * @example
 * const settledSearch = useDebouncedValue(search)
 */
export function useDebouncedValue<Value>(value: Value, waitMs: number = DEBOUNCE_MS): Value {
  const { setTimer } = usePlatform()
  const [settled, setSettled] = useState(value)
  const isSettled = Object.is(value, settled)
  useEffect(() => {
    if (isSettled) return
    return setTimer(() => setSettled(() => value), Math.min(waitMs, LARGEST_TIMER_DELAY_MS))
  }, [setTimer, value, waitMs, isSettled])
  return settled
}

/** A debounced function. It is the same one while the component is mounted. */
export interface DebouncedFunction<Args extends readonly unknown[]> {
  /** Calls the callback after `waitMs` without another call, with the arguments of the last one. */
  (...args: Args): void
  /** Makes a pending call now. */
  flush(): void
  /** Drops a pending call. */
  cancel(): void
}

/**
 * Returns a function that calls the latest `callback` after `waitMs` without another call. Default: 166 ms. Unmounting drops
 * a pending call; call `flush` in your own cleanup to make it. Works without an `AuthProvider`.
 *
 * @example
 * const save = useDebouncedCallback((text: string) => saveDraft(text))
 * <JsonEditor onChange={save} />
 */
export function useDebouncedCallback<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  waitMs: number = DEBOUNCE_MS,
): DebouncedFunction<Args> {
  const { setTimer } = usePlatform()
  const [{ call, follow, end }] = useState(createDebounced<Args>)
  useEffect(() => follow({ callback, waitMs, setTimer }), [follow, callback, waitMs, setTimer])
  useEffect(() => end, [end])
  return call
}

interface Latest<Args extends readonly unknown[]> {
  callback(...args: Args): unknown
  waitMs: number
  setTimer: Platform['setTimer']
}

function createDebounced<Args extends readonly unknown[]>() {
  let latest: Latest<Args> | undefined
  let pending: { args: Args; cancel(): void } | undefined
  const cancel = () => {
    pending?.cancel()
    pending = undefined
  }
  const flush = () => {
    const args = pending?.args
    cancel()
    if (args) latest?.callback(...args)
  }
  const call = (...args: Args) => {
    cancel()
    // After unmount, calls have no effect.
    if (!latest) return
    const delayMs = Math.min(latest.waitMs, LARGEST_TIMER_DELAY_MS)
    pending = { args, cancel: latest.setTimer(flush, delayMs) }
  }
  return {
    call: Object.assign(call, { flush, cancel }) satisfies DebouncedFunction<Args>,
    follow: (next: Latest<Args>) => void (latest = next),
    end() {
      cancel()
      latest = undefined
    },
  }
}
