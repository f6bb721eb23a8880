// PubNub as a real-time service: one connection over its SDK, connected again after every fault, those included that the SDK gives up on.
import { createNamedTimers, type NamedTimers } from '../../base/namedTimers.ts'
import {
  RealtimeFault,
  type RealtimeConnectionState,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeSession,
  type RealtimeTransport,
  type ServicePorts,
} from '../../protocol/realtimeTransport.ts'
import {
  AWAY_MS,
  DRIFT_CHECK_MS,
  ECHO_MS,
  FAILURES_PER_CLIENT,
  QUIET_MS,
} from '../../base/sessionConstants.ts'
import { watchBrowserFrame } from '../../session/platform/browserWatchFrame.ts'
import { parsePresenceIds, parseRealtimeEvent } from '../realtimeEvents.ts'
import { createSeenMessages, type SeenMessages } from '../streamHistory.ts'
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
  timetokenOf,
  type Sdk,
  type SdkConstructor,
} from './pubnubSdk.ts'
import { createPubnubToken, type PubnubToken } from './pubnubToken.ts'

const NO_SDK = 'The messaging SDK cannot be loaded: install pubnub, or find what keeps its file from loading.'

const PRESENCE_SUFFIX = '-pnpres'
/** The SDK asks through the `fetch` of this frame, which it puts into the page. */
const SDK_FRAME = 'pubnub-context-unpatched-fetch'

export class PubnubConnection implements RealtimeLink {
  readonly isSpeaker = true
  readonly #options: PubnubOptions
  readonly #ports: ServicePorts
  readonly #opening: RealtimeOpenOptions
  /** Names of the channels. */
  readonly #names: readonly string[]
  readonly #timers: NamedTimers<'retry' | 'token' | 'quiet' | 'drift'>
  readonly #token: PubnubToken
  readonly #seen: SeenMessages
  /** Own messages that have not come back yet, by their place in the stream. */
  readonly #echoes = new Set<string>()
  readonly #stopWatchingPage: () => void
  #client: Sdk | undefined
  #stopWatchingFrame: (() => void) | undefined
  #cursor: string | undefined
  /** What was told last. */
  #state: RealtimeConnectionState | undefined
  /** Failures since it was connected last. */
  #failures = 0
  /** Cut by `wake`: the SDK reports that, too. */
  #isWaking = false
  #isClosed = false

  constructor(
    options: PubnubOptions,
    ports: ServicePorts,
    opening: RealtimeOpenOptions,
    session: () => Omit<RealtimeSession, 'presenceId'>,
  ) {
    this.#options = options
    this.#ports = ports
    this.#opening = opening
    this.#names = opening.channels.map(({ name }) => name)
    this.#cursor = timetokenOf(opening.cursor)
    this.#seen = createSeenMessages(sdkFigures(options).maximumCacheSize)
    const timers = createNamedTimers<'retry' | 'token' | 'quiet' | 'drift'>(ports.setTimer)
    this.#timers = timers
    const { getToken } = options
    this.#token = createPubnubToken({
      // Asked again and again, for the session that is current then.
      getToken:
        getToken &&
        (() => {
          const { userId, firmId, sessionId, impersonatorId } = session()
          return getToken({ userId, firmId, sessionId, impersonatorId, presenceId: opening.identity })
        }),
      timers,
      ports,
      backOffMs: (failureCount) => this.#backOffMs(failureCount),
    })
    this.#stopWatchingPage = this.#watchPage()
    this.#watchDrift()
    void this.#start()
  }

  async publish(channel: string, message: unknown): Promise<void> {
    const place = readPublished(
      await this.#call((sdk) => sdk.publish({ channel, message, storeInHistory: false })),
    )
    if (place === undefined || !this.#names.includes(channel)) return
    if (this.#seen.has(`${channel} ${place} ${this.#opening.identity}`)) return
    this.#echoes.add(place)
    this.#ports.setTimer(() => {
      if (this.#echoes.delete(place)) this.wake()
    }, ECHO_MS)
  }

  async occupants(channel: string): Promise<readonly string[]> {
    const here = await this.#call((sdk) => sdk.hereNow({ channels: [channel] }))
    return parsePresenceIds(readOccupants(here, channel)) ?? []
  }

  wake(): void {
    if (this.#isClosed) return
    const isPlanned = this.#timers.has('retry')
    this.#timers.stop('retry')
    if (isPlanned) this.#failures = 0
    if (this.#client || isPlanned) this.#reconnect()
  }

  stopListening(): void {
    this.#isWaking = true
    this.#timers.stop('retry')
    this.#client?.disconnect(true)
  }

  close({ leave = false }: { readonly leave?: boolean | undefined } = {}): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#timers.close()
    this.#stopWatchingPage()
    this.#discardClient()
    if (leave) this.#sayGoodbye()
  }

  /** When the page or the network is back, the connection is checked at once. Returns the removal of the listeners. */
  #watchPage(): () => void {
    const { on, now } = this.#ports
    const wake = () => this.wake()
    let hiddenAtMs: number | undefined
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
    return () => removals.forEach((remove) => remove())
  }

  /** A timer that runs late was stopped with the machine. */
  #watchDrift(): void {
    const { now } = this.#ports
    const startedAtMs = now()
    this.#timers.start('drift', DRIFT_CHECK_MS, () => {
      if (now() - startedAtMs > DRIFT_CHECK_MS + AWAY_MS) this.wake()
      this.#watchDrift()
    })
  }

  async #start(): Promise<void> {
    this.#discardClient()
    this.#tell(this.#failures === 0 ? 'connecting' : (this.#state ?? 'connecting'))
    try {
      await this.#token.fetch()
    } catch {
      return this.#fail('PNAccessDeniedCategory', 'No access token')
    }
    try {
      const { default: loaded } = await loadPubnub()
      if (this.#isClosed || this.#client) return
      const { identity } = this.#opening
      this.#client = buildClient(loaded as SdkConstructor, this.#options, identity)
    } catch {
      if (this.#failures === 0) this.#ports.tell?.(NO_SDK)
      return this.#fail('PNUnknownCategory', 'The messaging SDK cannot be loaded')
    }
    const { watchFrame = watchBrowserFrame } = this.#ports
    this.#stopWatchingFrame = watchFrame(SDK_FRAME, () => this.#loseFrame())
    this.#token.giveTo(this.#client)
    this.#subscribe(this.#client)
  }

  #subscribe(client: Sdk): void {
    client.addListener({
      status: (heard: unknown) => this.#hearStatus(heard),
      message: (heard: unknown) => this.#hearMessage(heard),
      presence: (heard: unknown) => this.#hearPresence(heard),
    })
    const withPresence = this.#opening.channels.filter(({ hasPresence }) => hasPresence)
    const channels = [...this.#names, ...withPresence.map(({ name }) => name + PRESENCE_SUFFIX)]
    const place = this.#cursor
    client.subscribe(place === undefined ? { channels } : { channels, timetoken: place })
  }

  #discardClient(): void {
    this.#stopWatchingFrame?.()
    this.#client?.removeAllListeners()
    this.#client?.destroy(true)
    this.#client = undefined
    this.#token.giveTo(undefined)
    this.#echoes.clear()
  }

  /** A response that was on its way through the frame may neither come nor fail. */
  #loseFrame(): void {
    this.#discardClient()
    this.#timers.stop('retry')
    this.#fail('PNBadRequestCategory', 'The frame of the messaging SDK was taken out of the page')
  }

  #tell(state: RealtimeConnectionState, reason?: string): void {
    if (this.#isClosed || (state === this.#state && state !== 'connected')) return
    this.#state = state
    this.#opening.listen({ type: 'state', state, reason, cursor: this.#cursor })
  }

  #hearStatus(heard: unknown): void {
    const status = readStatus(heard)
    if (this.#isClosed || !status) return
    const { category, operation, error } = status
    this.#expectSomething()
    if (category === 'PNConnectedCategory') {
      this.#failures = 0
      this.#isWaking = false
      this.#timers.stop('retry')
      this.#cursor ??= status.cursor
      this.#tell('connected')
    } else if (operation === 'PNHeartbeatOperation') {
      if (error === true) this.#fail(category, 'A heartbeat failed')
    } else if (category === 'PNConnectionErrorCategory') {
      this.#isWaking = false
      this.#fail(typeof error === 'string' ? error : category, 'No connection')
    } else if (category === 'PNDisconnectedUnexpectedlyCategory' || category === 'PNDisconnectedCategory') {
      if (!this.#isWaking) this.#fail(typeof error === 'string' ? error : category, 'The connection was cut')
    }
  }

  #hearMessage(heard: unknown): void {
    const event = parseRealtimeEvent(readMessage(heard))
    if (this.#isClosed || event?.type !== 'message') return
    this.#expectSomething()
    const { channel, publisher, cursor } = event
    this.#echoes.delete(cursor)
    this.#cursor = cursor
    if (this.#seen.add(`${channel} ${cursor} ${publisher}`)) this.#opening.listen(event)
  }

  #hearPresence(heard: unknown): void {
    const read = readPresence(heard)
    if (this.#isClosed || !read) return
    this.#expectSomething()
    this.#cursor = read.cursor ?? this.#cursor
    for (const change of read.changes) {
      const event = parseRealtimeEvent(change)
      if (event?.type === 'presence' && event.presenceIds.length > 0) this.#opening.listen(event)
    }
  }

  /** A connection that stays quiet for long is checked. */
  #expectSomething(): void {
    this.#timers.start('quiet', QUIET_MS, () => this.wake())
  }

  /** Notes a failure and plans the way back: a new token, a new poll, or a new client. */
  #fail(category: string, reason: string): void {
    if (this.#isClosed) return
    const isDenied = category === 'PNAccessDeniedCategory'
    const isNetwork = /Network|Timeout|Disconnected|ConnectionError/.test(category)
    this.#tell(isDenied ? 'denied' : isNetwork ? 'offline' : 'failed', reason)
    if (this.#timers.has('retry')) return
    const delayMs = this.#backOffMs()
    this.#failures += 1
    // A bad request comes from a broken client: its frame was taken out of the page.
    const mustRebuild =
      !this.#client || category === 'PNBadRequestCategory' || this.#failures % FAILURES_PER_CLIENT === 0
    this.#timers.start('retry', delayMs, () => {
      if (mustRebuild) void this.#start()
      else if (!isDenied) this.#reconnect()
      else
        this.#token.fetch().then(
          () => this.#reconnect(),
          () => this.#fail(category, 'No access token'),
        )
    })
  }

  #reconnect(): void {
    if (this.#isClosed) return
    if (!this.#client) return void this.#start()
    // In some states the one does nothing, in others the other; together they always poll anew, and say no goodbye.
    this.#isWaking = true
    this.#client.disconnect(true)
    // Its own memory of the place is lost when a handshake fails.
    this.#client.reconnect(this.#cursor === undefined ? undefined : { timetoken: this.#cursor })
  }

  /** The longest wait where the browser reports no network: the event `online` ends it. */
  #backOffMs(failureCount = this.#failures): number {
    const count = this.#ports.isOnline() ? failureCount : Infinity
    const [chance = 128] = this.#ports.crypto.randomBytes?.(1) ?? []
    return backOffMs(count, chance / 256)
  }

  async #call<Result>(work: (sdk: Sdk) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new RealtimeFault('closed', 'The connection is closed')
    if (!this.#client) throw new RealtimeFault('offline', 'There is no connection yet')
    try {
      return await work(this.#client)
    } catch (error) {
      throw new RealtimeFault(faultOf(error), 'The messaging service did not do it')
    }
  }

  #sayGoodbye(): void {
    const { identity } = this.#opening
    const token = this.#token.value
    const address = leaveAddress(this.#options, { identity, channels: this.#names, token })
    // The SDK's own goodbye is lost in one of six closing pages; this one outlives the page.
    const quietly = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
    this.#ports.fetch(address, { keepalive: true, ...quietly }).catch(() => undefined)
  }
}

/** Loads the SDK when a connection is opened. @throws AuthError `invalid-config` when the keys or figures are wrong */
export function createPubnubTransport(
  options: PubnubOptions,
  ports: ServicePorts,
  session: () => Omit<RealtimeSession, 'presenceId'>,
): RealtimeTransport {
  assertPubnubOptions(options)
  return {
    cacheSize: options.cacheSize,
    open: (opening) => new PubnubConnection(options, ports, opening, session),
  }
}
