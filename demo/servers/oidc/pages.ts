// The pages of the OpenID Connect provider in the demo's look: sign-in with any name, consent, sign-out, errors.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Configuration, KoaContextWithOIDC as Context, Provider } from 'oidc-provider'
import { readForm } from '../../authServer/http.ts'
import {
  errorPage,
  escapeHtml,
  type PageOptions,
  sendErrorPage,
  sendPage,
  showPage,
  SIGNED_OUT,
} from '../../authServer/page.ts'

const PATH = /^\/interaction\/([\w-]+)(\/abort)?$/

/** What an app asks for, as people say it; the others by their names. */
const SCOPES: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  profile: 'Read your name',
  email: 'Read your email address',
  offline_access: 'Stay signed in while you are away',
}

/** The members of the provider's configuration that are about pages. */
export const pageOptions: Configuration = {
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  renderError(context, out) {
    const text = out.error_description ?? 'The request could not be understood.'
    show(context, errorPage(context.status, 'This cannot go on', `${out.error}: ${text}`))
  },
}

export const logoutPages = {
  logoutSource: (context: Context, form: string) =>
    show(context, {
      title: 'Sign out',
      body: `<h1>Sign out here, too?</h1><p class="soft">The app has ended its session. This server still knows you: stay, and the next sign-in asks for no name.</p>${form}<div class="actions"><button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Yes, sign me out</button><button type="submit" form="op.logoutForm">No, stay signed in</button></div>`,
      formTargets: 'any',
    }),
  postLogoutSuccessSource: (context: Context) => show(context, SIGNED_OUT),
}

/** Shows the page that the provider waits for, or takes its form; false: the request is for the provider itself. */
export async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [, uid, abort] = PATH.exec(request.url?.split('?')[0] ?? '') ?? []
  if (uid === undefined) return false
  try {
    if (abort !== undefined) {
      const refusal = { error: 'access_denied', error_description: 'The user turned back' }
      await provider.interactionFinished(request, response, refusal)
    } else if (request.method === 'POST') await submit(provider, request, response)
    else await ask(provider, uid, request, response)
  } catch {
    // The page was open for too long, or its form has been sent before.
    sendErrorPage(response, 400, 'This page has expired', 'Go back to the app, and sign in again.')
  }
  return true
}

async function ask(provider: Provider, uid: string, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  const cancel = `<a class="button" href="/interaction/${uid}/abort">Cancel</a>`
  const read = (name: string) => (typeof params[name] === 'string' ? params[name] : '')
  const hint = read('login_hint')
  const scopes = read('scope').split(' ')
  const [title, fields, button] =
    prompt.name === 'login'
      ? ([
          'Who is signing in?',
          `<p class="soft">Any name signs in here, with any password.</p><label class="field">Name<input name="login" required autocomplete="off" value="${escapeHtml(hint)}"${hint === '' ? ' autofocus' : ''}></label><label class="field">Password<input type="password" name="password" required autocomplete="off"${hint === '' ? '' : ' autofocus'}></label>`,
          'Sign in',
        ] as const)
      : ([
          'May this app go on?',
          `<p class="soft">${escapeHtml(read('client_id'))} asks for the consent of <strong>${escapeHtml(session?.accountId ?? '')}</strong>:</p><ul>${scopes.map((scope) => `<li>${escapeHtml(SCOPES[scope] ?? scope)}</li>`).join('')}</ul>`,
          'Continue',
        ] as const)
  sendPage(response, {
    title,
    body: `<h1>${title}</h1><form method="post" action="/interaction/${uid}"><input type="hidden" name="prompt" value="${escapeHtml(prompt.name)}">${fields}<div class="actions"><button class="primary" type="submit">${button}</button>${cancel}</div></form>`,
    // The app's address may send the browser on to another origin, and Chromium holds form-action against each step of the way.
    formTargets: 'any',
    frameAncestors: 'unsaid',
    headers: { 'cache-control': 'no-store' },
  })
}

async function submit(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const form = await readForm(request)
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
  if (form.get('prompt') !== prompt.name) throw new Error('the form of another page')
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, {
      login: { accountId: form.get('login') ?? '' },
    })

  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[]
    missingOIDCClaims?: string[]
    missingResourceScopes?: Record<string, string[]>
  }
  const of = { accountId: session?.accountId ?? '', clientId: String(params['client_id']) }
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ?? new provider.Grant(of)
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims)
  for (const [api, scopes] of Object.entries(missingResourceScopes ?? {}))
    grant.addResourceScope(api, scopes.join(' '))
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

const show = (context: Context, page: PageOptions): void =>
  showPage(context, { frameAncestors: 'unsaid', ...page })
