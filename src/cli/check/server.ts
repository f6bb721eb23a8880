// The server under check: its addresses and the form of its requests, for the firm's protocol or OpenID Connect.
import { createHash, randomBytes } from 'node:crypto'

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

/** One request without cookies; redirects are not followed. */
export async function ask(address: string, request: RequestInit = {}): Promise<Answer> {
  const response = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...request,
  })
  const { status, headers } = response
  const text = await response.text()
  const location = headers.get('location')
  return {
    status,
    headers,
    text,
    json: objectIn(text),
    location: location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined,
  }
}

/** A token request as the app's page sends it. */
export const askToken = (server: Server, body: Readonly<Record<string, string>>): Promise<Answer> =>
  ask(server.token, {
    method: 'POST',
    headers: {
      origin: server.appOrigin,
      'content-type':
        server.kind === 'firm' ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    body: server.kind === 'firm' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
  })

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
