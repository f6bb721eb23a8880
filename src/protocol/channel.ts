// Which channels an app can listen to (contract §3).
import { invalidArgument } from '../sessionErrors.ts'

/** The channel's kind. @throws AuthError `invalid-argument` */
export function checkChannel(channel: unknown): 'user' | 'firm' {
  if (channel === 'user' || channel === 'firm') return channel
  throw invalidArgument("channel must be 'user' or 'firm'", "Leave it out for the user's own channel.")
}
