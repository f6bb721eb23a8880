// GET /oauth/passthrough and POST /api/redirections: moving a session to another address or environment (spec section 4).
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCaller } from './bearer.ts'
import type { ServerContext } from './context.ts'
import { HANDOVER_SECONDS } from './handovers.ts'
import { badRequest, isRecord, readJson, redirect, sendJson } from './http.ts'
import { sendErrorPage } from './page.ts'
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
  redirect(response, target)
}

/** Only pages of registered apps; compared by origin after parsing, as a browser would read the address. */
function allowedTarget(
  { clients, partnerApps }: ServerContext,
  redirects: readonly string[],
): string | undefined {
  const [wanted, ...more] = redirects
  const url = wanted === undefined || more.length > 0 ? null : URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  if (clients.isAppOrigin(url.origin)) return url.href
  // A user of this environment who was at another one's app: the same place in our own.
  const [app] = clients.appOrigins()
  const isPartner = partnerApps.has(url.origin) && app !== undefined
  return isPartner ? app + url.pathname + url.search + url.hash : undefined
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
