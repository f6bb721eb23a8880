// One authorization server, the addresses of an app, and the calls that an app would make. For the authServer tests.
import { afterEach, beforeEach } from 'vitest'
import type { AuthServerOptions } from '../../../demo/authServer/options.ts'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import {
  createProofKey,
  createVisitor,
  signInAs,
  type AuthorizeOptions,
  type Visitor,
} from '../../../demo/authServer/visitor.ts'

export const APP_ORIGIN = 'http://127.0.0.1:59999'
export const REDIRECT_URI = `${APP_ORIGIN}/`
export const CLIENT_ID = 'demo-admin'

export interface Answer {
  status: number
  headers: Headers
  // Answers are looked into freely; each test states what it expects to find.
  body: Record<string, unknown>
}

export interface SignedIn {
  visitor: Visitor
  verifier: string
  accessToken: string
  refreshToken: string
}

export interface Scene {
  server: AuthServer
  token(body: Record<string, unknown>): Promise<Answer>
  refresh(refreshToken: string, verifier: string): Promise<Answer>
  exchange(at: URL, verifier: string): Promise<Answer>
  signIn(account: string, visitor?: Visitor): Promise<SignedIn>
  authorize(challenge: string, parameters?: Record<string, string | undefined>): AuthorizeOptions
  call(method: string, path: string, options?: { token?: string; body?: unknown }): Promise<Answer>
}

export async function openScene(options: AuthServerOptions = {}): Promise<Scene> {
  const server = await startAuthServer({ redirectUris: [REDIRECT_URI], ...options })

  const call: Scene['call'] = async (method, path, { token, body } = {}) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: APP_ORIGIN,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return readAnswer(response)
  }

  const token: Scene['token'] = (body) => call('POST', '/oauth/token', { body })

  const exchange: Scene['exchange'] = (at, verifier) =>
    token({
      grant_type: 'authorization_code',
      code: at.searchParams.get('code'),
      code_verifier: verifier,
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
    })

  const authorize: Scene['authorize'] = (challenge, parameters = {}) => ({
    origin: server.origin,
    redirectUri: REDIRECT_URI,
    challenge,
    parameters,
  })

  return {
    server,
    token,
    exchange,
    authorize,
    call,
    refresh: (refreshToken, verifier) =>
      token({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        code_verifier: verifier,
        client_id: CLIENT_ID,
      }),
    async signIn(account, visitor = createVisitor()) {
      const { verifier, challenge } = createProofKey()
      const { body } = await exchange(await signInAs(visitor, account, authorize(challenge)), verifier)
      return {
        visitor,
        verifier,
        accessToken: text(body, 'access_token'),
        refreshToken: text(body, 'refresh_token'),
      }
    },
  }
}

/** A server for each test. Call it at the top of a file or of a group. */
export function sceneForEachTest(options?: AuthServerOptions): Scene {
  let scene: Scene
  beforeEach(async () => {
    scene = await openScene(options)
  })
  afterEach(() => scene.server.close())
  return {
    get server() {
      return scene.server
    },
    token: (...call) => scene.token(...call),
    refresh: (...call) => scene.refresh(...call),
    exchange: (...call) => scene.exchange(...call),
    signIn: (...call) => scene.signIn(...call),
    authorize: (...call) => scene.authorize(...call),
    call: (...call) => scene.call(...call),
  }
}

export async function readAnswer(response: Response): Promise<Answer> {
  const content = await response.text()
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json') === true && content !== ''
  return {
    status,
    headers,
    body: isJson ? (JSON.parse(content) as Record<string, unknown>) : { text: content },
  }
}

export function text(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw new Error(`the answer has no ${name}: ${Object.keys(body).join(', ')}`)
  return value
}

export function claimsOf(accessToken: string): Record<string, unknown> {
  const [, payload = ''] = accessToken.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
}
