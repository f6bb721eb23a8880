// Keeps a book of what a fake authorization server gave, by itself: whose each token is, which are spent, what must stay secret.
import type { FakeAuthServer } from '../../../src/testing/authServer.ts'

/** Everything that began with one code. */
export interface Family {
  /** When the user signed out, by the time that has really passed: nobody may be signed in with it any more. */
  endedAtMs: number | undefined
  /** User and session of its newest token: the tabs end a session by its name. */
  session: string
  /** How many began before it. */
  readonly order: number
  /** Its page asked for one scope more; `undefined`: no page of the world sent its code. */
  readonly hasMoreScopes: boolean | undefined
}

/** One access token. */
export interface Grant {
  readonly userId: string
  readonly sessionId: string
  readonly family: Family
  /** By the time that has really passed. */
  readonly expiresAtMs: number
}

export interface Book {
  /** What `getAccessToken()` may answer. */
  readonly byToken: ReadonlyMap<string, Grant>
  /** By the `jti` that the state of a page shows. */
  readonly byId: ReadonlyMap<string, Grant>
  /** Refresh tokens that were used again, their answer lost or not, though the server's own session could be asked. */
  readonly reuses: readonly string[]
  /** Tokens, codes and verifiers that came to the server or from it. */
  readonly secrets: ReadonlySet<string>
  /** A silent verification brought nothing: the refresh token held may be tried once, whoever may have used it. */
  allowReuse(): void
  /** A page asks for tokens with a body. */
  asks(body: string, hasMoreScopes: boolean): void
}

interface Body {
  readonly [name: string]: string | undefined
}

/** Watches a server from now on; `now` tells the time that has really passed. */
export function createBook(server: FakeAuthServer, now: () => number): Book {
  const byToken = new Map<string, Grant>()
  const byId = new Map<string, Grant>()
  const families = new Map<string, Family>()
  const spent = new Set<string>()
  /** The sign-in that a refresh token began with. */
  const verifiers = new Map<string, string>()
  /** By the verifier of a sign-in. */
  const scopes = new Map<string, boolean>()
  const secrets = new Set<string>()
  const reuses: string[] = []
  const token = server.token.bind(server)
  let mayReuse = false

  const note = (body: Body, answer: Body & { expires_in?: number }) => {
    const { code_verifier, refresh_token: used } = body
    const { refresh_token: kept = used } = answer
    // With OpenID Connect no verifier comes with a refresh.
    const verifier = code_verifier ?? verifiers.get(used ?? '') ?? ''
    if (kept !== undefined) verifiers.set(kept, verifier)
    const { access_token: accessToken = '', refresh_token: refreshToken } = answer
    const { jti, userId, sessionId } = claimsOf(accessToken)
    const family = families.get(verifier) ?? {
      endedAtMs: undefined,
      session: '',
      order: families.size,
      hasMoreScopes: scopes.get(verifier),
    }
    families.set(verifier, family)
    family.session = `${userId} ${sessionId}`
    const grant = { userId, sessionId, family, expiresAtMs: now() + (answer.expires_in ?? 0) * 1000 }
    byToken.set(accessToken, grant)
    byId.set(jti, grant)
    secrets.add(accessToken)
    if (refreshToken === undefined) return
    secrets.add(refreshToken)
    if (used !== undefined) spent.add(used)
  }

  server.token = async (request) => {
    const body = request as Body
    for (const name of ['code', 'code_verifier', 'refresh_token']) {
      const secret = body[name]
      if (secret !== undefined) secrets.add(secret)
    }
    if (spent.has(body['refresh_token'] ?? '')) {
      if (!mayReuse) reuses.push(body['refresh_token']!)
      mayReuse = false
    }
    const answer = await token(request)
    if (answer.status === 200) {
      mayReuse = false
      note(body, answer.body as Body)
    } else if (body['code'] !== undefined) mayReuse = true
    return answer
  }
  return {
    byToken,
    byId,
    reuses,
    secrets,
    allowReuse() {
      mayReuse = true
    },
    asks(body, hasMoreScopes) {
      const [, verifier] = /code_verifier"?[=:]"?([^&"]+)/.exec(body) ?? []
      // With the firm's server a refresh names it again, whichever tab sends that.
      if (verifier !== undefined && !scopes.has(verifier)) scopes.set(verifier, hasMoreScopes)
    },
  }
}

function claimsOf(accessToken: string): { jti: string; userId: string; sessionId: string } {
  const [, payload = ''] = accessToken.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as never
}

/** What the state of a page shows of an access token. */
export const idOf = (accessToken: string): string => claimsOf(accessToken).jti
