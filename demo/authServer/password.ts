// Changes a password at /oauth/changepassword: a form in a popup or in place of the app, for the person of the server session.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finishPopup, openerOrigin, popupErrorPage } from './close.ts'
import type { ServerContext } from './context.ts'
import { readForm } from './http.ts'
import { escapeHtml, sendPage } from './page.ts'
import { readSession, type SignedIn } from './session.ts'

const SHORTEST_PASSWORD = 8

export async function showChangePassword(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  const clientId = searchParams.get('client_id') ?? ''
  const opener = openerOrigin(server, request)
  const current = await signedIn(server, request, response, clientId, opener)
  if (current) showForm(server, response, current, opener ?? '')
}

export async function submitChangePassword(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  const clientId = searchParams.get('client_id') ?? ''
  const form = await readForm(request)
  const named = form.get('opener') ?? ''
  const opener = server.clients.isAppOrigin(named) ? named : undefined
  const current = await signedIn(server, request, response, clientId, opener)
  if (!current) return
  const fault = server.formKeys.isKeyFor(current.session.uid, form.get('key'))
    ? changeFault(server, current.identity.userId, form)
    : 'This form is too old. Please try again.'
  if (fault !== undefined) {
    showForm(server, response, current, opener ?? '', fault)
    return
  }
  server.accounts.passwords.change(current.identity.userId, form.get('next') ?? '')
  finishPopup(server, response, clientId, opener)
}

function changeFault({ accounts }: ServerContext, userId: string, form: URLSearchParams): string | undefined {
  const next = form.get('next') ?? ''
  if (!accounts.passwords.isRight(userId, form.get('current') ?? ''))
    return 'The current password is not right.'
  if (next.length < SHORTEST_PASSWORD)
    return `The new password needs at least ${SHORTEST_PASSWORD} characters.`
  return next === form.get('repeat') ? undefined : 'The two new passwords are not the same.'
}

async function signedIn(
  server: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  clientId: string,
  opener: string | undefined,
): Promise<SignedIn | undefined> {
  const current = await readSession(server, request, response)
  const isClient = server.clients.find(clientId) !== undefined
  if (current && isClient) return current
  const refusal = isClient
    ? {
        status: 401,
        title: 'You are not signed in',
        text: 'Sign in to the app first, then change your password.',
      }
    : { status: 400, title: 'Unknown app', text: 'The app that opened this page is not registered here.' }
  sendPage(response, popupErrorPage(server, { ...refusal, clientId, opener }))
  return undefined
}

function showForm(
  server: ServerContext,
  response: ServerResponse,
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
<form method="post"><input type="hidden" name="key" value="${server.formKeys.keyFor(session.uid)}"><input type="hidden" name="opener" value="${escapeHtml(opener)}">
${field('current', 'Current password', 'current-password', 'In this demo: demo-password')}
${field('next', 'New password', 'new-password', `At least ${SHORTEST_PASSWORD} characters`)}
${field('repeat', 'New password again', 'new-password')}
<div class="actions"><button class="primary" type="submit">Change password</button></div></form>`,
  })
}

const field = (name: string, label: string, autocomplete: string, hint?: string): string =>
  `<div class="field"><label for="${name}">${escapeHtml(label)}</label>${hint === undefined ? '' : `<span class="hint" id="${name}-hint">${escapeHtml(hint)}</span>`}<input type="password" id="${name}" name="${name}" autocomplete="${autocomplete}"${hint === undefined ? '' : ` aria-describedby="${name}-hint"`} required></div>`
