// Reads the response in the page's URL, once, and restores the URL that the user was at.
import { recordOf } from '../../base/json.ts'
import { furtherParameters, splitAddress, withoutAnswer } from '../../protocol/address.ts'
import { parseEndReason, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { parseClash, type SessionClash } from '../../protocol/eventHooks.ts'
import { storedPath } from '../../protocol/origin.ts'
import { type Attempt, type AuthorizationAnswer, parseAttempt } from '../../protocol/signIn.ts'
import { type Client, sessionRecordKey } from '../../protocol/storageKeys.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import { tellLater } from '../laterFile.ts'
import { isAwaited } from './tabRecords.ts'

export type Callback =
  | {
      type: 'answer'
      answer: AuthorizationAnswer
      /** `undefined`: the attempt is too old, or its frame or window is gone. Then the code is not sent. */
      attempt: Attempt | undefined
      clash?: SessionClash | undefined
      stepUp?: unknown
    }
  | { type: 'logout'; reason: SignedOutReason; clash: unknown }
  /** A feature has taken its own part. */
  | { type: 'taken' }

/** The state of the specification's server: an app's own may look the same. */
const SHORT_STATE_LENGTH = 6

type CallbackOptions = Pick<
  Context,
  'settings' | 'platform' | 'tabRecords' | 'record' | 'redirectUri' | 'place'
>

/** Removes latchkey's parameters from the URL and restores the URL of before. Synchronous: no other code reads it first. */
export function takeCallback(
  options: CallbackOptions,
  features: readonly Feature[],
  isNewPage: boolean,
): Callback | undefined {
  const { platform, settings, record } = options
  const address = platform.early?.address?.() ?? platform.address()
  const redirectUri = options.redirectUri()
  const returned = readReturn(address, redirectUri, options)
  if (returned) for (const feature of features) feature.forget?.()
  const found = returned ?? takeByFeature(address, features)
  if (settings.redirectUri !== undefined && new URL(redirectUri).origin !== new URL(address).origin)
    tellLater(platform, 'otherOrigin')
  const next = found?.address ?? address
  // `latchkey/early` may have changed the URL without notifying the router.
  if (found || next !== platform.address()) options.place.restore(next)
  // The response is for each auth object of the page, also for one of a second copy of latchkey, until a user signs in or out.
  const { returns } = platform.shared()
  const key = sessionRecordKey(settings) + record.now()?.text
  if (found) returns[key] = withoutSecrets(found.callback)
  return found ? found.callback : isNewPage ? (returns[key] as Callback | undefined) : undefined
}

/** As another auth object gets it: the code is sent once. */
const withoutSecrets = (callback: Callback): Callback =>
  callback.type === 'answer'
    ? {
        ...callback,
        answer: { ...callback.answer, code: undefined, further: {} },
        attempt: {} as Attempt,
      }
    : callback

interface Found {
  callback: Callback
  address: string
}

/** Finds the attempt by the state in the URL, and removes its record in any case. */
function readReturn(
  address: string,
  redirectUri: string,
  { settings, platform, tabRecords }: CallbackOptions,
): Found | undefined {
  const { origin, searchParams } = new URL(address)
  const expected = { settings, redirectUri, nowMs: platform.now() }
  const { early } = platform
  const attempts: Readonly<Record<string, unknown>> = { ...tabRecords.read().attempts, ...early?.attempts }
  const [named, ...others] = searchParams.getAll('state')
  const state = named ?? bareReturn(address, attempts, expected.redirectUri)
  if (state === undefined || others.length > 0) return undefined
  const answer = settings.server.readAnswer(address)
  const [page] = splitAddress(address)
  // The response to a request of another tab came to this tab, which waits for its own. Only the other tab may send the code.
  // Without an issuer, a short state may be the app's own.
  const isOurs = searchParams.has('iss') || state.length > SHORT_STATE_LENGTH
  if (!attempts[state] && answer?.code && isOurs && page === expected.redirectUri) {
    const last = Object.values(attempts).some(isAwaited) && placeOfLast(attempts, expected)
    return last
      ? { callback: { type: 'answer', answer, attempt: undefined }, address: origin + last }
      : undefined
  }
  const stored = Object(attempts[state]) as Record<string, unknown>
  const { departure, authHost, createdAtMs, redirectUri: itsUri = expected.redirectUri } = stored
  // The record of another auth object with this clientId stays.
  if (authHost !== settings.authHost || itsUri !== expected.redirectUri) return undefined
  tabRecords.takeAttempt(state)
  delete early?.attempts
  const attempt = answer && parseAttempt(stored, expected)
  if (attempt) {
    const clash = parseClash(stored['clash'])
    const further = furtherParameters(address)
    return {
      callback: { type: 'answer', answer: { ...answer, further }, attempt, clash, stepUp: stored['stepUp'] },
      address: origin + attempt.returnTo,
    }
  }

  const place = storedPath(stored['returnTo'], origin)
  const reason = parseEndReason(departure)
  // At any age: the logout page may have been open for long.
  if (reason && typeof createdAtMs === 'number') {
    return {
      callback: { type: 'logout', reason, clash: stored['clash'] },
      address: origin + (place ?? '/'),
    }
  }
  const isOver = stored['isOver'] === true || parseAttempt(stored, { ...expected, nowMs: -Infinity })
  if (!answer || !isOver) return undefined
  const last = place ?? placeOfLast(attempts, expected)
  return {
    callback: { type: 'answer', answer, attempt: undefined },
    address: last === undefined ? withoutAnswer(address) : origin + last,
  }
}

/** The state of a logout whose page redirects back without it. */
const bareReturn = (address: string, attempts: Readonly<Record<string, unknown>>, redirectUri: string) =>
  address === redirectUri
    ? Object.keys(attempts).findLast((state) => recordOf(attempts[state])['isBare'])
    : undefined

/** Where the user was at the last attempt, for a response to an earlier one. */
function placeOfLast(
  attempts: Readonly<Record<string, unknown>>,
  { settings, redirectUri }: { settings: Client; redirectUri: string },
): string | undefined {
  const places = Object.values(attempts)
    .map(recordOf)
    .filter((one) => one['authHost'] === settings.authHost && one['redirectUri'] === redirectUri)
    .map((one) => storedPath(one['returnTo'], new URL(redirectUri).origin))
  return places.findLast((place) => place !== undefined)
}

function takeByFeature(address: string, features: readonly Feature[]): Found | undefined {
  for (const feature of features) {
    const rest = feature.takeFromAddress?.(address)
    if (rest !== undefined) return { callback: { type: 'taken' }, address: rest }
  }
  return undefined
}
