// The REST addresses of the cloud account: access token, user info, one-time link nonce, administrator's consent.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AdminConsent } from './accounts.ts'
import { readCaller, requireAdministrator, type Caller } from './bearer.ts'
import type { ServerContext } from './context.ts'
import { badRequest, forbidden, notFound, sendEmpty, sendJson } from './http.ts'

const CLOUD_TOKEN_SECONDS = 3600

/** The `client_id` of the address has to be the app the token was given to. */
export function requireClientId({ token }: Caller, { searchParams }: URL): void {
  const [clientId, ...more] = searchParams.getAll('client_id')
  if (clientId === undefined || more.length > 0) throw badRequest('client_id is missing or given twice')
  if (clientId !== token.clientId) throw badRequest('client_id is not the app of the token')
}

/** Without an id the caller's own linked account; an administrator may name any account of the firm's link map. */
export function cloudAccessToken(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  accountId: string,
): void {
  const caller = readCaller(server, request)
  const own = server.accounts.links.get(caller.person.userId)?.account.id
  const wanted = accountId === '' ? own : accountId
  if (wanted === undefined) throw notFound('no cloud account is linked')
  if (wanted !== own) {
    if (caller.person.role !== 'administrator') throw forbidden('this is the cloud account of somebody else')
    const isMapped = server.accounts
      .linkMap(caller.firm.id)
      .some((entry) => entry.externalUser?.id === wanted)
    if (!isMapped) throw notFound('no such cloud account in this firm')
  }
  sendJson(response, 200, {
    access_token: `cumulus.${randomBytes(24).toString('base64url')}`,
    token_type: 'Bearer',
    expires_in: CLOUD_TOKEN_SECONDS,
    id: wanted,
  })
}

export function cloudUserInfo(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { person } = readCaller(server, request)
  const link = server.accounts.links.get(person.userId)
  if (!link) {
    sendJson(response, 200, { linked: false })
    return
  }
  const { account, linkedAt, confirmedAt } = link
  sendJson(response, 200, { linked: true, ...account, provider: 'cumulus', linkedAt, confirmedAt })
}

export function reauthenticateNonce(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { person, token } = readCaller(server, request)
  if (!server.accounts.links.has(person.userId)) throw notFound('no cloud account is linked')
  sendJson(response, 200, { nonce: server.tickets.offerNonce(token.accountId) })
}

export function consentStatus(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): void {
  const caller = readCaller(server, request)
  requireClientId(caller, url)
  const consent = consentOf(server, caller, url)
  sendJson(response, 200, consent ? { granted: true, ...consent } : { granted: false })
}

export function revokeConsent(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): void {
  const caller = readCaller(server, request)
  requireClientId(caller, url)
  requireAdministrator(caller)
  if (consentOf(server, caller, url)) server.accounts.consents.delete(caller.firm.id)
  sendEmpty(response)
}

/** The consent of the firm; with `domain` in the address, only when it was given for that domain. */
function consentOf(server: ServerContext, { firm }: Caller, { searchParams }: URL): AdminConsent | undefined {
  const [domain, ...more] = searchParams.getAll('domain')
  if (more.length > 0) throw badRequest('domain is given twice')
  const consent = server.accounts.consents.get(firm.id)
  return domain === undefined || consent?.domain === domain ? consent : undefined
}
