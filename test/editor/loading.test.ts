// A file that fails to load is requested again; a final failure is reported.
import { expect, it, vi } from 'vitest'
import { createLaterFile } from '../../src/editor/laterFile.ts'

it('retries after half a second', async () => {
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

it('rejects if both tries fail, and requests no file of another origin', async () => {
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
