// What a provider is known to do in a way of its own, as a wrapper around a server that goes by the standard, on the Fetch standard.
import { decodeJwt } from 'jose'

export type Handler = (request: Request) => Promise<Response>

/** Endpoints by what they are called in the metadata. */
export type Endpoint =
  | 'metadata'
  | 'authorization'
  | 'token'
  | 'userinfo'
  | 'revocation'
  | 'end_session'
  | 'jwks'

/** The server that is made to look like another. */
export interface StandIn {
  readonly issuer: string
  /** Which endpoint an address is; `undefined`: a page. */
  endpointOf(url: string): Endpoint | undefined
  /** Signs claims as an ID token, with the key that the server publishes. */
  sign(claims: Claims): Promise<string>
  /** What the traits of this server remember, by name. */
  readonly memory: Map<string, unknown>
}

export type Claims = Record<string, unknown>

export interface Trait {
  /** A sentence: what the provider does. */
  readonly name: string
  /** Where that is written, and when it was read there. */
  readonly source: string
  /** One wrapper, or several around each other, the first one outermost. */
  readonly wrap: Wrap | readonly Wrap[]
}

/** Puts something around a server. */
export type Wrap = (next: Handler, standIn: StandIn) => Handler

/** A provider: where it is, how its endpoints are called, and what it does in its own way. */
export interface Provider {
  readonly name: string
  /** As the product writes it. */
  readonly issuer: string
  /** Hosts beside that of the issuer. */
  readonly hosts?: readonly string[]
  /** Paths of its endpoints. */
  readonly paths: Readonly<Record<Exclude<Endpoint, 'metadata'>, string>>
  /** What it does every day. What happens once in a while is in `src/testing/providerTraits.ts`. */
  readonly everyday: readonly Trait[]
}

/** Puts traits around a server, the first one outermost. */
export const withTraits = (server: Handler, traits: readonly Trait[], standIn: StandIn): Handler =>
  traits.flatMap(({ wrap }) => wrap).reduceRight((next, wrap) => wrap(next, standIn), server)

/** Answers the requests of one endpoint in another way; `undefined` leaves a request as it is. */
export const onEndpoint =
  (
    endpoint: Endpoint,
    answer: (request: Request, next: Handler, standIn: StandIn) => Promise<Response | undefined>,
  ): Wrap =>
  (next, standIn) =>
  async (request) => {
    if (request.method === 'OPTIONS' || standIn.endpointOf(request.url) !== endpoint) return next(request)
    return (await answer(request, next, standIn)) ?? next(request)
  }

/** The same response with another body. */
async function changeJson(response: Response, change: (body: Claims) => Claims | Promise<Claims>) {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Claims
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(await change(body)), { status: response.status, headers })
}

/** Changes what the metadata says; a member that is `undefined` goes. */
export const metadata = (change: (body: Claims) => Claims): Wrap =>
  onEndpoint('metadata', async (request, next) =>
    changeJson(await next(request), (body) => ({ ...body, ...change(body) })),
  )

/** Changes what the token endpoint grants. */
export const tokens = (
  change: (body: Claims, form: URLSearchParams, standIn: StandIn) => Claims | Promise<Claims>,
): Wrap =>
  onEndpoint('token', async (request, next, standIn) => {
    const form = await formOf(request)
    const response = await next(request)
    return response.ok
      ? changeJson(response, async (body) => ({ ...body, ...(await change(body, form, standIn)) }))
      : response
  })

/** The name that the token of before is remembered by: the server takes its own as a hint only. */
export const originalOf = (token: string): string => `original of ${token}`

/** Changes the claims of the ID token, where there is one. */
export const idTokens = (change: (claims: Claims, form: URLSearchParams, standIn: StandIn) => Claims): Wrap =>
  tokens(async (body, form, standIn) => {
    const { id_token } = body
    if (typeof id_token !== 'string') return {}
    const claims = claimsOf(id_token)
    const next = await standIn.sign({ ...claims, ...change(claims, form, standIn) })
    standIn.memory.set(originalOf(next), standIn.memory.get(originalOf(id_token)) ?? id_token)
    return { id_token: next }
  })

/** An error of the token endpoint, which the page may read. */
export const refuse = (request: Request, body: Claims, status = 400): Response =>
  Response.json(body, {
    status,
    headers: {
      'access-control-allow-origin': request.headers.get('origin') ?? '*',
      'cache-control': 'no-store',
    },
  })

/** An API of its own, at this origin, that takes only tokens for this audience, made by this server. */
export const apiAt =
  (origin: string, audience: string): Wrap =>
  (next, standIn) =>
  async (request) => {
    if (new URL(request.url).origin !== origin) return next(request)
    const headers = {
      'access-control-allow-origin': request.headers.get('origin') ?? '*',
      'access-control-allow-headers': 'authorization',
      'access-control-expose-headers': 'WWW-Authenticate',
    }
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
    const [, token = ''] = request.headers.get('authorization')?.split(' ') ?? []
    return standIn.memory.get(audienceOf(token)) === audience
      ? Response.json({ isTaken: true }, { headers })
      : Response.json(
          {},
          { status: 401, headers: { ...headers, 'www-authenticate': 'Bearer error="invalid_token"' } },
        )
  }

/** The name that the audience of a token is remembered by, which an API can check. */
export const audienceOf = (token: string): string => `audience of ${token}`

/** The server knows the access tokens that it has made, not those that a trait has put in their place. */
export const originalAtUserInfo: Wrap = onEndpoint('userinfo', async (request, next, { memory }) => {
  const [, token = ''] = request.headers.get('authorization')?.split(' ') ?? []
  const original = memory.get(originalOf(token))
  if (typeof original !== 'string') return undefined
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${original}`)
  return next(new Request(request, { headers }))
})

/** Moves all endpoints of the metadata to another host. */
export const endpointsAt = (host: string, body: Claims): Claims =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri')
      .map(([name, url]) => {
        const moved = new URL(url as string)
        moved.host = host
        return [name, moved.href]
      }),
  )

/** Responses of the sign-in page have no `iss`. */
export const withoutIss: Wrap = (next) => async (request) => {
  const response = await next(request)
  const location = URL.parse(response.headers.get('location') ?? '')
  if (!location?.searchParams.has('iss')) return response
  location.searchParams.delete('iss')
  const headers = new Headers(response.headers)
  headers.set('location', location.href)
  return new Response(null, { status: response.status, headers })
}

export const formOf = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '')

export const claimsOf = (token: string): Claims => decodeJwt(token)
