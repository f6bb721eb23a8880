// GET /oauth/authorize: turns the contract's request into a standard one, and answers hidden frames by web_message.
import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { KoaContextWithOIDC as Context } from 'oidc-provider'
import { asksToConfirm } from './confirmation.ts'
import type { Call, ServerContext } from './context.ts'
import type { Faults } from './faults.ts'
import { contentSecurityPolicy, errorPage, scriptJson, showPage } from './page.ts'

/** What a request without any scope is taken to ask for. */
const DEFAULT_SCOPE = 'staff'

/** The standard form of an authorize address: scopes by spaces, a plain challenge (when allowed) as S256. */
export function standardAuthorizeSearch(
  search: URLSearchParams,
  allowPlainChallenge: boolean,
): URLSearchParams {
  const standard = new URLSearchParams(search)
  // A parameter given twice is left alone: the provider refuses it, and so it should.
  if (search.getAll('scope').length <= 1) {
    standard.set('scope', (search.get('scope') ?? '').replaceAll(',', ' ').trim() || DEFAULT_SCOPE)
  }
  const challenge = search.get('code_challenge')
  if (allowPlainChallenge && search.get('code_challenge_method') === 'plain' && challenge !== null) {
    // The provider knows S256 only. Hashing the plain challenge here accepts exactly the verifier that equals it.
    standard.set('code_challenge', createHash('sha256').update(challenge).digest('base64url'))
    standard.set('code_challenge_method', 'S256')
  }
  // The provider takes acr_values for a wish.
  if (asksToConfirm(search.get('acr_values')) && search.get('prompt') !== 'none')
    standard.set('prompt', 'login')
  return standard
}

export function handleAuthorize(call: Call): Promise<void> {
  const { server, request, url } = call
  request.url = `${url.pathname}?${standardAuthorizeSearch(url.searchParams, server.faults.allowPlainChallenge)}`
  return forwardToProvider(call)
}

/** Hands a request to oidc-provider, with the safety headers its own pages need. */
export function forwardToProvider({
  server: { provider, faults, clients, origin },
  request,
  response,
}: Omit<Call, 'url'>): Promise<void> {
  if (request.url !== '/oauth/token') {
    const formTargets = ["'self'", ...clients.appSources()].join(' ')
    response.setHeader(
      'content-security-policy',
      `default-src 'none';script-src;form-action ${formTargets};frame-ancestors 'none';base-uri 'none'`,
    )
    if (faults.refuseFraming === 'x-frame-options') response.setHeader('x-frame-options', 'DENY')
    distortRedirects(response, faults, origin)
  }
  return provider.callback()(request, response)
}

/** The response mode of the hidden frame: a page whose script posts the answer to the app's origin and nobody else. */
export function answerByWebMessage(
  server: Pick<ServerContext, 'clients' | 'faults'>,
  context: Context,
  redirectUri: string,
  answer: Record<string, unknown>,
): void {
  const { faults, clients } = server
  const target = URL.parse(redirectUri)?.origin ?? ''
  if (!clients.isAppOrigin(target)) {
    showPage(
      context,
      errorPage(400, 'This sign-in cannot go on', 'The address of the app is not registered.'),
    )
    return
  }
  const nonce = randomBytes(16).toString('base64')
  const message = { type: 'authorization_response', response: distorted(answer, faults) }
  const script = faults.dropWebMessage
    ? ''
    : `(window.parent === window ? window.opener : window.parent)?.postMessage(${scriptJson(message)}, ${scriptJson(target)})`
  // A browser that is told frame-ancestors does not look at X-Frame-Options any more.
  const frameAncestors = { no: clients.appSources(), csp: [], 'x-frame-options': 'unsaid' as const }[
    faults.refuseFraming
  ]
  context.res.setHeader('content-type', 'text/html; charset=utf-8')
  context.res.setHeader('content-security-policy', contentSecurityPolicy(nonce, { frameAncestors }))
  context.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Answer</title><script nonce="${nonce}">${script}</script></html>`
}

function distorted<Answer extends Record<string, unknown>>(answer: Answer, faults: Faults): Answer {
  const changed: Record<string, unknown> = { ...answer }
  if (faults.wrongState && changed['state'] !== undefined) changed['state'] = 'AAAAAA'
  if (faults.wrongIssuer) changed['iss'] = 'https://another-issuer.example'
  return changed as Answer
}

function distortRedirects(response: ServerResponse, faults: Faults, ownOrigin: string): void {
  if (!faults.wrongState && !faults.wrongIssuer) return
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => {
    const target =
      name.toLowerCase() === 'location' && typeof value === 'string' ? URL.parse(value, ownOrigin) : null
    if (target === null || target.origin === ownOrigin) return setHeader(name, value)
    target.search = new URLSearchParams(distorted(Object.fromEntries(target.searchParams), faults)).toString()
    return setHeader(name, target.href)
  }
}
