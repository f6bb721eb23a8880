// The popups of the cloud account: a page of the pretend cloud provider, what its form changes, and on to /oauth/close.
import { CLOUD_ACCOUNTS } from '../seed.ts'
import { clientIdOf, finishPopup, openerOrigin, popupRefusal, type Refusal, sendPopupError } from './close.ts'
import type { Call, ServerContext } from './context.ts'
import { askPage } from './cloudPages.ts'
import { readForm } from './http.ts'
import { sendPage } from './page.ts'
import { readSession, type SignedIn } from './session.ts'
import type { PopupKind, Ticket } from './tickets.ts'

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i

/** Shows the cloud provider's page, which a real server would send the popup on to. */
export async function openPopup(call: Call, piece: string): Promise<void> {
  const kind = piece as PopupKind
  const { server, response, url } = call
  const clientId = clientIdOf(call)
  const opener = openerOrigin(call)
  const current = await readSession(call)
  const refusal =
    popupRefusal(server, clientId, current !== undefined) ?? (current && refuse(call, kind, current))
  if (refusal) return sendPopupError(call, refusal, { clientId, opener })
  const { session, identity } = current!
  const domain = url.searchParams.get('domain') ?? undefined
  const person = server.accounts.person(identity.userId)
  const page = askPage({
    kind,
    action: url.pathname,
    ticket: server.tickets.issue({ kind, sessionUid: session.uid, clientId, opener, domain }),
    person: person?.name ?? '',
    linkedAccountId: server.accounts.links.get(identity.userId)?.account.id ?? '',
    domain: domain ?? server.accounts.firm(person?.firmId ?? '')?.domain ?? '',
  })
  sendPage(response, page)
}

function refuse(
  { server, url: { searchParams } }: Call,
  kind: PopupKind,
  current: SignedIn,
): Refusal | undefined {
  const { userId } = current.identity
  const isLinked = server.accounts.links.has(userId)
  if ((kind === 'unlink' || kind === 'reauthenticate') && !isLinked) {
    return { status: 409, title: 'Nothing is linked', text: 'There is no cloud account to work with.' }
  }
  const isFresh = () => server.nonces.take(searchParams.get('nonce') ?? '') === current.accountId
  if (kind === 'reauthenticate' && !isFresh()) {
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

/** The visitor has decided: changes what was agreed to, and ends the popup. */
export async function decidePopup(call: Call): Promise<void> {
  const { server } = call
  const form = await readForm(call.request)
  const ticket = server.tickets.take(form.get('ticket') ?? '')
  const current = await readSession(call)
  const { clientId = '', opener } = ticket ?? {}
  if (!ticket || ticket.sessionUid !== current?.session.uid) {
    const text = 'This form has been used, is too old, or belongs to another session.'
    return sendPopupError(call, { status: 400, title: 'Nothing was changed', text }, { clientId, opener })
  }
  if (form.get('decision') === 'approve') agree(server, ticket, current.identity.userId, form)
  finishPopup(call, clientId, opener)
}

function agree(
  { accounts }: ServerContext,
  { kind, domain }: Ticket,
  userId: string,
  form: URLSearchParams,
): void {
  const now = new Date().toISOString()
  const firmId = accounts.person(userId)?.firmId ?? ''
  const link = accounts.links.get(userId)
  switch (kind) {
    case 'link': {
      const [first] = CLOUD_ACCOUNTS
      const account = CLOUD_ACCOUNTS.find(({ id }) => id === form.get('account')) ?? first!
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
