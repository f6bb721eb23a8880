// The server under check: its addresses and the form of its requests, for the firm's protocol or OpenID Connect.
import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isRecord, parseJson } from '../../base/json.ts'
import type { Prover } from './dpop.ts'

/** A server that has not responded by then does not. */
const PATIENCE_MS = 10_000

export interface Subject {
  readonly clientId: string
  /** The registered redirect URI; its origin is the app's. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Proves at the token endpoint that a key is there; `undefined`: the tokens are bound to none. */
  readonly prover?: Prover | undefined
}

export interface Server extends Subject {
  readonly kind: 'firm' | 'oidc'
  /** What `iss` must be. */
  readonly issuer: string
  readonly appOrigin: string
  readonly authorize: string
  /** Whether its responses promise to name it (RFC 9207). */
  readonly isNamed: boolean
  /** Where the provider wants each sign-in pushed before it begins (RFC 9126). */
  readonly push: string | undefined
  /** Where sign-ins can be pushed. */
  readonly pushEndpoint: string | undefined
  readonly token: string
  readonly userInfo: string | undefined
  readonly logout: string | undefined
}

export const appOriginOf = ({ redirectUri }: Subject): string => new URL(redirectUri).origin

export const firmServer = (subject: Subject, origin: string): Server => ({
  ...subject,
  kind: 'firm',
  issuer: origin,
  appOrigin: appOriginOf(subject),
  authorize: `${origin}/oauth/authorize`,
  isNamed: false,
  push: undefined,
  pushEndpoint: undefined,
  token: `${origin}/oauth/token`,
  userInfo: `${origin}/api/userinfo`,
  logout: `${origin}/oauth/logout`,
})

export type Proof = ReturnType<typeof createProof>

/** The state is as long as that of the library: some servers refuse a shorter one. */
export function createProof({ kind }: Pick<Server, 'kind'>) {
  const verifier = randomBytes(48).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = kind === 'firm' ? randomBytes(3).toString('hex') : randomBytes(24).toString('base64url')
  return { verifier, challenge, state }
}

/** The changes to a sign-in's parameters; `undefined` leaves one out. */
type Changes = Readonly<Record<string, string | undefined>>

/**
 * The address of a sign-in.
 *
 * @throws PushRefused
 */
export async function authorizeAddress(
  server: Server,
  { challenge, state }: Proof,
  changes: Changes = {},
): Promise<string> {
  const parameters = Object.entries({
    response_type: 'code',
    client_id: server.clientId,
    redirect_uri: server.redirectUri,
    scope: server.scopes.join(server.kind === 'firm' ? ',' : ' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(server.kind === 'oidc' && { nonce: state }),
    ...changes,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const address = new URL(server.authorize)
  for (const [name, value] of server.push === undefined ? parameters : await push(server, parameters))
    address.searchParams.set(name, value)
  return address.href
}

/** The provider did not take a pushed sign-in. */
class PushRefused extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`the pushed sign-in is refused with ${statusOf(answer)}`)
    this.answer = answer
  }
}

async function push(server: Server, parameters: [string, string][]): Promise<[string, string][]> {
  const answer = await askByScript(server, server.push ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: new URLSearchParams(parameters).toString(),
  })
  const uri = answer.json?.['request_uri']
  if (typeof uri !== 'string') throw new PushRefused(answer)
  return [
    ['client_id', server.clientId],
    ['request_uri', uri],
  ]
}

/** The browser goes to the sign-in page. A pushed sign-in that is refused was refused there. */
export async function beginSignIn(
  server: Server,
  changes: Changes = {},
  { proof = createProof(server), destination }: { proof?: Proof; destination?: Destination } = {},
): Promise<Answer> {
  try {
    return await visit(server, await authorizeAddress(server, proof, changes), destination)
  } catch (error) {
    if (error instanceof PushRefused) return error.answer
    throw error
  }
}

/** What the hidden frame asks for. */
export const silently = (server: Server): Record<string, string> => ({
  prompt: 'none',
  ...(server.kind === 'firm' && { response_mode: 'web_message' }),
})

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  /** Where a redirect leads. */
  readonly location: URL | undefined
}

/** The server's own words for a refusal. */
export const wordsOf = ({ json }: Pick<Answer, 'json'>): string =>
  ['error', 'error_description']
    .flatMap((name) => (typeof json?.[name] === 'string' ? json[name] : []))
    .join(': ')

/** The status, with the server's own words. */
export const statusOf = (answer: Pick<Answer, 'status' | 'json'>): string =>
  `status ${answer.status}${wordsOf(answer) && `: ${wordsOf(answer)}`}`

type Destination = 'document' | 'iframe'

/** The browser goes to an address: as the page, or in the hidden frame. */
export const visit = (
  { appOrigin }: Pick<Server, 'appOrigin'>,
  address: string,
  destination: Destination = 'document',
): Promise<Answer> =>
  ask(address, appOrigin, {
    headers: {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'upgrade-insecure-requests': '1',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': destination,
    },
  })

/** A script of the app's page asks. */
export const askByScript = (
  { appOrigin }: Pick<Server, 'appOrigin'>,
  address: string,
  { headers, ...request }: Sent = {},
): Promise<Answer> =>
  ask(address, appOrigin, {
    ...request,
    headers: {
      accept: 'application/json',
      origin: appOrigin,
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
      ...headers,
    },
  })

/** A token request as the app's page sends it: once more where the server wants another nonce. */
export async function askToken(server: Server, body: Readonly<Record<string, string>>): Promise<Answer> {
  const { prover, token } = server
  const attempt = () =>
    askByScript(server, token, {
      method: 'POST',
      headers: {
        'content-type':
          server.kind === 'firm' ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8',
        ...(prover && { dpop: prover.prove(token) }),
      },
      body: server.kind === 'firm' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
    })
  const answer = await attempt()
  const isNew = prover?.keepNonce(answer) === true
  return isNew && answer.json?.['error'] === 'use_dpop_nonce' ? attempt() : answer
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * One request without cookies; redirects are not followed. Not by `fetch`: Node's says that a script asks (`Sec-Fetch-Mode: cors`),
 * whatever it is told, and some servers redirect navigations only.
 */
async function ask(address: string, appOrigin: string, { method, headers, body }: Sent): Promise<Answer> {
  const url = new URL(address)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method,
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; latchkey check)',
        'accept-language': 'en',
        referer: `${appOrigin}/`,
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    request.on('response', resolve).on('error', reject).end(body)
  })
  const received = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) received.append(name, value)
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString()
  const json = parseJson(text)
  const location = received.get('location')
  return {
    status: response.statusCode ?? 0,
    headers: received,
    text,
    json: isRecord(json) ? json : undefined,
    location: location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined,
  }
}
