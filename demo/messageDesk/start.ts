// The firm's own server in matters of real time: hands out access tokens for the channels, and sends messages as only a server may.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsePresenceId } from '../../src/protocol/presence.ts'
import { badRequest, forbidden, HttpError, isRecord, notFound, readJson } from '../authServer/http.ts'
import { listenOnLoopback } from '../authServer/listen.ts'
import type { AuthServer } from '../authServer/start.ts'
import type { RealtimeServer } from '../realtimeServer/startRealtimeServer.ts'

export interface MessageDesk {
  readonly origin: string
  /** The app's pages, once it is known where they come from. */
  setAppOrigin(origin: string): void
  close(): Promise<void>
}

export interface MessageDeskOptions {
  authServer: Pick<AuthServer, 'callerOf'>
  realtimeServer: Pick<RealtimeServer, 'grantToken' | 'publish'>
  log?: ((line: string) => void) | undefined
}

const TOKEN_LIFETIME_MINUTES = 60

export async function startMessageDesk(options: MessageDeskOptions): Promise<MessageDesk> {
  const { authServer, realtimeServer, log } = options
  let appOrigin: string | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.method === 'OPTIONS') return preflight(response)
    if (request.method !== 'POST') throw notFound('only POST is answered here')
    const { person, firm, impersonatorId } = authServer.callerOf(request)
    const body = await readJson(request)
    if (!isRecord(body)) throw badRequest('the body must be a JSON object')
    if (request.url === '/token')
      return { token: grant(person.userId, firm.id, impersonatorId, body['presenceId']) }
    if (request.url === '/messages') return send(person.userId, firm.id, body)
    throw notFound('nothing is here')
  }

  /** For exactly one browser, and for as long as an access token lives at most (docs/realtime.md). */
  function grant(userId: string, firmId: string, impersonatorId: string | undefined, presenceId: unknown) {
    const isOwn = parsePresenceId(presenceId)?.type === (impersonatorId === undefined ? '1' : '2')
    if (!isOwn) throw forbidden('this is not the presence identifier of such a session')
    const read = { read: true }
    return realtimeServer.grantToken({
      ttlInMinutes: TOKEN_LIFETIME_MINUTES,
      authorizedUuid: presenceId as string,
      channels: {
        [`auth-session-${userId}`]: { read: true, write: impersonatorId === undefined },
        [`auth-session-${userId}-pnpres`]: read,
        [`user_${userId}`]: read,
        [`firm_${firmId}`]: read,
      },
    })
  }

  function send(userId: string, firmId: string, { to, text }: Record<string, unknown>) {
    if (typeof text !== 'string' || text.length > 200) throw badRequest('text must be at most 200 characters')
    if (to !== 'user' && to !== 'firm') throw badRequest('to must be "user" or "firm"')
    const channel = to === 'user' ? `user_${userId}` : `firm_${firmId}`
    realtimeServer.publish(channel, { topic: 'note', messageType: 'new', data: { text, from: userId } })
    return { sent: true }
  }

  const listening = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, (request, response) => {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('vary', 'Origin')
    if (appOrigin !== undefined) response.setHeader('access-control-allow-origin', appOrigin)
    answer(request, response).then(
      (body) => reply(response, 200, body),
      (error: unknown) => {
        if (!(error instanceof HttpError)) log?.(`message desk: ${String(error)}`)
        const { status, code } = error instanceof HttpError ? error : { status: 500, code: 'server_error' }
        reply(response, status, { error: code })
      },
    )
  })

  return {
    origin: listening.origin,
    setAppOrigin: (origin) => void (appOrigin = origin),
    close: listening.close,
  }
}

function preflight(response: ServerResponse): undefined {
  response.setHeader('access-control-allow-methods', 'POST')
  response.setHeader('access-control-allow-headers', 'authorization, content-type')
  return undefined
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) {
    response.writeHead(204).end()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
