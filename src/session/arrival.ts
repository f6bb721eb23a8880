// Reads what an address brings back for us, once, and puts the user's own address in its place (spec §4, contract §4 "answer").
import { ATTEMPT_LIFETIME_MS } from '../constants.ts'
import type { SignedOutReason } from '../protocol/claims.ts'
import { storedPath } from '../protocol/origin.ts'
import { type AddressToken, takeToken } from '../protocol/passthrough.ts'
import {
  type Attempt,
  type AuthorizationAnswer,
  parseAttempt,
  readAnswer,
  withoutParameters,
} from '../protocol/signIn.ts'
import type { Core } from './core.ts'

/** What came back with the address. */
export type Arrival =
  | { type: 'answer'; answer: AuthorizationAnswer; attempt: Attempt }
  | { type: 'logout'; reason: SignedOutReason }
  | { type: 'token'; token: AddressToken }

type ArrivalOptions = Pick<Core, 'settings' | 'platform' | 'records' | 'redirectUri'>

const REASONS: readonly SignedOutReason[] = ['signed-out', 'idle', 'session-clash', 'expired']

/** Takes our own part out of the address and puts the user's own address back. Synchronous: nobody reads it before. */
export function arrive(options: ArrivalOptions): Arrival | undefined {
  const { platform } = options
  const address = platform.takeAddress?.() ?? platform.address()
  const found = readSignIn(address, options) ?? readLogout(address, options) ?? readToken(address, options)
  const next = found?.address ?? address
  if (next !== platform.address()) platform.replaceAddress(next)
  return found?.arrival
}

interface Found {
  arrival: Arrival
  /** The address without it. */
  address: string
}

function readSignIn(
  address: string,
  { settings, platform, records, redirectUri }: ArrivalOptions,
): Found | undefined {
  const answer = readAnswer(address)
  if (!answer) return undefined
  const expected = { settings, redirectUri: redirectUri(), nowMs: platform.now() }
  const attempt = parseAttempt(records.takeAttempt(answer.state), expected)
  if (!attempt) return undefined
  return { arrival: { type: 'answer', answer, attempt }, address: new URL(address).origin + attempt.returnTo }
}

function readLogout(address: string, { settings, platform, records }: ArrivalOptions): Found | undefined {
  const [state, ...others] = new URL(address).searchParams.getAll('state')
  if (state === undefined || others.length > 0) return undefined
  const stored = records.takeAttempt(state) as Record<string, unknown> | undefined
  const reason = REASONS.find((candidate) => candidate === stored?.['departure'])
  const isYoung = platform.now() - Number(stored?.['createdAtMs']) <= ATTEMPT_LIFETIME_MS
  if (!reason || !isYoung || stored?.['authHost'] !== settings.authHost) return undefined
  const { origin } = new URL(address)
  const path = storedPath(stored['returnTo'], origin)
  return {
    arrival: { type: 'logout', reason },
    address: path === undefined ? withoutParameters(address, ['state']) : origin + path,
  }
}

function readToken(address: string, { settings, platform }: ArrivalOptions): Found | undefined {
  const token = takeToken(address, settings, platform.now())
  return token.count > 0 ? { arrival: { type: 'token', token }, address: token.address } : undefined
}
