// Lets the tabs of one browser share one real-time connection: one tab leads, the others listen through it.
import { createTimer } from '../base/timer.ts'
import { within } from '../base/within.ts'
import {
  RealtimeFault,
  type RealtimeEvent,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import type { ChannelPort, Platform, TabsPort } from '../session/platform/platform.ts'
import { parseRealtimeEvent, parseRelayed, type RelayedMessage } from './realtimeEvents.ts'

type LeaderPorts = Pick<Platform, 'crypto' | 'now' | 'on' | 'setTimer'>
type SharingPorts = LeaderPorts & { [Name in 'lock' | 'openChannel']: NonNullable<TabsPort[Name]> }

/** A leader that does not respond for this long counts as hung, and the tab opens a connection of its own. */
const SILENCE_MS = 5_000
/** After a logout the other tabs open no connection for this long: they are about to leave, too. */
const GOODBYE_MS = 5_000
/** More tabs than a browser has. Another script cannot fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200
/** How long a tab waits for the list of occupants. */
const LIST_MS = 20_000
/** Messages stored for frozen tabs. */
const KEPT_MESSAGES = 100

/** Of occupants; `undefined`: the service gave none. */
type List = readonly string[] | undefined

/** @param name of the channel and the lock of the tabs that share the connection; without locks each tab has its own */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts & Pick<TabsPort, 'lock' | 'openChannel'>,
): RealtimeTransport {
  const { lock, openChannel } = ports
  return {
    isProtected: transport.isProtected,
    // Without a channel, a leader would keep the lock and the other tabs would receive nothing.
    open: (options) =>
      lock && openChannel
        ? shareConnection(transport, name, { ...ports, lock, openChannel }, options)
        : transport.open(options),
  }
}

function shareConnection(
  transport: RealtimeTransport,
  name: string,
  ports: SharingPorts,
  options: RealtimeOpenOptions,
): RealtimeLink {
  // Without random bytes there is no session.
  const tab = [...ports.crypto.randomBytes!(9)].join('.')
  const silence = createTimer(ports)
  const goodbye = createTimer(ports)
  const history = createStreamHistory(options.cursor)
  /** The other tabs, as far as they have greeted this one. */
  const followers = new Set<string>()
  /** The questions of this tab for the leader's next list. */
  const waiting = new Set<(list: List) => void>()
  let listing: Promise<List> | undefined
  /** In the lock's queue, or holding it: aborting gives both up. */
  let turn: AbortController | undefined
  let isLeading = false
  let isClosed = false
  /** To the other tabs; `undefined` while the page is suspended. */
  let relay: ChannelPort | undefined
  /** To the service: in the leading tab, and if the leader is hung. */
  let link: RealtimeLink | undefined

  const post = (message: RelayedMessage) => relay?.post(message)
  const tell = (event: RealtimeEvent, to?: string) => post({ kind: 'event', event, to })
  const take = (event: RealtimeEvent) => {
    history.add(event)
    options.listen(event)
  }

  const openLink = () => {
    if (isClosed || link) return
    const listen = (received: unknown) => {
      const event = parseRealtimeEvent(received)
      if (isClosed || !event) return
      take(event)
      if (isLeading) tell(event)
    }
    try {
      link = transport.open({ ...options, cursor: history.cursor, listen })
    } catch {
      // The app's own transport may throw.
      listen({ type: 'state', state: 'failed', reason: 'The transport could not be opened' })
    }
  }
  const closeLink = (leave: boolean) => {
    listing = undefined
    link?.close({ leave })
    link = undefined
  }

  /** Waits for the lock, whose holder leads. */
  const compete = () => {
    if (turn) return
    turn = new AbortController()
    const { signal } = turn
    const lead = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        isLeading = true
        silence.clear()
        openLink()
        tell(history.state)
      })
    ports.lock(name, { signal }, lead).catch(() => {
      // In a page with an opaque origin, locks reject: this tab is alone.
      if (!signal.aborted) openLink()
    })
  }
  /** The next leader continues from the same position. */
  const stepDown = (leave: boolean) => {
    silence.clear()
    closeLink(leave)
    isLeading = false
    turn?.abort()
    turn = undefined
  }
  /** Asks the leader for its state, and for missed messages. */
  const greet = () => {
    if (isLeading || !relay) return
    post({ kind: 'hello', from: tab, cursor: history.cursor })
    silence.set(SILENCE_MS, openLink)
  }
  const start = () => {
    relay ??= ports.openChannel(name, receive)
    compete()
    greet()
  }
  /** Another tab takes over with the same identity: only the last one leaves the channels, unless the session is over. */
  const stop = (mayLeave: boolean, isOver = false) => {
    // Before the lock is free: the next tab must know that the session is over.
    post({ kind: 'bye', from: tab, isOver })
    stepDown(isOver || (mayLeave && followers.size === 0))
    goodbye.clear()
    relay?.close()
    relay = undefined
    followers.clear()
  }

  function receive(message: unknown): void {
    const relayed = parseRelayed(message)
    if (!relay || !relayed) return
    switch (relayed.kind) {
      case 'hello':
        if (followers.size < LARGEST_FOLLOWER_COUNT) followers.add(relayed.from)
        if (isLeading) for (const event of history.since(relayed.cursor)) tell(event, relayed.from)
        break
      case 'bye':
        followers.delete(relayed.from)
        if (!relayed.isOver) break
        stepDown(false)
        goodbye.set(GOODBYE_MS, start)
        break
      case 'event':
        if (isLeading || (relayed.to ?? tab) !== tab) break
        silence.clear()
        // The leader responds after all: this tab needs no connection of its own.
        closeLink(false)
        take(relayed.event)
        break
      case 'ask':
        if (isLeading) void fetchList().then((presenceIds) => post({ kind: 'list', presenceIds }))
        break
      case 'list':
        receiveList(relayed.presenceIds)
    }
  }

  /** The occupants of the channel with presence, fetched once for all tabs that ask meanwhile. */
  const fetchList = () => {
    const channel = options.channels.find(({ hasPresence }) => hasPresence)?.name
    const fetchIt = () => (channel === undefined ? undefined : link?.occupants(channel))
    listing ??= within<List>(ports, LIST_MS, fetchIt)
      .then((list) => (list === 'late' ? undefined : list))
      .catch(() => undefined)
      .finally(() => {
        listing = undefined
      })
    return listing
  }
  const askLeader = () =>
    within(ports, LIST_MS, () => {
      post({ kind: 'ask' })
      return new Promise<List>((resolve) => {
        waiting.add(resolve)
      })
    })
  const receiveList = (list: List) => {
    for (const resolve of waiting) resolve(list)
    waiting.clear()
  }

  // A page in the bfcache or frozen would keep the lock and starve the other tabs.
  const removals = [
    ports.on('pagehide', () => stop(true)),
    ports.on('freeze', () => stop(false)),
    ports.on('restored', start),
    ports.on('resume', start),
    ports.on('visible', greet),
  ]
  start()

  return {
    get isSpeaker() {
      return link !== undefined
    },
    async publish(channel, body) {
      if (isClosed) throw closed()
      if (!link) throw new RealtimeFault('offline', 'Only the tab that has the connection publishes')
      await link.publish(channel, body)
    },
    /** @throws RealtimeFault `closed`, `timeout`, `failed` */
    async occupants() {
      if (isClosed) throw closed()
      const list = await (link ? fetchList() : askLeader())
      if (list === 'late') {
        greet()
        throw new RealtimeFault('timeout', 'The leading tab did not respond')
      }
      if (!list) throw new RealtimeFault('failed', 'The service gave no list')
      return list
    },
    stopListening: () => link?.stopListening?.(),
    close({ leave = false } = {}) {
      if (isClosed) return
      stop(true, leave)
      isClosed = true
      for (const remove of removals) remove()
      receiveList(undefined)
    },
  }
}

const closed = () => new RealtimeFault('closed', 'The connection is closed')

/** The position in the stream, the state of the connection, and the latest messages for frozen tabs. */
function createStreamHistory(start: string | undefined) {
  const messages: Extract<RealtimeEvent, { type: 'message' }>[] = []
  let state: Extract<RealtimeEvent, { type: 'state' }> = { type: 'state', state: 'connecting' }
  let cursor = start
  return {
    get cursor() {
      return cursor
    },
    get state() {
      return state
    },
    add(event: RealtimeEvent) {
      if (event.type === 'presence') return
      cursor = event.cursor ?? cursor
      if (event.type === 'state') state = event
      else if (messages.push(event) > KEPT_MESSAGES) messages.shift()
    },
    /** The state of the connection, and the messages after `from`. */
    since(from: string | undefined): readonly RealtimeEvent[] {
      const known = messages.findIndex((message) => message.cursor === from)
      return [{ ...state, cursor }, ...(from === undefined ? [] : messages.slice(known + 1))]
    },
  }
}
