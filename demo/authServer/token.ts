// POST /oauth/token: JSON bodies, the verifier on every refresh, and the one-time `jti` grant, over oidc-provider's own.
import { randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { errors, type KoaContextWithOIDC as Context } from 'oidc-provider'
import { forwardToProvider } from './authorize.ts'
import type { Call, ServerContext } from './context.ts'
import { redeemJti } from './handovers.ts'
import { badRequest, HttpError, isJson, isRecord, readBody } from './http.ts'
import { type Family, matchesChallenge } from './issued.ts'

export type TokenParameters = Readonly<Record<string, string>>

/** Reads a token request in JSON (the contract) or as a form (other libraries). */
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

export async function handleToken(call: Call, parameters: TokenParameters): Promise<void> {
  const { issued } = call.server
  if (parameters['grant_type'] !== 'refresh_token') return forward(call, parameters)
  const family = await checkVerifier(call.server, parameters)
  if (!family) return forward(call, parameters)
  // Two refreshes with the same token at the same instant must not both succeed, so a family takes them in turn.
  const turn = (family.turn ?? Promise.resolve()).then(async () => {
    const token = await findToken(call.server, parameters)
    if (token?.consumed !== undefined) issued.counts.reuseDetected += 1
    await forward(call, parameters)
  })
  family.turn = turn.catch(() => undefined)
  await turn
}

/** The refresh must show the verifier of the sign-in that began its family; the family is left as it is if it does not. */
async function checkVerifier(
  server: ServerContext,
  parameters: TokenParameters,
): Promise<Family | undefined> {
  const token = await findToken(server, parameters)
  const family = token && server.issued.familyOf(token.grantId ?? '')
  if (!family) return undefined
  const verifier = parameters['code_verifier']
  if (verifier === undefined) throw badRequest('missing required parameter(s) "code_verifier"')
  if (!matchesChallenge(verifier, family.challenge ?? '')) throw invalidGrant()
  return family
}

const findToken = ({ provider }: ServerContext, parameters: TokenParameters) =>
  provider.RefreshToken.find(parameters['refresh_token'] ?? '', { ignoreExpiration: true })

const invalidGrant = (): HttpError => new HttpError(400, 'invalid_grant', 'grant request is invalid')

/** The provider takes forms only, so it gets a request of the same connection that carries one. */
function forward({ server, request: original, response }: Call, parameters: TokenParameters): Promise<void> {
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
  return forwardToProvider({ server, request, response })
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
  const { provider, tokens } = server
  provider.registerGrantType(
    'jti',
    async (context: Context) => {
      const assertion = context.oidc.params?.['assertion']
      if (typeof assertion !== 'string')
        throw new errors.InvalidRequest('missing required parameter(s) "assertion"')
      const redeemed = redeemJti(server, assertion)
      if (!redeemed) throw new errors.InvalidGrant('jti is unknown or used')
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
