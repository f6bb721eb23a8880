// GET /oauth/passthrough and POST /api/redirections: moving a session to another address or environment.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCaller } from './bearer.ts'
import type { ServerContext } from './context.ts'
import { HANDOVER_SECONDS } from './handovers.ts'
import { badRequest, isRecord, readJson, redirect, sendJson } from './http.ts'
import { escapeHtml, sendErrorPage, sendPage } from './page.ts'
import { startSession } from './session.ts'

export async function passthrough(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  const [app] = server.clients.appOrigins()
  const refuse = (title: string, text: string): void => sendErrorPage(response, 400, title, text, app)
  const target = allowedTarget(server, searchParams.getAll('redirect'))
  if (target === undefined) {
    refuse('This link cannot be followed', 'The address it leads to is not registered here.')
    return
  }
  const [jti = '', ...more] = searchParams.getAll('jti')
  const redeemed = more.length === 0 ? server.jtiDesk.redeem(jti) : undefined
  if (!redeemed || !server.accounts.isKnown(redeemed.accountId)) {
    refuse('This link has been used or is too old', 'Go back to the app and sign in again.')
    return
  }
  await startSession(server, request, response, redeemed.accountId)
  if (server.clients.isAppOrigin(target.origin)) redirect(response, target.href)
  else sendArrivalPage(response, target, app)
}

/**
 * On one computer the apps of two environments differ by their port only, so the client cannot move its address here. The
 * address is followed as it is or not at all; from a page of another environment's app the user goes on by a click.
 */
function sendArrivalPage(response: ServerResponse, { pathname, search, hash }: URL, app = ''): void {
  const link = escapeHtml(app + pathname + search + hash)
  sendPage(response, {
    title: 'You are signed in here',
    body: `<h1>You are signed in here</h1><p>Your firm belongs to this environment. The page you came from is another environment’s.</p>
<div class="actions"><a class="button" href="${link}">Go on in the app of this environment</a></div>`,
  })
}

/** Only pages of registered apps, or of another environment's; compared by origin after parsing, as a browser reads the address. */
function allowedTarget(
  { clients, partnerApps }: ServerContext,
  redirects: readonly string[],
): URL | undefined {
  const [wanted, ...more] = redirects
  const url = wanted === undefined || more.length > 0 ? null : URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return clients.isAppOrigin(url.origin) || partnerApps.has(url.origin) ? url : undefined
}

export async function offerHandover(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { token } = readCaller(server, request)
  const body = await readJson(request)
  if (!isRecord(body) || body['client_id'] !== token.clientId)
    throw badRequest('client_id must be the app of the token')
  sendJson(response, 200, { jti: server.handovers.offer(token.accountId), expires_in: HANDOVER_SECONDS })
}
