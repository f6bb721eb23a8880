// Who calls a REST address: verifies the bearer token and finds the member of staff and the firm behind it.
import type { Firm, StaffMember } from '../seed.ts'
import { decodeIdentity } from './accounts.ts'
import type { Call } from './context.ts'
import { forbidden, HttpError } from './http.ts'
import type { IssuedToken } from './issued.ts'

export interface Caller {
  token: IssuedToken
  person: StaffMember
  firm: Firm
  impersonatorId: string | undefined
}

export function readCaller({ server, request }: Pick<Call, 'server' | 'request'>): Caller {
  const { authorization } = request.headers
  if (authorization === undefined) throw unauthorized('no access token was sent', false)
  const [, value] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
  const claims = value === undefined ? undefined : server.tokens.verified(value)
  const jti = claims?.['jti']
  const token = typeof jti === 'string' ? server.issued.liveToken(jti) : undefined
  if (!token) throw unauthorized('the access token is expired, revoked or not ours')
  const { userId, impersonatorId } = decodeIdentity(token.accountId)
  const person = server.accounts.person(userId)
  const firm = person && server.accounts.firm(person.firmId)
  if (!person || !firm) throw unauthorized('the person of this token is not known here')
  return { token, person, firm, impersonatorId }
}

export function requireAdministrator({ person }: Caller): void {
  if (person.role !== 'administrator') throw forbidden('only an administrator of the firm may do this')
}

function unauthorized(description: string, isInvalid = true): HttpError {
  const challenge = isInvalid ? 'Bearer error="invalid_token"' : 'Bearer'
  return new HttpError(401, 'invalid_token', description, { 'www-authenticate': challenge })
}
