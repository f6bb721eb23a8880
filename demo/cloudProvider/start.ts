// The pretend cloud provider "Cumulus": a third origin whose pages ask for agreement, as a real provider's would.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, readForm, redirect, sendError } from '../authServer/http.ts'
import { listenOnLoopback } from '../authServer/listen.ts'
import type { LoopbackHost } from '../authServer/options.ts'
import { sendErrorPage, sendPage } from '../authServer/page.ts'
import { CLOUD_ACCOUNTS } from '../seed.ts'
import { askPage, stayPage } from './pages.ts'
import { readAsk, type Ask } from './ask.ts'

export interface CloudProviderOptions {
  port?: number
  host?: LoopbackHost
  /** Authorization servers its answers may go to. */
  returnOrigins?: readonly string[]
  log?: (line: string) => void
}

export interface CloudProvider {
  readonly origin: string
  /** Makes an authorization server known after the start. */
  allowReturnTo(origin: string): void
  close(): Promise<void>
}

export async function startCloudProvider(options: CloudProviderOptions = {}): Promise<CloudProvider> {
  const { host = '127.0.0.1', port = 0, log } = options
  const returnOrigins = new Set(options.returnOrigins)
  const listening = await listenOnLoopback({ host, port }, (request, response) => {
    handle(returnOrigins, request, response).catch((error: unknown) => {
      const known =
        error instanceof HttpError
          ? error
          : new HttpError(500, 'server_error', 'the demo server made a mistake')
      if (response.headersSent) response.destroy()
      else sendError(response, known)
    })
  })
  log?.(`pretend cloud provider, a demo and test tool: ${listening.origin}`)
  return {
    origin: listening.origin,
    allowReturnTo: (origin) => void returnOrigins.add(origin),
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
    sendErrorPage(response, 404, 'Nothing here', 'This address does not exist on the pretend cloud provider.')
    return
  }
  const ask = readAsk(url.searchParams, returnOrigins)
  if (!ask) {
    sendErrorPage(
      response,
      400,
      'This request is not for us',
      'It does not say what to agree to, or where to answer.',
    )
    return
  }
  if (request.method === 'POST') decide(ask, await readForm(request), response)
  else sendPage(response, askPage(ask))
}

function decide(ask: Ask, form: URLSearchParams, response: ServerResponse): void {
  const decision = form.get('decision')
  // The window stays open and never answers, as a provider that is down would leave it.
  if (decision === 'hang') return
  if (decision === 'stay') {
    sendPage(response, stayPage(ask))
    return
  }
  const account = CLOUD_ACCOUNTS.find(({ id }) => id === form.get('account')) ?? CLOUD_ACCOUNTS[0]
  const answer = new URLSearchParams({
    ticket: ask.ticket,
    outcome: decision === 'approve' ? 'approved' : 'denied',
  })
  if (ask.kind === 'link' && account) {
    for (const [name, value] of Object.entries({
      account: account.id,
      email: account.email,
      name: account.name,
    })) {
      answer.set(name, value)
    }
  }
  redirect(response, `${ask.returnTo}?${answer}`)
}
