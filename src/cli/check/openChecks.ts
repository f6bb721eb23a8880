// What can be seen of a server without signing in: addresses, PKCE, the hidden frame, CORS, cache, logout.
import { cacheFault, corsFault, exposureFault, frameFault, preflightFault } from './headers.ts'
import { fault, type Report } from '../report.ts'
import {
  type Answer,
  askByScript,
  askToken,
  beginSignIn,
  createProof,
  type Proof,
  type Server,
  silently,
  visit,
} from './server.ts'

const STRANGER = 'https://attacker.example/'

/** False: not even a sign-in begins, so that nothing more can be judged. */
export async function checkWithoutSession(report: Report, server: Server): Promise<boolean> {
  if (!(await checkSignInPage(report, server))) return false
  await checkRedirectAddresses(report, server)
  await checkPkce(report, server)
  await (server.kind === 'firm' ? checkMessageFrame(report, server) : checkRedirectFrame(report, server))
  await checkTokenEndpoint(report, server)
  await checkUserInfo(report, server)
  await checkLogout(report, server)
  return true
}

async function checkSignInPage(report: Report, server: Server): Promise<boolean> {
  await report.check('sign-in', 'A sign-in with this client and redirect URI begins', async () => {
    const answer = await beginSignIn(server)
    const refusal = errorIn(answer, server)
    if (refusal === undefined) return undefined
    return fault(
      refusal,
      `Register the client ${server.clientId}: public, without a secret, response type code, with the redirect URI ${server.redirectUri} letter for letter, and the scopes ${server.scopes.join(' ')}.`,
    )
  })
  return report.findings.at(-1)?.verdict === 'kept'
}

async function checkRedirectAddresses(report: Report, server: Server): Promise<void> {
  const cases = [
    ['redirect-foreign', 'A redirect URI of somebody else is refused', STRANGER],
    [
      'redirect-exact',
      'A redirect URI with one letter more is refused',
      `${server.redirectUri}${server.redirectUri.endsWith('/') ? '' : '/'}x`,
    ],
  ] as const
  for (const [id, promise, address] of cases) {
    await report.check(id, promise, async () => {
      const answer = await beginSignIn(server, { redirect_uri: address })
      const mend = 'Compare redirect_uri with the registered addresses as text, and show an error page.'
      if (answer.location?.href.startsWith(address) === true) return fault(`it redirects to ${address}`, mend)
      return errorIn(answer, server) === undefined
        ? fault(`the sign-in goes on with redirect_uri=${address} (status ${answer.status})`, mend)
        : undefined
    })
  }
}

async function checkPkce(report: Report, server: Server): Promise<void> {
  const begins = async (changes: Record<string, string | undefined>): Promise<boolean> =>
    errorIn(await beginSignIn(server, changes), server) === undefined
  await report.check('pkce-required', 'A sign-in without PKCE is refused', async () =>
    (await begins({ code_challenge: undefined, code_challenge_method: undefined }))
      ? fault(
          'a sign-in without code_challenge begins',
          'Require PKCE for this client (RFC 9700 §2.1.1): refuse with error=invalid_request.',
        )
      : undefined,
  )
  await report.check('pkce-plain', 'PKCE with the method plain is refused', async () =>
    (await begins({ code_challenge_method: 'plain' }))
      ? fault(
          'a sign-in with code_challenge_method=plain begins',
          'Accept S256 only: plain sends the verifier through the browser.',
        )
      : undefined,
  )
}

/** The firm's protocol: the frame is a page that posts its result. */
async function checkMessageFrame(report: Report, server: Server): Promise<void> {
  const proof = createProof()
  const asking = beginSignIn(server, silently(server), { proof, destination: 'iframe' })
  asking.catch(() => undefined)
  await report.check('frame-answer', 'The hidden frame hears login_required by message', async () => {
    const answer = await asking
    if (answer.location)
      return fault(
        `it redirects the frame to ${answer.location.origin}${answer.location.pathname}`,
        'With response_mode=web_message never redirect: return a page that posts error=login_required to the parent.',
      )
    const missing = missingFromMessage(answer.text, server, proof)
    if (missing.length === 0) return undefined
    return fault(
      `status ${answer.status}, a page without ${missing.join(', ')}`,
      'Return the page of “Authorize” in docs/serverContract.md: postMessage with type authorization_response, to the exact origin of redirect_uri.',
    )
  })
  await report.check('frame-headers', 'The app may show the sign-in’s response in a frame', async () =>
    frameFault(await asking, server.appOrigin),
  )
  await report.check('frame-cache', 'The frame’s page is not kept by any cache', async () =>
    cacheFault(await asking),
  )
}

function missingFromMessage(page: string, { appOrigin }: Server, { state }: Proof): string[] {
  const parts = ['postMessage', 'authorization_response', 'login_required', appOrigin, state]
  return parts.filter((part) => !page.includes(part) && !page.includes(part.replaceAll('/', '\\/')))
}

/** OpenID Connect: the frame comes back to the app by redirect. */
async function checkRedirectFrame(report: Report, server: Server): Promise<void> {
  const proof = createProof()
  await report.check('frame-answer', 'The hidden frame comes back with login_required', async () => {
    const answer = await beginSignIn(server, silently(server), { proof, destination: 'iframe' })
    const { location } = answer
    const returned =
      location?.href.startsWith(server.redirectUri) === true ? location.searchParams : undefined
    if (!returned)
      return fault(
        location
          ? `prompt=none leads to ${location.origin}${location.pathname}`
          : `prompt=none shows a page (status ${answer.status})`,
        'With prompt=none never show a page: redirect to redirect_uri with error=login_required (OpenID Connect Core 3.1.2.1).',
      )
    const mend = 'Send error=login_required, the state unchanged, and iss as in the metadata (RFC 9207).'
    if (returned.get('state') !== proof.state) return fault(`state=${returned.get('state')}`, mend)
    const issuer = returned.get('iss')
    if (issuer !== null && issuer !== server.issuer) return fault(`iss=${issuer}`, mend)
    return /^(?:login|interaction|consent|account_selection)_required$/.test(returned.get('error') ?? '')
      ? undefined
      : fault(`error=${returned.get('error')}`, mend)
  })
}

async function checkTokenEndpoint(report: Report, server: Server): Promise<void> {
  const { appOrigin } = server
  if (server.kind === 'firm') {
    await report.check('token-preflight', 'The token endpoint allows the app’s preflight', async () =>
      preflightFault(
        await preflight(server, server.token, 'POST', 'content-type'),
        appOrigin,
        'content-type',
      ),
    )
  }
  if (server.prover) {
    await report.check('dpop-preflight', 'The token endpoint allows the header of a proof', async () =>
      preflightFault(await preflight(server, server.token, 'POST', 'dpop'), appOrigin, 'dpop'),
    )
  }
  const asking = askToken(server, {
    grant_type: 'authorization_code',
    code: 'a-code-that-never-was',
    code_verifier: createProof().verifier,
    client_id: server.clientId,
    redirect_uri: server.redirectUri,
  })
  asking.catch(() => undefined)
  await report.check('token-cors', 'The app’s page can read the token endpoint’s response', async () =>
    corsFault(await asking, appOrigin),
  )
  await report.check('token-refusal', 'An unknown code is refused with invalid_grant', async () => {
    const { status, json, location } = await asking
    const isRefused = status === 400 && json?.['error'] === 'invalid_grant'
    const found = location
      ? `a redirect to ${location.href}`
      : `status ${status}, error ${text(json?.['error'])}`
    if (isRefused) return undefined
    const form = server.kind === 'firm' ? 'a JSON body (content-type: application/json)' : 'a form'
    return fault(
      found,
      `Take ${form} from a client without a secret, and respond 400 with JSON: { "error": "invalid_grant" }.`,
    )
  })
  const nonceAnswer = server.prover?.nonceAnswer
  if (nonceAnswer) {
    await report.check('dpop-nonce', 'The app’s page can read the nonce for its proofs', () =>
      exposureFault(nonceAnswer, 'DPoP-Nonce'),
    )
  }
}

async function checkUserInfo(report: Report, server: Server): Promise<void> {
  const { appOrigin, userInfo } = server
  if (userInfo === undefined) {
    report.skip('user-info', 'The user info can be read', 'the metadata has no userinfo_endpoint')
    return
  }
  await report.check('user-info-preflight', 'The user info allows the app’s preflight', async () =>
    preflightFault(await preflight(server, userInfo, 'GET', 'authorization'), appOrigin, 'authorization'),
  )
  await report.check('user-info', 'The user info without a token is refused, readably', async () => {
    const answer = await askByScript(server, userInfo)
    if (answer.status !== 401)
      return fault(
        `status ${answer.status} without a token`,
        'Respond 401: latchkey then renews the token and repeats the call.',
      )
    return corsFault(answer, appOrigin)
  })
}

async function checkLogout(report: Report, server: Server): Promise<void> {
  const { logout } = server
  if (logout === undefined) {
    report.skip(
      'logout',
      'Logout ends the server’s session too',
      'the metadata has no end_session_endpoint: a logout ends the session in the app alone',
    )
    return
  }
  await report.check('logout', 'The logout address takes the registered address', async () => {
    const answer = await visit(server, logoutAddress(server, server.redirectUri))
    return answer.status < 400
      ? undefined
      : fault(
          `status ${answer.status}`,
          `Respond to GET ${new URL(logout).pathname}, and register ${server.redirectUri} as an address after logout.`,
        )
  })
  await report.check('logout-foreign', 'Logout does not lead to an address of somebody else', async () => {
    const { location } = await visit(server, logoutAddress(server, STRANGER))
    return location?.href.startsWith(STRANGER) === true
      ? fault(
          `it redirects to ${STRANGER}`,
          'Compare post_logout_redirect_uri with the registered addresses as text.',
        )
      : undefined
  })
}

export function logoutAddress(
  server: Server,
  returnAddress: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const address = new URL(server.logout ?? '')
  const parameters = {
    client_id: server.clientId,
    ...(server.kind === 'firm' && { force: 'true' }),
    post_logout_redirect_uri: returnAddress,
    state: createProof().state,
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

const preflight = (server: Server, address: string, method: string, header: string): Promise<Answer> =>
  askByScript(server, address, {
    method: 'OPTIONS',
    headers: {
      accept: '*/*',
      'access-control-request-method': method,
      'access-control-request-headers': header,
    },
  })

/** How a sign-in was refused; undefined when it continues. */
function errorIn({ status, location }: Answer, server: Server): string | undefined {
  if (status >= 400) return `status ${status}`
  // Back at the app, or on an error page of the server's own.
  const isOwnPage = location?.origin === new URL(server.authorize).origin
  if (!location || !(isOwnPage || location.href.startsWith(server.redirectUri))) return undefined
  const error = location.searchParams.get('error')
  return error === null
    ? undefined
    : `error=${error}: ${location.searchParams.get('error_description') ?? ''}`
}

const text = (value: unknown): string => (typeof value === 'string' ? value : 'absent')
