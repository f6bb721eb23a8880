// GET and POST /oauth/logout: ends the server's session, at once or after one click, and goes back to a registered address only.
import type { Call } from './context.ts'
import { readForm, redirect } from './http.ts'
import { clientIdOf } from './close.ts'
import { escapeHtml, sendErrorPage, sendPage, SIGNED_OUT } from './page.ts'
import { forgetSessionCookie, readSession } from './session.ts'

export async function showLogout(call: Call): Promise<void> {
  const { server, response, url } = call
  const returnTo = checkedReturn(call)
  if (returnTo === undefined) return
  const current = await readSession(call)
  if (url.searchParams.get('force') === 'true' || !current) return finish(call, returnTo)
  const name = server.accounts.person(current.identity.userId)?.name ?? 'this person'
  sendPage(response, {
    title: 'Sign out',
    formTargets: [...server.clients.appSources(), ...server.partners],
    body: `<h1>Sign out ${escapeHtml(name)}?</h1>
<p class="soft">This ends the session in every app of this browser that uses it.</p>
<form method="post"><input type="hidden" name="key" value="${server.formKey(current.session.uid)}">
<div class="actions"><button class="primary" type="submit" name="answer" value="yes">Sign out</button><button type="submit" name="answer" value="no">Stay signed in</button></div></form>`,
  })
}

export async function submitLogout(call: Call): Promise<void> {
  const { server, request, response } = call
  const returnTo = checkedReturn(call)
  if (returnTo === undefined) return
  const form = await readForm(request)
  const current = await readSession(call)
  if (current && server.formKey(current.session.uid) !== form.get('key'))
    return refuse(call, 'This form is not from your own session.')
  if (form.get('answer') === 'yes') return finish(call, returnTo)
  if (returnTo !== '') redirect(response, returnTo)
  else sendPage(response, { title: 'Still signed in', body: '<h1>You are still signed in</h1>' })
}

async function finish(call: Call, returnTo: string): Promise<void> {
  const current = await readSession(call)
  await current?.session.destroy()
  forgetSessionCookie(call)
  if (returnTo !== '') redirect(call.response, returnTo)
  else sendPage(call.response, SIGNED_OUT)
}

const refuse = ({ response }: Call, text: string): void =>
  sendErrorPage(response, 400, 'Nothing was changed', text)

/** Where to go afterwards, state included; '' shows a page instead. Undefined: it was refused. */
function checkedReturn(call: Call): string | undefined {
  const { clients, partners } = call.server
  const { searchParams } = call.url
  const client = clients.find(clientIdOf(call))
  const wanted = searchParams.get('post_logout_redirect_uri')
  if (!client) {
    refuse(call, 'The app that asked to sign you out is not registered here.')
    return undefined
  }
  if (wanted === null) return ''
  const isRegistered =
    client.redirectUris.includes(wanted) || clients.isLoopbackApp(wanted) || isPassthroughOf(partners, wanted)
  if (!isRegistered) {
    refuse(call, 'The address to go back to is not registered.')
    return undefined
  }
  const returnTo = new URL(wanted)
  const state = searchParams.get('state')
  if (state !== null) returnTo.searchParams.set('state', state)
  return returnTo.href
}

/** Another environment's passthrough is a registered address too; it checks for itself where it leads. */
function isPassthroughOf(partners: ReadonlySet<string>, address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null && partners.has(url.origin) && url.pathname === '/oauth/passthrough' && url.username === ''
  )
}
