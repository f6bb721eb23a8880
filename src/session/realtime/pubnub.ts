// Carries real-time messages over PubNub's SDK, and heals its dead ends (spec §7).
import { createNamedTimers } from '../../namedTimers.ts'
import { AWAY_MS, DRIFT_CHECK_MS, ECHO_MS, FAILURES_PER_CLIENT, QUIET_MS } from '../../sessionConstants.ts'
import { isLocalService, leaveAddress, sdkFigures } from '../../protocol/realtimeOptions.ts'
import type { MessagingOptions } from '../../protocol/realtimeOptions.ts'
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
  timetokenOf,
} from '../../protocol/pubnubSdk.ts'
import type { Sdk, SdkConstructor } from '../../protocol/pubnubSdk.ts'
import type { Platform, TabsPort } from '../platform/platform.ts'
import { createSeenMessages } from './seenMessages.ts'
import { loadPubnub } from './pubnubFile.ts'
import { askForToken } from './pubnubToken.ts'
import { RealtimeFault } from './realtime.ts'
import { parsePresenceIds, parseRealtimeEvent } from './realtimeEvents.ts'
import type { RealtimeLineState, RealtimeLink, RealtimeOpenOptions, RealtimeTransport } from './realtime.ts'

export type PubnubPorts = Pick<Platform, 'crypto' | 'fetch' | 'isOnline' | 'now' | 'on' | 'setTimer'> &
  Pick<TabsPort, 'watchFrame'>

export interface PubnubTransportOptions extends MessagingOptions {
  /** Gives an access token for this very session; asked again before it expires and after a refusal. */
  readonly getToken?: (() => Promise<string>) | undefined
}

const PRESENCE_SUFFIX = '-pnpres'
/** The SDK asks through the `fetch` of this frame, which it puts into the page. */
const SDK_FRAME = 'pubnub-context-unpatched-fetch'

/** Loads nothing until a line is opened. */
export function createPubnubTransport(
  options: PubnubTransportOptions,
  ports: PubnubPorts,
): RealtimeTransport {
  return {
    isProtected:
      options.getToken !== undefined || options.allowUnprotected === true || isLocalService(options),
    open: (line) => openLine(options, ports, line),
  }
}

function openLine(
  options: PubnubTransportOptions,
  ports: PubnubPorts,
  line: RealtimeOpenOptions,
): RealtimeLink {
  const { now, on, setTimer } = ports
  const figures = sdkFigures(options)
  const names = line.channels.map(({ name }) => name)
  const withPresence = line.channels.flatMap(({ name, hasPresence }) =>
    hasPresence ? [name + PRESENCE_SUFFIX] : [],
  )
  const seen = createSeenMessages(figures.maximumCacheSize)
  const echoes = new Set<string>()
  const timers = createNamedTimers<'retry' | 'token' | 'quiet' | 'drift'>(setTimer)
  let client: Sdk | undefined
  let cursor = timetokenOf(line.cursor)
  let token: string | undefined
  let failures = 0
  let isClosed = false
  let isWaking = false
  let hiddenAtMs: number | undefined
  let stopWatchingFrame: (() => void) | undefined
  let lineState: RealtimeLineState | undefined

  function tell(state: RealtimeLineState, reason?: string): void {
    if (isClosed || (state === lineState && state !== 'connected')) return
    lineState = state
    line.listen({ type: 'state', state, reason, cursor })
  }

  async function start(): Promise<void> {
    discard()
    tell(failures === 0 ? 'connecting' : (lineState ?? 'connecting'))
    try {
      await fetchToken()
    } catch {
      return fail('PNAccessDeniedCategory', 'No access token')
    }
    try {
      const { default: loaded } = await loadPubnub()
      if (isClosed || client) return
      client = buildClient(loaded as unknown as SdkConstructor, options, line.identity)
    } catch {
      return fail('PNUnknownCategory', 'The messaging SDK cannot be loaded')
    }
    stopWatchingFrame = ports.watchFrame?.(SDK_FRAME, loseFrame)
    if (token !== undefined) client.setToken(token)
    planTokenRenewal()
    client.addListener({ status: hearStatus, message: hearMessage, presence: hearPresence })
    const channels = [...names, ...withPresence]
    client.subscribe(cursor === undefined ? { channels } : { channels, timetoken: cursor })
  }

  /** An answer that was on its way through the frame may neither come nor fail. */
  function loseFrame(): void {
    discard()
    timers.stop('retry')
    fail('PNBadRequestCategory', 'The frame of the messaging SDK was taken out of the page')
  }

  function discard(): void {
    stopWatchingFrame?.()
    client?.removeAllListeners()
    client?.destroy(true)
    client = undefined
    echoes.clear()
  }

  async function fetchToken(): Promise<void> {
    const { getToken } = options
    if (!getToken) return
    const fetched = await askForToken(getToken, setTimer)
    token = fetched
    client?.setToken(fetched)
    planTokenRenewal()
  }

  function planTokenRenewal(): void {
    if (!client || token === undefined) return
    const delayMs = renewalDelayMs(client, token, now())
    if (delayMs === undefined) return
    const renew = () => {
      // A failure here is not the end: the old token still works, and a refusal later asks again.
      fetchToken().catch(() => timers.start('token', nextBackOffMs(), renew))
    }
    timers.start('token', delayMs, renew)
  }

  function hearStatus(heard: unknown): void {
    const status = readStatus(heard)
    if (isClosed || !status) return
    const { category, operation, error } = status
    stayAlert()
    if (category === 'PNConnectedCategory') {
      failures = 0
      isWaking = false
      timers.stop('retry')
      cursor ??= status.cursor
      tell('connected')
    } else if (operation === 'PNHeartbeatOperation') {
      if (error === true) fail(category, 'A heartbeat failed')
    } else if (category === 'PNConnectionErrorCategory') {
      isWaking = false
      fail(typeof error === 'string' ? error : category, 'No connection')
    } else if (category === 'PNDisconnectedUnexpectedlyCategory' || category === 'PNDisconnectedCategory') {
      // Waking cuts the line itself.
      if (!isWaking) fail(typeof error === 'string' ? error : category, 'The connection was cut')
    }
  }

  /** Notes a failure and plans the way back: a new token, a new poll, or a new client. */
  function fail(category: string, reason: string): void {
    if (isClosed) return
    const isDenied = category === 'PNAccessDeniedCategory'
    const isNetwork = /Network|Timeout|Disconnected|ConnectionError/.test(category)
    tell(isDenied ? 'denied' : isNetwork ? 'offline' : 'failed', reason)
    if (timers.has('retry')) return
    const delayMs = nextBackOffMs()
    failures += 1
    // A bad request comes from a broken client: its frame was taken out of the page.
    const mustRebuild = !client || category === 'PNBadRequestCategory' || failures % FAILURES_PER_CLIENT === 0
    timers.start('retry', delayMs, () => {
      if (mustRebuild) void start()
      else if (isDenied) fetchToken().then(reconnect, () => fail(category, 'No access token'))
      else reconnect()
    })
  }

  function reconnect(): void {
    if (isClosed) return
    if (!client) return void start()
    // In some states the one does nothing, in others the other; together they always poll anew, and say no goodbye.
    isWaking = true
    client.disconnect(true)
    // Its own memory of the place is lost when a handshake fails.
    client.reconnect(cursor === undefined ? undefined : { timetoken: cursor })
  }

  function wake(): void {
    if (isClosed) return
    const isPlanned = timers.has('retry')
    timers.stop('retry')
    if (isPlanned) failures = 0
    if (client || isPlanned) reconnect()
  }

  function hearMessage(heard: unknown): void {
    const event = parseRealtimeEvent(readMessage(heard))
    if (isClosed || event?.type !== 'message') return
    stayAlert()
    const { channel, publisher, cursor: place } = event
    echoes.delete(place)
    cursor = place
    if (seen.add(`${channel} ${place} ${publisher}`)) line.listen(event)
  }

  function hearPresence(heard: unknown): void {
    const read = readPresence(heard)
    if (isClosed || !read) return
    stayAlert()
    cursor = read.cursor ?? cursor
    for (const change of read.changes) {
      const event = parseRealtimeEvent(change)
      if (event?.type === 'presence' && event.presenceIds.length > 0) line.listen(event)
    }
  }

  function nextBackOffMs(): number {
    const [chance = 128] = ports.crypto.randomBytes?.(1) ?? []
    return backOffMs(failures, chance / 256)
  }

  function stayAlert(): void {
    timers.start('quiet', QUIET_MS, wake)
  }

  function watchDrift(): void {
    const askedAtMs = now()
    timers.start('drift', DRIFT_CHECK_MS, () => {
      if (now() - askedAtMs > DRIFT_CHECK_MS + AWAY_MS) wake()
      watchDrift()
    })
  }

  async function call<Result>(work: (sdk: Sdk) => Promise<Result>): Promise<Result> {
    if (isClosed) throw new RealtimeFault('closed', 'The line is closed')
    if (!client) throw new RealtimeFault('offline', 'The line is not up yet')
    try {
      return await work(client)
    } catch (error) {
      throw new RealtimeFault(faultOf(error), 'The messaging service did not do it')
    }
  }

  const removals = [
    on('online', wake),
    on('restored', wake),
    on('resume', wake),
    on('hidden', () => {
      hiddenAtMs = now()
    }),
    on('visible', () => {
      if (hiddenAtMs !== undefined && now() - hiddenAtMs > AWAY_MS) wake()
      hiddenAtMs = undefined
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
      if (place === undefined || !names.includes(channel)) return
      if (seen.has(`${channel} ${place} ${line.identity}`)) return
      echoes.add(place)
      setTimer(() => {
        if (echoes.delete(place)) wake()
      }, ECHO_MS)
    },
    async occupants(channel) {
      const here = await call((sdk) => sdk.hereNow({ channels: [channel] }))
      return parsePresenceIds(readOccupants(here, channel)) ?? []
    },
    wake,
    stopListening() {
      isWaking = true
      timers.stop('retry')
      client?.disconnect(true)
    },
    close({ leave = false } = {}) {
      if (isClosed) return
      isClosed = true
      timers.close()
      for (const remove of removals) remove()
      discard()
      if (leave) sayGoodbye()
    },
  }

  function sayGoodbye(): void {
    const address = leaveAddress(options, { identity: line.identity, channels: names, token })
    // The SDK's own goodbye is lost in one of six closing pages; this one outlives the page.
    const quietly = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
    ports.fetch(address, { keepalive: true, ...quietly }).catch(() => undefined)
  }
}
