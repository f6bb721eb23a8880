'use client'
// The parts of the panel: each a collapsible list of facts.
import { type ReactNode, useState } from 'react'
import type { Snapshot } from './snapshot.ts'
import type { Tone } from './style.ts'

type Row = readonly [name: string, value: ReactNode]

function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <details open>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  )
}

function Rows({ label, rows }: { label?: string; rows: readonly Row[] }) {
  return (
    <ul aria-label={label}>
      {rows.map(([name, value]) => (
        <li key={name} className="latchkey-dt-row">
          <span>{name}</span>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  )
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="latchkey-dt-badge" data-tone={tone}>
      {children}
    </span>
  )
}

function TimeOfDay({ atMs, className }: { atMs: number; className?: string }): ReactNode {
  const at = new Date(atMs)
  return (
    <time className={className} dateTime={at.toISOString()}>
      {at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })}
    </time>
  )
}

const STATES = ['initializing', 'authenticated', 'unauthenticated', 'redirecting', 'failed'] as const

/** Returns the time left: `4:59`, `1:04:05`; `over` when it has passed. */
function countDown(atMs: number, nowMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1000)
  if (seconds <= 0) return 'over'
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${hours > 0 ? `${hours}:${two(minutes % 60)}` : minutes}:${two(seconds % 60)}`
}

const TONES: Record<Snapshot['channel']['status'], Tone> = {
  off: 'plain',
  connecting: 'warn',
  connected: 'good',
  degraded: 'bad',
}

export function Sections({ snapshot }: { snapshot: Snapshot }): ReactNode {
  const { status, why, user, isOnline, isTokenExpired, tabs, channel } = snapshot
  const leads = tabs.leader === 'this tab' ? ', leads' : ''
  const view = (atMs: number) => (
    <>
      <strong>{countDown(atMs, snapshot.atMs)}</strong> <TimeOfDay className="latchkey-dt-soft" atMs={atMs} />
    </>
  )
  return (
    <div className="latchkey-dt-columns">
      <div>
        <Section title="State">
          <ol className="latchkey-dt-states" aria-label="States">
            {STATES.map((state) => (
              <li key={state} aria-current={state === status ? 'true' : undefined}>
                {state}
              </li>
            ))}
          </ol>
          {why !== undefined && <p>{why}</p>}
          {!isOnline && <p>offline</p>}
          {isTokenExpired && <p>the token’s life is over, and no renewal got through</p>}
          {user && <Rows rows={Object.entries(user)} />}
        </Section>
        <Section title="Deadlines">
          <Rows
            rows={snapshot.deadlines.map(({ name, atMs, note }) => [
              name,
              atMs === undefined ? note : view(atMs),
            ])}
          />
        </Section>
        <Section title="Tabs and channels">
          <p>
            {tabs.summary}
            {tabs.own !== undefined && tabs.all.includes(tabs.own) ? ', this one is among them.' : '.'}
          </p>
          <Rows label="Tabs" rows={tabs.all.map((tab) => [tab, tab === tabs.own && `this tab${leads}`])} />
          <p>
            Real time: <Badge tone={TONES[channel.status]}>{channel.status}</Badge>
          </p>
          <Rows
            rows={[
              ['channels', channel.isJoined ? 'joined' : 'not joined'],
              ['one session per user', channel.uniqueSession],
              ['line held by', tabs.leader],
              ['sessions of this user', channel.onlineCount ?? 'unknown'],
            ]}
          />
        </Section>
      </div>
      <div>
        <Timeline events={snapshot.events} />
        <Section title="Configuration">
          <Rows rows={Object.entries(snapshot.settings)} />
        </Section>
      </div>
    </div>
  )
}

/** How many are drawn until the user asks for all, because the panel renders every second. */
const FEW = 15

/** What happened, newest first: the steps of explain() and the observations of the devtools. */
function Timeline({ events }: Pick<Snapshot, 'events'>) {
  const [isWhole, setWhole] = useState(false)
  const shown = events.slice(isWhole ? 0 : -FEW).toReversed()
  return (
    <Section title={`Timeline (${events.length})`}>
      {events.length === 0 && <p className="latchkey-dt-soft">Nothing has happened yet.</p>}
      <ol className="latchkey-dt-events" aria-label="Events, newest first">
        {shown.map(({ atMs, step, outcome, detail, errorCode, remedy }, index) => (
          <li key={`${atMs} ${events.length - index}`}>
            <TimeOfDay atMs={atMs} />
            <div>
              <strong>{step}</strong> <span data-outcome={outcome}>{outcome}</span>
              {[detail, errorCode].map(
                (more) =>
                  more !== undefined && (
                    <span key={more} className="latchkey-dt-soft">
                      {` · ${more}`}
                    </span>
                  ),
              )}
              {remedy !== undefined && <p className="latchkey-dt-soft">{remedy}</p>}
            </div>
          </li>
        ))}
      </ol>
      {events.length > FEW && (
        <button type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the last ${FEW}` : `Show all ${events.length}`}
        </button>
      )}
    </Section>
  )
}
