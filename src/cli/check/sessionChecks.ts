// Checks that need a session: the code, PKCE at the token endpoint, the tokens, rotation, logout.
import { readJwt } from '../../protocol/claims.ts'
import { cacheFault, corsFault } from './headers.ts'
import { PKCE_CHECKS } from './openChecks.ts'
import { type Check, type Checks, fault, type Found, type Report, unchecked } from '../report.ts'
import {
  askToken,
  appOriginOf,
  authorizeAddress,
  type Changes,
  createProof,
  exchangeBody,
  isProofMissing,
  logoutAddress,
  type Proof,
  type Server,
  SET_DPOP,
  statusOf,
} from './server.ts'
import type { Visits } from './visits.ts'

/** A server that has shown a page instead of a redirect by then stays there. */
const PAGE_PATIENCE_MS = 15_000

/** How a sign-in ended, with the proof that belongs to it. */
interface Returned {
  readonly proof: Proof
  readonly parameters: URLSearchParams
}

type Session = NonNullable<Awaited<ReturnType<typeof openSession>>>

const noRefresh = ({ tokens }: Session): Found =>
  typeof tokens?.['refresh_token'] === 'string'
    ? undefined
    : unchecked('no refresh token came: latchkey renews through the hidden frame')

export async function checkWithSession(report: Report, server: Server, visits: Visits): Promise<void> {
  const session = await openSession(report, server, visits)
  if (session) await report.check(session, SESSION_CHECKS)
}

/** Signs in and exchanges the code; `undefined`: no code came. */
async function openSession(report: Report, server: Server, visits: Visits) {
  const signIn = async (changes: Changes): Promise<Returned> => {
    const proof = createProof(server)
    const { searchParams } = await visits.visit(await authorizeAddress(server, proof, changes))
    return { proof, parameters: searchParams }
  }
  // Ask for consent again: with offline access, a provider shows its page each time.
  const isAskingAgain = server.kind === 'oidc' && server.scopes.includes('offline_access')
  const prompt: Changes = isAskingAgain ? { prompt: 'consent' } : {}
  let first: Returned | undefined
  await report.check(server, {
    code: {
      promise: 'The sign-in returns code, state and iss as they should be',
      fix: `Return each once: a code, state unchanged byte for byte, and iss=${server.issuer}. Or leave iss and its promise in the metadata out (RFC 9207).`,
      async find() {
        first = await signIn(prompt)
        return returnFault(first, server)
      },
    },
  })
  if (!first?.parameters.has('code')) return undefined
  const { proof, parameters } = first
  const answer = await askToken(server, exchangeBody(server, proof, parameters.get('code')))
  /** Further sign-ins, whose codes must be refused. */
  const spare: Returned[] = []
  while (spare.length < 3) spare.push(await signIn({ prompt: 'none' }))
  /** The response to the first code; `undefined` if it was refused. */
  const tokens = answer.status === 200 ? answer.json : undefined
  /** Whether the refresh brought another refresh token. */
  const rotation = { isDone: false }
  return { report, server, visits, signIn, prompt, proof, answer, tokens, spare, rotation }
}

function returnFault({ parameters, proof }: Returned, server: Server): Found {
  const [code, state, issuer, error] = ['code', 'state', 'iss', 'error'].map((name) => parameters.get(name))
  if (code === null) return `error=${error}: ${parameters.get('error_description') ?? ''}`
  if (state !== proof.state) return 'state is not the one that was sent'
  if (issuer === null ? server.isNamed : issuer !== server.issuer) return `iss=${issuer ?? ' is missing'}`
  const twice = ['code', 'state', 'iss'].filter((name) => parameters.getAll(name).length > 1)
  return twice.length > 0 ? `${twice.join(', ')} twice` : undefined
}

/** A refresh; the firm's server wants the verifier of the sign-in each time. */
const refreshBody = ({ server, tokens, proof }: Session, hasVerifier = server.kind === 'firm') => ({
  grant_type: 'refresh_token',
  refresh_token: String(tokens?.['refresh_token']),
  client_id: server.clientId,
  ...(hasVerifier && { code_verifier: proof.verifier }),
})

/** A fault if the server accepts a token request that it must refuse. */
async function acceptance(server: Server, body: Changes): Promise<Found> {
  const answer = await askToken(server, body)
  const { status, json } = answer
  if (status >= 400 && status < 500) return undefined
  return `${statusOf(answer)}${json && 'access_token' in json ? ' and an access token' : ''}`
}

const COMPARE_VERIFIER =
  'Compare SHA-256 of code_verifier with code_challenge before any token is issued; without a verifier refuse (RFC 7636 §4.6).'

/** Exchanges a further code with a wrong value. */
async function wrongExchange({ server, spare }: Session, index: number, change: Changes): Promise<Found> {
  const one = spare[index]
  const code = one?.parameters.get('code')
  return one && code
    ? acceptance(server, { ...exchangeBody(server, one.proof, code), ...change })
    : unchecked('prompt=none gave no further code')
}

/** Runs only if the server did not refuse the request before its sign-in page. */
const pkceAfterSignIn = (id: keyof typeof PKCE_CHECKS): Check<Session> => ({
  ...PKCE_CHECKS[id],
  concerns: ({ report }) => report.verdictOf(id) === 'unchecked',
  async find({ server, visits }) {
    const { changes, wrong } = PKCE_CHECKS[id]
    const address = await authorizeAddress(server, createProof(server), { prompt: 'none', ...changes })
    const returned = await visits.visit(address, PAGE_PATIENCE_MS).catch(() => undefined)
    if (returned?.searchParams.has('code')) return wrong
    const error = returned?.searchParams.get('error') ?? 'a page'
    return /_required$|^a page$/.test(error) ? unchecked(`prompt=none gave ${error}`) : undefined
  },
})

const SESSION_CHECKS: Checks<Session> = {
  'pkce-required': pkceAfterSignIn('pkce-required'),
  'pkce-plain': pkceAfterSignIn('pkce-plain'),
  'pkce-verifier': {
    promise: 'A code without its verifier is refused',
    fix: COMPARE_VERIFIER,
    find: (session) => wrongExchange(session, 0, { code_verifier: undefined }),
  },
  'pkce-wrong': {
    promise: 'A code with a wrong verifier is refused',
    fix: COMPARE_VERIFIER,
    find: (session) => wrongExchange(session, 1, { code_verifier: createProof(session.server).verifier }),
  },
  'code-redirect': {
    promise: 'A code with another redirect URI is refused',
    fix: 'Compare redirect_uri with that of the sign-in (RFC 6749 §4.1.3).',
    find: (session) => wrongExchange(session, 2, { redirect_uri: `${session.server.redirectUri}other` }),
  },
  tokens: {
    promise: 'A code is exchanged for tokens',
    fix: ({ server, answer }) =>
      isProofMissing(server, answer)
        ? SET_DPOP
        : `Respond 200 with access_token, expires_in (seconds, above 0) and token_type ${server.prover ? 'DPoP. Where tokens are bound to no key, check without --dpop.' : 'Bearer. Where tokens are bound to a key, check with --dpop.'}`,
    find({ server, answer, tokens }) {
      if (typeof tokens?.['access_token'] !== 'string') return statusOf(answer)
      const { token_type: type = 'Bearer', expires_in: lifetime } = tokens
      if (String(type).toLowerCase() !== (server.prover ? 'dpop' : 'bearer'))
        return `token_type: ${JSON.stringify(type)}`
      const isRight = lifetime === undefined || Number(lifetime) > 0
      return isRight ? undefined : `expires_in: ${JSON.stringify(lifetime)}`
    },
  },
  'tokens-cors': {
    promise: 'The app’s page can read the tokens',
    find: ({ answer, server }) => corsFault(answer, appOriginOf(server)),
  },
  'tokens-cache': {
    promise: 'No cache keeps the tokens',
    find: ({ answer }) => cacheFault(answer),
  },
  'access-token': {
    promise: 'The access token is a JWT with the claims of the contract',
    concerns: ({ server, tokens }) => server.kind === 'firm' && tokens !== undefined,
    fix: 'Issue a JWT with these claims, and the client in aud, or set audience in createAuth: “The access token’s content” in docs/serverContract.md.',
    find({ server: { clientId }, tokens }) {
      const claims = readJwt(String(tokens?.['access_token']))
      if (!claims) return 'it is no JWT'
      const names = ['userId', 'sessionId', 'jti', 'aud', 'exp', 'iat']
      const missing = names.filter((name) => claims[name] === undefined)
      if (missing.length > 0) return `claims are missing: ${missing.join(', ')}`
      const { aud } = claims
      return [aud].flat().includes(clientId) ? undefined : `aud: ${JSON.stringify(aud)}`
    },
  },
  'id-token': {
    promise: 'The ID token is for this client and this sign-in',
    fix: 'Issue one for the scope openid, signed with RS256, ES256 or EdDSA: iss as in the metadata, the client in aud, nonce unchanged.',
    concerns: ({ server, tokens }) => server.kind === 'oidc' && tokens !== undefined,
    find({ server, tokens, proof }) {
      const token = String(tokens?.['id_token'])
      const claims = readJwt(token)
      if (!claims) return 'no ID token'
      const algorithm = String(readJwt(token, true)?.['alg'])
      if (!/^(?:RS256|ES256|EdDSA|Ed25519)$/.test(algorithm)) return `alg: ${algorithm}`
      const { iss, aud, nonce } = claims
      const wrong = [
        ...(iss === server.issuer ? [] : [`iss: ${String(iss)}`]),
        ...([aud].flat().includes(server.clientId) ? [] : [`aud: ${JSON.stringify(aud)}`]),
        ...(nonce === proof.state ? [] : ['nonce is not the one that was sent']),
      ]
      return wrong.length > 0 ? wrong.join(', ') : undefined
    },
  },
  'refresh-verifier': {
    promise: 'A refresh without the sign-in’s verifier is refused',
    fix: 'Require code_verifier at every refresh, that of the sign-in.',
    concerns: ({ server }) => server.kind === 'firm',
    find: (session) => noRefresh(session) ?? acceptance(session.server, refreshBody(session, false)),
  },
  rotation: {
    promise: 'A refresh gives a new refresh token',
    fix: 'Rotate the refresh tokens of this client (RFC 9700 §4.14): no secret protects them.',
    async find(session) {
      const { server } = session
      const reason = noRefresh(session)
      if (reason) return reason
      const old = session.tokens?.['refresh_token']
      const answer = await askToken(server, refreshBody(session))
      if (answer.status !== 200) return fault(statusOf(answer), 'Accept the refresh token once.')
      const next = answer.json?.['refresh_token']
      session.rotation.isDone = typeof next === 'string' && next !== old
      // A refresh token that is bound to a key need not rotate (RFC 9700 §4.14.2).
      if (session.rotation.isDone || (server.prover && next === old)) return undefined
      return next === old ? 'the same refresh token again' : 'no new refresh token'
    },
  },
  'refresh-replay': {
    promise: 'A refresh token that was used is refused',
    fix: 'Refuse a refresh token that was used, and revoke its family: it may have been stolen.',
    find: (session) =>
      session.rotation.isDone
        ? acceptance(session.server, refreshBody(session))
        : (noRefresh(session) ?? unchecked('the refresh token does not rotate')),
  },
  // Last but the logout: many servers revoke everything when a code comes twice.
  'code-replay': {
    promise: 'A code is accepted once',
    fix: 'Delete the code before tokens are issued (RFC 6749 §4.1.2).',
    async find({ server, signIn, prompt }) {
      const { proof, parameters } = await signIn(prompt)
      const body = exchangeBody(server, proof, parameters.get('code'))
      const answer = await askToken(server, body)
      return answer.status === 200
        ? acceptance(server, body)
        : fault(`a fresh code is refused with ${statusOf(answer)}`, 'Accept a code once.')
    },
  },
  'logout-return': {
    promise: 'Logout ends the session and leads back to the app',
    fix: 'End the session of the server at logout.',
    concerns({ report, server, tokens }) {
      const verdict = report.verdictOf('logout')
      const isHintWanted = verdict === 'unchecked' && typeof tokens?.['id_token'] === 'string'
      return server.logout !== undefined && (verdict === 'kept' || isHintWanted)
    },
    async find({ report, server, signIn, visits, tokens }) {
      const { id_token: hint } = tokens ?? {}
      const more = { id_token_hint: typeof hint === 'string' ? hint : undefined }
      const address = logoutAddress(server, server.redirectUri, more)
      const state = (await visits.visit(address)).searchParams.get('state')
      if (state !== new URL(address).searchParams.get('state'))
        return fault(`state=${state}`, 'Append the state unchanged.')
      if (report.verdictOf('frame-answer') === 'broken')
        return unchecked('it leads back; prompt=none does not tell whether the session has ended')
      const { parameters } = await signIn({ prompt: 'none' })
      return parameters.has('code') ? 'prompt=none still gives a code after logout' : undefined
    },
  },
}
