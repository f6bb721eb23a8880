// msw handlers for every call of the library: signing in, and the cloud account, consent, link map, firm, support and redirections calls.
import { http, type HttpHandler, HttpResponse } from 'msw'
import { type FakeAnswer, type FakeAuthServer, readBody } from './authServer.ts'
import { exchange, type FakeCloudServer, isGrant } from './cloudServer.ts'

/**
 * Returns handlers for msw. List them before those of `createAuthHandlers`.
 *
 * @example
 * setupServer(...createCloudHandlers(auth, cloud), ...createAuthHandlers(auth)).listen()
 */
export function createCloudHandlers(auth: FakeAuthServer, cloud: FakeCloudServer): HttpHandler[] {
  const answer = async ({ request }: { request: Request }) => {
    const url = new URL(request.url)
    const text = await request.clone().text()
    const found = cloud.answer({
      method: request.method,
      path: url.pathname + url.search,
      authorization: request.headers.get('authorization'),
      ifMatch: request.headers.get('if-match'),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    })
    if (!found) return undefined
    if (found.status === 204) return new HttpResponse(null, { status: 204 })
    return HttpResponse.json(found.body as never, { status: found.status, headers: { ...found.headers } })
  }
  return [
    http.all(`${auth.authHost}/cloudprovider/*`, answer),
    http.put(`${auth.authHost}/api/firms/:firmId`, answer),
    http.post(`${auth.authHost}/support/authorization`, answer),
    http.post(`${auth.authHost}/api/redirections`, answer),
    ...(cloud.redirections
      ? [http.get(cloud.redirections.url, () => HttpResponse.json(cloud.redirections?.file as never))]
      : []),
    http.post(`${auth.authHost}/oauth/token`, async ({ request }) => {
      const body: unknown = await request.clone().json()
      // The authorization server handles all other grants.
      if (!isGrant(body, 'jti')) return undefined
      const { status, body: granted } = exchange(body)
      return HttpResponse.json(granted as never, { status })
    }),
  ]
}

/**
 * Returns handlers for `setupServer` of msw/node, `setupWorker` of msw/browser, or the msw addon of Storybook.
 *
 * @example
 * const server = createFakeAuthServer()
 * setupServer(...createAuthHandlers(server)).listen()
 */
export function createAuthHandlers(server: FakeAuthServer): HttpHandler[] {
  const { authHost } = server
  return [
    http.post(`${authHost}/oauth/token`, async ({ request }) =>
      respond(await server.token(readBody(await request.text()))),
    ),
    http.get(`${authHost}/api/userinfo`, ({ request }) =>
      respond(server.userInfo(request.headers.get('authorization'))),
    ),
    http.get(`${authHost}/.well-known/openid-configuration`, async ({ request }) =>
      server.fetch(request.url),
    ),
  ]
}

function respond({ status, body }: FakeAnswer): Response {
  return HttpResponse.json(body as never, { status, headers: { 'cache-control': 'no-store' } })
}
