// POST /oauth/token: JSON bodies, the verifier on every refresh, and the one-time `jti` grant, over oidc-provider's own.
import { randomUUID } from 'node:crypto'
import { IncomingMessage, type ServerResponse } from 'node:http'
import { errors, type Context } from 'oidc-provider'
import { forwardToProvider } from './authorize.ts'
import type { ServerContext } from './context.ts'
import { badRequest, HttpError, isJson, isRecord, readBody } from './http.ts'
import { matchesChallenge } from './issued.ts'

export type TokenParameters = Readonly<Record<string, string>>

/** Reads a token request in JSON (the contract) or as a form (other libraries measured side by side). */
export async function readTokenParameters(request: IncomingMessage): Promise<TokenParameters> {
  const text = await readBody(request)
  if (!isJson(request)) return Object.fromEntries(new URLSearchParams(text))
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw badRequest('the body is not valid JSON')
  }
  if (!isRecord(body) || Object.values(body).some((value) => typeof value !== 'string')) {
    throw badRequest('the body must be a JSON object of strings')
  }
  return body as TokenParameters
}

export interface TokenEndpoint {
  handle(request: IncomingMessage, response: ServerResponse, parameters: TokenParameters): Promise<void>
}

export function createTokenEndpoint(server: ServerContext): TokenEndpoint {
  // Two refreshes with the same token at the same instant must not both succeed, so a family takes them in turn.
  const turns = new Map<string, Promise<void>>()

  const inTurn = async (grantId: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(grantId) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    turns.set(grantId, settled)
    await turn
    if (turns.get(grantId) === settled) turns.delete(grantId)
  }

  return {
    async handle(request, response, parameters) {
      if (parameters['grant_type'] !== 'refresh_token') {
        await forward(server, request, response, parameters)
        return
      }
      if (server.faults.failNextRefreshes > 0) {
        server.faults.failNextRefreshes -= 1
        throw invalidGrant()
      }
      const grantId = await checkVerifier(server, parameters)
      if (grantId === undefined) await forward(server, request, response, parameters)
      else await inTurn(grantId, () => refresh(server, request, response, parameters))
    },
  }
}

async function refresh(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: TokenParameters,
): Promise<void> {
  const token = await server.provider.RefreshToken.find(parameters['refresh_token'] ?? '', {
    ignoreExpiration: true,
  })
  if (token?.consumed !== undefined) server.issued.counts.reuseDetected += 1
  await forward(server, request, response, parameters)
}

/** The refresh must show the verifier of the sign-in that began its family; the family is left as it is if it does not. */
async function checkVerifier(
  server: ServerContext,
  parameters: TokenParameters,
): Promise<string | undefined> {
  const token = await server.provider.RefreshToken.find(parameters['refresh_token'] ?? '', {
    ignoreExpiration: true,
  })
  const family = token && server.issued.familyOf(token.grantId)
  if (!family) return undefined
  const verifier = parameters['code_verifier']
  const isRequired = server.clients.find(family.clientId)?.verifierOnRefresh ?? true
  if (verifier === undefined) {
    if (isRequired) throw badRequest('missing required parameter(s) "code_verifier"')
    return family.grantId
  }
  if (family.challenge === undefined || !matchesChallenge(verifier, family.challenge)) throw invalidGrant()
  return family.grantId
}

const invalidGrant = (): HttpError => new HttpError(400, 'invalid_grant', 'grant request is invalid')

/** The provider takes forms only, so it gets a request of the same connection that carries one. */
function forward(
  server: ServerContext,
  original: IncomingMessage,
  response: ServerResponse,
  parameters: TokenParameters,
): Promise<void> {
  const form = new URLSearchParams(parameters).toString()
  const request = new IncomingMessage(original.socket)
  request.method = 'POST'
  request.url = '/oauth/token'
  request.headers = {
    host: original.headers.host,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(form)),
    ...(original.headers.origin === undefined ? {} : { origin: original.headers.origin }),
  }
  request.push(form)
  request.push(null)
  // Otherwise Node takes the request for one that broke off, and closes the connection.
  request.complete = true
  return forwardToProvider(server, request, response)
}

/** Lets a test change what a good answer says on its way out. */
export function editAnswers({ provider, faults }: Pick<ServerContext, 'provider' | 'faults'>): void {
  provider.use(async (context, next) => {
    await next()
    const { body } = context
    if (faults.editTokenAnswer && isRecord(body) && 'access_token' in body) {
      context.body = faults.editTokenAnswer(body)
    }
  })
}

/** The `jti` grant: a one-time key of a session, or the jti claim of a live token, for a new access token. */
export function registerJtiGrant(server: ServerContext): void {
  const { provider, tokens, jtiDesk, accounts } = server
  provider.registerGrantType(
    'jti',
    async (context: Context) => {
      const assertion = context.oidc.params?.['assertion']
      if (assertion === undefined)
        throw new errors.InvalidRequest('missing required parameter(s) "assertion"')
      const redeemed = jtiDesk.redeem(assertion)
      if (!redeemed || !accounts.isKnown(redeemed.accountId))
        throw new errors.InvalidGrant('jti is unknown or used')
      const lifetimeSeconds = server.accessTokenLifetimeSeconds()
      context.body = {
        access_token: tokens.mint({
          accountId: redeemed.accountId,
          clientId: context.oidc.client?.clientId ?? '',
          lifetimeSeconds,
          sessionId: redeemed.sessionUid ?? randomUUID(),
        }),
        token_type: 'Bearer',
        expires_in: lifetimeSeconds,
      }
    },
    ['assertion'],
  )
}
