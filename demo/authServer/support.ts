// POST /support/authorization: lets a supporter with a request code in for a limited time.
import { readCaller } from './bearer.ts'
import type { Call } from './context.ts'
import { badRequest, forbidden, HttpError, readRecord, sendJson } from './http.ts'

const LONGEST_MINUTES = 1440

const CODE_SHAPE = /^[A-Za-z0-9-]{4,40}$/

export async function authorizeSupport(call: Call): Promise<void> {
  const { usedCodes } = call.server
  const { token, person, impersonatorId } = readCaller(call)
  const { requestCode, duration, client_id } = await readRecord(call.request)
  if (client_id !== token.clientId) throw badRequest('client_id must be the app of the token')
  if (typeof requestCode !== 'string' || !CODE_SHAPE.test(requestCode))
    throw badRequest('A request code has 4 to 40 letters, digits and dashes.')
  const isWhole = typeof duration === 'number' && Number.isInteger(duration)
  if (!isWhole || duration < 1 || duration > LONGEST_MINUTES)
    throw badRequest(`duration must be whole minutes from 1 to ${LONGEST_MINUTES}`)
  if (impersonatorId !== undefined)
    throw forbidden('support access cannot be given on behalf of somebody else')
  if (usedCodes.has(requestCode)) throw new HttpError(409, 'conflict', 'This code has been used before.')
  usedCodes.add(requestCode)
  const startsAtMs = Date.now()
  sendJson(call.response, 200, {
    authorizedBy: person.userId,
    duration,
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: new Date(startsAtMs + duration * 60_000).toISOString(),
  })
}
