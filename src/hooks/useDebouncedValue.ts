'use client'
// A value that follows another one when it has come to rest (spec §9 "Debounce default").
import { useEffect, useState } from 'react'
import { DEBOUNCE_MS, LARGEST_TIMER_DELAY_MS } from '../constants.ts'
import { usePlatform } from '../provider/usePlatform.ts'

/**
 * The value as it was when it last stood still for `waitMs`. Works with and without an `AuthProvider`.
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
