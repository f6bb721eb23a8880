// Holds the tokens in memory, and nowhere else, and knows how old they are.
import { renewMarginMs, SLEEP_MS } from '../../base/sessionConstants.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import { isSameIdentity, isSameSession } from '../../protocol/identity.ts'
import type { Platform } from '../platform/platform.ts'
import type { LiveSession } from '../state.ts'

export interface CurrentCredentials extends Credentials, LiveSession, Pick<Granted, 'sinceMs' | 'switched'> {
  /** When the server ends the session, by this machine's wall clock; `undefined`: it did not say. */
  readonly sessionEndsAtMs: number | undefined
}

type Clocks = Pick<Platform, 'now' | 'monotonicNow'>

export function createTokenStore(clocks: Clocks) {
  let current: (CurrentCredentials & { expiresAtMs: number | undefined }) | undefined
  let lifetimeMs: number | undefined
  const age = createAge(clocks)
  const remainingMs = () => (lifetimeMs === undefined ? undefined : lifetimeMs - age.elapsedMs())

  return {
    get current(): CurrentCredentials | undefined {
      return current
    },
    put(granted: Granted) {
      const { accessToken, claims, memory, expiresInSeconds, askedAtMs, switched } = granted
      const bornAtMs = age.beginAt(askedAtMs)
      lifetimeMs = expiresInSeconds === undefined ? undefined : expiresInSeconds * 1000
      const expiresAtMs = lifetimeMs === undefined ? undefined : bornAtMs + lifetimeMs
      const isSame = current !== undefined && isSameIdentity(current.claims, claims)
      const before = current && isSameSession(current.claims, claims) ? current : undefined
      const next = {
        accessToken,
        refreshToken: granted.refreshToken,
        memory,
        claims,
        sinceMs: granted.sinceMs,
        sentAtMs: granted.sentAtMs,
        // A renewal keeps it.
        switched: switched ?? (isSame ? current?.switched : undefined),
        expiresAtMs,
        sessionEndsAtMs: Number(memory.endsAtMs) || undefined,
      }
      // The same object for the same session: states made from it follow the renewal.
      current = before ? Object.assign(before, next) : next
    },
    clear() {
      current = undefined
      lifetimeMs = undefined
    },
    /** A copy for another tab, with its age; `undefined` without tokens. */
    copy(): Granted | undefined {
      if (!current) return undefined
      const { expiresAtMs: _, sessionEndsAtMs: _end, ...credentials } = current
      const askedAtMs = clocks.now() - age.elapsedMs()
      return { ...credentials, expiresInSeconds: lifetimeMs && lifetimeMs / 1000, askedAtMs }
    },
    /** The secrets, to be removed from everything that is shown or sent. */
    secrets() {
      const { accessToken, refreshToken, memory = {}, claims } = current ?? {}
      const { endsAtMs: _, scope: _scope, ...others } = memory
      const all = [accessToken, refreshToken, ...Object.values(others), claims?.jti]
      return all.filter((secret) => secret !== undefined)
    },
    /** Time to expiry; `undefined` if the server gave no lifetime. */
    remainingMs,
    /** Time since the token was requested. */
    ageMs: age.elapsedMs,
    /** Whether the token expires within the refresh margin. */
    isDue: () => (remainingMs() ?? Infinity) <= renewMarginMs(lifetimeMs),
    isExpired: () => (remainingMs() ?? Infinity) <= 0,
  }
}

/** The age of the tokens by the monotonic clock, which may stop during sleep: if the wall clock is ahead by more than a correction, it counts. */
function createAge(clocks: Clocks) {
  let began = { wallMs: 0, monotonicMs: 0 }
  return {
    /** Returns the beginning by the wall clock. The age is never negative, also after a clock was set back. */
    beginAt(askedAtMs: number) {
      const nowMs = clocks.now()
      const ageMs = Math.max(nowMs - askedAtMs, 0)
      began = { wallMs: nowMs - ageMs, monotonicMs: clocks.monotonicNow() - ageMs }
      return began.wallMs
    },
    elapsedMs() {
      const monotonicMs = clocks.monotonicNow() - began.monotonicMs
      const wallMs = clocks.now() - began.wallMs
      return wallMs - monotonicMs > SLEEP_MS ? wallMs : monotonicMs
    },
  }
}
