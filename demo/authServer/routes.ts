// Which part of the demo's authorization server answers which address.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { updateFirm, userInfo } from './account.ts'
import { forwardToProvider, handleAuthorize } from './authorize.ts'
import { showClose } from './close.ts'
import {
  cloudAccessToken,
  cloudUserInfo,
  consentStatus,
  reauthenticateNonce,
  revokeConsent,
} from './cloudRest.ts'
import type { ServerContext } from './context.ts'
import { HttpError } from './http.ts'
import { readLinkMap, writeLinkMap } from './linkMap.ts'
import { createLogout } from './logout.ts'
import { sendErrorPage } from './page.ts'
import { offerHandover, passthrough } from './passthrough.ts'
import { showChangePassword, submitChangePassword } from './password.ts'
import { openPopup, returnFromCloud } from './popups.ts'
import { showSignIn, submitSignIn } from './signIn.ts'
import { createSupport } from './support.ts'
import type { PopupKind } from './tickets.ts'

export interface Route {
  method: string
  path: RegExp
  handle(request: IncomingMessage, response: ServerResponse, url: URL, piece: string): Promise<void> | void
}

/** Addresses that open in a window of their own. */
export const POPUP_PATH =
  /^\/(?:oauth\/(?:close|changepassword)|cloudprovider\/(?:link|unlink|reauthenticate|adminconsent|return))$/

export function createRoutes(server: ServerContext, partnerOrigins: () => readonly string[]): Route[] {
  return [...oauthRoutes(server, partnerOrigins), ...popupRoutes(server), ...restRoutes(server)]
}

function oauthRoutes(server: ServerContext, partnerOrigins: () => readonly string[]): Route[] {
  const logout = createLogout(server, partnerOrigins)
  const forward: Route['handle'] = (request, response) => forwardToProvider(server, request, response)
  return [
    route('GET', /^\/oauth\/authorize$/, (request, response, url) =>
      handleAuthorize(server, request, response, url),
    ),
    route('GET', /^\/oauth\/authorize\/[^/]+$/, forward),
    route('GET', /^\/oauth\/signin\/[^/]+$/, (request, response) => showSignIn(server, request, response)),
    route('POST', /^\/oauth\/signin\/[^/]+$/, (request, response) => submitSignIn(server, request, response)),
    route('GET', /^\/oauth\/logout$/, logout.show),
    route('POST', /^\/oauth\/logout$/, logout.submit),
    route('GET', /^\/oauth\/passthrough$/, (request, response, url) =>
      passthrough(server, request, response, url),
    ),
    route('GET', /^\/oauth\/(?:jwks|end_session(?:\/success)?)$/, forward),
    route('POST', /^\/oauth\/end_session\/confirm$/, forward),
    route('GET', /^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)$/, forward),
  ]
}

function popupRoutes(server: ServerContext): Route[] {
  const popup = (kind: PopupKind): Route =>
    route('GET', new RegExp(`^/cloudprovider/${kind}$`), (request, response, url) =>
      openPopup(server, request, response, url, kind),
    )
  return [
    popup('link'),
    popup('unlink'),
    popup('reauthenticate'),
    popup('adminconsent'),
    route('GET', /^\/cloudprovider\/return$/, (request, response, url) =>
      returnFromCloud(server, request, response, url),
    ),
    route('GET', /^\/oauth\/close$/, (request, response, url) => showClose(server, request, response, url)),
    route('GET', /^\/oauth\/changepassword$/, (request, response, url) =>
      showChangePassword(server, request, response, url),
    ),
    route('POST', /^\/oauth\/changepassword$/, (request, response, url) =>
      submitChangePassword(server, request, response, url),
    ),
  ]
}

function restRoutes(server: ServerContext): Route[] {
  const support = createSupport()
  return [
    route('GET', /^\/api\/userinfo$/, (request, response) => userInfo(server, request, response)),
    route('PUT', /^\/api\/firms\/([^/]+)$/, (request, response, _url, firmId) =>
      updateFirm(server, request, response, firmId),
    ),
    route('POST', /^\/api\/redirections$/, (request, response) => offerHandover(server, request, response)),
    route('GET', /^\/cloudprovider\/accesstoken(?:\/([^/]+))?$/, (request, response, _url, id) =>
      cloudAccessToken(server, request, response, id),
    ),
    route('GET', /^\/cloudprovider\/userinfo$/, (request, response) =>
      cloudUserInfo(server, request, response),
    ),
    route('GET', /^\/cloudprovider\/reauthenticate\/link$/, (request, response) =>
      reauthenticateNonce(server, request, response),
    ),
    route('GET', /^\/cloudprovider\/adminconsent\/status$/, (request, response, url) =>
      consentStatus(server, request, response, url),
    ),
    route('DELETE', /^\/cloudprovider\/adminconsent$/, (request, response, url) =>
      revokeConsent(server, request, response, url),
    ),
    route('GET', /^\/cloudprovider\/linkmap$/, (request, response, url) =>
      readLinkMap(server, request, response, url),
    ),
    route('PUT', /^\/cloudprovider\/linkmap$/, (request, response, url) =>
      writeLinkMap(server, request, response, url),
    ),
    route('POST', /^\/support\/authorization$/, (request, response) =>
      support.authorize(server, request, response),
    ),
  ]
}

const route = (method: string, path: RegExp, handle: Route['handle']): Route => ({ method, path, handle })

export async function dispatch(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const there = routes.filter(({ path }) => path.test(url.pathname))
  const found = there.find(({ method }) => method === request.method)
  if (found) {
    const [, piece] = found.path.exec(url.pathname) ?? []
    await found.handle(request, response, url, decodePiece(piece))
    return
  }
  const allow = there.map(({ method }) => method).join(', ')
  if (there.length > 0)
    throw new HttpError(405, 'invalid_request', 'this method is not known here', { allow })
  const isRest = /^\/(?:api|cloudprovider|support)\//.test(url.pathname)
  if (isRest) throw new HttpError(404, 'not_found', 'there is nothing at this address')
  sendErrorPage(
    response,
    404,
    'Nothing here',
    'This address does not exist on the demo authorization server.',
  )
}

function decodePiece(piece: string | undefined): string {
  try {
    return decodeURIComponent(piece ?? '')
  } catch {
    throw new HttpError(400, 'invalid_request', 'the address is not well-formed')
  }
}
