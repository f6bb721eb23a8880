// Sends the code that the sign-in page has put into the address, while the app's files are still on their way (spec §4).
import { ATTEMPT_LIFETIME_MS } from '../constants.ts'
import { readPiece } from '../protocol/address.ts'
import type { Attempt } from '../protocol/signIn.ts'
import { tabKey } from '../protocol/storageKeys.ts'
import type { Stored } from '../session/records.ts'
import type { Early } from '../session/platform.ts'
import type { Options } from './beginSession.ts'
import { sendCode } from './sendCode.ts'

/** Sends it only where start-up would; the attempt stays for start-up, which takes over the answer. */
export async function bringBack(options: Options, left: Early, pieces: readonly string[]): Promise<void> {
  const { clientId = '', redirectUri = `${location.origin}/` } = options
  const authHost = new URL(options['authHost']!).origin
  const answer: Readonly<Record<string, string>> = Object.fromEntries(pieces.map(readPiece))
  const { state, code, error, iss = authHost } = answer
  const stored = JSON.parse(sessionStorage.getItem(tabKey({ authHost, clientId }))!) as Pick<
    Stored,
    'attempts'
  >
  const attempt = stored.attempts[state!] as Attempt
  const nowMs = Date.now()
  if (
    code &&
    !error &&
    // A parameter that comes twice counts as none.
    Object.keys(answer).length === pieces.length &&
    iss === authHost &&
    attempt.authHost + attempt.clientId + attempt.redirectUri === authHost + clientId + redirectUri &&
    nowMs - attempt.createdAtMs <= ATTEMPT_LIFETIME_MS
  ) {
    // A reload from now on leads there too; throws where that is another origin.
    history.replaceState(history.state, '', attempt.returnTo)
    left.sentAtMs = nowMs
    sendCode(left, authHost, code, attempt)
  }
}
