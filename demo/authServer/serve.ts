// What happens to each request: log, latency, safety headers, cross-origin rules, faults, and then its route.
import type { RequestListener } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call, ServerContext } from './context.ts'
import { allowCrossOrigin } from './crossOrigin.ts'
import { sendEmpty, sendFailure } from './http.ts'
import { sendErrorPage } from './page.ts'
import type { RequestLog, RequestRecord } from './requestLog.ts'
import { dispatch } from './routes.ts'
import { strikeAfter, strikeBefore } from './strike.ts'
import { handleToken, readTokenParameters } from './token.ts'

export interface ServeOptions {
  server: ServerContext
  /** The only Host header that is answered, so that no other name can be pointed at this server. */
  host: string
  requests: RequestLog
  log: ((line: string) => void) | undefined
}

export function createListener({ server, host, requests, log }: ServeOptions): RequestListener {
  return (request, response) => {
    const url = URL.parse(request.url ?? '/', server.origin)
    if (url === null || request.headers.host !== host)
      return sendErrorPage(response, 421, 'Wrong address', `This server answers on ${server.origin} only.`)
    const record = requests.begin(request, response, url)
    answer({ server, request, response, url }, record).catch((error: unknown) =>
      sendFailure(response, error, log),
    )
  }
}

async function answer(call: Call, record: RequestRecord): Promise<void> {
  const { server, request, response, url } = call
  const { faults } = server
  if (faults.latencyMs > 0) await wait(faults.latencyMs)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-content-type-options', 'nosniff')
  const isPreflight = allowCrossOrigin(call)
  const isToken = request.method === 'POST' && url.pathname === '/oauth/token'
  const parameters = isToken ? await readTokenParameters(request) : undefined
  record.grant = GRANTS.find((grant) => grant === parameters?.['grant_type'])
  const subject = { method: request.method ?? 'GET', path: url.pathname, grant: record.grant }
  if (await strikeBefore(response, faults.take('before', subject))) return
  if (isPreflight) return sendEmpty(response)
  for (const rule of faults.take('after', subject)) strikeAfter(response, rule)
  if (parameters) await handleToken(call, parameters)
  else await dispatch(call)
}

const GRANTS = ['authorization_code', 'refresh_token', 'jti']
