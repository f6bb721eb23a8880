'use client'
// Shows the connections of this tab: to other tabs of the browser, and to the real-time channels.
import type { ReactNode } from 'react'
import { Badge, Facts, Section, type Tone } from './parts.tsx'
import type { Snapshot } from './snapshot.ts'

const TONES: Record<Snapshot['channel']['status'], Tone> = {
  off: 'plain',
  connecting: 'warn',
  connected: 'good',
  degraded: 'bad',
}

export function ConnectionsSection({ snapshot }: { snapshot: Snapshot }): ReactNode {
  const { tabs, channel } = snapshot
  const isHere = tabs.own !== undefined && tabs.all.includes(tabs.own)
  return (
    <Section title="Tabs and channels">
      <p>
        {tabs.all.length} {tabs.all.length === 1 ? 'tab holds' : 'tabs hold'} the session
        {isHere ? ', this one is among them.' : '.'}
      </p>
      {tabs.all.length > 0 && (
        <ul aria-label="Tabs">
          {tabs.all.map((tab) => (
            <li key={tab} className="latchkey-dt-row">
              <span>{tab}</span>
              <span>
                {tab === tabs.own && 'this tab'}
                {tab === tabs.own && tabs.leader === 'this tab' && ', leads'}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p>
        Real time: <Badge tone={TONES[channel.status]}>{channel.status}</Badge>
      </p>
      <Facts
        facts={{
          channels: channel.isJoined ? 'joined' : 'not joined',
          'one session per user': channel.uniqueSession,
          'line held by': tabs.leader,
          'sessions of this user':
            channel.onlineCount === undefined ? 'unknown' : String(channel.onlineCount),
        }}
      />
    </Section>
  )
}
