// A development stand-in for the real-time service on loopback, spoken to by the real SDK. Not for production.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listenOnLoopback } from '../authServer/listen.ts'
import { createAccessTokens } from './accessTokens.ts'
import { type CallContext, heartbeat, hereNow, leave, publish, subscribe } from './calls.ts'
import { type Exchange, openExchange, replyToPreflight } from './exchange.ts'
import { createFaults, type Operation } from './faults.ts'
import { createMessages } from './messages.ts'
import { createPresenceRegister } from './presence.ts'

export interface RealtimeServerOptions {
  /** Refuse calls that the caller's access token does not allow. */
  requireTokens?: boolean
}

export interface LoggedRequest {
  operation: Operation
  path: string
  uuid: string
  hasToken: boolean
  query: Record<string, string>
}

export type RealtimeServer = Awaited<ReturnType<typeof startRealtimeServer>>

const MAX_LOGGED_REQUESTS = 20_000

export async function startRealtimeServer({ requireTokens = false }: RealtimeServerOptions = {}) {
  const messages = createMessages()
  const presence = createPresenceRegister(messages)
  const tokens = createAccessTokens()
  const held = new Set<Exchange>()
  let mostHeld = 0
  const requests: LoggedRequest[] = []
  const faults = createFaults((fault) => {
    const struck = fault.on === 'any' || fault.on === 'subscribe' ? [...held] : []
    for (const exchange of struck) exchange.strike(fault)
    return struck.length
  })
  const context: CallContext = { messages, presence, tokens: requireTokens ? tokens : undefined, held }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'OPTIONS') return replyToPreflight(response)
    const exchange = openExchange(request, response)
    const { operation, uuid } = exchange
    const { auth, ...query } = Object.fromEntries(exchange.query)
    const [path = ''] = (request.url ?? '').split('?')
    requests.push({ operation, path, uuid, hasToken: auth !== undefined, query })
    if (requests.length > MAX_LOGGED_REQUESTS) requests.shift()
    exchange.fault = faults.take(operation)
    // These faults stand for a network that never let the request through, so the call must have no effect.
    const isLost = ['drop', 'reset', 'status', 'html', 'malformed', 'hang'].includes(
      exchange.fault?.kind ?? '',
    )
    if (isLost) exchange.reply(200, {})
    else route(exchange)
  }

  function route(exchange: Exchange): void {
    switch (exchange.operation) {
      case 'subscribe':
        subscribe(context, exchange)
        mostHeld = Math.max(mostHeld, held.size)
        return
      case 'publish':
        return publish(context, exchange)
      case 'heartbeat':
        return heartbeat(context, exchange)
      case 'leave':
        return leave(context, exchange)
      case 'here-now':
        return hereNow(context, exchange)
      case 'time':
        return exchange.reply(200, [Number(messages.now())])
      case 'unknown':
        exchange.reply(404, { status: 404, error: true, message: 'Not part of this development server' })
    }
  }

  let running = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, answer)
  const { host: origin, port } = running

  return {
    /** `host:port`, in the form the SDK's `origin` option wants. */
    origin,
    faults,
    /** What was asked so far, without the tokens. */
    requests,
    grantToken: tokens.grant,
    revokeToken: tokens.revoke,
    /** Sends a message as a server would. */
    publish: (channel: string, data: unknown, publisher = 'server') =>
      messages.post(channel, data, publisher),
    occupants: presence.uuids,
    expire: presence.expire,
    /** Polls being held at this moment. */
    heldPolls: () => held.size,
    /** The most polls that were ever held at one moment. */
    mostHeldPolls: () => mostHeld,
    /** Cuts every connection, stays away for `downMs`, comes back on the same port with its messages. */
    async restart({ downMs = 0 }: { downMs?: number } = {}) {
      await running.close()
      await wait(downMs)
      running = await listenOnLoopback({ host: '127.0.0.1', port }, answer)
    },
    async close() {
      await running.close()
      presence.close()
    },
  }
}
