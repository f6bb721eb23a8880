// Which channel an app may listen to: the user's or the firm's.
import { expect, it } from 'vitest'
import { checkChannel } from '../../../src/session/realtimePort.ts'

it.each(['user', 'firm'])('%s', (channel) => {
  expect(checkChannel(channel)).toBe(channel)
})

it.each([undefined, null, '', 'User', 'agent', 7, ['user']])('%j is refused', (channel) => {
  expect(() => checkChannel(channel)).toThrow(
    expect.objectContaining({
      code: 'invalid-argument',
      message: "channel must be 'user' or 'firm'",
      remedy: "Leave it out for the user's own channel.",
    }),
  )
})
