// Stands in for a provider that cannot be run here: npm oidc-provider at its addresses, with its traits around it.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startOidcServer } from './startOidcServer.ts'
import {
  originalOf,
  type Claims,
  type Endpoint,
  type Provider,
  type StandIn,
  type Trait,
  withTraits,
} from './traits/trait.ts'

export type RunningStandIn = Awaited<ReturnType<typeof startStandIn>>

const METADATA = '/.well-known/openid-configuration'

/** `traits`: in place of those that the provider shows every day. */
export async function startStandIn(
  provider: Provider,
  { traits = provider.everyday, clientId: wanted }: { traits?: readonly Trait[]; clientId?: string } = {},
) {
  const { issuer, paths } = provider
  const start = (port?: number) =>
    startOidcServer({ port, clientId: wanted, accessTokenSeconds: 60, as: { issuer, routes: paths } })
  let running = await start()
  const { origin, clientId } = running
  const key = await sharedKey()
  const endpointOf = (url: string): Endpoint | undefined => {
    const { pathname } = new URL(url)
    if (pathname.endsWith(METADATA)) return 'metadata'
    return (Object.keys(paths) as (keyof typeof paths)[]).find((name) => paths[name] === pathname)
  }
  const standIn: StandIn = { issuer, endpointOf, sign: key.sign, memory: new Map() }

  /** The server itself, as behind a proxy. */
  const reach = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const headers = new Headers(request.headers)
    headers.set('x-forwarded-proto', url.protocol.slice(0, -1))
    headers.set('x-forwarded-host', url.host)
    const hint = standIn.memory.get(originalOf(url.searchParams.get('id_token_hint') ?? ''))
    if (typeof hint === 'string') url.searchParams.set('id_token_hint', hint)
    const path = url.pathname.endsWith(METADATA) ? METADATA : url.pathname
    const response = await fetch(`${origin}${path}${url.search}`, {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(request.method === 'POST' && { body: withoutOffline(await request.text()) }),
    })
    return endpointOf(request.url) === 'jwks' && response.ok
      ? Response.json({ keys: [key.jwk] }, { headers: { 'access-control-allow-origin': '*' } })
      : response
  }
  const answer = withTraits(reach, traits, standIn)

  return {
    clientId,
    /** Reaches it, at the provider's own addresses. */
    fetch: async (...[input, init]: Parameters<typeof fetch>) => answer(new Request(input, init)),
    /** Listens again, at the same address, after the work. */
    async pause(work: () => Promise<void>): Promise<void> {
      await running.close()
      await work()
      running = await start(Number(new URL(origin).port))
    },
    close: () => running.close(),
  }
}

/** It drops the scope offline_access where nobody was asked for consent, and refuses a refresh that repeats it. */
function withoutOffline(body: string): string {
  const form = new URLSearchParams(body)
  const scope = form.get('scope')
  if (!form.has('refresh_token') || scope === null) return body
  form.set('scope', scope.replace(/\s*offline_access/, ''))
  return form.toString()
}

const shared: { key?: ReturnType<typeof createKey> } = {}

/** One key per process: making one takes a tenth of a second, and each stand-in has an issuer of its own. */
const sharedKey = () => (shared.key ??= createKey())

/** The key of the ID tokens that traits have changed. */
async function createKey() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'stand-in', use: 'sig', alg: 'RS256' }
  const header = { alg: 'RS256', typ: 'JWT', kid: jwk.kid }
  return { jwk, sign: (claims: Claims) => new SignJWT(claims).setProtectedHeader(header).sign(privateKey) }
}
