// What a popup asks the pretend cloud provider for, read from its address and checked.
import type { PopupKind } from '../authServer/tickets.ts'

export interface Ask {
  kind: PopupKind
  ticket: string
  returnTo: string
  /** Who is asked, by name. */
  person: string
  /** The account that is already linked, if any. */
  linkedAccountId: string
  domain: string
}

const KINDS: readonly PopupKind[] = ['link', 'unlink', 'reauthenticate', 'adminconsent']

export function readAsk(search: URLSearchParams, returnOrigins: ReadonlySet<string>): Ask | undefined {
  const kind = KINDS.find((known) => known === search.get('kind'))
  const ticket = search.get('ticket')
  const returnTo = URL.parse(search.get('return') ?? '')
  if (kind === undefined || ticket === null || returnTo === null) return undefined
  if (!returnOrigins.has(returnTo.origin) || returnTo.username !== '' || returnTo.search !== '')
    return undefined
  return {
    kind,
    ticket,
    returnTo: returnTo.href,
    person: search.get('for') ?? '',
    linkedAccountId: search.get('account') ?? '',
    domain: search.get('domain') ?? '',
  }
}
