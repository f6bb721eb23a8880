// POST /__faults: lets a test in another process drive the faults and read the counts. Off unless asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultRule, Faults } from './faults.ts'
import { badRequest, forbidden, HttpError, isRecord, readJson, sendJson } from './http.ts'
import type { IssuedCounts } from './issued.ts'
import type { RequestLog } from './requestLog.ts'

export interface Control {
  requests: RequestLog
  faults: Faults
  counts: IssuedCounts
  expireAllTokens(): void
  revokeAllSessions(): void
}

/**
 * The body may hold, in this order of effect: `clear: true`, `clearRequests: true`, `switches: {…}`, `rules: [FaultRule]`,
 * `expireAllTokens: true`, `revokeAllSessions: true`. GET and POST answer the state.
 */
export async function handleFaultsEndpoint(
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A web page always sends its origin with a POST; a test runner does not.
  if (request.headers.origin !== undefined) throw forbidden('pages may not drive the faults')
  if (request.method === 'POST') obey(control, await readJson(request))
  else if (request.method !== 'GET') throw new HttpError(405, 'invalid_request', 'use GET or POST')
  sendJson(response, 200, {
    rules: control.faults.pending(),
    counts: control.counts,
    requests: control.requests.all(),
  })
}

function obey(control: Control, order: unknown): void {
  if (!isRecord(order)) throw badRequest('the body must be an object')
  if (order['clear'] === true) control.faults.clear()
  if (order['clearRequests'] === true) control.requests.clear()
  if (isRecord(order['switches'])) {
    for (const [name, value] of Object.entries(order['switches'])) setSwitch(control.faults, name, value)
  }
  for (const rule of Array.isArray(order['rules']) ? (order['rules'] as unknown[]) : []) {
    if (!isRecord(rule) || typeof rule['path'] !== 'string') throw badRequest('a rule needs a path')
    control.faults.add(rule as unknown as FaultRule)
  }
  if (order['expireAllTokens'] === true) control.expireAllTokens()
  if (order['revokeAllSessions'] === true) control.revokeAllSessions()
}

function setSwitch(faults: Faults, name: string, value: unknown): void {
  const known: unknown = Object.hasOwn(faults, name) ? Reflect.get(faults, name) : undefined
  const isSwitch = Object.hasOwn(faults, name) && typeof known !== 'function' && name !== 'editTokenAnswer'
  if (!isSwitch) throw badRequest(`there is no switch named ${name.slice(0, 40)}`)
  Reflect.set(faults, name, value === null ? undefined : value)
}
