// PubNub as a real-time service: one connection over its SDK that recovers from every fault, also from those after which the SDK gives up.
import { createNamedTimers } from '../../base/namedTimers.ts'
import {
  AWAY_MS,
  DRIFT_CHECK_MS,
  ECHO_MS,
  FAILURES_PER_CLIENT,
  QUIET_MS,
} from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import {
  RealtimeFault,
  type RealtimeConnectionState,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeSession,
  type RealtimeTransport,
  type ServicePorts,
} from '../../protocol/realtimeTransport.ts'
import { watchBrowserFrame } from '../../session/platform/browserWatchFrame.ts'
import { createSeenMessages, parsePresenceIds, parseRealtimeEvent } from '../realtimeEvents.ts'
import { loadPubnub } from './pubnubFile.ts'
import { assertPubnubOptions, leaveAddress, type PubnubOptions, sdkFigures } from './pubnubOptions.ts'
import {
  backOffMs,
  buildClient,
  faultOf,
  readMessage,
  readOccupants,
  readPresence,
  readPublished,
  readStatus,
  renewalDelayMs,
  type Sdk,
  type SdkConstructor,
  timetokenOf,
} from './pubnubSdk.ts'

const NO_SDK = 'The messaging SDK cannot be loaded: install pubnub, or find what keeps its file from loading.'
const PRESENCE_SUFFIX = '-pnpres'
/** The SDK uses the `fetch` of this frame, which it puts into the page. */
const SDK_FRAME = 'pubnub-context-unpatched-fetch'
const TOKEN_WAIT_MS = 15_000

/** Loads the SDK when a connection is opened. @throws AuthError `invalid-config` when the keys or figures are wrong */
export function createPubnubTransport(
  options: PubnubOptions,
  ports: ServicePorts,
  session: () => Omit<RealtimeSession, 'presenceId'>,
): RealtimeTransport {
  assertPubnubOptions(options)
  return {
    cacheSize: options.cacheSize,
    open: (opening) => openPubnub(options, ports, opening, session),
  }
}

function openPubnub(
  options: PubnubOptions,
  ports: ServicePorts,
  { identity, channels, cursor: startCursor, listen }: RealtimeOpenOptions,
  session: () => Omit<RealtimeSession, 'presenceId'>,
): RealtimeLink {
  const { getToken } = options
  const { on, now, watchFrame = watchBrowserFrame } = ports
  const names = channels.map(({ name }) => name)
  const timers = createNamedTimers<'retry' | 'token' | 'quiet' | 'drift'>(ports.setTimer)
  const seen = createSeenMessages(sdkFigures(options).maximumCacheSize)
  /** Own messages that have not come back yet, by their place in the stream. */
  const echoes = new Set<string>()
  let client: Sdk | undefined
  let stopWatchingFrame: (() => void) | undefined
  let cursor = timetokenOf(startCursor)
  let token: string | undefined
  let tokenFailures = 0
  /** What was reported last. */
  let state: RealtimeConnectionState | undefined
  /** Failures since it was connected last. */
  let failures = 0
  /** The poll was cut on purpose: the SDK reports that, too. */
  let isCutting = false
  let isClosed = false

  async function start(): Promise<void> {
    discardClient()
    report(failures === 0 ? 'connecting' : (state ?? 'connecting'))
    try {
      await fetchToken()
    } catch {
      return fail('PNAccessDeniedCategory', 'No access token')
    }
    try {
      const { default: loaded } = await loadPubnub()
      if (isClosed || client) return
      client = buildClient(loaded as SdkConstructor, options, identity)
    } catch {
      if (failures === 0) ports.tell?.(NO_SDK)
      return fail('PNUnknownCategory', 'The messaging SDK cannot be loaded')
    }
    // A response that was on its way through the frame may neither come nor fail.
    stopWatchingFrame = watchFrame(SDK_FRAME, () => {
      discardClient()
      timers.stop('retry')
      fail('PNBadRequestCategory', 'The frame of the messaging SDK was taken out of the page')
    })
    giveToken()
    client.addListener({ status: receiveStatus, message: receiveMessage, presence: receivePresence })
    const withPresence = channels.filter(({ hasPresence }) => hasPresence)
    const all = [...names, ...withPresence.map(({ name }) => name + PRESENCE_SUFFIX)]
    client.subscribe({ channels: all, ...(cursor !== undefined && { timetoken: cursor }) })
  }

  function discardClient(): void {
    stopWatchingFrame?.()
    client?.removeAllListeners()
    client?.destroy(true)
    client = undefined
    echoes.clear()
  }

  /** Fetches a token for the session that is current now. @throws RealtimeFault, and what the app's function throws */
  async function fetchToken(): Promise<void> {
    if (!getToken) return
    const { userId, firmId, sessionId, impersonatorId } = session()
    const current = { userId, firmId, sessionId, impersonatorId, presenceId: identity }
    const fetched: unknown = await within(ports, TOKEN_WAIT_MS, () => getToken(current))
    if (typeof fetched !== 'string' || fetched === '' || fetched === 'late')
      throw new RealtimeFault('denied', 'No access token')
    token = fetched
    tokenFailures = 0
    giveToken()
  }

  function giveToken(): void {
    if (!client || token === undefined) return
    client.setToken(token)
    const delayMs = renewalDelayMs(client, token, now())
    if (delayMs !== undefined) timers.start('token', delayMs, renewToken)
  }

  /** A failure here is not the end: the old token still works, and after a refusal the app's function is called again. */
  function renewToken(): void {
    fetchToken().catch(() => {
      timers.start('token', nextBackOffMs(tokenFailures), renewToken)
      tokenFailures += 1
    })
  }

  function report(next: RealtimeConnectionState, reason?: string): void {
    if (isClosed || (next === state && next !== 'connected')) return
    state = next
    listen({ type: 'state', state, reason, cursor })
  }

  function receiveStatus(received: unknown): void {
    const status = readStatus(received)
    if (isClosed || !status) return
    const { category, operation, error } = status
    const cause = typeof error === 'string' ? error : category
    expectSomething()
    if (category === 'PNConnectedCategory') {
      failures = 0
      isCutting = false
      timers.stop('retry')
      cursor ??= status.cursor
      report('connected')
    } else if (operation === 'PNHeartbeatOperation') {
      if (error === true) fail(category, 'A heartbeat failed')
    } else if (category === 'PNConnectionErrorCategory') {
      isCutting = false
      fail(cause, 'No connection')
    } else if (category === 'PNDisconnectedUnexpectedlyCategory' || category === 'PNDisconnectedCategory') {
      if (!isCutting) fail(cause, 'The connection was cut')
    }
  }

  function receiveMessage(received: unknown): void {
    const event = parseRealtimeEvent(readMessage(received))
    if (isClosed || event?.type !== 'message') return
    expectSomething()
    echoes.delete(event.cursor)
    cursor = event.cursor
    if (seen.add(`${event.channel} ${cursor} ${event.publisher}`)) listen(event)
  }

  function receivePresence(received: unknown): void {
    const read = readPresence(received)
    if (isClosed || !read) return
    expectSomething()
    cursor = read.cursor ?? cursor
    for (const change of read.changes) {
      const event = parseRealtimeEvent(change)
      if (event?.type === 'presence' && event.presenceIds.length > 0) listen(event)
    }
  }

  /** A connection that stays quiet for long is checked. */
  function expectSomething(): void {
    timers.start('quiet', QUIET_MS, wake)
  }

  /** Notes a failure and plans the way back: a new token, a new poll, or a new client. */
  function fail(category: string, reason: string): void {
    if (isClosed) return
    const isDenied = category === 'PNAccessDeniedCategory'
    const isNetwork = /Network|Timeout|Disconnected|ConnectionError/.test(category)
    report(isDenied ? 'denied' : isNetwork ? 'offline' : 'failed', reason)
    if (timers.has('retry')) return
    const delayMs = nextBackOffMs(failures)
    failures += 1
    // A bad request comes from a broken client: its frame was taken out of the page.
    const mustRebuild = !client || category === 'PNBadRequestCategory' || failures % FAILURES_PER_CLIENT === 0
    timers.start('retry', delayMs, () => {
      if (mustRebuild) void start()
      else if (!isDenied) reconnect()
      else fetchToken().then(reconnect, () => fail(category, 'No access token'))
    })
  }

  function reconnect(): void {
    if (isClosed) return
    if (!client) return void start()
    // In some states the one does nothing, in others the other; together they always poll anew, and say no goodbye.
    isCutting = true
    client.disconnect(true)
    // The SDK's own memory of the place is lost when a handshake fails.
    client.reconnect(cursor === undefined ? undefined : { timetoken: cursor })
  }

  /** The page or the network is back: checks the connection at once. */
  function wake(): void {
    if (isClosed) return
    const isPlanned = timers.has('retry')
    timers.stop('retry')
    if (isPlanned) failures = 0
    if (client || isPlanned) reconnect()
  }

  /** Returns the longest wait where the browser reports no network: the event `online` ends it. */
  function nextBackOffMs(failureCount: number): number {
    const [chance = 128] = ports.crypto.randomBytes?.(1) ?? []
    return backOffMs(ports.isOnline() ? failureCount : Infinity, chance / 256)
  }

  /** A timer that runs late was stopped with the machine. */
  function watchDrift(): void {
    const startedAtMs = now()
    timers.start('drift', DRIFT_CHECK_MS, () => {
      if (now() - startedAtMs > DRIFT_CHECK_MS + AWAY_MS) wake()
      watchDrift()
    })
  }

  async function call<Result>(work: (sdk: Sdk) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new RealtimeFault('closed', 'The connection is closed')
    if (!client) throw new RealtimeFault('offline', 'There is no connection yet')
    try {
      return await work(client)
    } catch (error) {
      throw new RealtimeFault(faultOf(error), 'The messaging service did not do it')
    }
  }

  let hiddenAtMs = Infinity
  const removals = [
    on('online', wake),
    on('restored', wake),
    on('resume', wake),
    on('hidden', () => {
      hiddenAtMs = now()
    }),
    on('visible', () => {
      if (now() - hiddenAtMs > AWAY_MS) wake()
      hiddenAtMs = Infinity
    }),
  ]
  watchDrift()
  void start()

  return {
    isSpeaker: true,
    async publish(channel, message) {
      const place = readPublished(
        await call((sdk) => sdk.publish({ channel, message, storeInHistory: false })),
      )
      if (place === undefined || !names.includes(channel) || seen.has(`${channel} ${place} ${identity}`))
        return
      echoes.add(place)
      ports.setTimer(() => {
        if (echoes.delete(place)) wake()
      }, ECHO_MS)
    },
    async occupants(channel) {
      const here = await call((sdk) => sdk.hereNow({ channels: [channel] }))
      return parsePresenceIds(readOccupants(here, channel)) ?? []
    },
    stopListening() {
      isCutting = true
      timers.stop('retry')
      client?.disconnect(true)
    },
    close({ leave = false } = {}) {
      if (isClosed) return
      isClosed = true
      timers.close()
      for (const remove of removals) remove()
      discardClient()
      if (!leave) return
      // The SDK's own goodbye is lost in one of six closing pages; this one outlives the page.
      const quietly = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
      const address = leaveAddress(options, { identity, channels: names, token })
      ports.fetch(address, { keepalive: true, ...quietly }).catch(() => undefined)
    },
  }
}
