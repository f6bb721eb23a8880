// Changes a password at /oauth/changepassword: a form in a popup or in place of the app, for the person of the server session.
import { clientIdOf, finishPopup, openerOrigin, popupRefusal, sendPopupError } from './close.ts'
import type { Call, ServerContext } from './context.ts'
import { readForm } from './http.ts'
import { escapeHtml, sendPage } from './page.ts'
import { readSession, type SignedIn } from './session.ts'

const SHORTEST_PASSWORD = 8

export async function showChangePassword(call: Call): Promise<void> {
  const opener = openerOrigin(call)
  const current = await signedIn(call, opener)
  if (current) showForm(call, current, opener ?? '')
}

export async function submitChangePassword(call: Call): Promise<void> {
  const { server, request } = call
  const form = await readForm(request)
  const named = form.get('opener') ?? ''
  const opener = server.clients.isAppOrigin(named) ? named : undefined
  const current = await signedIn(call, opener)
  if (!current) return
  const { userId } = current.identity
  const fault =
    form.get('key') === server.formKey(current.session.uid)
      ? changeFault(server, userId, form)
      : 'This form is too old. Please try again.'
  if (fault !== undefined) return showForm(call, current, opener ?? '', fault)
  server.accounts.changePassword(userId, form.get('next') ?? '')
  finishPopup(call, clientIdOf(call), opener)
}

function changeFault({ accounts }: ServerContext, userId: string, form: URLSearchParams): string | undefined {
  const next = form.get('next') ?? ''
  if (!accounts.isPassword(userId, form.get('current') ?? '')) return 'The current password is not right.'
  if (next.length < SHORTEST_PASSWORD)
    return `The new password needs at least ${SHORTEST_PASSWORD} characters.`
  return next === form.get('repeat') ? undefined : 'The two new passwords are not the same.'
}

async function signedIn(call: Call, opener: string | undefined): Promise<SignedIn | undefined> {
  const current = await readSession(call)
  const clientId = clientIdOf(call)
  const refusal = popupRefusal(call.server, clientId, current !== undefined)
  if (!refusal) return current
  sendPopupError(call, refusal, { clientId, opener })
  return undefined
}

function showForm(
  { server, response }: Call,
  { session, identity }: SignedIn,
  opener: string,
  fault?: string,
): void {
  const name = server.accounts.person(identity.userId)?.name ?? ''
  sendPage(response, {
    status: fault === undefined ? 200 : 422,
    title: fault === undefined ? 'Change password' : 'Password not changed',
    body: `<h1>Change password</h1><p class="soft">For ${escapeHtml(name)}.</p>
${fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escapeHtml(fault)}</p>`}
<form method="post"><input type="hidden" name="key" value="${server.formKey(session.uid)}"><input type="hidden" name="opener" value="${escapeHtml(opener)}">
${field('current', 'Current password', 'current-password', 'In this demo: demo-password')}
${field('next', 'New password', 'new-password', `At least ${SHORTEST_PASSWORD} characters`)}
${field('repeat', 'New password again', 'new-password')}
<div class="actions"><button class="primary" type="submit">Change password</button></div></form>`,
  })
}

const field = (name: string, label: string, autocomplete: string, hint?: string): string =>
  `<div class="field"><label for="${name}">${escapeHtml(label)}</label>${hint === undefined ? '' : `<span class="hint" id="${name}-hint">${escapeHtml(hint)}</span>`}<input type="password" id="${name}" name="${name}" autocomplete="${autocomplete}"${hint === undefined ? '' : ` aria-describedby="${name}-hint"`} required></div>`
