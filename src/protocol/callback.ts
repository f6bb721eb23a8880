// Reads the server's response in the page's URL: which attempt it belongs to, and where the user was.
import { recordOf } from '../base/json.ts'
import { furtherParameters, splitAddress, withoutAnswer } from './address.ts'
import type { Settings } from './config.ts'
import { parseClash, type SessionClash } from './eventHooks.ts'
import { storedPath } from './origin.ts'
import { type Attempt, type AuthorizationAnswer, parseAttempt } from './signIn.ts'
import { parseEndReason, type SignedOutReason } from './signedOutReasons.ts'
import { type Attempts, isAwaited } from './tabRecords.ts'

export type Returned =
  | {
      type: 'answer'
      answer: AuthorizationAnswer
      /** `undefined`: the attempt is too old, or its frame or window is gone, so the code is not sent. */
      attempt: Attempt | undefined
      clash?: SessionClash | undefined
      stepUp?: unknown
    }
  | { type: 'logout'; reason: SignedOutReason; clash: unknown }

/** `address`: the URL to restore. */
type Found = { callback: Returned; address: string }

type Expected = {
  settings: Pick<Settings, 'authHost' | 'clientId' | 'server'>
  redirectUri: string
  nowMs: number
}

/** The state of the specification's server: an app's own may look the same. */
const SHORT_STATE_LENGTH = 6

/** Finds the attempt by the state in the URL. `taken`: the state of the record to remove in any case. */
export function readReturn(
  address: string,
  attempts: Attempts,
  expected: Expected,
): { taken?: string; found?: Found | undefined } {
  const { settings, redirectUri } = expected
  const parameters = new URLSearchParams(splitAddress(address)[1])
  const [named, ...others] = parameters.getAll('state')
  const state = named ?? bareReturn(address, attempts, redirectUri)
  if (state === undefined || others.length > 0) return {}
  const { origin } = new URL(address)
  const answer = settings.server.readAnswer(address)
  const [page] = splitAddress(address)
  // The response to another tab's request: only that tab may send the code. Without an issuer, a short state may be the app's own.
  const isOurs = parameters.has('iss') || state.length > SHORT_STATE_LENGTH
  if (!attempts[state] && answer?.code && isOurs && page === redirectUri) {
    const last = Object.values(attempts).some(isAwaited) && placeOfLast(attempts, expected)
    return last ? { found: unawaited(answer, origin + last) } : {}
  }
  const stored = recordOf(attempts[state])
  const { authHost, redirectUri: itsUri = redirectUri } = stored
  // The record of another auth object with this clientId stays.
  if (authHost !== settings.authHost || itsUri !== redirectUri) return {}
  return { taken: state, found: find() }

  function find(): Found | undefined {
    const { departure, createdAtMs, returnTo, clash, stepUp, isOver } = stored
    const attempt = answer && parseAttempt(stored, expected)
    if (attempt) {
      const whole = { ...answer, further: furtherParameters(address) }
      return {
        callback: { type: 'answer', answer: whole, attempt, clash: parseClash(clash), stepUp },
        address: origin + attempt.returnTo,
      }
    }
    const place = storedPath(returnTo, origin)
    const reason = parseEndReason(departure)
    // At any age: the logout page may have been open for long.
    if (reason && typeof createdAtMs === 'number')
      return { callback: { type: 'logout', reason, clash }, address: origin + (place ?? '/') }
    const isLate = isOver === true || parseAttempt(stored, { ...expected, nowMs: -Infinity })
    if (!answer || !isLate) return undefined
    const last = place ?? placeOfLast(attempts, expected)
    return unawaited(answer, last === undefined ? withoutAnswer(address) : origin + last)
  }
}

const unawaited = (answer: AuthorizationAnswer, address: string): Found => ({
  callback: { type: 'answer', answer, attempt: undefined },
  address,
})

/** The state of a logout whose page redirects back without it. */
const bareReturn = (address: string, attempts: Attempts, redirectUri: string) =>
  address === redirectUri
    ? Object.keys(attempts).findLast((state) => recordOf(attempts[state])['isBare'])
    : undefined

/** Where the user was at the last attempt, for a response to an earlier one. */
function placeOfLast(attempts: Attempts, { settings, redirectUri }: Expected): string | undefined {
  const { origin } = new URL(redirectUri)
  return Object.values(attempts)
    .map(recordOf)
    .filter((one) => one['authHost'] === settings.authHost && one['redirectUri'] === redirectUri)
    .map((one) => storedPath(one['returnTo'], origin))
    .findLast((place) => place !== undefined)
}
