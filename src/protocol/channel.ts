// Checks which channel an app listens to.
import { invalidArgument } from '../sessionErrors.ts'

/** Checks the kind of a channel. @throws AuthError `invalid-argument` */
export function checkChannel(channel: unknown): 'user' | 'firm' {
  if (channel === 'user' || channel === 'firm') return channel
  throw invalidArgument("channel must be 'user' or 'firm'", "Leave it out for the user's own channel.")
}
