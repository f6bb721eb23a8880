// Asks the app for the access token of the messaging service, and does not wait for ever (contract §7 "getToken").
import type { Platform } from '../platform/platform.ts'
import { RealtimeFault } from './realtime.ts'

const TOKEN_WAIT_MS = 15_000

/** @throws RealtimeFault `timeout` after 15 seconds, `denied` for anything but a text, and what the app's function throws */
export async function askForToken(
  getToken: () => Promise<string>,
  setTimer: Platform['setTimer'],
): Promise<string> {
  const token = await new Promise<unknown>((resolve, reject) => {
    const giveUp = () => reject(new RealtimeFault('timeout', 'No access token in time'))
    const cancel = setTimer(giveUp, TOKEN_WAIT_MS)
    // An app's function may throw before it returns a promise.
    Promise.resolve().then(getToken).finally(cancel).then(resolve, reject)
  })
  if (typeof token !== 'string' || token === '') throw new RealtimeFault('denied', 'No access token')
  return token
}
