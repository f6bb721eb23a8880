// Serves the static redirections file as a CDN would: no credentials, any origin, nothing but the file.
import { listenOnLoopback } from '../authServer/listen.ts'
import type { LoopbackHost } from '../authServer/options.ts'
import { createRequestLog, type RequestLog } from '../authServer/requestLog.ts'
import type { RedirectionConfig } from './config.ts'

/** An answer that is not the file, to see what an app makes of it. */
export interface OtherAnswer {
  status?: number
  text?: string
  contentType?: string
  /** Never answer. */
  hang?: boolean
}

export interface RedirectionsServer {
  readonly origin: string
  /** The address of the file. */
  readonly url: string
  readonly requests: RequestLog
  setConfig(config: RedirectionConfig): void
  /** Undefined goes back to serving the file. */
  answerWith(answer: OtherAnswer | undefined): void
  close(): Promise<void>
}

export interface RedirectionsServerOptions {
  config: RedirectionConfig
  port?: number
  host?: LoopbackHost
  log?: (line: string) => void
}

export const REDIRECTIONS_PATH = '/redirections.json'

export async function startRedirectionsServer(
  options: RedirectionsServerOptions,
): Promise<RedirectionsServer> {
  const { host = '127.0.0.1', port = 0, log } = options
  const requests = createRequestLog()
  let { config } = options
  let other: OtherAnswer | undefined

  const listening = await listenOnLoopback({ host, port }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://cdn.invalid')
    requests.begin(request, response, url)
    if (other?.hang === true) return
    const isThere =
      url.pathname === REDIRECTIONS_PATH && (request.method === 'GET' || request.method === 'HEAD')
    response.writeHead(isThere ? (other?.status ?? 200) : 404, {
      'content-type': other?.contentType ?? 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(isThere ? (other?.text ?? JSON.stringify(config, null, 2)) : '{"error":"not_found"}')
  })
  const url = `${listening.origin}${REDIRECTIONS_PATH}`
  log?.(`redirections file, a demo and test tool: ${url}`)

  return {
    origin: listening.origin,
    url,
    requests,
    setConfig(next) {
      config = next
    },
    answerWith(answer) {
      other = answer
    },
    close: listening.close,
  }
}
