'use client'
// Calls a function once its calls have come to rest (spec §9 "Debounce default").
import { useEffect, useState } from 'react'
import { DEBOUNCE_MS, LARGEST_TIMER_DELAY_MS } from '../constants.ts'
import { usePlatform } from '../provider/usePlatform.ts'
import type { Platform } from '../session/platform/platform.ts'

/** A function whose calls are held back; the same one for the life of the component. */
export interface DebouncedFunction<Args extends readonly unknown[]> {
  /** Holds the call back until `waitMs` have passed without another one; only the last arguments count. */
  (...args: Args): void
  /** Makes the call that is held back now; nothing when there is none. */
  flush(): void
  /** Drops the call that is held back. */
  cancel(): void
}

/**
 * A function that calls `callback`, as it is at that time, when its own calls have stood still for `waitMs`. Unmounting
 * drops the call that is held back; `flush` in a cleanup of your own makes it. Works with and without an `AuthProvider`.
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
  const [{ call, follow }] = useState(createDebounced<Args>)
  useEffect(() => follow({ callback, waitMs, setTimer }), [follow, callback, waitMs, setTimer])
  useEffect(
    () => () => {
      call.cancel()
      follow(undefined)
    },
    [call, follow],
  )
  return call
}

interface Latest<Args extends readonly unknown[]> {
  callback(...args: Args): unknown
  waitMs: number
  setTimer: Platform['setTimer']
}

function createDebounced<Args extends readonly unknown[]>() {
  let latest: Latest<Args> | undefined
  let held: { args: Args; cancel(): void } | undefined
  const cancel = () => {
    held?.cancel()
    held = undefined
  }
  const flush = () => {
    const args = held?.args
    cancel()
    if (args) latest?.callback(...args)
  }
  const call = (...args: Args) => {
    cancel()
    // A component that has gone holds nothing back.
    if (!latest) return
    const delayMs = Math.min(latest.waitMs, LARGEST_TIMER_DELAY_MS)
    held = { args, cancel: latest.setTimer(flush, delayMs) }
  }
  return {
    call: Object.assign(call, { flush, cancel }) satisfies DebouncedFunction<Args>,
    /** What is to be called, and when; nothing once the component has gone. */
    follow(next: Latest<Args> | undefined) {
      latest = next
    },
  }
}
