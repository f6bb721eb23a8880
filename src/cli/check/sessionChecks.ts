// What only a session shows: the code, PKCE at the token endpoint, the tokens, rotation, logout.
import { readJwt } from '../../protocol/claims.ts'
import { cacheFault, corsFault } from './headers.ts'
import { isProofMissing, logoutAddress, PKCE_CHECKS, SET_DPOP } from './openChecks.ts'
import { fault, type Fault, type Report } from '../report.ts'
import {
  type Answer,
  askToken,
  authorizeAddress,
  createProof,
  type Proof,
  type Server,
  statusOf,
} from './server.ts'
import type { Visits } from './visits.ts'

/** A server that has shown a page instead of a redirect by then stays there. */
const PAGE_PATIENCE_MS = 15_000

/** A code, and the proof that belongs to it. */
interface Sent {
  readonly proof: Proof
  readonly code: string
}

export async function checkWithSession(report: Report, server: Server, visits: Visits): Promise<void> {
  // The first may show pages; with offline access a provider asks for consent each time.
  const prompt =
    server.kind === 'oidc' && server.scopes.includes('offline_access') ? { prompt: 'consent' } : {}
  let first: Sent | undefined
  await report.check('code', 'The sign-in returns code, state and iss as they should be', async () => {
    const proof = createProof(server)
    const returned = await visits.visit(await authorizeAddress(server, proof, prompt))
    const code = returned.searchParams.get('code')
    if (code !== null) first = { proof, code }
    return returnFault(returned, server, proof)
  })
  if (!first) return
  const silent: Sent[] = []
  for (let count = 0; count < 3; count += 1) {
    const proof = createProof(server)
    const returned = await visits.visit(await authorizeAddress(server, proof, { prompt: 'none' }))
    silent.push({ proof, code: returned.searchParams.get('code') ?? '' })
  }
  await checkPkceLater(report, server, visits)
  await checkExchangeRefusals(report, server, silent)
  const tokens = await checkTokens(report, server, first)
  await checkRotation(report, server, tokens, first.proof)
  await checkReplay(report, server, visits, prompt)
  await checkReturnFromLogout(report, server, visits, tokens)
}

function returnFault({ searchParams }: URL, server: Server, { state }: Proof): Fault | undefined {
  const get = (name: string) => searchParams.get(name)
  if (get('code') === null)
    return fault(
      `error=${get('error')}: ${get('error_description') ?? ''}`,
      'Return a code for a user who has signed in.',
    )
  if (get('state') !== state)
    return fault('state is not the one that was sent', 'Send state back unchanged, byte for byte.')
  if (get('iss') === null ? server.isNamed : get('iss') !== server.issuer)
    return fault(
      `iss=${get('iss') ?? ' is missing'}`,
      `Send iss=${server.issuer}, or leave it and the promise in the metadata out (RFC 9207).`,
    )
  const twice = ['code', 'state', 'iss'].filter((name) => searchParams.getAll(name).length > 1)
  return twice.length > 0 ? fault(`${twice.join(', ')} twice`, 'Send each parameter once.') : undefined
}

const exchangeBody = (server: Server, { code, proof }: Sent): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: proof.verifier,
  client_id: server.clientId,
  redirect_uri: server.redirectUri,
})

async function checkExchangeRefusals(report: Report, server: Server, sent: readonly Sent[]): Promise<void> {
  const cases = [
    ['pkce-verifier', 'A code without its verifier is refused', { code_verifier: undefined }],
    [
      'pkce-wrong',
      'A code with a wrong verifier is refused',
      { code_verifier: createProof(server).verifier },
    ],
    [
      'code-redirect',
      'A code with another redirect URI is refused',
      { redirect_uri: `${server.redirectUri}other` },
    ],
  ] as const
  for (const [index, [id, promise, changes]] of cases.entries()) {
    await report.check(id, promise, async () => {
      const one = sent[index]
      if (!one?.code) return 'prompt=none gave no further code'
      const body = Object.entries({ ...exchangeBody(server, one), ...changes })
      const answer = await askToken(
        server,
        Object.fromEntries(body.filter((entry): entry is [string, string] => entry[1] !== undefined)),
      )
      const mend = id.startsWith('pkce')
        ? 'Compare SHA-256 of code_verifier with code_challenge before any token is issued; without a verifier refuse (RFC 7636 §4.6).'
        : 'Compare redirect_uri with that of the sign-in (RFC 6749 §4.1.3).'
      return refusalFault(answer, mend)
    })
  }
}

const refusalFault = (answer: Answer, mend: string): Fault | undefined => {
  const { status, json } = answer
  if (status >= 400 && status < 500) return undefined
  return fault(`${statusOf(answer)}${json && 'access_token' in json ? ' and an access token' : ''}`, mend)
}

async function checkTokens(report: Report, server: Server, sent: Sent): Promise<Answer['json']> {
  const answer = await askToken(server, exchangeBody(server, sent))
  const tokens = answer.status === 200 ? answer.json : undefined
  await report.check('tokens', 'A code is exchanged for tokens', () => {
    const isBindable = server.kind === 'oidc' && !server.prover
    if (!tokens || typeof tokens['access_token'] !== 'string')
      return fault(
        statusOf(answer),
        isProofMissing(server, answer)
          ? SET_DPOP
          : `Respond 200 with access_token, expires_in and token_type.${isBindable ? ' Where tokens are bound to a key, check with --dpop.' : ''}`,
      )
    const type = tokens['token_type'] ?? 'Bearer'
    const right = server.prover ? 'DPoP' : 'Bearer'
    if (typeof type !== 'string' || type.toLowerCase() !== right.toLowerCase())
      return fault(
        `token_type: ${JSON.stringify(type)}`,
        server.prover
          ? 'Send token_type DPoP where the request had a proof, or check without --dpop.'
          : 'Send token_type Bearer, or check with --dpop.',
      )
    const seconds = Number(tokens['expires_in'])
    return tokens['expires_in'] !== undefined && !(seconds > 0)
      ? fault(`expires_in: ${JSON.stringify(tokens['expires_in'])}`, 'Send the lifetime in seconds, above 0.')
      : undefined
  })
  await report.check('tokens-cors', 'The app’s page can read the tokens', () =>
    corsFault(answer, server.appOrigin),
  )
  await report.check('tokens-cache', 'No cache keeps the tokens', () => cacheFault(answer))
  if (!tokens) return undefined
  await (server.kind === 'firm'
    ? checkAccessToken(report, server, tokens)
    : checkIdToken(report, server, tokens, sent))
  return tokens
}

async function checkAccessToken(report: Report, server: Server, tokens: Readonly<Record<string, unknown>>) {
  await report.check('access-token', 'The access token is a JWT with the claims of the contract', () => {
    const claims = readJwt(String(tokens['access_token']))
    if (!claims) return fault('it is no JWT', 'Issue JWT access tokens: latchkey reads the user from them.')
    const missing = ['userId', 'sessionId', 'jti', 'aud', 'exp', 'iat'].filter(
      (name) => claims[name] === undefined,
    )
    if (missing.length > 0)
      return fault(
        `claims are missing: ${missing.join(', ')}`,
        'Add them: “The access token’s content” in docs/serverContract.md.',
      )
    const audience = [claims['aud']].flat()
    return audience.includes(server.clientId)
      ? undefined
      : fault(
          `aud: ${JSON.stringify(claims['aud'])}`,
          `Put ${server.clientId} into aud, or set audience in createAuth.`,
        )
  })
}

async function checkIdToken(
  report: Report,
  server: Server,
  tokens: Readonly<Record<string, unknown>>,
  { proof }: Sent,
): Promise<void> {
  await report.check('id-token', 'The ID token is for this client and this sign-in', () => {
    const claims = readJwt(String(tokens['id_token']))
    if (!claims) return fault('no ID token', 'Allow the scope openid for this client, and issue an ID token.')
    const algorithm = String(readJwt(String(tokens['id_token']), true)?.['alg'])
    if (!/^(?:RS256|ES256|EdDSA|Ed25519)$/.test(algorithm))
      return fault(`alg: ${algorithm}`, 'Sign ID tokens with RS256, ES256 or EdDSA.')
    const wrong = [
      ...(claims['iss'] === server.issuer ? [] : [`iss: ${String(claims['iss'])}`]),
      ...([claims['aud']].flat().includes(server.clientId) ? [] : [`aud: ${JSON.stringify(claims['aud'])}`]),
      ...(claims['nonce'] === proof.state ? [] : ['nonce is not the one that was sent']),
    ]
    return wrong.length > 0
      ? fault(wrong.join(', '), 'Send iss as in the metadata, the client in aud, and nonce unchanged.')
      : undefined
  })
}

async function checkRotation(
  report: Report,
  server: Server,
  tokens: Answer['json'],
  { verifier }: Proof,
): Promise<void> {
  const old = tokens?.['refresh_token']
  const whyNot =
    typeof old === 'string' ? undefined : 'no refresh token came: latchkey renews through the hidden frame'
  const body = { grant_type: 'refresh_token', refresh_token: String(old), client_id: server.clientId }
  const full: Record<string, string> = server.kind === 'firm' ? { ...body, code_verifier: verifier } : body
  if (server.kind === 'firm') {
    await report.check(
      'refresh-verifier',
      'A refresh without the sign-in’s verifier is refused',
      async () =>
        whyNot ??
        refusalFault(
          await askToken(server, body),
          'Require code_verifier at every refresh, that of the sign-in.',
        ),
    )
  }
  let isRotated = false
  await report.check('rotation', 'A refresh gives a new refresh token', async () => {
    if (whyNot) return whyNot
    const answer = await askToken(server, full)
    const { status, json } = answer
    if (status !== 200) return fault(statusOf(answer), 'Accept the refresh token once.')
    const next = json?.['refresh_token']
    isRotated = typeof next === 'string' && next !== old
    // A refresh token that is bound to a key need not rotate (RFC 9700 §4.14.2).
    return isRotated || (server.prover && next === old)
      ? undefined
      : fault(
          next === old ? 'the same refresh token again' : 'no new refresh token',
          'Rotate the refresh tokens of this client (RFC 9700 §4.14): no secret protects them.',
        )
  })
  await report.check('refresh-replay', 'A refresh token that was used is refused', async () =>
    isRotated
      ? refusalFault(
          await askToken(server, full),
          'Refuse a refresh token that was used, and revoke its family: it may have been stolen.',
        )
      : (whyNot ?? 'the refresh token does not rotate'),
  )
}

/** Last of all: many servers revoke everything when a code comes twice. */
async function checkReplay(
  report: Report,
  server: Server,
  visits: Visits,
  prompt: Readonly<Record<string, string>>,
): Promise<void> {
  await report.check('code-replay', 'A code is accepted once', async () => {
    const proof = createProof(server)
    const code =
      (await visits.visit(await authorizeAddress(server, proof, prompt))).searchParams.get('code') ?? ''
    const body = exchangeBody(server, { proof, code })
    const answer = await askToken(server, body)
    if (answer.status !== 200)
      return fault(`a fresh code is refused with ${statusOf(answer)}`, 'Accept a code once.')
    return refusalFault(
      await askToken(server, body),
      'Delete the code before tokens are issued (RFC 6749 §4.1.2).',
    )
  })
}

/** What the server did not refuse before its sign-in page. */
async function checkPkceLater(report: Report, server: Server, visits: Visits): Promise<void> {
  const isLeft = (id: string) => report.findings.some((one) => one.id === id && one.verdict === 'unchecked')
  for (const { id, promise, changes, wrong } of PKCE_CHECKS.filter((one) => isLeft(one.id)))
    await report.check(id, promise, async () => {
      const address = await authorizeAddress(server, createProof(server), { prompt: 'none', ...changes })
      const returned = await visits.visit(address, PAGE_PATIENCE_MS).catch(() => undefined)
      if (returned?.searchParams.has('code')) return wrong
      const error = returned?.searchParams.get('error') ?? 'a page'
      return /_required$|^a page$/.test(error) ? `prompt=none gave ${error}` : undefined
    })
}

async function checkReturnFromLogout(
  report: Report,
  server: Server,
  visits: Visits,
  tokens: Answer['json'],
): Promise<void> {
  const hint = tokens?.['id_token']
  const verdict = report.findings.find(({ id }) => id === 'logout')?.verdict
  const isLeft = verdict === 'kept' || (verdict === 'unchecked' && typeof hint === 'string')
  if (server.logout === undefined || !isLeft) return
  await report.check('logout-return', 'Logout ends the session and leads back to the app', async () => {
    const address = logoutAddress(
      server,
      server.redirectUri,
      typeof hint === 'string' ? { id_token_hint: hint } : {},
    )
    const state = new URL(address).searchParams.get('state')
    const returned = await visits.visit(address)
    if (returned.searchParams.get('state') !== state)
      return fault(`state=${returned.searchParams.get('state')}`, 'Append the state unchanged.')
    if (report.findings.some(({ id, verdict: frame }) => id === 'frame-answer' && frame === 'broken'))
      return 'it leads back; prompt=none does not tell whether the session has ended'
    const after = await visits.visit(await authorizeAddress(server, createProof(server), { prompt: 'none' }))
    return after.searchParams.get('code') === null
      ? undefined
      : fault('prompt=none still gives a code after logout', 'End the session of the server at logout.')
  })
}
