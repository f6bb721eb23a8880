// GET /api/userinfo and PUT /api/firms/{firmId}: who the caller is, and the firm's own settings.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCaller, requireAdministrator } from './bearer.ts'
import type { ServerContext } from './context.ts'
import { badRequest, forbidden, isRecord, notFound, readId, readJson, sendJson } from './http.ts'

const LONGEST_ID = 100

export function userInfo(server: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const { token, person, firm, impersonatorId } = readCaller(server, request)
  sendJson(response, 200, {
    userId: person.userId,
    firmId: firm.id,
    sessionId: token.sessionUid,
    ...(impersonatorId === undefined ? {} : { impersonatorId }),
    name: person.name,
    email: person.email,
    title: person.title,
    role: person.role,
    environment: server.environment,
    firm: { id: firm.id, name: firm.name, city: firm.city, cloudProviderId: firm.cloudProviderId },
  })
}

export async function updateFirm(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  firmId: string,
): Promise<void> {
  const caller = readCaller(server, request)
  const body = await readJson(request)
  if (!isRecord(body)) throw badRequest('the body must be an object')
  if (firmId !== caller.firm.id) throw forbidden('this is another firm')
  requireAdministrator(caller)
  if (readId(body['id']) !== firmId) throw badRequest('id must be the firm of the address')
  const cloudProviderId = readId(body['cloudProviderId'])
  if (cloudProviderId === undefined) throw badRequest('cloudProviderId is required')
  if (cloudProviderId.length > LONGEST_ID) throw badRequest('cloudProviderId is too long')
  const firm = server.accounts.updateFirm(firmId, cloudProviderId)
  if (!firm) throw notFound('no such firm')
  sendJson(response, 200, { id: firm.id, name: firm.name, cloudProviderId: firm.cloudProviderId })
}
