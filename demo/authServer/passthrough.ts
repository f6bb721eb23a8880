// GET /oauth/passthrough and POST /api/redirections: moving a session to another address or environment.
import { readCaller } from './bearer.ts'
import type { Call } from './context.ts'
import { HANDOVER_SECONDS, redeemJti } from './handovers.ts'
import { badRequest, readRecord, redirect, sendJson } from './http.ts'
import { escapeHtml, sendErrorPage, sendPage } from './page.ts'
import { startSession } from './session.ts'

export async function passthrough(call: Call): Promise<void> {
  const { server, response, url } = call
  const [app] = server.clients.appOrigins()
  const refuse = (title: string, text: string): void => sendErrorPage(response, 400, title, text, app)
  const target = allowedTarget(call)
  if (target === undefined)
    return refuse('This link cannot be followed', 'The address it leads to is not registered here.')
  const [jti = '', ...more] = url.searchParams.getAll('jti')
  const redeemed = more.length === 0 ? redeemJti(server, jti) : undefined
  if (!redeemed)
    return refuse('This link has been used or is too old', 'Go back to the app and sign in again.')
  await startSession(call, redeemed.accountId)
  if (server.clients.isAppOrigin(target.origin)) return redirect(response, target.href)
  // On one computer the apps of two environments differ by their port only, so the client cannot move its address here. The
  // address is followed as it is or not at all; from a page of another environment's app the user goes on by a click.
  const link = escapeHtml(`${app}${target.pathname}${target.search}${target.hash}`)
  sendPage(response, {
    title: 'You are signed in here',
    body: `<h1>You are signed in here</h1><p>Your firm belongs to this environment. The page you came from is another environment’s.</p>
<div class="actions"><a class="button primary" href="${link}">Go on in the app of this environment</a></div>`,
  })
}

/** Only pages of registered apps, or of another environment's; compared by origin after parsing, as a browser reads the address. */
function allowedTarget({ server: { clients, partnerApps }, url: { searchParams } }: Call): URL | undefined {
  const [wanted, ...more] = searchParams.getAll('redirect')
  const url = wanted === undefined || more.length > 0 ? null : URL.parse(wanted)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return clients.isAppOrigin(url.origin) || partnerApps.has(url.origin) ? url : undefined
}

export async function offerHandover(call: Call): Promise<void> {
  const { token } = readCaller(call)
  const body = await readRecord(call.request)
  if (body['client_id'] !== token.clientId) throw badRequest('client_id must be the app of the token')
  const jti = call.server.handovers.issue(token.accountId)
  sendJson(call.response, 200, { jti, expires_in: HANDOVER_SECONDS })
}
