// A part that cannot be fetched is asked for again; what cannot be had at all is said, not hidden.
import { expect, it, vi } from 'vitest'
import { loadPart } from '../../src/editor/tools/loading.ts'

it('tries a second time after a moment', async () => {
  vi.useFakeTimers()
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce('part')
  const loaded = loadPart(load)
  await vi.advanceTimersByTimeAsync(500)
  await expect(loaded).resolves.toBe('part')
  expect(load).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

it('gives the error when both tries fail, and asks no other origin for the part', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { origin: 'https://app.test' })
  const error = new TypeError('Failed to fetch dynamically imported module: https://elsewhere.test/part.js')
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(error)
  const loaded = loadPart(load).catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(500)
  expect(await loaded).toBe(error)
  expect(load).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
