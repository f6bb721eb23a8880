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
  statusOf,
  visit,
  wordsOf,
} from './server.ts'

const STRANGER = 'https://attacker.example/'

const AFTER_LOGIN = 'the server judges a request only after its sign-in page'
const WITH_SIGN_IN = `${AFTER_LOGIN}: add --sign-in`

/** The server as its sign-ins begin; `undefined`: none begins, so that nothing more can be judged. */
export async function checkWithoutSession(report: Report, given: Server): Promise<Server | undefined> {
  const { server, isJudgedLater } = await checkSignInPage(report, given)
  if (report.findings.some(({ id, verdict }) => id === 'sign-in' && verdict === 'broken')) return undefined
  await checkRedirectAddresses(report, server, isJudgedLater)
  await checkPkce(report, server, isJudgedLater)
  await (server.kind === 'firm' ? checkMessageFrame(report, server) : checkRedirectFrame(report, server))
  await checkTokenEndpoint(report, server)
  await checkUserInfo(report, server)
  await checkLogout(report, server)
  return server
}

/** A server that lets a client begin which cannot exist judges nothing before its sign-in page. */
async function checkSignInPage(
  report: Report,
  given: Server,
): Promise<{ server: Server; isJudgedLater: boolean }> {
  let server = given
  let isJudgedLater = false
  const begins = async (on: Server, changes = {}) => errorIn(await beginSignIn(on, changes)) === undefined
  await report.check('sign-in', 'A sign-in with this client and redirect URI begins', async () => {
    isJudgedLater = await begins(server, { client_id: `nobody-${createProof(server).state}` })
    const refusal = errorIn(await beginSignIn(server))
    if (refusal === undefined) return isJudgedLater ? WITH_SIGN_IN : undefined
    const pushed = { ...server, push: server.pushEndpoint }
    if (pushed.push !== server.push && (await begins(pushed))) {
      server = pushed
      return undefined
    }
    return fault(
      refusal,
      `Register the client ${server.clientId}: public, without a secret, response type code, with the redirect URI ${server.redirectUri} letter for letter, and the scopes ${server.scopes.join(' ')}.`,
    )
  })
  if (server !== given)
    await report.check(
      'pushed',
      "This client must push its sign-ins (PAR): set pushedRequests: 'required' in openIdConnect",
      () => undefined,
    )
  return { server, isJudgedLater }
}

async function checkRedirectAddresses(report: Report, server: Server, isJudgedLater: boolean): Promise<void> {
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
      if (isJudgedLater) return AFTER_LOGIN
      return errorIn(answer) === undefined
        ? fault(`the sign-in goes on with redirect_uri=${address} (status ${answer.status})`, mend)
        : undefined
    })
  }
}

export const PKCE_CHECKS = [
  {
    id: 'pkce-required',
    promise: 'A sign-in without PKCE is refused',
    changes: { code_challenge: undefined, code_challenge_method: undefined },
    wrong: fault(
      'a sign-in without code_challenge brings a code',
      'Require PKCE for this client (RFC 9700 §2.1.1): refuse with error=invalid_request.',
    ),
  },
  {
    id: 'pkce-plain',
    promise: 'PKCE with the method plain is refused',
    changes: { code_challenge_method: 'plain' },
    wrong: fault(
      'a sign-in with code_challenge_method=plain brings a code',
      'Accept S256 only: plain sends the verifier through the browser.',
    ),
  },
]

/** Some servers look at PKCE after the sign-in page only. Then a session shows it. */
async function checkPkce(report: Report, server: Server, isJudgedLater: boolean): Promise<void> {
  for (const { id, promise, changes } of PKCE_CHECKS)
    await report.check(id, promise, async () =>
      !isJudgedLater && errorIn(await beginSignIn(server, changes)) !== undefined
        ? undefined
        : 'the server may look at PKCE after its sign-in page: add --sign-in',
    )
}

/** The firm's protocol: the frame is a page that posts its result. */
async function checkMessageFrame(report: Report, server: Server): Promise<void> {
  const proof = createProof(server)
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
  const proof = createProof(server)
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
    if (issuer === null ? server.isNamed : issuer !== server.issuer)
      return fault(`error=${returned.get('error')}, iss=${issuer ?? ' is missing'}`, mend)
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
    code_verifier: createProof(server).verifier,
    client_id: server.clientId,
    redirect_uri: server.redirectUri,
  })
  asking.catch(() => undefined)
  await report.check('token-cors', 'The app’s page can read the token endpoint’s response', async () =>
    corsFault(await asking, appOrigin),
  )
  await report.check('token-refusal', 'An unknown code is refused with invalid_grant', async () => {
    const answer = await asking
    const { status, json, location } = answer
    if (status === 400 && json?.['error'] === 'invalid_grant') return undefined
    const found = location ? `a redirect to ${location.href}` : statusOf(answer)
    if (isProofMissing(server, answer)) return fault(found, SET_DPOP)
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
  if (userInfo !== undefined)
    await report.check('user-info-preflight', 'The user info allows the app’s preflight', async () =>
      preflightFault(await preflight(server, userInfo, 'GET', 'authorization'), appOrigin, 'authorization'),
    )
  await report.check('user-info', 'The user info without a token is refused, readably', async () => {
    if (userInfo === undefined) return 'the metadata has no userinfo_endpoint'
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
  let isHintNeeded = false
  await report.check('logout', 'The logout address takes the registered address', async () => {
    if (logout === undefined)
      return 'the metadata has no end_session_endpoint: a logout ends the session in the app alone'
    const answer = await visit(server, logoutAddress(server, server.redirectUri))
    const refusal = errorIn(answer)
    if (server.kind === 'oidc' && refusal !== undefined && answer.status <= 400) {
      isHintNeeded = true
      return `${refusal}: it may want the ID token of a session: add --sign-in`
    }
    return refusal === undefined
      ? undefined
      : fault(
          refusal,
          `Respond to GET ${new URL(logout).pathname}, and register ${server.redirectUri} as an address after logout.`,
        )
  })
  if (logout === undefined) return
  await report.check('logout-foreign', 'Logout does not lead to an address of somebody else', async () => {
    const { location } = await visit(server, logoutAddress(server, STRANGER))
    if (location?.href.startsWith(STRANGER) === true)
      return fault(
        `it redirects to ${STRANGER}`,
        'Compare post_logout_redirect_uri with the registered addresses as text.',
      )
    return isHintNeeded ? 'it wants the ID token of a session' : undefined
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
    state: createProof(server).state,
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

/** How a request was refused, on a page or by a redirect to any page; undefined when it continues. */
function errorIn(answer: Answer): string | undefined {
  if (answer.status >= 400) return statusOf(answer)
  const [error, why] = ['error', 'error_description'].map((name) => answer.location?.searchParams.get(name))
  return error ? `error=${error}${why ? `: ${why}` : ''}` : undefined
}

/** Whether the refusal names DPoP, and the check has sent no proof. */
export const isProofMissing = ({ prover }: Server, answer: Answer): boolean =>
  !prover && /dpop/i.test(wordsOf(answer))
export const SET_DPOP = "It requires DPoP: set dpop: 'required' in openIdConnect, and check with --dpop."
