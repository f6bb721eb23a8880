// The pretend cloud provider "Cumulus": a third origin whose pages ask for agreement, as a real provider's would.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readForm, redirect, sendFailure } from '../authServer/http.ts'
import { listenOnLoopback } from '../authServer/listen.ts'
import { sendErrorPage, sendPage } from '../authServer/page.ts'
import { CLOUD_ACCOUNTS } from '../seed.ts'
import { askPage } from './pages.ts'
import { readAsk, type Ask } from './ask.ts'

export type CloudProvider = Awaited<ReturnType<typeof startCloudProvider>>

export async function startCloudProvider() {
  /** Authorization servers that its answers may go to. */
  const returnOrigins = new Set<string>()
  const listening = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, (request, response) => {
    handle(returnOrigins, request, response).catch((error: unknown) => sendFailure(response, error))
  })
  return {
    origin: listening.origin,
    allowReturnTo: (origin: string) => void returnOrigins.add(origin),
    close: listening.close,
  }
}

async function handle(
  returnOrigins: ReadonlySet<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-content-type-options', 'nosniff')
  const url = new URL(request.url ?? '/', 'http://cloud.invalid')
  if (url.pathname !== '/authorize') {
    const text = 'This address does not exist on the pretend cloud provider.'
    return sendErrorPage(response, 404, 'Nothing here', text)
  }
  const ask = readAsk(url.searchParams, returnOrigins)
  if (!ask) {
    const text = 'It does not say what to agree to, or where to answer.'
    return sendErrorPage(response, 400, 'This request is not for us', text)
  }
  if (request.method === 'POST') decide(ask, await readForm(request), response)
  else sendPage(response, askPage(ask))
}

function decide(ask: Ask, form: URLSearchParams, response: ServerResponse): void {
  const decision = form.get('decision')
  const account = CLOUD_ACCOUNTS.find(({ id }) => id === form.get('account')) ?? CLOUD_ACCOUNTS[0]
  const answer = new URLSearchParams({
    ticket: ask.ticket,
    outcome: decision === 'approve' ? 'approved' : 'denied',
  })
  if (ask.kind === 'link' && account) {
    answer.set('account', account.id)
    answer.set('email', account.email)
    answer.set('name', account.name)
  }
  redirect(response, `${ask.returnTo}?${answer}`)
}
