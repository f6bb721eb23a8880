// GET /oauth/close: the last page of every popup; ends what is half done, tells the app's window 'closeMe', or offers a way back.
import type { Call, ServerContext } from './context.ts'
import type { FaultSwitches } from './faults.ts'
import { redirect } from './http.ts'
import { readSession } from './session.ts'
import { escapeHtml, scriptJson, sendPage } from './page.ts'

/** The app page that opened this window or led to it, when its browser said so and the app is registered. */
export function openerOrigin({ server: { clients }, request }: Call): string | undefined {
  const origin = URL.parse(request.headers.referer ?? '')?.origin
  return origin !== undefined && clients.isAppOrigin(origin) ? origin : undefined
}

export const clientIdOf = ({ url }: Call): string => url.searchParams.get('client_id') ?? ''

export async function showClose(call: Call): Promise<void> {
  const { server, response, url } = call
  const clientId = clientIdOf(call)
  if (url.searchParams.get('done') !== 'true') {
    const current = await readSession(call)
    server.tickets.drop(
      (ticket) => ticket.sessionUid === current?.session.uid && ticket.clientId === clientId,
    )
  }
  const wanted = url.searchParams.get('origin')
  const client = server.clients.find(clientId)
  const isItsOrigin = (origin: string): boolean =>
    client?.appOrigins.includes(origin) === true || server.clients.isLoopbackApp(origin)
  const opener = wanted !== null && isItsOrigin(wanted) ? wanted : openerOrigin(call)
  const targets = opener === undefined ? [...(client?.appOrigins ?? [])] : [opener]
  const [back] = targets
  const link = back === undefined ? '' : `<a class="button" href="${escapeHtml(back)}/">Back to the app</a>`
  const { closeMessage } = server.faults
  sendPage(response, {
    title: 'Done',
    body: `<h1>Done</h1><p>You can close this window.</p><div class="actions">${CLOSE_BUTTON}${link}</div>`,
    script: `${closeMessage === 'nothing' ? '' : postCloseMe(closeMessage, targets)}\n${CLOSE_SCRIPT}`,
  })
}

/** A refusal that a popup shows instead of going on. */
export interface Refusal {
  status: number
  title: string
  text: string
}

/** Its button still tells the app that the popup is over. */
export function sendPopupError(
  { server, response }: Call,
  { status, title, text }: Refusal,
  { clientId, opener }: { clientId: string; opener: string | undefined },
): void {
  const targets = opener === undefined ? (server.clients.find(clientId)?.appOrigins ?? []) : [opener]
  sendPage(response, {
    status,
    title,
    body: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><div class="actions">${CLOSE_BUTTON}</div>`,
    script: `document.getElementById('close').addEventListener('click', () => { ${postCloseMe('string', targets)} })\n${CLOSE_SCRIPT}`,
  })
}

const CLOSE_BUTTON = '<button type="button" id="close" class="primary">Close this window</button>'
const CLOSE_SCRIPT = "document.getElementById('close').addEventListener('click', () => window.close())"

function postCloseMe(form: FaultSwitches['closeMessage'], targets: readonly string[]): string {
  const message = form === 'string' ? 'closeMe' : { [form]: 'closeMe' }
  return `for (const target of ${scriptJson(targets)}) window.opener?.postMessage(${scriptJson(message)}, target);`
}

/** The popup has ended by itself (`done`): those that are open beside it go on. */
export function finishPopup({ server, response }: Call, clientId: string, opener: string | undefined): void {
  const search = new URLSearchParams({ client_id: clientId, done: 'true' })
  if (opener !== undefined) search.set('origin', opener)
  redirect(response, `${server.origin}/oauth/close?${search}`)
}

/** Why somebody who is not signed in, or comes from an unknown app, gets no further; undefined: they do. */
export function popupRefusal(server: ServerContext, clientId: string, isSignedIn: boolean) {
  if (!server.clients.find(clientId))
    return {
      status: 400,
      title: 'Unknown app',
      text: 'The app that opened this window is not registered here.',
    }
  return isSignedIn
    ? undefined
    : { status: 401, title: 'You are not signed in', text: 'Sign in to the app first, then try again.' }
}
