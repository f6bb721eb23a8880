// A ring that empties while the access token ages, with the two moments that matter in figures.
import { RENEW_MARGIN_MS, useAccessTokenExpiry, useAuthSelector } from 'latchkey'
import { appConfig } from 'virtual:app-config'
import { useNow } from '../useNow.ts'
import { clockTime, countdown } from '../words.ts'

const RADIUS = 52
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

export function TokenClock() {
  const nowMs = useNow()
  const expiresAtMs = useAccessTokenExpiry()
  const isSignedIn = useAuthSelector(({ status }) => status === 'authenticated')
  const remainingMs = isSignedIn && expiresAtMs !== undefined ? expiresAtMs - nowMs : undefined
  const lifetimeMs = appConfig.accessTokenLifetimeSeconds * 1000
  const left = Math.min(1, Math.max(0, (remainingMs ?? 0) / lifetimeMs))
  const isLate = remainingMs !== undefined && remainingMs <= RENEW_MARGIN_MS
  const tone = !isLate ? 'good' : remainingMs <= 0 ? 'bad' : 'warn'
  return (
    <div className="token-clock">
      <svg viewBox="0 0 120 120" className={`ring ring-${tone}`} aria-hidden="true">
        <circle cx="60" cy="60" r={RADIUS} className="ring-track" />
        <circle
          cx="60"
          cy="60"
          r={RADIUS}
          className="ring-value"
          strokeDasharray={CIRCUMFERENCE}
          strokeDashoffset={CIRCUMFERENCE * (1 - left)}
        />
        {/* Where renewal is due. */}
        <line
          x1="60"
          y1="2"
          x2="60"
          y2="14"
          className="ring-mark"
          transform={`rotate(${(RENEW_MARGIN_MS / lifetimeMs) * 360} 60 60)`}
        />
      </svg>
      <div className="token-figures">
        {remainingMs === undefined || expiresAtMs === undefined ? (
          <p className="soft small">
            {isSignedIn ? 'The server did not say how long the token lives.' : 'The session has ended.'}
          </p>
        ) : (
          <>
            <p className="token-big" role="timer" aria-label="Token expires in">
              {remainingMs <= 0 ? 'expired' : countdown(remainingMs)}
            </p>
            <p className="soft small">
              {remainingMs <= 0 ? 'since ' : 'until '}
              {clockTime(expiresAtMs)}
            </p>
            <p className="small" data-testid="renewal-due">
              {renewalWords(remainingMs - RENEW_MARGIN_MS)}
            </p>
          </>
        )}
      </div>
    </div>
  )
}

function renewalWords(untilRenewalMs: number): string {
  if (untilRenewalMs <= 0) return 'renewal is due'
  return appConfig.auth.autoRefreshToken
    ? `renews in ${countdown(untilRenewalMs)}`
    : `renewable in ${countdown(untilRenewalMs)}`
}
