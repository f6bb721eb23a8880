// The server under check: its addresses and the form of its requests, for the firm's protocol or OpenID Connect.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isRecord, parseJson } from '../../base/json.ts'
import { withParameters } from '../../protocol/servers/oidcRequests.ts'
import { codeGrant } from '../../protocol/tokens.ts'
import type { Prover } from './dpop.ts'

/** The time limit of a request. */
const PATIENCE_MS = 10_000

export interface Subject {
  readonly clientId: string
  /** The registered redirect URI; its origin is the app's. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Adds DPoP proofs to token requests; `undefined`: bearer tokens. */
  readonly prover?: Prover | undefined
}

export interface Server extends Subject {
  readonly kind: 'firm' | 'oidc'
  /** The expected `iss`. */
  readonly issuer: string
  readonly authorize: string
  /** Whether its responses promise to name it (RFC 9207). */
  readonly isNamed: boolean
  /** The PAR endpoint, if the provider requires pushed sign-ins (RFC 9126). */
  readonly push: string | undefined
  /** The PAR endpoint, if there is one. */
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
  authorize: `${origin}/oauth/authorize`,
  isNamed: false,
  push: undefined,
  pushEndpoint: undefined,
  token: `${origin}/oauth/token`,
  userInfo: `${origin}/api/userinfo`,
  logout: `${origin}/oauth/logout`,
})

export type Proof = ReturnType<typeof createProof>

/** The state is as long as latchkey's: some servers refuse a shorter one. */
export function createProof({ kind }: Pick<Server, 'kind'>) {
  const verifier = randomBytes(48).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = kind === 'firm' ? randomBytes(3).toString('hex') : randomBytes(24).toString('base64url')
  return { verifier, challenge, state }
}

/** Parameters, or changes to them; `undefined` leaves one out. */
export type Changes = Readonly<Record<string, string | undefined>>

/** The address of a sign-in, or the response of a provider that did not take a pushed one. */
async function pushedAddress(
  server: Server,
  { challenge, state }: Proof,
  changes: Changes,
): Promise<string | Answer> {
  const parameters = {
    response_type: 'code',
    client_id: server.clientId,
    redirect_uri: server.redirectUri,
    scope: server.scopes.join(server.kind === 'firm' ? ',' : ' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(server.kind === 'oidc' && { nonce: state }),
    ...changes,
  }
  if (server.push === undefined) return addressWith(server.authorize, parameters)
  const answer = await ask(server, server.push, { form: parameters })
  const uri = answer.json?.['request_uri']
  if (typeof uri !== 'string') return answer
  return addressWith(server.authorize, { client_id: server.clientId, request_uri: uri })
}

/** The address of a sign-in. @throws where the provider did not take a pushed one */
export async function authorizeAddress(server: Server, proof: Proof, changes: Changes = {}): Promise<string> {
  const address = await pushedAddress(server, proof, changes)
  if (typeof address === 'string') return address
  throw new Error(`the pushed sign-in is refused with ${statusOf(address)}`)
}

function addressWith(base: string, parameters: Changes): string {
  const address = new URL(base)
  withParameters(address.searchParams, parameters)
  return address.href
}

/** The browser goes to the sign-in page. A pushed sign-in that is refused was refused there. */
export async function beginSignIn(
  server: Server,
  changes: Changes = {},
  { proof = createProof(server), asker = 'document' }: { proof?: Proof; asker?: Asker } = {},
): Promise<Answer> {
  const address = await pushedAddress(server, proof, changes)
  return typeof address === 'string' ? ask(server, address, { asker }) : address
}

export const logoutAddress = (server: Server, returnAddress: string, more: Changes = {}): string =>
  addressWith(server.logout ?? '', {
    client_id: server.clientId,
    ...(server.kind === 'firm' && { force: 'true' }),
    post_logout_redirect_uri: returnAddress,
    state: createProof(server).state,
    ...more,
  })

export const exchangeBody = (server: Server, { verifier }: Proof, code: string | null) =>
  codeGrant(code ?? '', { ...server, verifier })

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  /** Target of a redirect. */
  readonly location: URL | undefined
}

/** The server's own words for a refusal. */
const wordsOf = ({ json }: Answer): string =>
  ['error', 'error_description']
    .flatMap((name) => (typeof json?.[name] === 'string' ? json[name] : []))
    .join(': ')

/** The status, with the server's own words. */
export const statusOf = (answer: Answer): string =>
  `status ${answer.status}${wordsOf(answer) && `: ${wordsOf(answer)}`}`

/** How a request was refused, on a page or by a redirect to any page; undefined when it continues. */
export function errorIn(answer: Answer): string | undefined {
  if (answer.status >= 400) return statusOf(answer)
  const [error, why] = ['error', 'error_description'].map((name) => answer.location?.searchParams.get(name))
  return error ? `error=${error}${why ? `: ${why}` : ''}` : undefined
}

/** Whether the refusal names DPoP, and the check has sent no proof. */
export const isProofMissing = ({ prover }: Server, answer: Answer): boolean =>
  !prover && /dpop/i.test(wordsOf(answer))
export const SET_DPOP = "It requires DPoP: set dpop: 'required' in openIdConnect, and check with --dpop."

/** The sender: a script of the app's page, or the browser itself, for the page or the hidden frame. */
type Asker = 'script' | 'document' | 'iframe'

const headersOf = (asker: Asker, appOrigin: string) =>
  asker === 'script'
    ? {
        accept: 'application/json',
        origin: appOrigin,
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      }
    : {
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'upgrade-insecure-requests': '1',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': asker,
      }

interface Sent {
  readonly asker?: Asker
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Changes
  readonly form?: Changes
}

/** A token request as the app's page sends it: once more where the server wants another nonce. */
export async function askToken(server: Server, body: Changes): Promise<Answer> {
  const { prover, token } = server
  const attempt = () =>
    ask(server, token, {
      ...(server.kind === 'firm' ? { json: body } : { form: body }),
      headers: prover ? { dpop: prover.prove(token) } : {},
    })
  const answer = await attempt()
  const isNew = prover?.keepNonce(answer) === true
  return isNew && answer.json?.['error'] === 'use_dpop_nonce' ? attempt() : answer
}

/**
 * One request without cookies; redirects are not followed. Not by `fetch`: Node's says that a script asks (`Sec-Fetch-Mode: cors`),
 * whatever it is told, and some servers redirect navigations only.
 */
export async function ask(subject: Subject, address: string, sent: Sent = {}): Promise<Answer> {
  const { asker = 'script' } = sent
  const appOrigin = appOriginOf(subject)
  const url = new URL(address)
  const body = sent.form
    ? withParameters(new URLSearchParams(), sent.form).toString()
    : sent.json && JSON.stringify(sent.json)
  const type = sent.form ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'application/json'
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const request = send(url, {
    method: body === undefined ? sent.method : 'POST',
    headers: {
      'user-agent': 'Mozilla/5.0 (compatible; latchkey check)',
      'accept-language': 'en',
      referer: `${appOrigin}/`,
      ...headersOf(asker, appOrigin),
      ...sent.headers,
      ...(body !== undefined && {
        'content-type': type,
        'content-length': String(Buffer.byteLength(body)),
      }),
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const [response] = (await once(request.end(body), 'response')) as [IncomingMessage]
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value)
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString()
  const json = parseJson(text)
  const location = headers.get('location')
  return {
    status: response.statusCode ?? 0,
    headers,
    text,
    json: isRecord(json) ? json : undefined,
    location: location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined,
  }
}
