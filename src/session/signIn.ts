// Leaves for the authorization server and takes its answer when the browser comes back (spec §4 "Unauthenticated to authenticated").
import { ATTEMPT_LIFETIME_MS } from '../constants.ts'
import { offline, redirectLoop, redirectRefused, storageUnavailable } from '../errors.ts'
import type { SignedOutReason } from '../protocol/claims.ts'
import type { Settings } from '../protocol/config.ts'
import { type AddressToken, takeToken } from '../protocol/passthrough.ts'
import { sameOriginPath, storedPath } from '../protocol/origin.ts'
import { createChallenge, createStateKey, createVerifier } from '../protocol/proofKey.ts'
import {
  type Attempt,
  type AuthorizationAnswer,
  authorizeUrl,
  parseAttempt,
  readAnswer,
  withoutParameters,
} from '../protocol/signIn.ts'
import type { Platform } from './platform.ts'

/** What an app can say about one sign-in. */
export interface LoginOptions {
  /** Passed to the server: 'login' asks for the credentials again. */
  prompt?: 'login' | 'consent' | 'select_account' | undefined
  /** Where the user is to be afterwards, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
}

/** What came back with the address. */
export type Arrival =
  | { type: 'answer'; answer: AuthorizationAnswer; attempt: Attempt }
  | { type: 'logout'; reason: SignedOutReason }
  | { type: 'token'; token: AddressToken }

export interface SignIn {
  /**
   * Stores a one-time record and leaves. Settles when the browser has been told to go.
   *
   * @throws AuthError `offline`, `storage-unavailable`, `redirect-loop`, `redirect-refused`
   */
  leave(options?: LoginOptions & { isAutomatic?: boolean }): Promise<void>
  /** Takes our own answer out of the address, once, and puts the user's own address back. Synchronous. */
  arrive(): Arrival | undefined
  /** Remembers why the user is being sent to the logout page; the state key to come back with. */
  keepDeparture(reason: SignedOutReason): string
}

export interface SignInOptions {
  settings: Settings
  platform: Platform
  redirectUri(): string
  keepAttempt(state: string, attempt: object): boolean
  takeAttempt(state: string): unknown
  countNavigation(nowMs: number): boolean
  onLeaving(): void
}

const REASONS: readonly SignedOutReason[] = ['signed-out', 'idle', 'session-clash', 'expired']

export function createSignIn(options: SignInOptions): SignIn {
  const { settings, platform } = options
  const { authHost, clientId } = settings
  const currentPath = () => {
    const address = platform.address()
    return address.slice(new URL(address).origin.length)
  }

  return {
    async leave({ prompt, returnTo, isAutomatic = false } = {}) {
      const target = returnTo === undefined ? currentPath() : sameOriginPath(returnTo, platform.address())
      if (target === undefined) throw redirectRefused()
      if (!platform.isOnline()) throw offline()
      const verifier = createVerifier(platform.crypto)
      const state = createStateKey(platform.crypto)
      const challenge = await createChallenge(verifier, platform.crypto)
      if (challenge.method === 'plain') {
        platform.warn(
          'This page is not a secure context, so the proof key goes out as plain text. Serve it over https.',
        )
      }
      if (isAutomatic && !options.countNavigation(platform.now())) throw redirectLoop()

      const redirectUri = options.redirectUri()
      const createdAtMs = platform.now()
      const attempt: Attempt = { verifier, authHost, clientId, redirectUri, returnTo: target, createdAtMs }
      if (!options.keepAttempt(state, attempt)) throw storageUnavailable()
      options.onLeaving()
      platform.navigate(authorizeUrl(settings, { redirectUri, state, challenge, prompt }))
    },
    arrive() {
      const address = platform.takeAddress?.() ?? platform.address()
      const arrival = read(address)
      const next = arrival?.address ?? address
      if (next !== platform.address()) platform.replaceAddress(next)
      return arrival?.arrival
    },
    keepDeparture(reason) {
      const state = createStateKey(platform.crypto)
      options.keepAttempt(state, {
        departure: reason,
        authHost,
        returnTo: currentPath(),
        createdAtMs: platform.now(),
      })
      return state
    },
  }

  /** What an address holds for us, and the address without it. */
  function read(address: string): { arrival: Arrival; address: string } | undefined {
    return readSignIn(address) ?? readLogout(address) ?? readToken(address)
  }
  function readSignIn(address: string) {
    const answer = readAnswer(address)
    if (!answer) return undefined
    const nowMs = platform.now()
    const stored = options.takeAttempt(answer.state)
    const attempt = parseAttempt(stored, { settings, redirectUri: options.redirectUri(), nowMs })
    if (!attempt) return undefined
    return {
      arrival: { type: 'answer', answer, attempt } as const,
      address: new URL(address).origin + attempt.returnTo,
    }
  }
  function readLogout(address: string) {
    const states = new URL(address).searchParams.getAll('state')
    if (states.length !== 1) return undefined
    const stored = options.takeAttempt(states[0]!) as Record<string, unknown> | undefined
    const reason = REASONS.find((candidate) => candidate === stored?.['departure'])
    const isYoung = platform.now() - Number(stored?.['createdAtMs']) <= ATTEMPT_LIFETIME_MS
    if (!reason || !isYoung || stored?.['authHost'] !== authHost) return undefined
    const base = new URL(address).origin
    const path = storedPath(stored['returnTo'], base)
    return {
      arrival: { type: 'logout', reason } as const,
      address: path === undefined ? withoutParameters(address, ['state']) : base + path,
    }
  }
  function readToken(address: string) {
    const token = takeToken(address, settings, platform.now())
    return token.count > 0
      ? { arrival: { type: 'token', token } as const, address: token.address }
      : undefined
  }
}
