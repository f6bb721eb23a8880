// Checks that need no session: addresses, PKCE, the hidden frame, CORS, cache, logout.
import { cacheFault, corsFault, exposureFault, frameFault, preflightFault } from './headers.ts'
import { type Check, type Checks, fault, type Found, note, type Report, unchecked } from '../report.ts'
import {
  appOriginOf,
  ask,
  askToken,
  beginSignIn,
  createProof,
  errorIn,
  exchangeBody,
  isProofMissing,
  logoutAddress,
  type Server,
  SET_DPOP,
  statusOf,
} from './server.ts'

const STRANGER = 'https://attacker.example/'

const AFTER_LOGIN = 'the server judges a request only after its sign-in page'

/** The server as its sign-ins begin; `undefined`: none begins, so nothing more can be checked. */
export async function checkWithoutSession(report: Report, given: Server): Promise<Server | undefined> {
  let server = given
  let isCheckedLater = false
  const begins = async (on: Server, changes = {}) => errorIn(await beginSignIn(on, changes)) === undefined
  const signIn: Check<Server> = {
    promise: 'A sign-in with this client and redirect URI begins',
    fix: ({ clientId, redirectUri, scopes }) =>
      `Register the client ${clientId}: public, without a secret, response type code, with the redirect URI ${redirectUri} letter for letter, and the scopes ${scopes.join(' ')}.`,
    async find() {
      isCheckedLater = await begins(given, { client_id: `nobody-${createProof(given).state}` })
      const refusal = errorIn(await beginSignIn(given))
      if (refusal === undefined)
        return isCheckedLater ? unchecked(`${AFTER_LOGIN}: add --sign-in`) : undefined
      const pushing = { ...given, push: given.pushEndpoint }
      if (pushing.push === given.push || !(await begins(pushing))) return refusal
      server = pushing
      return undefined
    },
  }
  await report.check(given, { 'sign-in': signIn })
  if (report.verdictOf('sign-in') === 'broken') return undefined
  await report.check(askMore(report, server, server !== given, isCheckedLater), OPEN_CHECKS)
  return server
}

/** A server whose sign-ins begin, and its responses that more than one check reads. */
type Begun = ReturnType<typeof askMore>

/**
 * @param isPushing the server takes pushed requests only, although the metadata do not say so
 * @param isCheckedLater the server starts a sign-in for a client that cannot exist, so it checks nothing before its sign-in page
 */
function askMore(report: Report, server: Server, isPushing: boolean, isCheckedLater: boolean) {
  const frame = askInFrame(server)
  const refusal = askToken(server, exchangeBody(server, createProof(server), 'a-code-that-never-was'))
  for (const asked of [frame, refusal]) asked.catch(() => undefined)
  return { report, server, isPushing, isCheckedLater, frame, refusal }
}

async function askInFrame(server: Server) {
  const proof = createProof(server)
  const silently = { prompt: 'none', ...(server.kind === 'firm' && { response_mode: 'web_message' }) }
  return { proof, answer: await beginSignIn(server, silently, { proof, asker: 'iframe' }) }
}

const isFirm = ({ server }: Begun) => server.kind === 'firm'
type Framed = Awaited<Begun['frame']>

const EXACT_ADDRESS = 'Compare redirect_uri with the registered addresses as text, and show an error page.'

async function foreignRedirect({ server, isCheckedLater }: Begun, address: string): Promise<Found> {
  const answer = await beginSignIn(server, { redirect_uri: address })
  if (answer.location?.href.startsWith(address) === true) return `it redirects to ${address}`
  if (isCheckedLater) return unchecked(AFTER_LOGIN)
  return errorIn(answer) === undefined
    ? `the sign-in goes on with redirect_uri=${address} (status ${answer.status})`
    : undefined
}

/** Sign-ins that a server must refuse, each by the parameters that it changes. */
export const PKCE_CHECKS = {
  'pkce-required': {
    promise: 'A sign-in without PKCE is refused',
    fix: 'Require PKCE for this client (RFC 9700 §2.1.1): refuse with error=invalid_request.',
    changes: { code_challenge: undefined, code_challenge_method: undefined },
    wrong: 'a sign-in without code_challenge brings a code',
  },
  'pkce-plain': {
    promise: 'PKCE with the method plain is refused',
    fix: 'Accept S256 only: plain sends the verifier through the browser.',
    changes: { code_challenge_method: 'plain' },
    wrong: 'a sign-in with code_challenge_method=plain brings a code',
  },
}

/** Some servers look at PKCE after the sign-in page only. Then a session shows it. */
const pkceBeforeSignIn = ({
  promise,
  changes,
}: (typeof PKCE_CHECKS)[keyof typeof PKCE_CHECKS]): Check<Begun> => ({
  promise,
  find: async ({ server, isCheckedLater }) =>
    !isCheckedLater && errorIn(await beginSignIn(server, changes)) !== undefined
      ? undefined
      : unchecked('the server may look at PKCE after its sign-in page: add --sign-in'),
})

const preflight = (server: Server, address: string, method: string, header: string): Promise<Found> =>
  ask(server, address, {
    method: 'OPTIONS',
    headers: {
      accept: '*/*',
      'access-control-request-method': method,
      'access-control-request-headers': header,
    },
  }).then((answer) => preflightFault(answer, appOriginOf(server), header))

const FRAME_ANSWERS = {
  firm: 'With response_mode=web_message never redirect: return the page of “Authorize” in docs/serverContract.md, which posts error=login_required to the exact origin of redirect_uri.',
  oidc: 'With prompt=none never show a page: redirect to redirect_uri with error=login_required (OpenID Connect Core 3.1.2.1), the state unchanged, and iss as in the metadata (RFC 9207).',
}

/** The firm's protocol: the frame is a page that posts its result. */
function messageFault({ server }: Begun, { proof, answer: { location, status, text } }: Framed): Found {
  if (location) return `it redirects the frame to ${location.origin}${location.pathname}`
  const page = text.replaceAll('\\/', '/')
  const parts = ['postMessage', 'authorization_response', 'login_required', appOriginOf(server), proof.state]
  const missing = parts.filter((part) => !page.includes(part))
  return missing.length > 0 ? `status ${status}, a page without ${missing.join(', ')}` : undefined
}

/** OpenID Connect: the frame comes back to the app by redirect. */
function redirectFault({ server }: Begun, { proof, answer: { location, status } }: Framed): Found {
  if (!location) return `prompt=none shows a page (status ${status})`
  if (!location.href.startsWith(server.redirectUri))
    return `prompt=none leads to ${location.origin}${location.pathname}`
  const [state, issuer, error] = ['state', 'iss', 'error'].map((name) => location.searchParams.get(name))
  if (state !== proof.state) return `state=${state}`
  if (issuer === null ? server.isNamed : issuer !== server.issuer)
    return `error=${error}, iss=${issuer ?? ' is missing'}`
  const isRight = /^(?:login|interaction|consent|account_selection)_required$/.test(error ?? '')
  return isRight ? undefined : `error=${error}`
}

const OPEN_CHECKS: Checks<Begun> = {
  pushed: {
    promise: 'The metadata say that sign-ins must be pushed (PAR)',
    concerns: ({ isPushing }) => isPushing,
    find: () => note('this client must push them', "Set pushedRequests: 'required' in openIdConnect."),
  },
  'redirect-foreign': {
    promise: 'A redirect URI of somebody else is refused',
    fix: EXACT_ADDRESS,
    find: (begun) => foreignRedirect(begun, STRANGER),
  },
  'redirect-exact': {
    promise: 'A redirect URI with one letter more is refused',
    fix: EXACT_ADDRESS,
    find: (begun) => foreignRedirect(begun, `${begun.server.redirectUri.replace(/\/$/, '')}/x`),
  },
  'pkce-required': pkceBeforeSignIn(PKCE_CHECKS['pkce-required']),
  'pkce-plain': pkceBeforeSignIn(PKCE_CHECKS['pkce-plain']),
  'frame-answer': {
    promise: 'The hidden frame receives login_required',
    fix: ({ server }) => FRAME_ANSWERS[server.kind],
    find: async (begun) => (isFirm(begun) ? messageFault : redirectFault)(begun, await begun.frame),
  },
  'frame-headers': {
    promise: 'The app may show the sign-in’s response in a frame',
    concerns: isFirm,
    find: async ({ server, frame }) => frameFault((await frame).answer, appOriginOf(server)),
  },
  'frame-cache': {
    promise: 'The frame’s page is not kept by any cache',
    concerns: isFirm,
    find: async ({ frame }) => cacheFault((await frame).answer),
  },
  'token-preflight': {
    promise: 'The token endpoint allows the app’s preflight',
    concerns: isFirm,
    find: ({ server }) => preflight(server, server.token, 'POST', 'content-type'),
  },
  'dpop-preflight': {
    promise: 'The token endpoint allows the header of a proof',
    concerns: ({ server }) => server.prover !== undefined,
    find: ({ server }) => preflight(server, server.token, 'POST', 'dpop'),
  },
  'token-cors': {
    promise: 'The app’s page can read the token endpoint’s response',
    find: async ({ server, refusal }) => corsFault(await refusal, appOriginOf(server)),
  },
  'token-refusal': {
    promise: 'An unknown code is refused with invalid_grant',
    fix: ({ server }) =>
      `Take ${server.kind === 'firm' ? 'a JSON body (content-type: application/json)' : 'a form'} from a client without a secret, and respond 400 with JSON: { "error": "invalid_grant" }.`,
    async find({ server, refusal }) {
      const answer = await refusal
      const { status, json, location } = answer
      if (status === 400 && json?.['error'] === 'invalid_grant') return undefined
      const found = location ? `a redirect to ${location.href}` : statusOf(answer)
      return isProofMissing(server, answer) ? fault(found, SET_DPOP) : found
    },
  },
  'dpop-nonce': {
    promise: 'The app’s page can read the nonce for its proofs',
    concerns: ({ server }) => server.prover?.nonceAnswer !== undefined,
    find: ({ server }) => exposureFault(server.prover!.nonceAnswer!, 'DPoP-Nonce'),
  },
  'user-info-preflight': {
    promise: 'The user info allows the app’s preflight',
    concerns: ({ server }) => server.userInfo !== undefined,
    find: ({ server }) => preflight(server, server.userInfo!, 'GET', 'authorization'),
  },
  'user-info': {
    promise: 'The user info without a token is refused, readably',
    fix: 'Respond 401: latchkey then renews the token and repeats the call.',
    async find({ server }) {
      if (server.userInfo === undefined) return unchecked('the metadata has no userinfo_endpoint')
      const answer = await ask(server, server.userInfo)
      return answer.status === 401
        ? corsFault(answer, appOriginOf(server))
        : `status ${answer.status} without a token`
    },
  },
  logout: {
    promise: 'The logout address takes the registered address',
    fix: ({ server: { logout = '', redirectUri } }) =>
      `Respond to GET ${new URL(logout).pathname}, and register ${redirectUri} as an address after logout.`,
    async find({ server }) {
      if (server.logout === undefined)
        return unchecked(
          'the metadata has no end_session_endpoint: a logout ends the session in the app alone',
        )
      const answer = await ask(server, logoutAddress(server, server.redirectUri), { asker: 'document' })
      const refusal = errorIn(answer)
      return server.kind === 'oidc' && refusal !== undefined && answer.status <= 400
        ? unchecked(`${refusal}: it may want the ID token of a session: add --sign-in`)
        : refusal
    },
  },
  'logout-foreign': {
    promise: 'Logout does not lead to an address of somebody else',
    fix: 'Compare post_logout_redirect_uri with the registered addresses as text.',
    concerns: ({ server }) => server.logout !== undefined,
    async find({ server, report }) {
      const { location } = await ask(server, logoutAddress(server, STRANGER), { asker: 'document' })
      if (location?.href.startsWith(STRANGER) === true) return `it redirects to ${STRANGER}`
      const isHintNeeded = report.verdictOf('logout') === 'unchecked'
      return isHintNeeded ? unchecked('it wants the ID token of a session') : undefined
    },
  },
}
