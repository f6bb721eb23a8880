// Vitest takes back stubbed globals and variables before each test. Without this, the next file of a worker is imported with those of
// the last one.
import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
