// The profile of a server with latchkey's own contract: fixed paths, JSON bodies, the user from the access token (docs/serverContract.md).
import { AuthError, loginRequired, unexpectedAnswer } from '../../base/errors.ts'
import { memberOf } from '../../base/json.ts'
import { invalidGrant } from '../../base/sessionErrors.ts'
import { readRecord } from '../answers.ts'
import { addAppClaims } from '../appClaims.ts'
import { type Claims, readJwt } from '../claims.ts'
import { isSameIdentity } from '../identity.ts'
import { TOKEN_PATH, USER_INFO_PATH, logoutUrl } from '../endpoints.ts'
import { createAttemptKey } from '../pkce.ts'
import { answerError, authorizeUrl, isNoSession, readAnswer, readFrameAnswer } from '../signIn.ts'
import { codeGrant, parseTokens, refreshGrant, type Tokens } from '../tokens.ts'
import type { Credentials, Memory, Received } from '../credentials.ts'
import type { Server, ServerClient, ServerPorts, ServerProfile } from './profile.ts'

export function firmServer({ authHost }: { authHost: string }): ServerProfile {
  return {
    id: authHost,
    protocol: 'latchkey server contract',
    authHost,
    supports: (feature) => feature !== 'resourceTokens',
    checkClient: () => {},
    createKey: createAttemptKey,
    readAnswer,
    open(client, ports) {
      const server = connect(authHost, client, ports)
      return {
        known: () => server,
        get: async () => server,
        restore: (value) => restore(value, client),
      }
    },
  }
}

function connect(authHost: string, client: ServerClient, { call, now, record }: ServerPorts): Server {
  const settings = { authHost, ...client }
  const fetchTokens = async (body: object, memory: Memory, current?: Credentials): Promise<Received> => {
    const tokens = parseTokens(await call({ method: 'POST', path: TOKEN_PATH, body }), now() / 1000)
    const refreshToken = tokens.refreshToken ?? current?.refreshToken
    return { ...tokens, refreshToken, claims: userOf(tokens, current), memory }
  }
  /** If the app's `claims` throws at a renewal, the session continues with the former claims. */
  const userOf = (tokens: Tokens, current: Credentials | undefined) => {
    try {
      return claimsOf(tokens, client)
    } catch (error) {
      if (!current || !isSameIdentity(current.claims, tokens.claims)) throw error
      record('tokens', 'failed', (error as Error).message)
      return Object.freeze({ ...current.claims, ...tokens.claims })
    }
  }

  return {
    authorizeUrl({ key, redirectUri, isSilent, parameters = {} }) {
      const url = new URL(authorizeUrl(settings, { ...key, redirectUri, isSilent }))
      for (const [name, value] of Object.entries(parameters))
        for (const item of [value].flat()) url.searchParams.append(name, item)
      return url.href
    },
    probe: { url: authHost + USER_INFO_PATH, cors: 'likely' },
    silentCheck: {},
    readSilentAnswer: readFrameAnswer,
    answerError: async (answer, { isSilent }) =>
      isSilent && isNoSession(answer) ? loginRequired() : answerError(answer, authHost),
    exchange: (code, { attempt }) => fetchTokens(codeGrant(code, attempt), { verifier: attempt.verifier }),
    async refresh(current, refreshToken) {
      try {
        const body = refreshGrant(refreshToken, current.memory.verifier ?? '', client.clientId)
        return await fetchTokens(body, current.memory, { ...current, refreshToken })
      } catch (error) {
        if (error instanceof AuthError && memberOf(error.body, 'error') === 'invalid_grant')
          throw invalidGrant(error)
        throw error
      }
    },
    async readUserInfo(_, withToken, signal) {
      const path = USER_INFO_PATH
      const answer = await withToken((token) => call({ method: 'GET', path, token, signal }))
      return readRecord(`GET ${path}`, answer)
    },
    logout: (request) => ({ url: logoutUrl(settings, request) }),
  }
}

/** @throws AuthError `invalid-claims` */
const claimsOf = ({ claims, accessToken }: Tokens, { claims: read }: ServerClient): Claims =>
  read ? addAppClaims(claims, () => read(readJwt(accessToken) ?? {}, undefined)) : claims

function restore(value: unknown, client: ServerClient): Credentials {
  const { accessToken, refreshToken, memory } = readRecord('another tab', value)
  const { verifier } = readRecord('another tab', memory)
  if (typeof verifier !== 'string') throw unexpectedAnswer('another tab')
  const tokens = parseTokens({ access_token: accessToken, refresh_token: refreshToken })
  return {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    claims: claimsOf(tokens, client),
    memory: { verifier },
  }
}
