// The firm's own server in matters of real time: hands out access tokens for the channels, and sends messages as only a server may.
import type { IncomingMessage } from 'node:http'
import { parsePresenceId } from '../../src/protocol/presence.ts'
import {
  badRequest,
  forbidden,
  notFound,
  readRecord,
  sendEmpty,
  sendFailure,
  sendJson,
} from '../authServer/http.ts'
import { listenOnLoopback } from '../authServer/listen.ts'
import type { AuthServer } from '../authServer/start.ts'
import type { RealtimeServer } from '../realtimeServer/startRealtimeServer.ts'

export interface MessageDeskOptions {
  authServer: Pick<AuthServer, 'callerOf'>
  realtimeServer: Pick<RealtimeServer, 'grantToken' | 'publish'>
  log?: ((line: string) => void) | undefined
}

const TOKEN_LIFETIME_MINUTES = 60

export async function startMessageDesk({ authServer, realtimeServer, log }: MessageDeskOptions) {
  let appOrigin = ''

  async function answer(request: IncomingMessage): Promise<object> {
    const { person, firm, impersonatorId } = authServer.callerOf(request)
    const body = await readRecord(request)
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
    response.setHeader('access-control-allow-origin', appOrigin)
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    if (request.method === 'OPTIONS') return sendEmpty(response)
    answer(request).then(
      (body) => sendJson(response, 200, body),
      (error: unknown) => sendFailure(response, error, log),
    )
  })

  return {
    origin: listening.origin,
    /** The app's pages, once it is known where they come from. */
    setAppOrigin: (origin: string) => void (appOrigin = origin),
    close: listening.close,
  }
}
