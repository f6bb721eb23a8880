// Lets the tabs of one browser share one real-time connection: one tab leads, the others listen through it.
import { createNamedTimers } from '../base/namedTimers.ts'
import {
  RealtimeFault,
  type RealtimeEvent,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import type { ChannelPort, Platform, TabsPort } from '../session/platform/platform.ts'
import { faultCodeOf, parseRealtimeEvent, parseRelayed, type RelayedMessage } from './realtimeEvents.ts'

export type LeaderPorts = Pick<Platform, 'crypto' | 'on' | 'setTimer'> &
  Pick<TabsPort, 'lock' | 'openChannel'>
type SharingPorts = LeaderPorts & { [Name in 'lock' | 'openChannel']: NonNullable<LeaderPorts[Name]> }

/** A leader that sends nothing for this long counts as hung, and the tab opens a connection of its own. */
const SILENCE_MS = 5_000
/** After a goodbye the other tabs open no connection for this long: they are about to say goodbye too. */
const GOODBYE_MS = 5_000
/** More tabs than a browser has: a script that sends names does not fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200
/** Time limit of a call through the leader. */
const CALL_MS = 20_000
/** The service itself lists the same occupants for this long. */
const SAME_RESPONSE_MS = 3_000
/** Messages kept for a tab that was frozen. */
const KEPT_MESSAGES = 100

type Of<Kind extends RelayedMessage['kind']> = Extract<RelayedMessage, { kind: Kind }>
type Call = Pick<Of<'call'>, 'method' | 'channel' | 'body'>
type Answer = Partial<Pick<Of<'answer'>, 'value' | 'fault'>>

/**
 * `name` is the same in all tabs that share the connection, and in no others; their channel and their lock have it.
 * Without locks each tab has its own connection.
 */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts,
): RealtimeTransport {
  const { lock, openChannel } = ports
  return {
    isProtected: transport.isProtected,
    // Without a channel, a leader would keep the lock and the other tabs would receive nothing.
    open: (options) =>
      lock && openChannel
        ? openShared(transport, name, { ...ports, lock, openChannel }, options)
        : transport.open(options),
  }
}

/** One tab's end of the shared connection. */
function openShared(
  transport: RealtimeTransport,
  name: string,
  { crypto, on, setTimer, lock, openChannel }: SharingPorts,
  options: RealtimeOpenOptions,
): RealtimeLink {
  const tab = crypto.randomBytes ? [...crypto.randomBytes(9)].join('.') : `${options.identity}?`
  const timers = createNamedTimers<'silence' | 'goodbye'>(setTimer)
  const followers = new Set<string>()
  const history = createStreamHistory(options.cursor)
  const occupantsRequests = createOccupantsRequests(setTimer)
  /** Calls that wait for the leading tab, by their number. */
  const calls = new Map<number, (answer: Answer) => void>()
  let callCount = 0
  let isLeading = false
  let isClosed = false
  /** Gives the lock back, or leaves its queue; `undefined`: this tab is in neither. */
  let giveUpLock: (() => void) | undefined
  /** To the other tabs; `undefined` while the page is suspended. */
  let relay: ChannelPort | undefined
  /** To the service: in the leading tab, and where the leader is hung. */
  let link: RealtimeLink | undefined

  function start(): void {
    if (isClosed) return
    relay ??= openChannel(name, receiveFromTab)
    compete()
    greet()
  }

  /** Waits for the lock, whose holder leads. */
  function compete(): void {
    if (giveUpLock) return
    const waiting = new AbortController()
    let release: (() => void) | undefined
    giveUpLock = () => {
      waiting.abort()
      release?.()
    }
    const lead = () =>
      new Promise<void>((resolve) => {
        if (waiting.signal.aborted) return resolve()
        release = resolve
        isLeading = true
        timers.stop('silence')
        openLink()
        post({ kind: 'event', event: history.state, to: undefined })
      })
    lock(name, { signal: waiting.signal }, lead).catch(() => {
      // A page without an origin of its own has locks that refuse: this tab is alone.
      if (!waiting.signal.aborted) openLink()
    })
  }

  /** Gives the lead away; the next tab continues from the same place. */
  function stepDown(leave: boolean): void {
    timers.stop('silence')
    closeLink(leave)
    isLeading = false
    giveUpLock?.()
    giveUpLock = undefined
  }

  /** A page in the bfcache or frozen would keep the lock and starve the other tabs. */
  function suspend(mayLeave: boolean): void {
    if (isClosed) return
    // Another tab takes over under the same identity; only the last one says goodbye.
    stepDown(mayLeave && followers.size === 0)
    timers.stop('goodbye')
    post({ kind: 'bye', from: tab })
    relay?.close()
    relay = undefined
    followers.clear()
  }

  function openLink(): void {
    if (isClosed || link) return
    try {
      link = transport.open({ ...options, cursor: history.cursor, listen: receiveFromService })
    } catch {
      // A transport of the app's own may throw.
      receiveFromService({ type: 'state', state: 'failed', reason: 'The transport could not be opened' })
    }
  }

  function closeLink(leave: boolean): void {
    occupantsRequests.clear()
    link?.close({ leave })
    link = undefined
  }

  function receiveFromService(received: unknown): void {
    const event = parseRealtimeEvent(received)
    if (!event) return
    take(event)
    if (isLeading) post({ kind: 'event', event, to: undefined })
  }

  function take(event: RealtimeEvent): void {
    if (isClosed) return
    history.add(event)
    options.listen(event)
  }

  function post(message: RelayedMessage): void {
    if (!isClosed) relay?.post(message)
  }

  /** Asks the leader for its state; a leader that does not respond is hung. */
  function greet(): void {
    if (isLeading || isClosed) return
    post({ kind: 'hello', from: tab, cursor: history.cursor })
    timers.start('silence', SILENCE_MS, openLink)
  }

  function receiveFromTab(message: unknown): void {
    const relayed = parseRelayed(message)
    if (isClosed || !relayed) return
    switch (relayed.kind) {
      case 'hello': {
        const { from, cursor } = relayed
        if (followers.size < LARGEST_FOLLOWER_COUNT) followers.add(from)
        if (isLeading) for (const event of history.since(cursor)) post({ kind: 'event', event, to: from })
        break
      }
      case 'bye':
        followers.delete(relayed.from)
        break
      case 'event':
        if (isLeading || (relayed.to ?? tab) !== tab) break
        timers.stop('silence')
        // The leader lives after all, so this tab needs no connection of its own.
        closeLink(false)
        take(relayed.event)
        break
      case 'resting':
        stepDown(false)
        timers.start('goodbye', GOODBYE_MS, start)
        break
      case 'call':
        if (isLeading) void respond(relayed)
        break
      case 'answer':
        if (relayed.to === tab) calls.get(relayed.id)?.(relayed)
    }
  }

  async function respond({ from, id, ...call }: Of<'call'>): Promise<void> {
    const answer = (rest: Answer) =>
      post({ kind: 'answer', to: from, id, value: undefined, fault: undefined, ...rest })
    const isOwn = options.channels.some((channel) => channel.name === call.channel)
    if (!isOwn) return answer({ fault: 'invalid' })
    await perform(call).then(
      (value) => answer({ value }),
      (error: unknown) => answer({ fault: faultCodeOf(error) }),
    )
  }

  /** @throws RealtimeFault what the leader reports, `timeout`, or `closed` */
  function askLeader(call: Call): Promise<readonly string[] | undefined> {
    return new Promise((resolve, reject) => {
      callCount += 1
      const id = callCount
      const finish = ({ value, fault }: Answer) => {
        calls.delete(id)
        cancel()
        if (fault) reject(new RealtimeFault(fault, 'The leading tab could not do it'))
        else resolve(value)
      }
      const cancel = setTimer(() => {
        finish({ fault: 'timeout' })
        greet()
      }, CALL_MS)
      calls.set(id, finish)
      post({ kind: 'call', from: tab, id, ...call })
    })
  }

  async function perform(call: Call): Promise<readonly string[] | undefined> {
    if (isClosed) throw new RealtimeFault('closed', 'The connection is closed')
    if (!link) return askLeader(call)
    if (call.method === 'occupants') return occupantsRequests.send(link, call.channel)
    await link.publish(call.channel, call.body)
    return undefined
  }

  const removals = [
    on('pagehide', () => suspend(true)),
    on('freeze', () => suspend(false)),
    on('restored', start),
    on('resume', start),
    on('visible', () => {
      if (relay) greet()
    }),
  ]
  start()

  return {
    get isSpeaker() {
      return link !== undefined
    },
    async publish(channel, body) {
      await perform({ method: 'publish', channel, body })
    },
    occupants: async (channel) => (await perform({ method: 'occupants', channel, body: undefined })) ?? [],
    stopListening: () => link?.stopListening?.(),
    close({ leave = false } = {}) {
      if (isClosed) return
      if (leave) post({ kind: 'resting' })
      stepDown(leave || followers.size === 0)
      post({ kind: 'bye', from: tab })
      isClosed = true
      relay?.close()
      timers.close()
      for (const remove of removals) remove()
      for (const finish of calls.values()) finish({ fault: 'closed' })
    },
  }
}

/** Remembers how far the stream was read, how the connection is, and the latest messages for tabs that were frozen. */
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
    /** What a tab needs that has read up to `from`: how the connection is, and the messages since. */
    since(from: string | undefined): readonly RealtimeEvent[] {
      const known = messages.findIndex((message) => message.cursor === from)
      return [{ ...state, cursor }, ...(from === undefined ? [] : messages.slice(known + 1))]
    },
  }
}

/** Asks the service once when several tabs ask for the same channel within `SAME_RESPONSE_MS`. */
function createOccupantsRequests(setTimer: Platform['setTimer']) {
  const sent = new Map<string, { presenceIds: Promise<readonly string[]>; cancel: () => void }>()
  return {
    send(link: RealtimeLink, channel: string) {
      const known = sent.get(channel)
      if (known) return known.presenceIds
      const presenceIds = link.occupants(channel)
      const forget = () => void sent.delete(channel)
      sent.set(channel, { presenceIds, cancel: setTimer(forget, SAME_RESPONSE_MS) })
      presenceIds.catch(forget)
      return presenceIds
    },
    clear() {
      for (const { cancel } of sent.values()) cancel()
      sent.clear()
    },
  }
}
