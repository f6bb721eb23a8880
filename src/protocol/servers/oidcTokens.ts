// Asks the token endpoint of an OpenID Connect provider, and reads what it responds: tokens, who they are for, how long they live (RFC 6749 §5, OpenID Connect Core §3.1.3, §12).
import { LARGEST_TOKEN_LENGTH } from '../../base/constants.ts'
import { tokenRefused, unexpectedAnswer, unexpectedStatus } from '../../base/errors.ts'
import { given, numberOf, recordOf } from '../../base/json.ts'
import { invalidGrant } from '../../base/sessionErrors.ts'
import { readRecord } from '../answers.ts'
import { invalidClaims } from '../appClaims.ts'
import { readJwt } from '../claims.ts'
import { withResourceTokens } from '../credentials.ts'
import { clientRefused, invalidIdToken, unexpectedMember, withoutRemedy } from './oidcErrors.ts'
import { decodeIdToken, type IdClaims, type IdTokenRules, readIdToken } from './idToken.ts'
import type { Metadata } from './metadata.ts'
import type { OidcSettings } from './oidcOptions.ts'
import { formRequest, type Parameters, whatOf } from './oidcRequests.ts'
import { userOf } from './oidcUser.ts'
import type { GrantedTokens, OidcTokens, ServerNote, TokenContext } from './oidcProfile.ts'
import type { Credentials, Memory } from '../credentials.ts'
import type { ServerClient } from './profile.ts'

interface TokenRules extends IdTokenRules {
  readonly settings: OidcSettings
  readonly client: ServerClient
  /** The metadata as JSON. It is offered to other tabs with the tokens, because they may have none. */
  readonly document: string
  /** For error texts: method and path of the token endpoint. */
  readonly what: string
}

/** A longer opaque token would not fit into the header of a request. */
const LARGEST_OPAQUE_LENGTH = 16_384
/** A year. */
const LARGEST_LIFE_SECONDS = 31_536_000
/** What a `Date` can hold. */
const LARGEST_DATE_MS = 8.64e15

/** The token endpoint that the metadata names. */
export function oidcTokens(metadata: Metadata, settings: OidcSettings, client: ServerClient): OidcTokens {
  const { token_endpoint } = metadata
  const { clientId } = client
  const { parameters = {}, tenants, trustedAudiences } = settings
  const what = whatOf('POST', token_endpoint)
  const document = JSON.stringify(metadata)
  const rules = { metadata, document, clientId, tenants, trustedAudiences, settings, client, what }
  // Most providers issue a token for one API only: the first resource is that of the session's own token.
  const [ownResource] = [parameters['resource']].flat()
  const post = (secrets: readonly string[], body: Parameters) =>
    formRequest(token_endpoint, { ...body, client_id: clientId }, secrets, settings)

  return {
    codeRequest: (code, { verifier, redirectUri: redirect_uri }) =>
      post([code, verifier], {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri,
        resource: ownResource,
      }),
    refreshRequest({ refreshToken: refresh_token, memory }, resource = ownResource) {
      if (refresh_token === undefined) return undefined
      const scope = settings.refreshScope ? memory['scope'] : undefined
      return post([refresh_token], { grant_type: 'refresh_token', refresh_token, scope, resource })
    },
    readTokens: (answer, context) => readTokens(answer, context, rules),
    tokenError({ isRefresh, ...refusal }) {
      const { status, body } = refusal
      const { error } = recordOf(body)
      if (status === 429 || status >= 500) return tokenRefused(what, refusal)
      // Dex and LemonLDAP say `invalid_request`. glewlwyd sends no body, although RFC 6749 §5.2 requires `error`.
      const isOver =
        ['invalid_grant', 'invalid_request'].includes(error as string) || (status === 400 && !body)
      if (isRefresh && isOver) return invalidGrant(unexpectedStatus(what, refusal))
      return clientRefused(status, body) ?? tokenRefused(what, refusal)
    },
    restore: (value) => restore(value, rules),
  }
}

async function readTokens(answer: unknown, context: TokenContext, rules: TokenRules): Promise<GrantedTokens> {
  const { current, attempt, resource, beside } = context
  const { what, settings, client } = rules
  const members = readRecord(what, answer)
  const { token_type, expires_in, id_token, scope } = members
  const accessToken = readToken(members['access_token'], what)
  if (accessToken === undefined) throw unexpectedAnswer(what)
  if (typeof token_type !== 'string' || !/^bearer$/i.test(token_type))
    throw unexpectedMember(what, 'token_type', token_type)
  // The life that some providers tell of it (`refresh_expires_in`) is not read: Keycloak says 0 where there is no end, sessions are
  // prolonged or cut meanwhile, and only a refusal is certain.
  const refreshToken = readToken(members['refresh_token'], what) ?? current?.refreshToken
  const notes: ServerNote[] = []
  const note = (code: ServerNote['code'], message: string) => notes.push({ code, message })

  const before = current && decodeIdToken(current.memory['idToken'])
  const isKept = before !== undefined && given(id_token) === undefined
  const { time, check, deviceNowMs = time.nowMs } = context
  const nonce = current ? current.memory['nonce'] : attempt.nonce
  const claims = isKept ? before : await readIdToken(id_token, rules, { accessToken, nonce, before }, context)
  if (!isKept && time.source !== 'device') note('clock-skew', 'The clock of this device is wrong.')
  if (before && before['auth_time'] !== claims['auth_time'])
    note('auth-time-changed', 'A refresh changed auth_time.')

  const asked = askedScopes(client.scopes, context.isSilent)
  const named = typeof scope === 'string' ? scope.split(/\s+/).filter(Boolean) : undefined
  // None are named: those that were asked for, or granted before (RFC 6749 §5.1, §6).
  const granted = resource === undefined ? named?.join(' ') : undefined
  if (attempt) {
    const missing = client.scopes.filter((name) => name !== OFFLINE && named && !named.includes(name))
    if (missing.length > 0) note('scope-reduced', `Not granted: ${missing.join(' ')}`)
    const isOffline = client.scopes.includes(OFFLINE)
    if (refreshToken === undefined && !context.isSilent && (isOffline || settings.silent === 'off'))
      note(
        'no-refresh-token',
        `No refresh token came${
          isOffline
            ? ". Some providers want parameters: { prompt: 'consent' }."
            : ", and silent is 'off': the session ends with this token. Ask for offline_access."
        }`,
      )
  }
  const seconds = numberOf(expires_in)
  if (seconds !== undefined && seconds < 0) throw unexpectedMember(what, 'expires_in', seconds)
  const life = seconds && Math.min(seconds, LARGEST_LIFE_SECONDS)
  const isMeant = resource !== undefined && isFor(accessToken, resource)
  // A token for a resource is kept beside the session's own. One for another resource replaces it: some servers revoke the former token.
  const own = isMeant ? current.accessToken : accessToken
  return {
    accessToken: own,
    refreshToken,
    expiresInSeconds: life,
    sinceMs: Number(claims['auth_time'] || claims['iat']) * 1000 || undefined,
    claims: user(claims),
    memory: memory(),
    notes,
  }

  function memory(): Memory {
    const endsAtMs = sessionEnd(claims) ?? (current ?? beside)?.memory['endsAtMs']
    const isBeside = refreshToken === undefined && beside?.refreshToken !== undefined
    // Of the sign-in that the refresh token is of: a server may repeat the nonce.
    const signIn = isBeside
      ? beside.memory
      : { nonce, scope: granted ?? current?.memory['scope'] ?? asked.join(' ') }
    const next = isKept ? current!.memory : memoryOf({ ...signIn, idToken: id_token, endsAtMs }, rules)
    if (isKept && resource === undefined) return next
    const untilMs = deviceNowMs + (life ?? LARGEST_LIFE_SECONDS) * 1000
    const added = isMeant ? { resource, token: accessToken!, untilMs } : undefined
    return withResourceTokens(next, current?.memory ?? {}, deviceNowMs, added)
  }

  /** When the provider ends the session, by this device's clock (IPSIE SL1). Some providers say so at a refresh, too. */
  function sessionEnd(idClaims: IdClaims): string | undefined {
    const issuedAt = Number(idClaims['iat'])
    const end = endOf(idClaims)
    if (end === undefined || !(end > issuedAt)) return undefined
    const endBefore = before && endOf(before)
    const knownMs = numberOf(current?.memory['endsAtMs'])
    // Where no clock is right, the token is as old as its request.
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
  function user(idClaims: IdClaims) {
    if (!isKept) check?.('claims')
    try {
      const next = userOf(idClaims, own, settings, rules)
      return JSON.stringify(current?.claims) === JSON.stringify(next) ? current!.claims : next
    } catch (error) {
      if (!current) throw error
      // The new tokens are valid, and the old ones may not be: keep the claims instead of ending the session.
      note('claims-kept', (error as Error).message)
      return current.claims
    }
  }
}

const endOf = ({ session_expiry, session_expires_at }: IdClaims) =>
  numberOf(session_expiry ?? session_expires_at)

/** Whether an access token is for a resource. A token without a readable `aud` counts as such. A trailing slash is ignored. */
function isFor(accessToken: string, resource: string): boolean {
  const aud = readJwt(accessToken)?.['aud']
  const bare = (value: unknown) => String(value).replace(/\/$/, '')
  return aud === undefined || [aud].flat().some((one) => bare(one) === bare(resource))
}

/** Parses the credentials that another tab has offered. The other tab has checked the ID token already. */
function restore(value: unknown, rules: TokenRules): Credentials {
  const what = 'another tab'
  const { accessToken: access, refreshToken, memory: offered } = readRecord(what, value)
  const memory = readRecord(what, offered)
  const { idToken, nonce, binding, endsAtMs, scope } = memory
  const accessToken = readToken(access, what)
  const idClaims = decodeIdToken(idToken)
  if (accessToken === undefined) throw unexpectedAnswer(what)
  if (![idClaims['aud']].flat().includes(rules.clientId)) throw invalidClaims('they are of another client')
  const own = memoryOf({ idToken, nonce: readToken(nonce, what), binding, endsAtMs, scope }, rules)
  return {
    accessToken,
    refreshToken: readToken(refreshToken, what),
    claims: userOf(idClaims, accessToken, rules.settings, rules),
    memory: withResourceTokens(own, memory as Memory, 0),
  }
}

export const OFFLINE = 'offline_access'

/** The scopes of a request. A silent check cannot ask the user to consent to offline access, and some servers ignore it silently. */
export const askedScopes = (scopes: readonly string[], isSilent: boolean | undefined): readonly string[] =>
  scopes.filter((scope) => !isSilent || scope !== OFFLINE)

const memoryOf = (members: Record<string, unknown>, { document }: TokenRules): Memory =>
  Object.fromEntries(
    Object.entries({ document, ...members }).filter(
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
