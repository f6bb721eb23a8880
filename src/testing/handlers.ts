// msw handlers for every call of the library: signing in, and the cloud account, consent, link map, firm, support and redirections calls.
import { http, type HttpHandler } from 'msw'
import type { FakeAuthServer } from './authServer.ts'
import type { FakeCloudServer } from './cloudServer.ts'

/**
 * Returns handlers for msw. List them before those of `createAuthHandlers`.
 *
 * @example
 * setupServer(...createCloudHandlers(auth, cloud), ...createAuthHandlers(auth)).listen()
 */
export function createCloudHandlers(auth: FakeAuthServer, cloud: FakeCloudServer): HttpHandler[] {
  const answer = ({ request }: { request: Request }) => cloud.answer(request)
  return [
    http.all(`${auth.authHost}/cloudprovider/*`, answer),
    http.put(`${auth.authHost}/api/firms/:firmId`, answer),
    http.post(`${auth.authHost}/support/authorization`, answer),
    http.post(`${auth.authHost}/api/redirections`, answer),
    ...(cloud.redirections ? [http.get(cloud.redirections.url, answer)] : []),
    http.post(`${auth.authHost}/oauth/token`, answer),
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
  const answer = ({ request }: { request: Request }) => server.fetch(request)
  return [
    http.post(`${authHost}/oauth/token`, answer),
    http.get(`${authHost}/api/userinfo`, answer),
    http.get(`${authHost}/.well-known/openid-configuration`, answer),
  ]
}
