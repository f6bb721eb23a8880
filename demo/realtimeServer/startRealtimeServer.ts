// A development stand-in for the real-time service on loopback, spoken to by the real SDK. Not for production.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import { createAccessTokens } from './accessTokens.ts'
import type { Grant } from './accessTokens.ts'
import { heartbeat, hereNow, leave, publish, state, subscribe, time, whereNow } from './calls.ts'
import type { CallContext } from './calls.ts'
import { openExchange, readBody, replyToPreflight } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { createFaults } from './faults.ts'
import type { Faults, Operation } from './faults.ts'
import { createMessages } from './messages.ts'
import { createPresenceRegister } from './presence.ts'
import { createTimetokenClock } from './timetoken.ts'

export interface RealtimeServerOptions {
  /** 0 takes any free port. */
  port?: number
  /** Refuse calls that the caller's access token does not allow. */
  requireTokens?: boolean
  /** How long a poll is held without a message. */
  holdMs?: number
  announceMax?: number
  presenceIntervalMs?: number
  /** Where the "development tool" line goes; silent when absent. */
  log?: (line: string) => void
}

export interface LoggedRequest {
  operation: Operation
  method: string
  path: string
  channels: string[]
  uuid: string
  hasToken: boolean
  query: Record<string, string>
  atMs: number
}

export interface RealtimeServer {
  /** `host:port`, in the form the SDK's `origin` option wants. */
  origin: string
  port: number
  faults: Faults
  /** What was asked so far, without the tokens. */
  requests: LoggedRequest[]
  grantToken(grant: Grant): string
  revokeToken(token: string): void
  /** Sends a message as a server would; returns its timetoken. */
  publish(channel: string, data: unknown, publisher?: string): string
  occupants(channel: string): string[]
  expire(channel: string, uuid: string): void
  /** Polls being held at this moment. */
  heldPolls(): number
  /** The most polls that were ever held at one moment. */
  mostHeldPolls(): number
  /** Cuts every connection, stays away for `downMs`, comes back on the same port with its messages. */
  restart(options?: { downMs?: number }): Promise<void>
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const HOLD_MS = 280_000
const MAX_LOGGED_REQUESTS = 20_000
const SUBSCRIBE_KEY = 'local'

export async function startRealtimeServer(options: RealtimeServerOptions = {}): Promise<RealtimeServer> {
  const clock = createTimetokenClock()
  const messages = createMessages(clock, SUBSCRIBE_KEY)
  const { announceMax = 20, presenceIntervalMs: intervalMs = 10_000 } = options
  const presence = createPresenceRegister({ messages, announceMax, intervalMs })
  const tokens = createAccessTokens()
  const held = new Set<Exchange>()
  let mostHeld = 0
  const requests: LoggedRequest[] = []
  const faults = createFaults((fault) => {
    const struck = fault.on === 'any' || fault.on === 'subscribe' ? [...held] : []
    for (const exchange of struck) exchange.strike(fault)
    return struck.length
  })
  const context: CallContext = {
    clock,
    messages,
    presence,
    tokens: options.requireTokens ? tokens : undefined,
    holdMs: options.holdMs ?? HOLD_MS,
    held,
  }

  function log(exchange: Exchange, path: string): void {
    const { auth, ...query } = Object.fromEntries(exchange.query)
    const { operation, method, uuid, segments } = exchange
    const joined = segments[operation === 'subscribe' ? 3 : operation === 'publish' ? 4 : 5] ?? ''
    const channels = joined.split(',').filter((name) => name !== '')
    requests.push({
      operation,
      method,
      path,
      channels,
      uuid,
      hasToken: auth !== undefined,
      query,
      atMs: Date.now(),
    })
    if (requests.length > MAX_LOGGED_REQUESTS) requests.shift()
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      replyToPreflight(response)
      return
    }
    const exchange = openExchange(request, response)
    log(exchange, (request.url ?? '').split('?')[0] ?? '')
    const body = request.method === 'POST' ? await readBody(request) : ''
    exchange.fault = faults.take(exchange.operation)
    // These faults stand for a network that never let the request through, so the call must have no effect.
    if (
      exchange.fault &&
      ['drop', 'reset', 'status', 'html', 'malformed', 'hang'].includes(exchange.fault.kind)
    ) {
      exchange.reply(200, {})
      return
    }
    route(exchange, body)
  }

  function route(exchange: Exchange, body: string): void {
    switch (exchange.operation) {
      case 'subscribe':
        subscribe(context, exchange)
        mostHeld = Math.max(mostHeld, held.size)
        return
      case 'publish':
      case 'signal':
        return publish(context, exchange, body)
      case 'heartbeat':
        return heartbeat(context, exchange)
      case 'leave':
        return leave(context, exchange)
      case 'here-now':
        return hereNow(context, exchange)
      case 'where-now':
        return whereNow(context, exchange)
      case 'state':
        return state(context, exchange)
      case 'time':
        return time(context, exchange)
      case 'unknown':
        return exchange.reply(404, {
          status: 404,
          error: true,
          message: 'Not part of this development server',
        })
    }
  }

  function listen(port: number): Promise<Server> {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy())
    })
    server.keepAliveTimeout = 300_000
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, HOST, () => resolve(server))
    })
  }

  function stop(server: Server): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    server.closeAllConnections()
    return stopped
  }

  let running = await listen(options.port ?? 0)
  const address = running.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const origin = `${HOST}:${port}`
  options.log?.(`Real-time development server (not for production) on http://${origin}`)

  return {
    origin,
    port,
    faults,
    requests,
    grantToken: (grant) => tokens.grant(grant),
    revokeToken: (token) => tokens.revoke(token),
    publish: (channel, data, publisher = 'server') => messages.post({ channel, data, publisher }),
    occupants: (channel) => presence.uuids(channel),
    expire: (channel, uuid) => presence.expire(channel, uuid),
    heldPolls: () => held.size,
    mostHeldPolls: () => mostHeld,
    async restart({ downMs = 0 } = {}) {
      await stop(running)
      if (downMs > 0)
        await new Promise((resolve) => {
          setTimeout(resolve, downMs)
        })
      running = await listen(port)
    },
    async close() {
      await stop(running)
      presence.close()
    },
  }
}
