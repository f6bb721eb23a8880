// Which part of the demo's authorization server answers which address.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { userInfo, updateFirm } from './account.ts'
import { forwardToProvider, handleAuthorize } from './authorize.ts'
import type { ServerContext } from './context.ts'
import type { Logout } from './logout.ts'
import { showSignIn, submitSignIn } from './signIn.ts'

export interface Route {
  method: string
  path: RegExp
  handle(request: IncomingMessage, response: ServerResponse, url: URL, piece: string): Promise<void> | void
}

export function createRoutes(server: ServerContext, logout: Logout): Route[] {
  return [
    route('GET', /^\/oauth\/authorize$/, (request, response, url) =>
      handleAuthorize(server, request, response, url),
    ),
    route('GET', /^\/oauth\/authorize\/[^/]+$/, (request, response) =>
      forwardToProvider(server, request, response),
    ),
    route('GET', /^\/oauth\/signin\/[^/]+$/, (request, response) => showSignIn(server, request, response)),
    route('POST', /^\/oauth\/signin\/[^/]+$/, (request, response) => submitSignIn(server, request, response)),
    route('GET', /^\/oauth\/logout$/, logout.show),
    route('POST', /^\/oauth\/logout$/, logout.submit),
    route('GET', /^\/oauth\/(?:jwks|end_session(?:\/success)?)$/, (request, response) =>
      forwardToProvider(server, request, response),
    ),
    route('POST', /^\/oauth\/end_session\/confirm$/, (request, response) =>
      forwardToProvider(server, request, response),
    ),
    route(
      'GET',
      /^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)$/,
      (request, response) => forwardToProvider(server, request, response),
    ),
    route('GET', /^\/api\/userinfo$/, (request, response) => userInfo(server, request, response)),
    route('PUT', /^\/api\/firms\/([^/]+)$/, (request, response, _url, firmId) =>
      updateFirm(server, request, response, firmId),
    ),
  ]
}

const route = (method: string, path: RegExp, handle: Route['handle']): Route => ({ method, path, handle })
