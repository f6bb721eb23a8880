'use client'
// Follows a value after it has stopped changing.
import { useEffect, useState } from 'react'
import { DEBOUNCE_MS, LARGEST_TIMER_DELAY_MS } from '../constants.ts'
import { usePlatform } from '../provider/usePlatform.ts'

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
