// Asks the token endpoint of an OpenID Connect provider, and reads what it responds: tokens, who they are for, how long they live (RFC 6749 §5, OpenID Connect Core §3.1.3, §12).
import { unexpectedAnswer, unexpectedStatus } from '../../errors.ts'
import { numberOf } from '../../json.ts'
import { invalidGrant } from '../../sessionErrors.ts'
import { readRecord } from '../answers.ts'
import { invalidClaims } from '../appClaims.ts'
import { readJwt } from '../claims.ts'
import { withResourceTokens } from '../resourceTokens.ts'
import { clientRefused, invalidIdToken } from './oidcErrors.ts'
import { decodeIdToken, type IdClaims, type IdTokenRules, readIdToken } from './idToken.ts'
import type { Metadata } from './metadata.ts'
import type { OidcSettings } from './oidcOptions.ts'
import { formRequest, type Parameters, whatOf } from './oidcRequests.ts'
import { isEqualUser, userOf } from './oidcUser.ts'
import type { GrantedTokens, OidcTokens, ServerNote, TokenContext } from './oidcProfile.ts'
import type { Credentials, Memory } from '../credentials.ts'
import type { ServerClient } from './profile.ts'

/** What the reading of tokens depends on. */
interface TokenRules extends IdTokenRules {
  readonly settings: OidcSettings
  readonly client: ServerClient
  /** The metadata: it goes with the tokens to the other tabs, which may have none. */
  readonly document: string
  /** For error texts: method and path of the token endpoint. */
  readonly what: string
}

/** A longer one would not fit into the header of a request. */
const LARGEST_OPAQUE_LENGTH = 16_384
/** A year: what is planned for longer is not planned at all. */
const LARGEST_LIFE_SECONDS = 31_536_000
/** What a `Date` can hold. */
const LARGEST_DATE_MS = 8.64e15

/** The token endpoint that the metadata names. */
export function oidcTokens(metadata: Metadata, settings: OidcSettings, client: ServerClient): OidcTokens {
  const { token_endpoint } = metadata
  const { clientId } = client
  const { parameters = {}, tenants } = settings
  const what = whatOf('POST', token_endpoint)
  const document = JSON.stringify(metadata)
  const rules = { metadata, document, clientId, tenants, settings, client, what }
  // One token is for one API at most providers: the first is the session's own.
  const [ownResource] = [parameters['resource']].flat()
  const post = (body: Parameters, secrets: readonly string[]) =>
    formRequest(token_endpoint, { ...body, client_id: clientId }, secrets, settings)

  return {
    codeRequest: (code, { verifier, redirectUri }) =>
      post(
        {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
          resource: ownResource,
        },
        [code, verifier],
      ),
    refreshRequest({ refreshToken }, resource = ownResource) {
      if (refreshToken === undefined) return undefined
      const scope = settings.refreshScope ? client.scopes.join(' ') : undefined
      return post({ grant_type: 'refresh_token', refresh_token: refreshToken, scope, resource }, [
        refreshToken,
      ])
    },
    readTokens: (answer, context) => readTokens(answer, context, rules),
    tokenError({ isRefresh, ...refusal }) {
      const { status, body } = refusal
      const { error } = Object(body) as { error?: unknown }
      const isPassing = status === 429 || status >= 500
      // RFC 6749 §5.2 wants an `error`; glewlwyd sends nothing at all for a refresh token that was used before.
      const isOver = error === 'invalid_grant' || (status === 400 && (body === '' || body === undefined))
      if (isRefresh && !isPassing && isOver) return invalidGrant(unexpectedStatus(what, refusal))
      return (isPassing ? undefined : clientRefused(error, status, body)) ?? unexpectedStatus(what, refusal)
    },
    restore: (value) => restore(value, rules),
  }
}

async function readTokens(answer: unknown, context: TokenContext, rules: TokenRules): Promise<GrantedTokens> {
  const { held, attempt, resource } = context
  const { what, settings, client } = rules
  const members = readRecord(what, answer)
  const { token_type, expires_in, scope, id_token } = members
  const refreshLife = members['refresh_token_expires_in'] ?? members['refresh_expires_in']
  const accessToken = readToken(members['access_token'], what)
  if (accessToken === undefined || !/^bearer$/i.test(String(token_type))) throw unexpectedAnswer(what)
  const refreshToken = readToken(members['refresh_token'], what) ?? held?.refreshToken
  const notes: ServerNote[] = []
  const note = (code: ServerNote['code'], message: string) => notes.push({ code, message })

  const before = held && decodeIdToken(held.memory['idToken'])
  const isKept = before !== undefined && (id_token === undefined || id_token === null)
  const { time, sha256, check, algorithms, deviceNowMs = time.nowMs } = context
  const nonce = held ? held.memory['nonce'] : attempt.nonce
  const claims = isKept
    ? before
    : await readIdToken(id_token, rules, { accessToken, nonce, before, time, sha256, check, algorithms })
  if (!isKept && time.source !== 'device') note('clock-skew', 'The clock of this device is wrong.')
  if (before && before['auth_time'] !== claims['auth_time'])
    note('auth-time-changed', 'A refresh changed auth_time.')

  const scopes: readonly string[] | undefined =
    typeof scope === 'string' ? (scope.match(/\S+/g) ?? []) : undefined
  if (attempt) {
    const missing = client.scopes.filter((name) => name !== OFFLINE && scopes?.includes(name) === false)
    if (missing.length > 0) note('scope-reduced', `Not granted: ${missing.join(' ')}`)
    if (!context.isSilent && client.scopes.includes(OFFLINE) && refreshToken === undefined)
      note(
        'no-refresh-token',
        "No refresh token came. Some providers want parameters: { prompt: 'consent' }.",
      )
  }
  const life = readLife(expires_in, what)
  // A token for a resource stands beside the session's own.
  const own = resource === undefined ? accessToken : held.accessToken
  return {
    accessToken: own,
    refreshToken,
    expiresInSeconds: life,
    // Keycloak says 0 for a refresh token without an end.
    refreshExpiresInSeconds: Number(refreshLife) > 0 ? readLife(refreshLife, what) : undefined,
    sinceMs: Number(claims['auth_time'] || claims['iat']) * 1000 || undefined,
    scopes,
    claims: user(claims),
    memory: memory(),
    notes,
  }

  function memory(): Memory {
    const endsAtMs = sessionEnd(claims) ?? held?.memory['endsAtMs']
    const next = isKept ? held!.memory : memoryOf(id_token as string, nonce, endsAtMs, rules)
    if (isKept && resource === undefined) return next
    const untilMs = deviceNowMs + (life ?? LARGEST_LIFE_SECONDS) * 1000
    const isMeant = resource !== undefined && isFor(accessToken!, resource)
    const added = isMeant ? { resource, token: accessToken!, untilMs } : undefined
    return withResourceTokens(next, held?.memory ?? {}, deviceNowMs, added)
  }

  /** When the provider ends the session, by this device's clock (IPSIE SL1); said at the sign-in, and at a refresh by some. */
  function sessionEnd({ session_expiry, session_expires_at, iat }: IdClaims): string | undefined {
    const end = numberOf(session_expiry ?? session_expires_at)
    if (end === undefined || !(end > Number(iat))) return undefined
    const atMs = end * 1000 + deviceNowMs - time.nowMs
    if (atMs <= deviceNowMs) throw invalidIdToken('the session that it is for is over (session_expiry)')
    return String(Math.round(Math.min(atMs, LARGEST_DATE_MS)))
  }

  /** The user after a refresh is the object of before, when nothing has changed. An access token may say more than before. */
  function user(idClaims: IdClaims) {
    if (!isKept) check?.('claims')
    try {
      const next = userOf(idClaims, own, settings, rules)
      return held && isEqualUser(held.claims, next) ? held.claims : next
    } catch (error) {
      if (!held) throw error
      // The tokens are good, and the old ones may be worth nothing any more.
      note('claims-kept', (error as Error).message)
      return held.claims
    }
  }
}

/** A token that can be read says which API it is for; whether an address ends in a slash makes no difference. */
function isFor(accessToken: string, resource: string): boolean {
  const aud = readJwt(accessToken)?.['aud']
  const bare = (value: unknown) => String(value).replace(/\/$/, '')
  return aud === undefined || [aud].flat().some((one) => bare(one) === bare(resource))
}

/** Reads what another tab of this browser holds: it has been checked there, and is of this client. */
function restore(value: unknown, rules: TokenRules): Credentials {
  const what = 'another tab'
  const { accessToken: access, refreshToken: refresh, memory } = readRecord(what, value)
  const { idToken, nonce, binding, endsAtMs } = readRecord(what, memory)
  const accessToken = readToken(access, what)
  const idClaims = decodeIdToken(idToken)
  if (accessToken === undefined) throw unexpectedAnswer(what)
  if (![idClaims['aud']].flat().includes(rules.clientId)) throw invalidClaims('they are of another client')
  return {
    accessToken,
    refreshToken: readToken(refresh, what),
    claims: userOf(idClaims, accessToken, rules.settings, rules),
    memory: withResourceTokens(
      {
        ...memoryOf(idToken as string, readToken(nonce, what), readToken(endsAtMs, what), rules),
        ...(typeof binding === 'string' && { binding }),
      },
      readRecord(what, memory) as Memory,
      0,
    ),
  }
}

export const OFFLINE = 'offline_access'

const memoryOf = (
  idToken: string,
  nonce: string | undefined,
  endsAtMs: string | undefined,
  { document }: TokenRules,
): Memory => ({
  idToken,
  document,
  ...(nonce !== undefined && { nonce }),
  ...(endsAtMs !== undefined && { endsAtMs }),
})

/** A token, or `undefined` when there is none. */
function readToken(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value === '' || value.length > LARGEST_OPAQUE_LENGTH)
    throw unexpectedAnswer(what)
  return value
}

/** Seconds; `undefined` when none can be used. */
function readLife(value: unknown, what: string): number | undefined {
  const seconds = numberOf(value)
  if (seconds === undefined) return undefined
  if (seconds < 0) throw unexpectedAnswer(what)
  return Math.min(seconds, LARGEST_LIFE_SECONDS)
}
