// Which part of the demo's authorization server answers which address.
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
import type { Call } from './context.ts'
import { badRequest, HttpError, notFound } from './http.ts'
import { readLinkMap, writeLinkMap } from './linkMap.ts'
import { showLogout, submitLogout } from './logout.ts'
import { sendErrorPage } from './page.ts'
import { offerHandover, passthrough } from './passthrough.ts'
import { showChangePassword, submitChangePassword } from './password.ts'
import { decidePopup, openPopup } from './popups.ts'
import { showSignIn, submitSignIn } from './signIn.ts'
import { authorizeSupport } from './support.ts'

type Route = readonly [
  method: string,
  path: RegExp,
  /** `piece`: what the path has in brackets, decoded. */
  handle: (call: Call, piece: string) => Promise<void> | void,
]

const ROUTES: readonly Route[] = [
  ['GET', /^\/oauth\/authorize$/, handleAuthorize],
  ['GET', /^\/oauth\/authorize\/[^/]+$/, forwardToProvider],
  ['GET', /^\/oauth\/signin\/[^/]+$/, showSignIn],
  ['POST', /^\/oauth\/signin\/[^/]+$/, submitSignIn],
  ['GET', /^\/oauth\/logout$/, showLogout],
  ['POST', /^\/oauth\/logout$/, submitLogout],
  ['GET', /^\/oauth\/passthrough$/, passthrough],
  ['GET', /^\/oauth\/jwks$/, forwardToProvider],
  ['POST', /^\/oauth\/end_session\/confirm$/, forwardToProvider],
  ['GET', /^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)$/, forwardToProvider],

  ['GET', /^\/cloudprovider\/(link|unlink|reauthenticate|adminconsent)$/, openPopup],
  ['POST', /^\/cloudprovider\/(link|unlink|reauthenticate|adminconsent)$/, decidePopup],
  ['GET', /^\/oauth\/close$/, showClose],
  ['GET', /^\/oauth\/changepassword$/, showChangePassword],
  ['POST', /^\/oauth\/changepassword$/, submitChangePassword],

  ['GET', /^\/api\/userinfo$/, userInfo],
  ['PUT', /^\/api\/firms\/([^/]+)$/, updateFirm],
  ['POST', /^\/api\/redirections$/, offerHandover],
  ['GET', /^\/cloudprovider\/accesstoken(?:\/([^/]+))?$/, cloudAccessToken],
  ['GET', /^\/cloudprovider\/userinfo$/, cloudUserInfo],
  ['GET', /^\/cloudprovider\/reauthenticate\/link$/, reauthenticateNonce],
  ['GET', /^\/cloudprovider\/adminconsent\/status$/, consentStatus],
  ['DELETE', /^\/cloudprovider\/adminconsent$/, revokeConsent],
  ['GET', /^\/cloudprovider\/linkmap$/, readLinkMap],
  ['PUT', /^\/cloudprovider\/linkmap$/, writeLinkMap],
  ['POST', /^\/support\/authorization$/, authorizeSupport],
]

export async function dispatch(call: Call): Promise<void> {
  const { pathname } = call.url
  const there = ROUTES.filter(([, path]) => path.test(pathname))
  const found = there.find(([method]) => method === call.request.method)
  if (found) {
    const [, path, handle] = found
    return handle(call, decodePiece(path.exec(pathname)?.[1]))
  }
  const allow = there.map(([method]) => method).join(', ')
  if (there.length > 0)
    throw new HttpError(405, 'invalid_request', 'this method is not known here', { allow })
  if (/^\/(?:api|cloudprovider|support)\//.test(pathname)) throw notFound('there is nothing at this address')
  const text = 'This address does not exist on the demo authorization server.'
  sendErrorPage(call.response, 404, 'Nothing here', text, call.server.clients.appOrigins()[0])
}

function decodePiece(piece = ''): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    throw badRequest('the address is not well-formed')
  }
}
