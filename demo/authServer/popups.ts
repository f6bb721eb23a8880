// The popups of the cloud account: from here to the cloud provider's pages, back, and to /oauth/close.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finishPopup, openerOrigin, popupErrorPage } from './close.ts'
import type { ServerContext } from './context.ts'
import { redirect } from './http.ts'
import { sendPage } from './page.ts'
import { readSession, type SignedIn } from './session.ts'
import type { PopupKind, Ticket } from './tickets.ts'

/** A refusal that a popup shows instead of going on. */
interface Refusal {
  status: number
  title: string
  text: string
}

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i

export async function openPopup(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  kind: PopupKind,
): Promise<void> {
  const clientId = url.searchParams.get('client_id') ?? ''
  const opener = openerOrigin(server, request)
  const cloud = server.cloudProviderOrigin()
  const current = await readSession(server, request, response)
  const refusal = refuse(server, kind, url, current)
  if (refusal || !current || cloud === undefined) {
    const shown = refusal ?? {
      status: 503,
      title: 'No cloud provider',
      text: 'No cloud provider has been set up.',
    }
    sendPage(response, popupErrorPage(server, { ...shown, clientId, opener }))
    return
  }
  const { accountId, session, identity } = current
  const domain = url.searchParams.get('domain') ?? undefined
  const ticket = server.tickets.issue({ kind, accountId, sessionUid: session.uid, clientId, opener, domain })
  const person = server.accounts.person(identity.userId)
  const search = new URLSearchParams({
    kind,
    ticket,
    return: `${server.origin}/cloudprovider/return`,
    for: person?.name ?? '',
    account: server.accounts.links.get(identity.userId)?.account.id ?? '',
    domain: domain ?? server.accounts.firm(person?.firmId ?? '')?.domain ?? '',
  })
  redirect(response, `${cloud}/authorize?${search}`)
}

function refuse(
  server: ServerContext,
  kind: PopupKind,
  { searchParams }: URL,
  current: SignedIn | undefined,
): Refusal | undefined {
  if (!server.clients.find(searchParams.get('client_id') ?? '')) {
    return {
      status: 400,
      title: 'Unknown app',
      text: 'The app that opened this window is not registered here.',
    }
  }
  if (!current) return { status: 401, title: 'You are not signed in', text: 'Sign in to the app first.' }
  const { userId } = current.identity
  const isLinked = server.accounts.links.has(userId)
  if ((kind === 'unlink' || kind === 'reauthenticate') && !isLinked) {
    return { status: 409, title: 'Nothing is linked', text: 'There is no cloud account to work with.' }
  }
  if (
    kind === 'reauthenticate' &&
    server.tickets.takeNonce(searchParams.get('nonce') ?? '') !== current.accountId
  ) {
    return { status: 400, title: 'This link has been used', text: 'Start again from the app.' }
  }
  if (kind !== 'adminconsent') return undefined
  if (server.accounts.person(userId)?.role !== 'administrator') {
    return {
      status: 403,
      title: 'Administrators only',
      text: 'Ask an administrator of your firm to give consent.',
    }
  }
  const domain = searchParams.get('domain')
  return domain === null || DOMAIN.test(domain)
    ? undefined
    : { status: 400, title: 'Not a domain', text: 'The domain to give consent for is not well-formed.' }
}

/** Back from the cloud provider: changes what was agreed to, and ends the popup. */
export async function returnFromCloud(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  const ticket = server.tickets.take(searchParams.get('ticket') ?? '')
  const current = await readSession(server, request, response)
  if (!ticket || ticket.sessionUid !== current?.session.uid) {
    sendPage(
      response,
      popupErrorPage(server, {
        status: 400,
        title: 'Nothing was changed',
        text: 'This answer of the cloud provider has been used, is too old, or belongs to another session.',
        clientId: ticket?.clientId ?? '',
        opener: ticket?.opener,
      }),
    )
    return
  }
  if (searchParams.get('outcome') === 'approved') agree(server, ticket, current.identity.userId, searchParams)
  finishPopup(server, response, ticket.clientId, ticket.opener)
}

function agree(
  { accounts }: ServerContext,
  { kind, domain }: Ticket,
  userId: string,
  answer: URLSearchParams,
): void {
  const now = new Date().toISOString()
  const firmId = accounts.person(userId)?.firmId ?? ''
  const link = accounts.links.get(userId)
  switch (kind) {
    case 'link': {
      const account = {
        id: answer.get('account') ?? '',
        email: answer.get('email') ?? '',
        name: answer.get('name') ?? '',
      }
      accounts.links.set(userId, { account, linkedAt: now, confirmedAt: now })
      return
    }
    case 'unlink':
      accounts.links.delete(userId)
      return
    case 'reauthenticate':
      if (link) accounts.links.set(userId, { ...link, confirmedAt: now })
      return
    case 'adminconsent': {
      const agreed = domain ?? accounts.firm(firmId)?.domain ?? ''
      accounts.consents.set(firmId, { domain: agreed, grantedBy: userId, grantedAt: now })
    }
  }
}
