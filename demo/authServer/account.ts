// GET /api/userinfo and PUT /api/firms/{firmId}: who the caller is, and the firm's own settings.
import { readCaller, requireAdministrator } from './bearer.ts'
import type { Call } from './context.ts'
import { badRequest, forbidden, notFound, readId, readRecord, sendJson } from './http.ts'

const LONGEST_ID = 100

export function userInfo(call: Call): void {
  const { token, person, firm, impersonatorId } = readCaller(call)
  sendJson(call.response, 200, {
    userId: person.userId,
    firmId: firm.id,
    sessionId: token.sessionUid,
    ...(impersonatorId !== undefined && { impersonatorId }),
    name: person.name,
    email: person.email,
    title: person.title,
    role: person.role,
    environment: call.server.environment,
    firm: { id: firm.id, name: firm.name, city: firm.city, cloudProviderId: firm.cloudProviderId },
  })
}

export async function updateFirm(call: Call, firmId: string): Promise<void> {
  const caller = readCaller(call)
  const body = await readRecord(call.request)
  if (firmId !== caller.firm.id) throw forbidden('this is another firm')
  requireAdministrator(caller)
  if (readId(body['id']) !== firmId) throw badRequest('id must be the firm of the address')
  const cloudProviderId = readId(body['cloudProviderId'])
  if (cloudProviderId === undefined) throw badRequest('cloudProviderId is required')
  if (cloudProviderId.length > LONGEST_ID) throw badRequest('cloudProviderId is too long')
  const firm = call.server.accounts.updateFirm(firmId, cloudProviderId)
  if (!firm) throw notFound('no such firm')
  sendJson(call.response, 200, { id: firm.id, name: firm.name, cloudProviderId })
}
