// GET /oauth/logout: ends the server's session, at once or after one click, and goes back to a registered address only.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerContext } from './context.ts'
import { readForm, redirect } from './http.ts'
import { escapeHtml, sendErrorPage, sendPage } from './page.ts'
import { forgetSessionCookie, readSession } from './session.ts'

interface LogoutRequest {
  clientId: string
  /** Where to go afterwards, state included; undefined shows a page instead. */
  returnTo: string | undefined
}

export interface Logout {
  show(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  submit(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
}

export function createLogout(server: ServerContext, partnerOrigins: () => readonly string[]): Logout {
  const finish = async (request: IncomingMessage, response: ServerResponse, { returnTo }: LogoutRequest) => {
    const current = await readSession(server, request, response)
    await current?.session.destroy()
    forgetSessionCookie(server, response)
    if (returnTo !== undefined) redirect(response, returnTo)
    else
      sendPage(response, {
        title: 'Signed out',
        body: '<h1>You are signed out</h1><p>You can close this page.</p>',
      })
  }

  return {
    async show(request, response, url) {
      const wanted = checkRequest(server, partnerOrigins(), response, url)
      if (!wanted) return
      const current = await readSession(server, request, response)
      if (url.searchParams.get('force') === 'true' || !current) {
        await finish(request, response, wanted)
        return
      }
      const name = server.accounts.person(current.identity.userId)?.name ?? 'this person'
      sendPage(response, {
        title: 'Sign out',
        formTargets: [...server.clients.appSources(), ...partnerOrigins()],
        body: `<h1>Sign out ${escapeHtml(name)}?</h1>
<p class="soft">This ends the session in every app of this browser that uses it.</p>
<form method="post"><input type="hidden" name="key" value="${server.formKeys.keyFor(current.session.uid)}">
<div class="actions"><button class="primary" type="submit" name="answer" value="yes">Sign out</button><button type="submit" name="answer" value="no">Stay signed in</button></div></form>`,
      })
    },
    async submit(request, response, url) {
      const wanted = checkRequest(server, partnerOrigins(), response, url)
      if (!wanted) return
      const form = await readForm(request)
      const current = await readSession(server, request, response)
      if (current && !server.formKeys.isKeyFor(current.session.uid, form.get('key'))) {
        sendErrorPage(response, 400, 'Nothing was changed', 'This form is not from your own session.')
        return
      }
      if (form.get('answer') === 'yes') await finish(request, response, wanted)
      else if (wanted.returnTo !== undefined) redirect(response, wanted.returnTo)
      else sendPage(response, { title: 'Still signed in', body: '<h1>You are still signed in</h1>' })
    },
  }
}

function checkRequest(
  server: ServerContext,
  partnerOrigins: readonly string[],
  response: ServerResponse,
  { searchParams }: URL,
): LogoutRequest | undefined {
  const clientId = searchParams.get('client_id') ?? ''
  const client = server.clients.find(clientId)
  const wanted = searchParams.get('post_logout_redirect_uri')
  if (!client) {
    sendErrorPage(
      response,
      400,
      'Nothing was changed',
      'The app that asked to sign you out is not registered here.',
    )
    return undefined
  }
  if (wanted === null) return { clientId, returnTo: undefined }
  const isRegistered =
    client.postLogoutRedirectUris.includes(wanted) ||
    server.clients.isLoopbackApp(wanted) ||
    isPassthroughOf(partnerOrigins, wanted)
  if (!isRegistered) {
    sendErrorPage(response, 400, 'Nothing was changed', 'The address to go back to is not registered.')
    return undefined
  }
  const returnTo = new URL(wanted)
  const state = searchParams.get('state')
  if (state !== null) returnTo.searchParams.set('state', state)
  return { clientId, returnTo: returnTo.href }
}

/** Another environment's passthrough is a registered address too; it checks for itself where it leads. */
function isPassthroughOf(partnerOrigins: readonly string[], address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null &&
    partnerOrigins.includes(url.origin) &&
    url.pathname === '/oauth/passthrough' &&
    !url.username
  )
}
