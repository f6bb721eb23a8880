// The words of `npm run demo`: a port of the shell's own counts, an empty variable does not.
import { expect, it, vi } from 'vitest'
import { readWords } from '../../../demo/command.ts'

it.each([
  ['4711', 4711],
  ['', 5173],
])('takes the port of PORT=%s', (named, port) => {
  vi.stubEnv('PORT', named)
  expect(readWords('5173').port).toBe(port)
})
