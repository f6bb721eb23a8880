// Serves the static redirections file as a CDN would: no credentials, any origin, nothing but the file.
import { listenOnLoopback } from '../authServer/listen.ts'
import { createRequestLog } from '../authServer/requestLog.ts'
import type { RedirectionConfig } from './config.ts'

/** An answer that is not the file, to see what an app makes of it. */
export interface OtherAnswer {
  status?: number
  text?: string
  contentType?: string
  /** Never answer. */
  hang?: boolean
}

export type RedirectionsServer = Awaited<ReturnType<typeof startRedirectionsServer>>

const PATH = '/redirections.json'

export async function startRedirectionsServer({ config }: { config: RedirectionConfig }) {
  const requests = createRequestLog()
  let other: OtherAnswer | undefined

  const listening = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://cdn.invalid')
    requests.begin(request, response, url)
    if (other?.hang === true) return
    const isThere = url.pathname === PATH
    response.writeHead(isThere ? (other?.status ?? 200) : 404, {
      'content-type': other?.contentType ?? 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(isThere ? (other?.text ?? JSON.stringify(config, null, 2)) : '{"error":"not_found"}')
  })

  return {
    origin: listening.origin,
    /** The address of the file. */
    url: `${listening.origin}${PATH}`,
    requests,
    /** Undefined goes back to serving the file. */
    answerWith: (answer: OtherAnswer | undefined) => void (other = answer),
    close: listening.close,
  }
}
