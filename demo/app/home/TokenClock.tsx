// A ring that empties while the access token ages, with the two moments that matter in figures.
import { RENEW_MARGIN_MS, useAccessTokenExpiry, useAuthSelector } from 'latchkey'
import { type CSSProperties, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { useNow } from '../useNow.ts'
import { clockTime, countdown } from '../words.ts'

const RADIUS = 52
const CIRCUMFERENCE = 2 * Math.PI * RADIUS
const LIFETIME_MS = appConfig.accessTokenLifetimeSeconds * 1000

/** How much of the ring is empty. */
const emptyOf = (remainingMs: number) =>
  CIRCUMFERENCE * (1 - Math.min(1, Math.max(0, remainingMs / LIFETIME_MS)))

export function TokenClock() {
  const nowMs = useNow()
  const expiresAtMs = useAccessTokenExpiry()
  const isSignedIn = useAuthSelector(({ status }) => status === 'authenticated')
  const remainingMs = isSignedIn && expiresAtMs !== undefined ? expiresAtMs - nowMs : undefined
  const [sweep, setSweep] = useState<{ to: number | undefined; from?: number }>({ to: expiresAtMs })
  if (sweep.to !== expiresAtMs)
    setSweep({ to: expiresAtMs, ...(sweep.to !== undefined && { from: emptyOf(sweep.to - nowMs) }) })
  const isLate = remainingMs !== undefined && remainingMs <= RENEW_MARGIN_MS
  const tone = !isLate ? 'good' : remainingMs <= 0 ? 'bad' : 'warn'
  return (
    <div className="token-clock">
      <svg viewBox="0 0 120 120" className={`ring ring-${tone}`} aria-hidden="true">
        <circle cx="60" cy="60" r={RADIUS} className="ring-track" />
        {/* A new one for each token: it sweeps back from where the one before stood. */}
        <circle
          key={sweep.to}
          cx="60"
          cy="60"
          r={RADIUS}
          className={sweep.from === undefined ? 'ring-value' : 'ring-value ring-sweep'}
          style={{ '--from': sweep.from } as CSSProperties}
          strokeDasharray={CIRCUMFERENCE}
          strokeDashoffset={emptyOf(remainingMs ?? 0)}
        />
        {/* Where renewal is due. */}
        <line
          x1="60"
          y1="2"
          x2="60"
          y2="14"
          className="ring-mark"
          transform={`rotate(${(RENEW_MARGIN_MS / LIFETIME_MS) * 360} 60 60)`}
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
