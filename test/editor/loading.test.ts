// A part that cannot be fetched is asked for again; what cannot be had at all is said, not hidden.
import { expect, it, vi } from 'vitest'
import { createLaterFile } from '../../src/editor/laterFile.ts'

it('tries a second time after a moment', async () => {
  vi.useFakeTimers()
  const load = vi
    .fn<() => Promise<object>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce({ part: 1 })
  const loaded = createLaterFile(load).load()
  await vi.advanceTimersByTimeAsync(500)
  await expect(loaded).resolves.toEqual({ part: 1 })
  expect(load).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

it('gives the error when both tries fail, and asks no other origin for the part', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { origin: 'https://app.test' })
  const error = new TypeError('Failed to fetch dynamically imported module: https://elsewhere.test/part.js')
  const load = vi.fn<() => Promise<object>>().mockRejectedValue(error)
  const loaded = createLaterFile(load)
    .load()
    .catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(500)
  expect(await loaded).toBe(error)
  expect(load).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
