// GET and PUT /cloudprovider/linkmap: which internal user is which user at the cloud provider.
import type { CloudAccount, LinkMapEntry } from '../seed.ts'
import { requireAdministrator } from './bearer.ts'
import { readCallerOfApp } from './cloudRest.ts'
import { requireConfirmation } from './confirmation.ts'
import type { Call } from './context.ts'
import { badRequest, HttpError, isRecord, readId, readJson, sendJson } from './http.ts'

const LONGEST_ID = 200

/** The linked users; with `allUsers=true` also those without an external user, whose `externalUser` is null then. */
export function readLinkMap(call: Call): void {
  const caller = readCallerOfApp(call)
  const allUsers = call.url.searchParams.get('allUsers') ?? 'false'
  if (!['true', 'false'].includes(allUsers)) throw badRequest('allUsers must be true or false')
  if (allUsers === 'true') requireAdministrator(caller)
  const { accounts } = call.server
  const entries = accounts
    .linkMap(caller.firm.id)
    .filter(({ externalUser }) => allUsers === 'true' || externalUser !== null)
  sendJson(call.response, 200, entries, { etag: accounts.linkMapTag(caller.firm.id) })
}

/** Replaces the firm's whole map: users missing in the body are unlinked. With If-Match, only the map of that ETag. */
export async function writeLinkMap(call: Call): Promise<void> {
  const { server, request, response } = call
  const caller = readCallerOfApp(call)
  const { id } = caller.firm
  const body = await readJson(request)
  requireAdministrator(caller)
  if (server.asksToConfirm) requireConfirmation(caller)
  const known = new Map(
    server.accounts.linkMap(id).map(({ internalUser }) => [internalUser.id, internalUser]),
  )
  const entries = parseEntries(body, known)
  const { 'if-match': ifMatch = '*' } = request.headers
  const isAsRead = ifMatch === '*' || ifMatch === server.accounts.linkMapTag(id)
  if (!isAsRead) throw new HttpError(412, 'conflict', 'the link map was changed by somebody else meanwhile')
  server.accounts.replaceLinkMap(id, entries)
  sendJson(response, 200, { saved: entries.length }, { etag: server.accounts.linkMapTag(id) })
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
