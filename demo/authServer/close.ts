// GET /oauth/close: the last page of every popup; ends what is half done, tells the app's window 'closeMe', or offers a way back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerContext } from './context.ts'
import type { FaultSwitches } from './faults.ts'
import { redirect } from './http.ts'
import { readSession } from './session.ts'
import { escapeHtml, scriptJson, sendPage, type PageOptions } from './page.ts'

/** The app page that opened this window or led to it, when its browser said so and the app is registered. */
export function openerOrigin({ clients }: ServerContext, request: IncomingMessage): string | undefined {
  const origin = URL.parse(request.headers.referer ?? '')?.origin
  return origin !== undefined && clients.isAppOrigin(origin) ? origin : undefined
}

export function closeAddress(origin: string, clientId: string, opener: string | undefined): string {
  // The popup has ended by itself: those that are open beside it go on.
  const search = new URLSearchParams({ client_id: clientId, done: 'true' })
  if (opener !== undefined) search.set('origin', opener)
  return `${origin}/oauth/close?${search}`
}

export async function showClose(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  if (searchParams.get('done') !== 'true') {
    const current = await readSession(server, request, response)
    if (current) server.tickets.endAll(current.session.uid, searchParams.get('client_id') ?? '')
  }
  const wanted = searchParams.get('origin')
  const client = server.clients.find(searchParams.get('client_id') ?? '')
  const isItsOrigin = (origin: string): boolean =>
    client?.appOrigins.includes(origin) === true || server.clients.isLoopbackApp(origin)
  const opener = wanted !== null && isItsOrigin(wanted) ? wanted : openerOrigin(server, request)
  const targets = opener === undefined ? [...(client?.appOrigins ?? [])] : [opener]
  sendPage(response, closePage(server, targets))
}

function closePage({ faults }: ServerContext, targets: readonly string[]): PageOptions {
  const [back] = targets
  const post = faults.closeMessage === 'nothing' ? '' : postCloseMe(faults.closeMessage, targets)
  return {
    title: 'Done',
    body: `<h1>Done</h1><p>You can close this window.</p>
<div class="actions"><button type="button" id="close" class="primary">Close this window</button>${
      back === undefined ? '' : `<a class="button" href="${escapeHtml(back)}/">Back to the app</a>`
    }</div>`,
    script: `${post}\n${CLOSE_BUTTON}`,
  }
}

/** What a popup shows when it cannot go on; its button still tells the app that the popup is over. */
export function popupErrorPage(
  server: ServerContext,
  options: { status: number; title: string; text: string; clientId: string; opener: string | undefined },
): PageOptions {
  const { status, title, text, clientId, opener } = options
  const targets = opener === undefined ? (server.clients.find(clientId)?.appOrigins ?? []) : [opener]
  return {
    status,
    title,
    body: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><div class="actions"><button type="button" id="close" class="primary">Close this window</button></div>`,
    script: `document.getElementById('close').addEventListener('click', () => { ${postCloseMe('string', targets)} })\n${CLOSE_BUTTON}`,
  }
}

const CLOSE_BUTTON = "document.getElementById('close').addEventListener('click', () => window.close())"

function postCloseMe(form: FaultSwitches['closeMessage'], targets: readonly string[]): string {
  const message = form === 'string' ? 'closeMe' : { [form]: 'closeMe' }
  return `for (const target of ${scriptJson(targets)}) window.opener?.postMessage(${scriptJson(message)}, target);`
}

export function finishPopup(
  server: ServerContext,
  response: ServerResponse,
  clientId: string,
  opener: string | undefined,
): void {
  redirect(response, closeAddress(server.origin, clientId, opener))
}
