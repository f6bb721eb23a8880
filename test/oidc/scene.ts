// A provider on paper: its metadata, its tokens, a client and an attempt, for tests that need no browser and no server.
import { webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AuthError } from '../../src/base/errors.ts'
import { oidcProfile } from '../../src/protocol/servers/openIdConnect.ts'
import type { OpenIdConnectOptions } from '../../src/protocol/servers/oidcOptions.ts'
import type { ServerTime } from '../../src/protocol/servers/idToken.ts'
import { type GrantedTokens, type OidcTokens, oidcTokens } from '../../src/protocol/servers/oidcTokens.ts'
import type { Credentials } from '../../src/protocol/credentials.ts'
import type { Server, ServerClient, WireRequest } from '../../src/protocol/servers/profile.ts'
import type { CryptoPort } from '../../src/protocol/pkce.ts'
import { oidcAnswerError } from '../../src/protocol/servers/oidcAnswer.ts'
import { addRemedy } from '../../src/protocol/servers/oidcLater.ts'
import type { Attempt, AuthorizationAnswer } from '../../src/protocol/signIn.ts'
import { createFakeHost } from '../../src/testing/fakeHost.ts'

export const ISSUER = 'https://login.example.com/realms/staff'
export const APP = 'https://admin.example.com/'
export const NOW_MS = Date.UTC(2026, 10, 22, 12)
export const NOW = NOW_MS / 1000
export const NONCE = 'n'.repeat(32)
export const STATE = 's'.repeat(32)
export const VERIFIER = 'v'.repeat(64)

export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  end_session_endpoint: `${ISSUER}/logout`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  revocation_endpoint: `${ISSUER}/revoke`,
  response_modes_supported: ['query', 'fragment'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
}

export const CLIENT: ServerClient = { clientId: 'admin', scopes: ['openid', 'profile'], rememberMe: false }

export const ATTEMPT: Attempt = {
  verifier: VERIFIER,
  nonce: NONCE,
  authHost: ISSUER,
  clientId: 'admin',
  redirectUri: APP,
  returnTo: '/invoices',
  createdAtMs: NOW_MS,
}

export const CRYPTO: CryptoPort = {
  randomBytes: (length) => webcrypto.getRandomValues(new Uint8Array(length)),
  subtle: crypto.subtle,
  isSecureContext: true,
}

/** A provider in a page: what it sends, and the response that each request gets. */
export function page(
  options: Partial<OpenIdConnectOptions> = {},
  metadata: Record<string, unknown> = {},
  { client = {}, respond = () => ({}) }: { client?: Partial<ServerClient>; respond?(): unknown } = {},
): { server: Server; sent: WireRequest[] } {
  const sent: WireRequest[] = []
  const { issuer = ISSUER } = options
  const profile = oidcProfile({ ...options, issuer, metadata: { ...METADATA, issuer, ...metadata } })
  const opened = profile.open(
    { ...CLIENT, ...client },
    {
      ...createFakeHost(APP).platform,
      async send(request) {
        sent.push(request)
        return respond()
      },
      call: async () => ({}),
      record: () => {},
      current: () => undefined,
      revoke() {},
      redirectUri: () => APP,
    },
  )
  return { server: opened.known()!, sent }
}

/** The provider that the options and the metadata describe. */
export const server = (
  options: Partial<OpenIdConnectOptions> = {},
  metadata: Record<string, unknown> = {},
  client: Partial<ServerClient> = {},
): Server => page(options, metadata, { client }).server

/** The error of a response of its sign-in page, or of the hidden frame. */
export function answerError(
  answer: AuthorizationAnswer,
  { isSilent }: { isSilent: boolean },
  options: Partial<OpenIdConnectOptions> = {},
  metadata: Record<string, unknown> = {},
): AuthError | undefined {
  const { issuer = ISSUER } = options
  const { settings, readMetadata } = oidcProfile({ ...options, issuer })
  return oidcAnswerError(
    answer,
    isSilent,
    readMetadata({ ...METADATA, issuer, ...metadata }),
    settings.tenants,
  )
}

/** How tokens are asked for and read at that provider. */
export function tokens(
  options: Partial<OpenIdConnectOptions> = {},
  metadata: Record<string, unknown> = {},
  client: Partial<ServerClient> = {},
): OidcTokens {
  const { issuer = ISSUER } = options
  const { settings, readMetadata } = oidcProfile({ ...options, issuer })
  return oidcTokens({
    metadata: readMetadata({ ...METADATA, issuer, ...metadata }),
    settings,
    client: { ...CLIENT, ...client },
  })
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

/** A JWT that nobody signed; a member that is `undefined` is left out. */
export const jwt = (claims: unknown, header: unknown = { alg: 'RS256' }): string =>
  `${encode(header)}.${encode(claims)}.c2lnbmF0dXJl`

export const CLAIMS = { iss: ISSUER, sub: 'u-1', aud: 'admin', nonce: NONCE, iat: NOW, exp: NOW + 300 }

/** The ID token of a sign-in, changed. */
export const idToken = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): string =>
  jwt({ ...CLAIMS, ...claims }, { alg: 'RS256', ...header })

/** What the token endpoint responds, changed. */
export const answer = (members: Record<string, unknown> = {}): Record<string, unknown> => ({
  access_token: 'opaque-access',
  token_type: 'Bearer',
  expires_in: 300,
  refresh_token: 'refresh-1',
  id_token: idToken(),
  ...members,
})

export const DEVICE: ServerTime = { nowMs: NOW_MS, source: 'device' }

/** Reads the tokens of a sign-in. */
export const signIn = (
  members: Record<string, unknown> = {},
  {
    time = DEVICE,
    on = tokens(),
    attempt = ATTEMPT,
    isSilent = false,
  }: { time?: ServerTime; on?: OidcTokens; attempt?: Attempt; isSilent?: boolean } = {},
): Promise<GrantedTokens> =>
  on.readTokens(answer(members), { attempt, isSilent, time, subtle: CRYPTO.subtle })

/** Reads the tokens of a refresh after a sign-in with this ID token. */
export async function refresh(
  members: Record<string, unknown>,
  {
    before = {},
    time = DEVICE,
    on = tokens(),
  }: { before?: Record<string, unknown>; time?: ServerTime; on?: OidcTokens } = {},
): Promise<{ current: Credentials; granted: GrantedTokens }> {
  const current = await signIn(before, { on })
  const granted = await on.readTokens(
    { access_token: 'opaque-2', token_type: 'Bearer', expires_in: 300, ...members },
    { current, time, subtle: CRYPTO.subtle },
  )
  return { current, granted }
}

const CATALOGUE = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

/** One of ours, fit to be shown: a code of the catalogue, a cause in words and a remedy as a sentence, no secret. */
export function explained(error: unknown): AuthError {
  if (!(error instanceof AuthError)) throw error
  // As the server of the profile does.
  if (!error.remedy) addRemedy(error)
  const { code, message, remedy = '' } = error
  const text = JSON.stringify(error)
  const because = (isSo: boolean, what: string) => {
    if (isSo) throw new Error(`${what}: ${text}`, { cause: error })
  }
  for (const secret of ['opaque-access', 'refresh-1', VERIFIER, NONCE, 'eyJ'])
    because(text.includes(secret), 'A secret')
  const [, section = ''] = CATALOGUE.split(`\n### \`${code}\`\n`)
  because(!section.split('\n### ')[0]!.includes('**Do:**'), 'docs/errors.md does not say what to do')
  because(!/\w \w/.test(message) || /undefined|\[object/.test(message), 'No cause')
  because(
    !/^(\p{L}.* .*\.|Did you mean \w+\?)$/su.test(remedy) || /undefined|\[object/.test(remedy),
    'No remedy',
  )
  return error
}

/** The error that a call ends with. */
export async function faultOf(work: () => unknown): Promise<AuthError> {
  try {
    await work()
  } catch (error) {
    return explained(error)
  }
  throw new Error('Nothing was refused')
}

/** Code and message of the error that a call ends with. */
export async function codeOf(work: () => unknown): Promise<string> {
  return (await faultOf(work)).code
}
