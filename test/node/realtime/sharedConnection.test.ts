// Eight tabs, one connection: who leads, what the others hear, and what happens when the leader goes.
import { describe, expect, it } from 'vitest'

import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import type {
  RealtimeEvent,
  RealtimeLink,
  RealtimeTransport,
} from '../../../src/protocol/realtimeTransport.ts'
import { createSharedConnection } from '../../../src/realtime/sharedConnection.ts'
import { createBrowser, createClock } from './realtimeRig.ts'

const channels = [{ name: 'room', hasPresence: true }]

function createWorld({ answerMs = 0 } = {}) {
  const clock = createClock()
  const browser = createBrowser(clock)
  const hub = createMemoryRealtime({ setTimer: clock.setTimer, latencyMs: 20 })
  const presence: string[] = []
  let questions = 0
  const transport: RealtimeTransport = {
    open(options) {
      const connection = hub.transport.open(options)
      const occupants: RealtimeLink['occupants'] = (channel) => {
        questions += 1
        if (answerMs === 0) return connection.occupants(channel)
        return new Promise((resolve) =>
          clock.setTimer(() => resolve(connection.occupants(channel)), answerMs),
        )
      }
      return { ...connection, occupants }
    },
  }
  const watcher = hub.transport.open({
    identity: 'watcher',
    channels,
    listen: (event) => {
      if (event.type === 'presence' && !event.presenceIds.includes('watcher'))
        presence.push(`${event.action} ${event.presenceIds.join(' ')}`)
    },
  })

  function openTab(without: ('lock' | 'openChannel')[] = []) {
    const tab = browser.openTab()
    const ports = { ...tab.ports, ...Object.fromEntries(without.map((name) => [name, undefined])) }
    const events: RealtimeEvent[] = []
    const link: RealtimeLink = createSharedConnection(transport, 'app', ports).open({
      identity: 'me',
      channels,
      listen: (event) => void events.push(event),
    })
    return {
      ...tab,
      link,
      bodies: () => events.flatMap((event) => (event.type === 'message' ? [event.body] : [])),
      states: () => events.flatMap((event) => (event.type === 'state' ? [event.state] : [])),
      joins: () => events.filter((event) => event.type === 'presence'),
    }
  }
  const connections = () => hub.openLinks - 1
  return { clock, browser, hub, openTab, connections, presence, watcher, questions: () => questions }
}

describe('a browser with eight tabs', () => {
  it('has one connection, and every tab hears every message once', async () => {
    const { clock, hub, openTab, connections, presence } = createWorld()
    const tabs = Array.from({ length: 8 }, () => openTab())
    await clock.advance(1000)
    expect(connections()).toBe(1)
    expect(tabs.map(({ link }) => link.isSpeaker)).toEqual([true, ...Array.from({ length: 7 }, () => false)])
    expect(tabs.map(({ states }) => states().at(-1))).toEqual(tabs.map(() => 'connected'))
    hub.publish('room', { n: 1 })
    await clock.advance(1000)
    expect(tabs.map(({ bodies }) => bodies())).toEqual(tabs.map(() => [{ n: 1 }]))
    expect(presence).toEqual(['join me'])
  })

  it('lets a tab that does not lead ask through the leader, and publishes from the leader alone', async () => {
    const { clock, hub, openTab } = createWorld()
    const leader = openTab()
    const second = openTab()
    await clock.advance(1000)
    const asked = second.link.occupants('room')
    await clock.advance(1000)
    expect(await asked).toEqual(['watcher', 'me'])
    await expect(second.link.publish('room', 'no')).rejects.toMatchObject({ code: 'offline' })
    await leader.link.publish('room', 'hello')
    expect(hub.published.map(({ body, publisher }) => [body, publisher])).toEqual([['hello', 'me']])
    hub.refusePublish(true)
    await expect(leader.link.publish('room', 'no')).rejects.toMatchObject({ code: 'denied' })
    // What the service refuses reaches the tab that asked.
    hub.cut('offline')
    const refused = second.link.occupants('room')
    await Promise.all([clock.advance(4000), expect(refused).rejects.toMatchObject({ code: 'failed' })])
  })

  it('asks the service once when all tabs ask who is here', async () => {
    const { clock, hub, openTab, questions } = createWorld()
    const tabs = Array.from({ length: 8 }, () => openTab())
    await clock.advance(1000)
    const answers = tabs.map(({ link }) => link.occupants('room'))
    await clock.advance(1000)
    expect(await Promise.all(answers)).toEqual(tabs.map(() => ['watcher', 'me']))
    expect(questions()).toBe(1)
    hub.tellPresence('room', 'join', 'other')
    await clock.advance(1000)
    const later = tabs[7]!.link.occupants('room')
    await clock.advance(1000)
    expect(await later).toEqual(['watcher', 'me', 'other'])
    expect(questions()).toBe(2)
  })

  const ends = {
    'is closed by its user': ({ emit, crash }: { emit(event: 'pagehide'): void; crash(): void }) => {
      emit('pagehide')
      crash()
    },
    'goes into the back-forward cache': ({ emit }: { emit(event: 'pagehide'): void }) => emit('pagehide'),
    'is frozen': ({ emit }: { emit(event: 'freeze'): void }) => emit('freeze'),
    'crashes without a word': ({ crash }: { crash(): void }) => crash(),
    'disposes of its connection': ({ link }: { link: RealtimeLink }) => link.close(),
  } as const

  it.each(Object.entries(ends))(
    'loses no message and does not flicker when the leader %s',
    async (name, end) => {
      const { clock, hub, openTab, connections, presence } = createWorld()
      const [leader, ...others] = Array.from({ length: 4 }, () => openTab())
      await clock.advance(1000)
      hub.publish('room', 'before')
      await clock.advance(1000)
      end(leader!)
      hub.publish('room', 'in the gap')
      await clock.advance(500)
      hub.publish('room', 'after')
      await clock.advance(1000)
      // A crashed page's own connection dies with it, which the service in memory cannot know.
      expect(connections()).toBe(name === 'crashes without a word' ? 2 : 1)
      expect(others.filter(({ link }) => link.isSpeaker)).toHaveLength(1)
      for (const { bodies } of others) expect(bodies()).toEqual(['before', 'in the gap', 'after'])
      expect(presence.filter((event) => event === 'join me')).toHaveLength(1)
      expect(presence.filter((event) => event === 'leave me')).toHaveLength(0)
    },
  )

  it('takes a page back from the back-forward cache, with what it missed', async () => {
    const { clock, hub, openTab, connections } = createWorld()
    const first = openTab()
    const second = openTab()
    await clock.advance(1000)
    hub.publish('room', 1)
    await clock.advance(1000)
    first.emit('pagehide')
    await clock.advance(1000)
    hub.publish('room', 2)
    await clock.advance(60_000)
    expect(first.bodies()).toEqual([1])
    first.emit('restored')
    await clock.advance(1000)
    expect(first.bodies()).toEqual([1, 2])
    expect([first.link.isSpeaker, second.link.isSpeaker, connections()]).toEqual([false, true, 1])
    second.emit('freeze')
    await clock.advance(1000)
    expect(first.link.isSpeaker).toBe(true)
    second.emit('resume')
    await clock.advance(1000)
    expect([second.states().at(-1), connections()]).toEqual(['connected', 1])
  })

  it('tells a tab its state again after a freeze, but not each time that the tab is seen: every state lists the occupants', async () => {
    const { clock, openTab } = createWorld()
    openTab()
    const second = openTab()
    await clock.advance(1000)
    expect(second.states().at(-1)).toBe('connected')
    const before = second.states().length
    for (let count = 0; count < 3; count += 1) {
      second.emit('visible')
      await clock.advance(1000)
    }
    expect(second.states()).toHaveLength(before)
    second.emit('freeze')
    second.emit('resume')
    await clock.advance(1000)
    expect(second.states().slice(before)).toEqual(['connected'])
  })

  it('says goodbye with the last tab only', async () => {
    const { clock, openTab, presence } = createWorld()
    const first = openTab()
    const second = openTab()
    await clock.advance(1000)
    first.emit('pagehide')
    await clock.advance(1000)
    expect(presence).toEqual(['join me'])
    second.emit('pagehide')
    await clock.advance(1000)
    expect(presence).toEqual(['join me', 'leave me'])
  })

  it('does not come back for a moment when all tabs sign out one after the other', async () => {
    const { clock, openTab, presence, connections } = createWorld()
    const tabs = Array.from({ length: 4 }, () => openTab())
    await clock.advance(1000)
    for (const { link } of tabs) {
      link.close({ leave: true })
      await clock.advance(50)
    }
    await clock.advance(60_000)
    expect(presence).toEqual(['join me', 'leave me'])
    expect(connections()).toBe(0)
  })

  it('opens a connection of its own when the leader hangs, and gives it up when the leader lives', async () => {
    const { clock, hub, openTab, connections } = createWorld()
    const leader = openTab()
    const other = openTab()
    await clock.advance(1000)
    leader.hang()
    other.emit('visible')
    await clock.advance(6000)
    hub.publish('room', 'still heard')
    await clock.advance(1000)
    expect(other.bodies()).toEqual(['still heard'])
    expect(connections()).toBe(2)
    leader.revive()
    hub.publish('room', 'again')
    await clock.advance(1000)
    expect(new Set(other.bodies())).toEqual(new Set(['still heard', 'again']))
    expect(connections()).toBe(1)
  })

  it('hears nothing from a leader that signs out while it speaks for another tab, and that is no error', async () => {
    const { clock, openTab } = createWorld({ answerMs: 200 })
    const leader = openTab()
    const second = openTab()
    await clock.advance(1000)
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const asked = second.link.occupants('room').catch((error: unknown) => (error as { code: string }).code)
    await clock.advance(100)
    leader.link.close({ leave: true })
    await clock.advance(30_000)
    process.off('unhandledRejection', note)
    expect([await asked, unhandled]).toEqual(['timeout', []])
  })

  it('gives each tab its own connection where the browser has no locks or no channels', async () => {
    for (const missing of ['lock', 'openChannel'] as const) {
      const { clock, hub, openTab, connections, presence } = createWorld()
      const tabs = [openTab([missing]), openTab([missing])]
      await clock.advance(1000)
      hub.publish('room', 1)
      await clock.advance(1000)
      expect(connections()).toBe(2)
      expect(tabs.map(({ bodies }) => bodies())).toEqual([[1], [1]])
      expect(presence).toEqual(['join me'])
    }
  })

  it('leaves no listener, timer or channel behind', async () => {
    const { clock, browser, openTab, watcher } = createWorld()
    const tabs = Array.from({ length: 3 }, () => openTab())
    await clock.advance(1000)
    for (const { link } of tabs) link.close()
    await clock.advance(0)
    watcher.close()
    expect(tabs.map(({ listenerCount }) => listenerCount())).toEqual([0, 0, 0])
    expect([clock.pending(), browser.openChannels()]).toEqual([0, 0])
    await expect(tabs[0]!.link.publish('room', 1)).rejects.toMatchObject({ code: 'closed' })
  })
})
