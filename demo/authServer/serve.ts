// What happens to each request: log, latency, safety headers, cross-origin rules, faults, and then its route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerContext } from './context.ts'
import { allowCrossOrigin } from './crossOrigin.ts'
import { handleFaultsEndpoint, type Control } from './faultsEndpoint.ts'
import { HttpError, sendEmpty, sendError } from './http.ts'
import { sendErrorPage } from './page.ts'
import type { RecordingRequestLog, RequestRecord } from './requestLog.ts'
import { dispatch, POPUP_PATH, type Route } from './routes.ts'
import { strikeAfter, strikeBefore } from './strike.ts'
import { readTokenParameters, type TokenEndpoint, type TokenParameters } from './token.ts'

export interface ServeOptions {
  server: ServerContext
  /** The only Host header that is answered, so that no other name can be pointed at this server. */
  host: string
  requests: RecordingRequestLog
  routes: readonly Route[]
  tokenEndpoint: TokenEndpoint
  control: Control | undefined
  log: ((line: string) => void) | undefined
}

export function createListener(options: ServeOptions): RequestListener {
  return (request, response) => {
    handle(options, request, response).catch((error: unknown) => answerFailure(response, error, options.log))
  }
}

async function handle(
  options: ServeOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { server, requests, control } = options
  const url = URL.parse(request.url ?? '/', server.origin)
  if (url === null || request.headers.host !== options.host) {
    sendErrorPage(response, 421, 'Wrong address', `This server answers on ${server.origin} only.`)
    return
  }
  if (control && url.pathname === '/__faults') {
    await handleFaultsEndpoint(control, request, response)
    return
  }
  const record = requests.begin(request, response, url)
  if (server.faults.latencyMs > 0) await wait(server.faults.latencyMs)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-content-type-options', 'nosniff')
  if (server.faults.severPopups && POPUP_PATH.test(url.pathname)) {
    response.setHeader('cross-origin-opener-policy', 'same-origin')
  }
  await answer(options, request, response, url, record)
}

async function answer(
  { server, routes, tokenEndpoint }: ServeOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  record: RequestRecord,
): Promise<void> {
  const isPreflight = allowCrossOrigin(server.clients, request, response)
  const isToken = request.method === 'POST' && url.pathname === '/oauth/token'
  const parameters = isToken ? await readTokenParameters(request) : undefined
  record.grant = grantOf(parameters)
  const subject = { method: request.method ?? 'GET', path: url.pathname, grant: record.grant }
  if (await strikeBefore(response, server.faults.take('before', subject))) return
  if (isPreflight) {
    sendEmpty(response)
    return
  }
  for (const rule of server.faults.take('after', subject)) strikeAfter(response, rule)
  if (parameters) await tokenEndpoint.handle(request, response, parameters)
  else await dispatch(routes, request, response, url)
}

const GRANTS = ['authorization_code', 'refresh_token', 'jti']

function grantOf(parameters: TokenParameters | undefined): string | undefined {
  const grant = parameters?.['grant_type']
  return grant !== undefined && GRANTS.includes(grant) ? grant : undefined
}

function answerFailure(response: ServerResponse, error: unknown, log: ServeOptions['log']): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  if (error instanceof HttpError) {
    sendError(response, error)
    return
  }
  log?.(`authorization server: ${error instanceof Error ? error.message : 'unknown failure'}`)
  sendError(response, new HttpError(500, 'server_error', 'the demo server made a mistake'))
}
