// An API guarded by latchkey/server, in whichever framework serves it: who is let in, who is not, and that auth.fetch of a page is.
import {
  calculateJwkThumbprint,
  type CryptoKey as Key,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import { listenOnLoopback } from '../../demo/authServer/listen.ts'
import { startOidcServer } from '../../demo/servers/oidc/startOidcServer.ts'

/** What the issuer calls this API. */
export const API = 'https://api.example.com/invoices'

export interface Issuer {
  readonly issuer: string
  sign(claims?: JWTPayload): Promise<string>
  close(): Promise<void>
}

/** Signs tokens, and publishes its metadata and its keys. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }
  const said: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({ issuer: origin, jwks_uri: `${origin}/keys` }),
    '/keys': () => ({ keys: [key] }),
  }
  const { origin, close } = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    const body = said[request.url ?? '']?.()
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body ?? {}))
  })
  return {
    issuer: origin,
    close,
    sign: async (claims = {}) =>
      new SignJWT({ sub: 'anna', scope: 'invoices.read', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(origin)
        .setAudience(claims.aud ?? API)
        .setExpirationTime(claims.exp ?? '5 minutes')
        .sign(privateKey),
  }
}

/** The handlers of docs/server.md for this issuer: one reads, one needs a scope for writing. */
export const guarded = (issuer: string): string => `import { createTokenCheck, guard } from 'latchkey/server'
const checkToken = createTokenCheck({ issuer: '${issuer}', audience: '${API}' })
export const GET = guard(checkToken, ({ userId, isBound }) => Response.json({ invoicesOf: userId, isBound }))
export const POST = guard(checkToken, ({ userId }) => Response.json({ writtenBy: userId }), { scopes: ['invoices.write'] })
`

/** Calls the guarded address as an honest caller, and as one who is not. Throws at the first that is answered wrongly. */
export async function checkApi(address: string, { sign }: Issuer): Promise<string> {
  const mine = await generateKeyPair('ES256')
  const stolenBy = await generateKeyPair('ES256')
  const jkt = await calculateJwkThumbprint(await exportJWK(mine.publicKey))
  const token = await sign()
  const bound = await sign({ cnf: { jkt } })
  const proven = async (pair: { privateKey: Key; publicKey: Key }, htm = 'GET', htu = address) => ({
    authorization: `DPoP ${bound}`,
    dpop: await prove(pair, bound, { htm, htu }),
  })
  const once = await proven(mine)
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  const wanted: readonly [string, number, Record<string, string>, string?][] = [
    ['no token', 401, {}],
    ['a right token', 200, bearer(token)],
    ['a changed token', 401, bearer(`${token.slice(0, -8)}AAAAAAAA`)],
    ['a token that has expired', 401, bearer(await sign({ exp: 1 }))],
    ['a token for another API', 401, bearer(await sign({ aud: 'https://api.example.com/payroll' }))],
    ['a token without the scope', 403, bearer(token), 'POST'],
    ['a token with the scope', 200, bearer(await sign({ scope: 'invoices.write' })), 'POST'],
    ['a bound token as a bearer token', 401, bearer(bound)],
    ['a bound token with its proof', 200, once],
    ['the same proof again', 401, once],
    ['a proof by the key of somebody else', 401, await proven(stolenBy)],
    ['a proof for another method', 401, await proven(mine, 'POST')],
    ['a proof for another address', 401, await proven(mine, 'GET', `${address}/7`)],
  ]
  for (const [name, status, headers, method = 'GET'] of wanted) {
    const response = await fetch(address, { method, headers })
    if (response.status !== status)
      throw new Error(`${name}: ${response.status} in place of ${status}: ${await response.text()}`)
    if (status === 401 && !/^(Bearer|DPoP)/.test(response.headers.get('www-authenticate') ?? ''))
      throw new Error(`${name}: 401 without WWW-Authenticate`)
  }
  return `guards its API: ${wanted.length} callers, honest and not, are answered rightly`
}

async function prove(
  { privateKey, publicKey }: { privateKey: Key; publicKey: Key },
  token: string,
  claims: JWTPayload,
): Promise<string> {
  const ath = createHash('sha256').update(token).digest('base64url')
  return new SignJWT({ jti: randomUUID(), ath, ...claims })
    .setIssuedAt()
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    .sign(privateKey)
}

/** A provider that somebody else wrote: its tokens for the API are JWTs, bound to the page's key. */
export const startBoundProvider = async () => startOidcServer({ isBound: true, resources: [API] })
