// The token endpoint of an OpenID Connect provider: builds its requests and reads its responses (RFC 6749 §5, OpenID Connect Core §3.1.3, §12).
import { LARGEST_TOKEN_LENGTH } from '../../base/constants.ts'
import {
  type AuthError,
  type Refusal,
  tokenRefused,
  unexpectedAnswer,
  unexpectedStatus,
} from '../../base/errors.ts'
import { given, numberOf, recordOf } from '../../base/json.ts'
import { invalidGrant } from '../../base/sessionErrors.ts'
import { readRecord } from '../answers.ts'
import { invalidClaims } from '../appClaims.ts'
import type { Credentials, Memory } from '../credentials.ts'
import type { Attempt } from '../signIn.ts'
import { decodeIdToken, type IdClaims, type IdTokenContext, readIdToken } from './idToken.ts'
import { clientRefused, invalidIdToken, unexpectedMember, withoutRemedy } from './oidcErrors.ts'
import type { KnownProvider } from './oidcOptions.ts'
import { formRequest, type Parameters, whatOf } from './oidcRequests.ts'
import { userOf } from './oidcUser.ts'
import type { CodeUse, ForResource, TokenBinding, WireRequest } from './profile.ts'

/** What the tokens are asked for with: a code, or the refresh token of `current`. */
export interface TokenUse extends Partial<CodeUse> {
  readonly current?: Credentials | undefined
  /** During a silent sign-in: the session, whose refresh token stays if none comes. */
  readonly beside?: Credentials | undefined
  readonly forResource?: ForResource | undefined
}

type TokenContext = TokenUse &
  IdTokenContext & {
    /** By the device's clock, which stored times are compared with. Default: the time of the context. */
    readonly deviceNowMs?: number | undefined
  }

export type GrantedTokens = Awaited<ReturnType<typeof readTokens>>

/** Sends nothing, so that `bindToKey` can wrap it. */
export type OidcTokens = ReturnType<typeof oidcTokens> & { readonly binding?: TokenBinding | undefined }

/** A longer opaque token would not fit into the header of a request. */
const LARGEST_OPAQUE_LENGTH = 16_384
/** A year. */
const LARGEST_LIFE_SECONDS = 31_536_000
/** What a `Date` can hold. */
const LARGEST_DATE_MS = 8.64e15

export function oidcTokens(provider: KnownProvider) {
  const { metadata, settings, client } = provider
  const { token_endpoint } = metadata
  const what = whatOf('POST', token_endpoint)
  // Most providers issue a token for one API only: the first resource is that of the session's own token.
  const [ownResource] = [settings.parameters?.['resource']].flat()
  const post = (secrets: readonly string[], body: Parameters) =>
    formRequest(token_endpoint, { ...body, client_id: client.clientId }, secrets, settings)

  return {
    codeRequest: (
      code: string,
      { verifier, redirectUri: redirect_uri }: Attempt,
      _beside?: Credentials,
    ): WireRequest =>
      post([code, verifier], {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri,
        resource: ownResource,
      }),
    /** `undefined` without a refresh token. */
    refreshRequest(
      { refreshToken: refresh_token, memory }: Credentials,
      resource = ownResource,
    ): WireRequest | undefined {
      if (refresh_token === undefined) return undefined
      const scope = settings.refreshScope ? memory.scope : undefined
      return post([refresh_token], { grant_type: 'refresh_token', refresh_token, scope, resource })
    },
    /**
     * @throws AuthError `unexpected-answer`, `invalid-id-token`, `invalid-claims`, `identity-changed`; `clock-skew` when the
     * device's clock may be wrong: then call again with the time of another source
     */
    readTokens: (answer: unknown, context: TokenContext) => readTokens(what, answer, context, provider),
    /** The error for a refusal. `invalid-grant`: the refresh token can never be used again. */
    tokenError({ isRefresh, ...refusal }: Refusal & { readonly isRefresh: boolean }): AuthError {
      const { status, body } = refusal
      const { error } = recordOf(body)
      if (status === 429 || status >= 500) return tokenRefused(what, refusal)
      // Dex and LemonLDAP say `invalid_request`. glewlwyd sends no body, although RFC 6749 §5.2 requires `error`.
      const isOver =
        ['invalid_grant', 'invalid_request'].includes(error as string) || (status === 400 && !body)
      if (isRefresh && isOver) return invalidGrant(unexpectedStatus(what, refusal))
      return clientRefused(status, body) ?? tokenRefused(what, refusal)
    },
    /** Parses the credentials that another tab has offered. @throws AuthError as `readTokens` */
    restore: (value: unknown): Credentials => restore(value, provider),
  }
}

async function readTokens(what: string, answer: unknown, context: TokenContext, provider: KnownProvider) {
  const { current, attempt, forResource, beside, time, deviceNowMs = time.nowMs } = context
  const { settings, client } = provider
  const { access_token, token_type, refresh_token, expires_in, id_token, scope } = readRecord(what, answer)
  const accessToken = readToken(access_token, what)
  if (accessToken === undefined) throw unexpectedAnswer(what)
  if (typeof token_type !== 'string' || !/^bearer$/i.test(token_type))
    throw unexpectedMember(what, 'token_type', token_type)
  // `refresh_expires_in` is not read: Keycloak says 0 for no end, sessions are prolonged or cut meanwhile, and only a refusal is certain.
  const refreshToken = readToken(refresh_token, what) ?? current?.refreshToken
  const notes: string[] = []

  const before = current && decodeIdToken(current.memory.idToken)
  const isKept = before !== undefined && given(id_token) === undefined
  const { nonce } = current?.memory ?? attempt!
  const claims = isKept
    ? before
    : await readIdToken(id_token, provider, { accessToken, nonce, before }, context)
  if (!isKept && time.source !== 'device') notes.push('The clock of this device is wrong.')
  if (before && before['auth_time'] !== claims['auth_time']) notes.push('A refresh changed auth_time.')

  const named = typeof scope === 'string' ? scope.split(/\s+/).filter(Boolean) : undefined
  const missing = client.scopes.filter((name) => name !== OFFLINE && named && !named.includes(name))
  if (attempt && missing.length > 0) notes.push(`Not granted: ${missing.join(' ')}`)
  const isOffline = client.scopes.includes(OFFLINE)
  const lacksRefreshToken =
    attempt && refreshToken === undefined && !context.isSilent && (isOffline || settings.silent === 'off')
  const warning = lacksRefreshToken
    ? `No refresh token came${
        isOffline
          ? ". Some providers want parameters: { prompt: 'consent' }."
          : ", and silent is 'off': the session ends with this token. Ask for offline_access."
      }`
    : undefined
  if (warning) notes.push(warning)
  const seconds = numberOf(expires_in)
  if (seconds !== undefined && seconds < 0) throw unexpectedMember(what, 'expires_in', seconds)
  const life = seconds && Math.min(seconds, LARGEST_LIFE_SECONDS)

  // Without a named scope, the requested or formerly granted one counts (RFC 6749 §5.1, §6).
  const granted = forResource ? undefined : named?.join(' ')
  const asked = askedScopes(client.scopes, context.isSilent).join(' ')
  // Nonce and scope belong to the sign-in that issued the refresh token: a server may repeat the nonce.
  const signIn =
    refreshToken === undefined && beside?.refreshToken !== undefined
      ? beside.memory
      : { nonce, scope: granted ?? current?.memory.scope ?? asked }
  const ofSignIn = { nonce: signIn.nonce, scope: signIn.scope, idToken: id_token, endsAtMs: sessionEnd() }
  const memory = isKept ? current!.memory : memoryOf({ ...current?.memory, ...ofSignIn }, provider)
  const withIt = forResource?.keep(memory, accessToken, deviceNowMs + (life ?? LARGEST_LIFE_SECONDS) * 1000)
  // A token for a resource is kept beside the session's own. One for another resource replaces it: some servers revoke the former token.
  const own = withIt ? current!.accessToken : accessToken
  return {
    accessToken: own,
    refreshToken,
    expiresInSeconds: life,
    sinceMs: Number(claims['auth_time'] || claims['iat']) * 1000 || undefined,
    claims: user(),
    memory: withIt ?? memory,
    /** What a developer should know of them. */
    notes,
    /** The note that goes to the console, too: there is no refresh token. */
    warning,
  }

  /** When the provider ends the session, by the device's clock (IPSIE SL1); some providers send it at a refresh, too. */
  function sessionEnd(): string | undefined {
    const issuedAt = Number(claims['iat'])
    const end = endOf(claims)
    const known = (current ?? beside)?.memory.endsAtMs
    if (end === undefined || !(end > issuedAt)) return known
    const endBefore = before && endOf(before)
    const knownMs = current && numberOf(known)
    // Without a reliable clock, the token is as old as its request.
    const nowMs = time.source === 'none' ? issuedAt * 1000 : time.nowMs
    // At a refresh the clocks differ as they did at the sign-in.
    const atMs =
      endBefore !== undefined && knownMs !== undefined
        ? knownMs + (end - endBefore) * 1000
        : end * 1000 + deviceNowMs - nowMs
    if (atMs <= deviceNowMs) throw invalidIdToken('the session that it is for is over (session_expiry)')
    return String(Math.round(Math.min(atMs, LARGEST_DATE_MS)))
  }

  /** Returns the same object as before a refresh unless a claim has changed: of the ID token, or of the access token. */
  function user() {
    try {
      const next = userOf(claims, own, provider)
      return JSON.stringify(current?.claims) === JSON.stringify(next) ? current!.claims : next
    } catch (error) {
      if (!current) throw error
      // The new tokens are valid, and the old ones may not be: keep the claims instead of ending the session.
      notes.push((error as Error).message)
      return current.claims
    }
  }
}

const endOf = ({ session_expiry, session_expires_at }: IdClaims) =>
  numberOf(session_expiry ?? session_expires_at)

/** The other tab has checked the ID token already. */
function restore(value: unknown, provider: KnownProvider): Credentials {
  const what = 'another tab'
  const { accessToken: access, refreshToken, memory: offered } = readRecord(what, value)
  const memory = readRecord(what, offered)
  const accessToken = readToken(access, what)
  const idClaims = decodeIdToken(memory['idToken'])
  if (accessToken === undefined) throw unexpectedAnswer(what)
  if (![idClaims['aud']].flat().includes(provider.client.clientId))
    throw invalidClaims('they are of another client')
  return {
    accessToken,
    refreshToken: readToken(refreshToken, what),
    claims: userOf(idClaims, accessToken, provider),
    memory: memoryOf({ ...memory, nonce: readToken(memory['nonce'], what) }, provider),
  }
}

export const OFFLINE = 'offline_access'

/** The scopes of a request. A silent check cannot ask the user to consent to offline access, and some servers ignore it silently. */
export const askedScopes = (scopes: readonly string[], isSilent: boolean | undefined): readonly string[] =>
  scopes.filter((scope) => !isSilent || scope !== OFFLINE)

/** The metadata is for other tabs, which may have none. */
const memoryOf = (members: Readonly<Record<string, unknown>>, { metadata }: KnownProvider): Memory =>
  Object.fromEntries(
    Object.entries({ ...members, document: JSON.stringify(metadata) }).filter(
      (member): member is [string, string] => typeof member[1] === 'string',
    ),
  )

/** A token, or `undefined` when there is none. */
function readToken(value: unknown, what: string): string | undefined {
  const token = given(value)
  if (token === undefined) return undefined
  if (typeof token !== 'string') throw unexpectedMember(what, 'token', token)
  // A JWT has two dots, an opaque token has none.
  const limit = token.split('.').length === 3 ? LARGEST_TOKEN_LENGTH : LARGEST_OPAQUE_LENGTH
  if (token.length > limit)
    throw withoutRemedy(
      'unexpected-answer',
      `${what}: a token of ${token.length} characters; the limit is ${limit}`,
    )
  return token
}
