// GET and PUT /cloudprovider/linkmap: which internal user is which user at the cloud provider.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CloudAccount, LinkMapEntry } from '../seed.ts'
import { readCaller, requireAdministrator } from './bearer.ts'
import { requireClientId } from './cloudRest.ts'
import { requireConfirmation } from './confirmation.ts'
import type { ServerContext } from './context.ts'
import { badRequest, HttpError, isRecord, readId, readJson, sendJson } from './http.ts'

const LONGEST_ID = 200

/** The linked users; with `allUsers=true` also those without an external user, whose `externalUser` is null then. */
export function readLinkMap(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): void {
  const caller = readCaller(server, request)
  requireClientId(caller, url)
  const allUsers = url.searchParams.get('allUsers')
  if (allUsers !== null && allUsers !== 'true' && allUsers !== 'false')
    throw badRequest('allUsers must be true or false')
  const entries = server.accounts.linkMap(caller.firm.id)
  const etag = server.accounts.linkMapTag(caller.firm.id)
  if (allUsers === 'true') {
    requireAdministrator(caller)
    sendJson(response, 200, entries, { etag })
    return
  }
  const linked = entries.filter((entry) => entry.externalUser !== null)
  sendJson(response, 200, linked, { etag })
}

/** Replaces the firm's whole map: users missing in the body are unlinked. With If-Match, only the map of that ETag. */
export async function writeLinkMap(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const caller = readCaller(server, request)
  requireClientId(caller, url)
  const body = await readJson(request)
  requireAdministrator(caller)
  if (server.asksToConfirm) requireConfirmation(caller)
  const known = new Map(
    server.accounts.linkMap(caller.firm.id).map((entry) => [entry.internalUser.id, entry.internalUser]),
  )
  const entries = parseEntries(body, known)
  const ifMatch = request.headers['if-match']
  const isAsRead =
    ifMatch === undefined || ifMatch === '*' || ifMatch === server.accounts.linkMapTag(caller.firm.id)
  if (server.faults.linkMapConflict || !isAsRead) {
    throw new HttpError(412, 'conflict', 'the link map was changed by somebody else meanwhile')
  }
  server.accounts.replaceLinkMap(caller.firm.id, entries)
  sendJson(response, 200, { saved: entries.length }, { etag: server.accounts.linkMapTag(caller.firm.id) })
}

function parseEntries(
  body: unknown,
  known: ReadonlyMap<string, LinkMapEntry['internalUser']>,
): LinkMapEntry[] {
  if (!Array.isArray(body)) throw badRequest('linkmap in wrong format')
  const seen = new Set<string>()
  return (body as unknown[]).map((entry, index) => {
    const where = `linkmap in wrong format (entry ${index + 1})`
    if (!isRecord(entry)) throw badRequest(where)
    const id = userId(entry['internalUser'])
    const externalUser = parseExternal(entry['externalUser'])
    if (id === undefined || externalUser === undefined) throw badRequest(where)
    const internalUser = known.get(id)
    if (!internalUser) throw badRequest(`entry ${index + 1} names nobody of this firm`)
    if (seen.has(id)) throw badRequest(`entry ${index + 1} names somebody a second time`)
    seen.add(id)
    return { internalUser, externalUser }
  })
}

/** An internal user is taken as its id or as the object that was read. */
const userId = (value: unknown): string | undefined => readId(isRecord(value) ? value['id'] : value)

function parseExternal(value: unknown): CloudAccount | undefined {
  if (!isRecord(value)) return undefined
  const id = readId(value['id'])
  const { email, name } = value
  if (id === undefined || id.length > LONGEST_ID) return undefined
  return { id, email: typeof email === 'string' ? email : '', name: typeof name === 'string' ? name : '' }
}
