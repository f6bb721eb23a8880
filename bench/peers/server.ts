// A proxy in front of the single oidc-provider: latency, counters, and each contestant's wire format.
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
  /** Frames have no cookies, as in a browser that blocks third-party cookies. */
  blocksFrameCookies: boolean
  /** Refresh tokens that were used a second time. */
  reuses: number
  /** How far its clock is ahead, in step with the pages whose clocks are advanced. */
  aheadMs: number
  /** Registers the app, whose address is only known now. */
  openFor(app: { origin: string; redirectPaths: readonly string[] }): Promise<void>
  close(): Promise<void>
}

export interface PeerServerOptions {
  paths: ServerPaths
  /** The issuer's path. */
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
    // Like a server of the latchkey contract without a token.
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

/** Turns comma-separated scopes into space-separated ones; the rest is unchanged. */
function standardise(request: IncomingMessage, url: URL, record: RequestRecord): void {
  record.prompt ??= url.searchParams.get('prompt') ?? undefined
  request.url = `${url.pathname}?${standardAuthorizeSearch(url.searchParams, false)}`
}

/** The provider only accepts forms, so it gets a form request on the same connection. */
function asForm(original: IncomingMessage, parameters: TokenParameters): IncomingMessage {
  // It gives every client refresh tokens here, but keeps no scope of that name that a refresh could request again.
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

/** Wraps each refresh token as a JWT for a library that decodes them; an unwrapped token is unchanged. */
function unwrapToken(token: string): string {
  const [, payload] = token.split('.')
  if (payload === undefined) return token
  return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { jti: string }).jti
}
