// msw handlers for every call of the library, backed by a fake authorization server.
import { http, HttpResponse, type HttpHandler } from 'msw'
import { type FakeAnswer, type FakeAuthServer, readBody } from './authServer.ts'

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
