// The REST addresses of the cloud account: access token, user info, one-time link nonce, administrator's consent.
import { randomBytes } from 'node:crypto'
import type { AdminConsent } from './accounts.ts'
import { readCaller, requireAdministrator, type Caller } from './bearer.ts'
import type { Call } from './context.ts'
import { badRequest, forbidden, notFound, sendEmpty, sendJson } from './http.ts'

const CLOUD_TOKEN_SECONDS = 3600

/** Reads the caller of an address with a `client_id`, which has to be the app the token was given to. */
export function readCallerOfApp(call: Call): Caller {
  const caller = readCaller(call)
  const [clientId, ...more] = call.url.searchParams.getAll('client_id')
  if (clientId === undefined || more.length > 0) throw badRequest('client_id is missing or given twice')
  if (clientId !== caller.token.clientId) throw badRequest('client_id is not the app of the token')
  return caller
}

/** Without an id the caller's own linked account; an administrator may name any account of the firm's link map. */
export function cloudAccessToken(call: Call, accountId: string): void {
  const { person, firm } = readCaller(call)
  const { accounts } = call.server
  const own = accounts.links.get(person.userId)?.account.id
  const wanted = accountId === '' ? own : accountId
  if (wanted === undefined) throw notFound('no cloud account is linked')
  if (wanted !== own) {
    if (person.role !== 'administrator') throw forbidden('this is the cloud account of somebody else')
    const isMapped = accounts.linkMap(firm.id).some((entry) => entry.externalUser?.id === wanted)
    if (!isMapped) throw notFound('no such cloud account in this firm')
  }
  sendJson(call.response, 200, {
    access_token: `cumulus.${randomBytes(24).toString('base64url')}`,
    token_type: 'Bearer',
    expires_in: CLOUD_TOKEN_SECONDS,
    id: wanted,
  })
}

export function cloudUserInfo(call: Call): void {
  const link = call.server.accounts.links.get(readCaller(call).person.userId)
  const { account, linkedAt, confirmedAt } = link ?? {}
  sendJson(
    call.response,
    200,
    link ? { linked: true, ...account, provider: 'cumulus', linkedAt, confirmedAt } : { linked: false },
  )
}

export function reauthenticateNonce(call: Call): void {
  const { person, token } = readCaller(call)
  const { accounts, nonces } = call.server
  if (!accounts.links.has(person.userId)) throw notFound('no cloud account is linked')
  sendJson(call.response, 200, { nonce: nonces.issue(token.accountId) })
}

export function consentStatus(call: Call): void {
  const consent = consentOf(call, readCallerOfApp(call))
  sendJson(call.response, 200, { granted: consent !== undefined, ...consent })
}

export function revokeConsent(call: Call): void {
  const caller = readCallerOfApp(call)
  requireAdministrator(caller)
  if (consentOf(call, caller)) call.server.accounts.consents.delete(caller.firm.id)
  sendEmpty(call.response)
}

/** The consent of the firm; with `domain` in the address, only when it was given for that domain. */
function consentOf({ server, url }: Call, { firm }: Caller): AdminConsent | undefined {
  const [domain, ...more] = url.searchParams.getAll('domain')
  if (more.length > 0) throw badRequest('domain is given twice')
  const consent = server.accounts.consents.get(firm.id)
  return domain === undefined || consent?.domain === domain ? consent : undefined
}
