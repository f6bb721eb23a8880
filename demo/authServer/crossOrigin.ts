// Lets the app's own pages call the server from their other origin, and nobody else's (CORS); cookies never take part.
import type { Call } from './context.ts'
import { forbidden } from './http.ts'

/** How long a browser may remember a preflight; the first JSON call of a page costs one extra round trip without it. */
const PREFLIGHT_MAX_AGE_SECONDS = 7200

/** Sets the headers; true when the request was only a preflight, which has its answer then. */
export function allowCrossOrigin({ server: { clients }, request, response }: Call): boolean {
  const { origin } = request.headers
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  response.setHeader('vary', 'Origin')
  if (origin === undefined || !clients.isAppOrigin(origin)) {
    if (isPreflight) throw forbidden('this origin is not registered')
    return false
  }
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'Retry-After, WWW-Authenticate, ETag')
  if (!isPreflight) return false
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE')
  response.setHeader('access-control-allow-headers', 'authorization, content-type, if-match')
  response.setHeader('access-control-max-age', String(PREFLIGHT_MAX_AGE_SECONDS))
  return true
}
