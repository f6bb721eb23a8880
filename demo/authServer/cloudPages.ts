// The pages of the pretend cloud provider "Cumulus": what is asked, and the two things a visitor can do about it.
import { CLOUD_ACCOUNTS } from '../seed.ts'
import { escapeHtml, type PageOptions } from './page.ts'
import type { PopupKind } from './tickets.ts'

export interface Ask {
  kind: PopupKind
  /** Where the form goes, without what is secret in the address of the page. */
  action: string
  /** Comes back with the form. */
  ticket: string
  /** Who is asked, by name. */
  person: string
  /** The account that is already linked, if any. */
  linkedAccountId: string
  domain: string
}

const SERVER_NAME = 'Cumulus'

interface Question {
  title: string
  text: string
  approve: string
}

export function askPage(ask: Ask): PageOptions {
  const { title, text, approve } = question(ask)
  return {
    title,
    serverName: SERVER_NAME,
    theme: 'cloud',
    body: `<h1>${escapeHtml(title)}</h1><p class="soft">${escapeHtml(text)}</p>
<form method="post" action="${escapeHtml(ask.action)}"><input type="hidden" name="ticket" value="${escapeHtml(ask.ticket)}">
${ask.kind === 'link' ? accountChoice() : facts(ask)}
<div class="actions"><button class="primary" type="submit" name="decision" value="approve">${escapeHtml(approve)}</button><button type="submit" name="decision" value="deny">Deny</button></div>
</form>`,
  }
}

function question({ kind, person, domain }: Ask): Question {
  switch (kind) {
    case 'link':
      return {
        title: 'Connect a Cumulus account',
        text: `${person} wants to use a Cumulus account in the admin app.`,
        approve: 'Approve',
      }
    case 'unlink':
      return {
        title: 'Disconnect this account?',
        text: `The admin app will lose access to the Cumulus account of ${person}.`,
        approve: 'Disconnect',
      }
    case 'reauthenticate':
      return {
        title: 'Confirm that it is you',
        text: `${person}, please confirm your Cumulus account again.`,
        approve: 'Yes, it is me',
      }
    case 'adminconsent':
      return {
        title: `Consent for ${domain}`,
        text: 'The admin app asks to read the directory of your whole organisation.',
        approve: 'Grant consent',
      }
  }
}

const accountChoice = (): string =>
  `<label class="field">Cumulus account<select name="account">${CLOUD_ACCOUNTS.map(
    ({ id, email }) => `<option value="${escapeHtml(id)}">${escapeHtml(email)}</option>`,
  ).join('')}</select></label>`

function facts({ kind, person, linkedAccountId, domain }: Ask): string {
  const rows =
    kind === 'adminconsent'
      ? [
          ['Administrator', person],
          ['Organisation', domain],
          ['Will be able to', 'read names and addresses of all users'],
        ]
      : [
          ['Person', person],
          ['Account', linkedAccountId],
        ]
  return `<dl>${rows.map(([term = '', text = '']) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`
}
