// Lets the tabs of one browser share one real-time line: one tab leads, the others listen through it (contract §7).
import type { ChannelPort, Platform, TabsPort } from '../platform/platform.ts'
import { RealtimeFault } from './realtime.ts'
import { parseRealtimeEvent, parseRelayed } from './realtimeEvents.ts'
import type {
  RealtimeEvent,
  RelayedCall,
  RelayedMessage,
  RealtimeLink,
  RealtimeOpenOptions,
  RealtimeTransport,
} from './realtime.ts'

export type LeaderPorts = Pick<Platform, 'crypto' | 'on' | 'setTimer'> &
  Pick<TabsPort, 'lock' | 'openChannel'>

/** A leader that says nothing for this long is taken for hung, and the tab opens a line of its own. */
const SILENCE_MS = 5_000
/** A call through the leader is given up after this long. */
const CALL_MS = 20_000
/** After a goodbye the other tabs leave the line to rest this long: they are about to say goodbye too. */
const GOODBYE_MS = 5_000
/** The service itself gives the same answer to who is here for this long. */
const SAME_ANSWER_MS = 3_000
/** Messages kept for a tab that was frozen. */
const KEPT_MESSAGES = 100
/** More tabs than a browser has; whoever shouts names does not fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200

type SharedPorts = { [Name in keyof LeaderPorts]: NonNullable<LeaderPorts[Name]> }

type Answer = Pick<Extract<RelayedMessage, { kind: 'answer' }>, 'value' | 'fault'>

/** `name` is the same in all tabs that share the line, and in no others; of their channel and of their lock. Without locks each tab has its own line. */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts,
): RealtimeTransport {
  return {
    isProtected: transport.isProtected,
    open(options) {
      const { lock, openChannel } = ports
      // A leader that nobody can hear would leave the other tabs deaf.
      return lock && openChannel
        ? openShared(transport, name, { ...ports, lock, openChannel }, options)
        : transport.open(options)
    },
  }
}

function openShared(
  transport: RealtimeTransport,
  name: string,
  { crypto, lock, on, openChannel, setTimer }: SharedPorts,
  options: RealtimeOpenOptions,
): RealtimeLink {
  const tab = crypto.randomBytes ? [...crypto.randomBytes(9)].join('.') : `${options.identity}?`
  const followers = new Set<string>()
  const calls = new Map<number, (answer: Answer) => void>()
  const asked = new Map<string, { presenceIds: Promise<readonly string[]>; cancel: () => void }>()
  const kept: Extract<RealtimeEvent, { type: 'message' }>[] = []
  let lastState: Extract<RealtimeEvent, { type: 'state' }> = { type: 'state', state: 'connecting' }
  let cursor = options.cursor
  let callCount = 0
  let isClosed = false
  let link: RealtimeLink | undefined
  let isLeading = false
  let stopWaiting: (() => void) | undefined
  let cancelSilence: (() => void) | undefined
  let cancelRest: (() => void) | undefined
  let relay: ChannelPort | undefined = openChannel(name, hearTab)

  const post = (message: RelayedMessage) => void (isClosed || relay?.post(message))

  function take(event: RealtimeEvent): void {
    if (isClosed) return
    if (event.type === 'state') {
      lastState = event
      cursor = event.cursor ?? cursor
    }
    if (event.type === 'message') {
      cursor = event.cursor
      kept.push(event)
      if (kept.length > KEPT_MESSAGES) kept.shift()
    }
    options.listen(event)
  }

  function hear(heard: unknown): void {
    const event = parseRealtimeEvent(heard)
    if (!event) return
    take(event)
    if (isLeading) post({ kind: 'event', event })
  }

  function openLink(): void {
    if (isClosed || link) return
    try {
      link = transport.open({ ...options, cursor, listen: hear })
    } catch {
      // A transport of the app's own may throw.
      hear({ type: 'state', state: 'failed', reason: 'The transport could not be opened' })
    }
  }

  function closeLink(leave: boolean): void {
    for (const { cancel } of asked.values()) cancel()
    asked.clear()
    link?.close({ leave })
    link = undefined
  }

  /** Waits for its turn; leads until the lock is given back. */
  function compete(): void {
    if (isClosed || stopWaiting) return
    const waiting = new AbortController()
    let release: (() => void) | undefined
    stopWaiting = () => {
      stopWaiting = undefined
      isLeading = false
      waiting.abort()
      release?.()
    }
    const lead = () =>
      new Promise<void>((resolve) => {
        if (isClosed || waiting.signal.aborted) return resolve()
        release = resolve
        isLeading = true
        cancelSilence?.()
        openLink()
        post({ kind: 'event', event: lastState })
      })
    lock(name, { signal: waiting.signal }, lead).catch(() => {
      // A page without an origin of its own has locks that refuse: then this tab is alone.
      if (!waiting.signal.aborted) openLink()
    })
  }

  /** Asks the leader for its state; a leader that does not answer is hung. */
  function greet(): void {
    if (isLeading || isClosed) return
    post({ kind: 'hello', from: tab, cursor })
    cancelSilence?.()
    cancelSilence = setTimer(openLink, SILENCE_MS)
  }

  function hearTab(message: unknown): void {
    const relayed = parseRelayed(message)
    if (isClosed || !relayed) return
    switch (relayed.kind) {
      case 'hello':
        if (followers.size < LARGEST_FOLLOWER_COUNT) followers.add(relayed.from)
        if (isLeading) welcome(relayed.from, relayed.cursor)
        break
      case 'bye':
        followers.delete(relayed.from)
        break
      case 'event':
        if (isLeading || (relayed.to !== undefined && relayed.to !== tab)) break
        cancelSilence?.()
        // The leader lives after all, so a line of our own is one too many.
        closeLink(false)
        take(relayed.event)
        break
      case 'resting':
        rest()
        break
      case 'call':
        if (isLeading) void answer(relayed)
        break
      case 'answer':
        if (relayed.to === tab) calls.get(relayed.id)?.(relayed)
    }
  }

  function welcome(to: string, from: string | undefined): void {
    post({ kind: 'event', event: { ...lastState, cursor }, to })
    if (from === undefined) return
    const known = kept.findIndex((event) => event.cursor === from)
    for (const event of kept.slice(known + 1)) post({ kind: 'event', event, to })
  }

  async function answer({ from, id, method, channel, body }: RelayedCall): Promise<void> {
    try {
      const isOwn = method === 'wake' || options.channels.some(({ name: own }) => own === channel)
      if (!isOwn) throw new RealtimeFault('invalid', 'No channel of this session')
      const value = await perform(method, channel, body)
      post({ kind: 'answer', to: from, id, ...(value ? { value } : {}) })
    } catch (error) {
      post({ kind: 'answer', to: from, id, fault: error instanceof RealtimeFault ? error.code : 'failed' })
    }
  }

  async function perform(
    method: RelayedCall['method'],
    channel: string,
    body: unknown,
  ): Promise<readonly string[] | undefined> {
    if (isClosed) throw new RealtimeFault('closed', 'The line is closed')
    if (link) {
      if (method === 'occupants') return occupantsOnce(link, channel)
      if (method === 'publish') await link.publish(channel, body)
      if (method === 'wake') link.wake()
      return undefined
    }
    return new Promise((resolve, reject) => {
      callCount += 1
      const id = callCount
      const cancel = setTimer(() => {
        calls.get(id)?.({ fault: 'timeout' })
        greet()
      }, CALL_MS)
      calls.set(id, ({ value, fault }) => {
        calls.delete(id)
        cancel()
        if (fault) reject(new RealtimeFault(fault, 'The leading tab could not do it'))
        else resolve(value)
      })
      post({ kind: 'call', from: tab, id, method, channel, body })
    })
  }

  /** Eight tabs that ask at the same time are one question. */
  function occupantsOnce(line: RealtimeLink, channel: string): Promise<readonly string[]> {
    const known = asked.get(channel)
    if (known) return known.presenceIds
    const presenceIds = line.occupants(channel)
    const forget = () => void asked.delete(channel)
    asked.set(channel, { presenceIds, cancel: setTimer(forget, SAME_ANSWER_MS) })
    presenceIds.catch(forget)
    return presenceIds
  }

  /** Gives the lead away; the next tab goes on from the same place. */
  function stepDown(leave: boolean): void {
    cancelSilence?.()
    closeLink(leave)
    stopWaiting?.()
  }

  function rest(): void {
    stepDown(false)
    cancelRest?.()
    cancelRest = setTimer(start, GOODBYE_MS)
  }

  /** A page in the back-forward cache or frozen would keep the lock and starve the other tabs. */
  function suspend(mayLeave: boolean): void {
    if (isClosed) return
    // Another tab takes over under the same identity; only the last one says goodbye.
    stepDown(mayLeave && followers.size === 0)
    cancelRest?.()
    post({ kind: 'bye', from: tab })
    relay?.close()
    relay = undefined
    followers.clear()
  }

  function start(): void {
    if (isClosed) return
    relay ??= openChannel(name, hearTab)
    compete()
    greet()
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
      await perform('publish', channel, body)
    },
    occupants: async (channel) => (await perform('occupants', channel, undefined)) ?? [],
    wake: () => void perform('wake', '', undefined).catch(() => undefined),
    stopListening: () => link?.stopListening?.(),
    close({ leave = false } = {}) {
      if (isClosed) return
      if (leave) post({ kind: 'resting' })
      stepDown(leave || followers.size === 0)
      post({ kind: 'bye', from: tab })
      isClosed = true
      relay?.close()
      cancelRest?.()
      for (const remove of removals) remove()
      for (const finish of calls.values()) finish({ fault: 'closed' })
    },
  }
}
