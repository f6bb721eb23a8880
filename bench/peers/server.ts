// Puts the latency, the counting and the wire forms of all contestants in front of the one oidc-provider.
import { IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from 'oidc-provider'
import { standardAuthorizeSearch } from '../../demo/authServer/authorize.ts'
import { listenOnLoopback } from '../../demo/authServer/listen.ts'
import { createRequestLog, type RequestLog, type RequestRecord } from '../../demo/authServer/requestLog.ts'
import { readTokenParameters, type TokenParameters } from '../../demo/authServer/token.ts'
import { createProvider, type ServerPaths, signInAtOnce } from './provider.ts'

export interface PeerServer {
  readonly origin: string
  readonly requests: RequestLog
  /** Added to every request, preflights included. */
  latencyMs: number
  /** Frames come without cookies, as from a browser that blocks those of other sites. */
  blocksFrameCookies: boolean
  /** Refresh tokens that came a second time. */
  reuses: number
  /** How far its clock is ahead, so that it stays together with pages whose clocks are turned. */
  aheadMs: number
  /** Makes the app known, whose address was not known before. */
  openFor(app: { origin: string; redirectPaths: readonly string[] }): Promise<void>
  close(): Promise<void>
}

export interface PeerServerOptions {
  paths: ServerPaths
  /** What follows the origin in the issuer. */
  issuerPath: string
  wrapsRefreshTokens: boolean
}

export async function startPeerServer({
  paths,
  issuerPath,
  wrapsRefreshTokens,
}: PeerServerOptions): Promise<PeerServer> {
  let provider: Provider | undefined
  const listening = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const { origin } = listening
  const requests = createRequestLog()
  // Two refreshes with the same token at the same instant must not both succeed.
  let turn: Promise<unknown> = Promise.resolve()
  const realNow = Date.now

  const server: PeerServer = {
    origin,
    requests,
    latencyMs: 0,
    blocksFrameCookies: false,
    reuses: 0,
    aheadMs: 0,
    async openFor(app) {
      provider = await createProvider({
        issuer: origin + issuerPath,
        paths,
        wrapsRefreshTokens,
        cookiePrefix: `bench_${listening.port}`,
        appOrigin: app.origin,
        redirectUris: app.redirectPaths.map((path) => app.origin + path),
        onReuse: () => (server.reuses += 1),
      })
    },
    async close() {
      Date.now = realNow
      await listening.close()
    },
  }
  Date.now = () => realNow() + server.aheadMs
  return server

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const record = requests.begin(request, response, url)
    if (server.blocksFrameCookies && request.headers['sec-fetch-dest'] === 'iframe')
      delete request.headers.cookie
    if (server.latencyMs > 0) await wait(server.latencyMs)
    if (!provider) throw new Error('no app is known yet')
    const handle = provider.callback()
    if (url.pathname.startsWith('/sign-in/')) await signInAtOnce(provider, request, response)
    // As a server of the latchkey contract refuses who has no token.
    else if (url.pathname === '/api/userinfo')
      response.writeHead(401, { 'access-control-allow-origin': '*' }).end()
    else if (request.method === 'POST' && url.pathname === paths.token) {
      const parameters = await readTokenParameters(request)
      record.grant = parameters['grant_type']
      turn = turn.then(() => handle(asForm(request, parameters), response)).catch(() => undefined)
      await turn
    } else {
      if (url.pathname === paths.authorization) standardise(request, url, record)
      await handle(request, response)
    }
  }
}

/** Scopes by commas become scopes by spaces; everything else stays as it is. */
function standardise(request: IncomingMessage, url: URL, record: RequestRecord): void {
  record.prompt ??= url.searchParams.get('prompt') ?? undefined
  request.url = `${url.pathname}?${standardAuthorizeSearch(url.searchParams, false)}`
}

/** The provider takes forms only, so it gets a request of the same connection that carries one. */
function asForm(original: IncomingMessage, parameters: TokenParameters): IncomingMessage {
  // It gives refresh tokens to everybody here, but keeps no scope of that name which a refresh could ask for again.
  const scope = parameters['scope']?.replace(/ ?offline_access/, '')
  const token = parameters['refresh_token']
  const form = new URLSearchParams({
    ...parameters,
    ...(scope !== undefined && { scope }),
    ...(token !== undefined && { refresh_token: unwrapToken(token) }),
  }).toString()
  const request = new IncomingMessage(original.socket)
  request.method = 'POST'
  request.url = original.url ?? ''
  request.headers = {
    ...original.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(form)),
  }
  request.push(form)
  request.push(null)
  request.complete = true
  return request
}

/** For a library that decodes refresh tokens, each is wrapped as a JWT; a token that is not wrapped stays as it is. */
function unwrapToken(token: string): string {
  const [, payload] = token.split('.')
  if (payload === undefined) return token
  return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { jti: string }).jti
}
