// A connection over PubNub's SDK that recovers from every fault, also from those after which the SDK gives up.
import {
  AWAY_MS,
  DRIFT_CHECK_MS,
  ECHO_MS,
  FAILURES_PER_CLIENT,
  QUIET_MS,
} from '../../base/sessionConstants.ts'
import { createTimer } from '../../base/timer.ts'
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
import { forgetOldest } from '../../protocol/presence.ts'
import { parsePresenceIds, parseRealtimeEvent } from '../realtimeEvents.ts'
import { loadPubnub } from './pubnubFile.ts'
import { assertPubnubOptions, leaveAddress, type PubnubOptions } from './pubnubOptions.ts'
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

type Session = Omit<RealtimeSession, 'presenceId'>

class PubnubConnection implements RealtimeLink {
  readonly isSpeaker = true
  readonly #options: PubnubOptions
  readonly #ports: ServicePorts
  readonly #opening: RealtimeOpenOptions
  readonly #session: () => Session
  readonly #names: readonly string[]
  readonly #timers: Readonly<Record<'retry' | 'token' | 'quiet' | 'drift', ReturnType<typeof createTimer>>>
  /** The names of the latest messages: one may come twice, and an own one before the response to its publication. */
  readonly #seen = new Set<string>()
  /** Positions of own messages that have not come back yet. */
  readonly #echoes = new Set<string>()
  readonly #removals: readonly (() => void)[]
  #client: Sdk | undefined
  #stopWatchingFrame: (() => void) | undefined
  #cursor: string | undefined
  #token: string | undefined
  #tokenFailures = 0
  #state: RealtimeConnectionState | undefined
  /** Failures since the last connection. */
  #failures = 0
  /** The poll was cancelled on purpose: the SDK reports that, too. */
  #isCutting = false
  #hiddenAtMs = Infinity
  #isClosed = false

  constructor(
    options: PubnubOptions,
    ports: ServicePorts,
    opening: RealtimeOpenOptions,
    session: () => Session,
  ) {
    const { on, now } = ports
    const timer = () => createTimer(ports)
    this.#options = options
    this.#ports = ports
    this.#opening = opening
    this.#session = session
    this.#names = opening.channels.map(({ name }) => name)
    this.#timers = { retry: timer(), token: timer(), quiet: timer(), drift: timer() }
    this.#cursor = timetokenOf(opening.cursor)
    this.#removals = [
      ...(['online', 'restored', 'resume'] as const).map((event) => on(event, () => this.#wake())),
      on('hidden', () => {
        this.#hiddenAtMs = now()
      }),
      on('visible', () => {
        if (now() - this.#hiddenAtMs > AWAY_MS) this.#wake()
        this.#hiddenAtMs = Infinity
      }),
    ]
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
      if (this.#echoes.delete(place)) this.#wake()
    }, ECHO_MS)
  }

  async occupants(channel: string): Promise<readonly string[]> {
    const here = await this.#call((sdk) => sdk.hereNow({ channels: [channel] }))
    return parsePresenceIds(readOccupants(here, channel)) ?? []
  }

  stopListening(): void {
    this.#isCutting = true
    this.#timers.retry.clear()
    this.#client?.disconnect(true)
  }

  close({ leave = false }: { readonly leave?: boolean | undefined } = {}): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of Object.values(this.#timers)) timer.clear()
    for (const remove of this.#removals) remove()
    this.#discardClient()
    if (!leave) return
    // The SDK's own leave is lost in one of six closing pages. This one outlives the page.
    const quietly = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
    const goodbye = { identity: this.#opening.identity, channels: this.#names, token: this.#token }
    const address = leaveAddress(this.#options, goodbye)
    this.#ports.fetch(address, { keepalive: true, ...quietly }).catch(() => undefined)
  }

  async #start(): Promise<void> {
    this.#discardClient()
    this.#report(this.#failures === 0 ? 'connecting' : (this.#state ?? 'connecting'))
    try {
      await this.#fetchToken()
    } catch {
      return this.#fail('PNAccessDeniedCategory', 'No access token')
    }
    try {
      const { default: loaded } = await loadPubnub()
      if (this.#isClosed || this.#client) return
      this.#client = buildClient(loaded as SdkConstructor, this.#options, this.#opening.identity)
    } catch {
      if (this.#failures === 0) this.#ports.tell?.(NO_SDK)
      return this.#fail('PNUnknownCategory', 'The messaging SDK cannot be loaded')
    }
    // A response in flight through the frame may neither come nor fail.
    this.#stopWatchingFrame = watchBrowserFrame(SDK_FRAME, () => {
      this.#discardClient()
      this.#timers.retry.clear()
      this.#fail('PNBadRequestCategory', 'The frame of the messaging SDK was taken out of the page')
    })
    this.#giveToken()
    this.#client.addListener({
      status: (received) => this.#receiveStatus(received),
      message: (received) => this.#receiveMessage(received),
      presence: (received) => this.#receivePresence(received),
    })
    const withPresence = this.#opening.channels.filter(({ hasPresence }) => hasPresence)
    const all = [...this.#names, ...withPresence.map(({ name }) => name + PRESENCE_SUFFIX)]
    this.#client.subscribe({ channels: all, ...(this.#cursor !== undefined && { timetoken: this.#cursor }) })
  }

  #discardClient(): void {
    this.#stopWatchingFrame?.()
    this.#client?.removeAllListeners()
    this.#client?.destroy(true)
    this.#client = undefined
    this.#echoes.clear()
  }

  /** Fetches a token for the current session. @throws RealtimeFault, and errors of the app's function */
  async #fetchToken(): Promise<void> {
    const { getToken } = this.#options
    if (!getToken) return
    const { userId, firmId, sessionId, impersonatorId } = this.#session()
    const current = { userId, firmId, sessionId, impersonatorId, presenceId: this.#opening.identity }
    const fetched: unknown = await within(this.#ports, TOKEN_WAIT_MS, () => getToken(current))
    if (typeof fetched !== 'string' || fetched === '' || fetched === 'late')
      throw new RealtimeFault('denied', 'No access token')
    this.#token = fetched
    this.#tokenFailures = 0
    this.#giveToken()
  }

  #giveToken(): void {
    if (!this.#client || this.#token === undefined) return
    this.#client.setToken(this.#token)
    const delayMs = renewalDelayMs(this.#client, this.#token, this.#ports.now())
    if (delayMs !== undefined) this.#timers.token.set(delayMs, () => this.#renewToken())
  }

  /** A failure is harmless: the old token still works, and after a refusal the app's function is called again. */
  #renewToken(): void {
    this.#fetchToken().catch(() => {
      if (this.#isClosed) return
      this.#timers.token.set(this.#nextBackOffMs(this.#tokenFailures), () => this.#renewToken())
      this.#tokenFailures += 1
    })
  }

  #report(next: RealtimeConnectionState, reason?: string): void {
    if (this.#isClosed || (next === this.#state && next !== 'connected')) return
    this.#state = next
    this.#opening.listen({ type: 'state', state: next, reason, cursor: this.#cursor })
  }

  #receiveStatus(received: unknown): void {
    const status = readStatus(received)
    if (this.#isClosed || !status) return
    const { category, operation, error } = status
    const cause = typeof error === 'string' ? error : category
    this.#expectSomething()
    if (category === 'PNConnectedCategory') {
      this.#failures = 0
      this.#isCutting = false
      this.#timers.retry.clear()
      this.#cursor ??= status.cursor
      this.#report('connected')
    } else if (operation === 'PNHeartbeatOperation') {
      if (error === true) this.#fail(category, 'A heartbeat failed')
    } else if (category === 'PNConnectionErrorCategory') {
      this.#isCutting = false
      this.#fail(cause, 'No connection')
    } else if (category === 'PNDisconnectedUnexpectedlyCategory' || category === 'PNDisconnectedCategory') {
      if (!this.#isCutting) this.#fail(cause, 'The connection was cut')
    }
  }

  #receiveMessage(received: unknown): void {
    const event = parseRealtimeEvent(readMessage(received))
    if (this.#isClosed || event?.type !== 'message') return
    this.#expectSomething()
    this.#echoes.delete(event.cursor)
    this.#cursor = event.cursor
    const name = `${event.channel} ${event.cursor} ${event.publisher}`
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    forgetOldest(this.#seen)
    this.#opening.listen(event)
  }

  #receivePresence(received: unknown): void {
    const read = readPresence(received)
    if (this.#isClosed || !read) return
    this.#expectSomething()
    this.#cursor = read.cursor ?? this.#cursor
    for (const change of read.changes) {
      const event = parseRealtimeEvent(change)
      if (event?.type === 'presence' && event.presenceIds.length > 0) this.#opening.listen(event)
    }
  }

  /** Checks a connection that stays quiet for long. */
  #expectSomething(): void {
    this.#timers.quiet.set(QUIET_MS, () => this.#wake())
  }

  /** Reports a failure and plans the recovery: a new token, a new poll, or a new client. */
  #fail(category: string, reason: string): void {
    if (this.#isClosed) return
    const isDenied = category === 'PNAccessDeniedCategory'
    const isNetwork = /Network|Timeout|Disconnected|ConnectionError/.test(category)
    this.#report(isDenied ? 'denied' : isNetwork ? 'offline' : 'failed', reason)
    if (this.#timers.retry.atMs() !== undefined) return
    const delayMs = this.#nextBackOffMs(this.#failures)
    this.#failures += 1
    // A bad request comes from a broken client: its frame was taken out of the page.
    const mustRebuild =
      !this.#client || category === 'PNBadRequestCategory' || this.#failures % FAILURES_PER_CLIENT === 0
    this.#timers.retry.set(delayMs, () => {
      if (mustRebuild) void this.#start()
      else if (!isDenied) this.#reconnect()
      else
        this.#fetchToken().then(
          () => this.#reconnect(),
          () => this.#fail(category, 'No access token'),
        )
    })
  }

  #reconnect(): void {
    if (this.#isClosed) return
    if (!this.#client) return void this.#start()
    // In some states one of the two does nothing. Together they always start a new poll, without a leave.
    this.#isCutting = true
    this.#client.disconnect(true)
    // The SDK forgets the position when a handshake fails.
    this.#client.reconnect(this.#cursor === undefined ? undefined : { timetoken: this.#cursor })
  }

  /** Checks the connection at once: the page or the network is back. */
  #wake(): void {
    if (this.#isClosed) return
    const isPlanned = this.#timers.retry.atMs() !== undefined
    this.#timers.retry.clear()
    if (isPlanned) this.#failures = 0
    if (this.#client || isPlanned) this.#reconnect()
  }

  /** Without a network, the longest wait: the event `online` ends it. */
  #nextBackOffMs(failureCount: number): number {
    const [chance = 128] = this.#ports.crypto.randomBytes?.(1) ?? []
    return backOffMs(this.#ports.isOnline() ? failureCount : Infinity, chance / 256)
  }

  /** A timer that runs late was stopped with the machine. */
  #watchDrift(): void {
    const { now } = this.#ports
    const startedAtMs = now()
    this.#timers.drift.set(DRIFT_CHECK_MS, () => {
      if (now() - startedAtMs > DRIFT_CHECK_MS + AWAY_MS) this.#wake()
      this.#watchDrift()
    })
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
}

/** Loads the SDK when a connection is opened. @throws AuthError `invalid-config` when the keys or figures are wrong */
export function createPubnubTransport(
  options: PubnubOptions,
  ports: ServicePorts,
  session: () => Session,
): RealtimeTransport {
  assertPubnubOptions(options)
  return {
    cacheSize: options.cacheSize,
    open: (opening) => new PubnubConnection(options, ports, opening, session),
  }
}
