// The server under check: its addresses and the form of its requests, for the firm's protocol or OpenID Connect.
import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** A server that has not responded by then does not. */
const PATIENCE_MS = 10_000

export interface Subject {
  readonly clientId: string
  /** The registered redirect address; its origin is the app's. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

export interface Server extends Subject {
  readonly kind: 'firm' | 'oidc'
  /** What `iss` must be. */
  readonly issuer: string
  readonly appOrigin: string
  readonly authorize: string
  readonly token: string
  readonly userInfo: string | undefined
  readonly logout: string | undefined
}

export interface Proof {
  readonly verifier: string
  readonly challenge: string
  readonly state: string
}

export const appOriginOf = ({ redirectUri }: Subject): string => new URL(redirectUri).origin

export const firmServer = (subject: Subject, origin: string): Server => ({
  ...subject,
  kind: 'firm',
  issuer: origin,
  appOrigin: appOriginOf(subject),
  authorize: `${origin}/oauth/authorize`,
  token: `${origin}/oauth/token`,
  userInfo: `${origin}/api/userinfo`,
  logout: `${origin}/oauth/logout`,
})

export function createProof(): Proof {
  const verifier = randomBytes(48).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge, state: randomBytes(3).toString('hex') }
}

/** The address of a sign-in; `undefined` leaves a parameter out. */
export function authorizeAddress(
  server: Server,
  { challenge, state }: Proof,
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  const address = new URL(server.authorize)
  const parameters: Record<string, string | undefined> = {
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
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return address.href
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

/** The browser goes to an address: as the page, or in the hidden frame. */
export const visit = (
  { appOrigin }: Pick<Server, 'appOrigin'>,
  address: string,
  destination: 'document' | 'iframe' = 'document',
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

/** A token request as the app's page sends it. */
export const askToken = (server: Server, body: Readonly<Record<string, string>>): Promise<Answer> =>
  askByScript(server, server.token, {
    method: 'POST',
    headers: {
      'content-type':
        server.kind === 'firm' ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    body: server.kind === 'firm' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
  })

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
        'sec-fetch-site': siteOf(url, new URL(appOrigin)),
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
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const location = received.get('location')
  return {
    status: response.statusCode ?? 0,
    headers: received,
    text,
    json: objectIn(text),
    location: location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined,
  }
}

/** `Sec-Fetch-Site`. What counts as one site is a list of suffixes that browsers have; this knows those such as `co.uk` by their length. */
function siteOf(url: URL, app: URL): string {
  if (url.origin === app.origin) return 'same-origin'
  const site = ({ hostname }: URL) => {
    if (/^[\d.]+$|:/.test(hostname)) return hostname
    const labels = hostname.split('.')
    const [second = '', top = ''] = labels.slice(-2)
    return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.')
  }
  return url.protocol === app.protocol && site(url) === site(app) ? 'same-site' : 'cross-site'
}

export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
