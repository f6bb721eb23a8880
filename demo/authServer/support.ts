// POST /support/authorization: lets a supporter with a request code in for a limited time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCaller } from './bearer.ts'
import type { ServerContext } from './context.ts'
import { badRequest, forbidden, HttpError, isRecord, readJson, sendJson } from './http.ts'

const LONGEST_MINUTES = 1440

const CODE_SHAPE = /^[A-Za-z0-9-]{4,40}$/

export function createSupport(): {
  authorize(server: ServerContext, request: IncomingMessage, response: ServerResponse): Promise<void>
} {
  const used = new Set<string>()

  return {
    async authorize(server, request, response) {
      const { token, person, impersonatorId } = readCaller(server, request)
      const body = await readJson(request)
      if (!isRecord(body)) throw badRequest('the body must be an object')
      const { requestCode, duration } = body
      if (body['client_id'] !== token.clientId) throw badRequest('client_id must be the app of the token')
      if (typeof requestCode !== 'string' || !CODE_SHAPE.test(requestCode))
        throw badRequest('requestCode is not a code')
      if (
        typeof duration !== 'number' ||
        !Number.isInteger(duration) ||
        duration < 1 ||
        duration > LONGEST_MINUTES
      ) {
        throw badRequest(`duration must be whole minutes from 1 to ${LONGEST_MINUTES}`)
      }
      if (impersonatorId !== undefined)
        throw forbidden('support access cannot be given on behalf of somebody else')
      if (used.has(requestCode)) throw new HttpError(409, 'conflict', 'this request code was used before')
      used.add(requestCode)
      const startsAtMs = Date.now()
      sendJson(response, 200, {
        authorizedBy: person.userId,
        duration,
        startsAt: new Date(startsAtMs).toISOString(),
        endsAt: new Date(startsAtMs + duration * 60_000).toISOString(),
      })
    },
  }
}
