// The specification's own server as a profile: fixed addresses, JSON bodies, who it is from the access token (docs/serverContract.md).
import { AuthError, loginRequired, unexpectedAnswer, unexpectedStatus } from '../../errors.ts'
import { readRecord } from '../answers.ts'
import { decodeAccessToken } from '../claims.ts'
import { TOKEN_PATH, USER_INFO_PATH } from '../endpoints.ts'
import { logoutUrl } from '../pages.ts'
import { createAttemptKey } from '../pkce.ts'
import { answerError, authorizeUrl, isNoSession, readAnswer, readFrameAnswer } from '../signIn.ts'
import { codeGrant, parseTokens, refreshGrant } from '../tokens.ts'
import type { Server, ServerClient, ServerProfile, WireRequest } from './profile.ts'

const TOKEN_REQUEST = `POST ${TOKEN_PATH}`

/** The profile of the server at an origin. */
export function firmServer({ authHost }: { authHost: string }): ServerProfile {
  return {
    id: authHost,
    protocol: 'latchkey server contract',
    authHost,
    supports: () => true,
    checkClient: () => {},
    createKey: createAttemptKey,
    readAnswer,
    discovery: undefined,
    connect: (client) => connect(authHost, client),
    open(client) {
      const server = connect(authHost, client)
      return { known: () => server, get: async () => server, restore: server.restore }
    },
  }
}

function connect(authHost: string, client: ServerClient): Server {
  const settings = { authHost, ...client }
  const post = (body: Record<string, string>, secrets: readonly string[]): WireRequest => ({
    what: TOKEN_REQUEST,
    method: 'POST',
    url: authHost + TOKEN_PATH,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'default',
    secrets,
  })

  return {
    document: undefined,
    authorizeUrl: ({ key, redirectUri, isSilent = false, prompt }) =>
      authorizeUrl(settings, {
        ...key,
        redirectUri,
        prompt: isSilent ? 'none' : prompt,
        isInFrame: isSilent,
      }),
    silentCheck: { messageOrigin: authHost, readsAddress: false, redirectUri: undefined },
    readSilentAnswer: readFrameAnswer,
    answerError: (answer, { isSilent }) =>
      isSilent && isNoSession(answer) ? loginRequired() : answerError(answer, authHost),
    codeRequest: (code, attempt) => post(codeGrant(code, attempt), [code, attempt.verifier]),
    refreshRequest({ refreshToken, memory: { verifier = '' } }) {
      if (refreshToken === undefined) return undefined
      return post(refreshGrant(refreshToken, verifier, client.clientId), [refreshToken, verifier])
    },
    refreshReuseMs: Infinity,
    async readTokens(answer, { attempt, held }) {
      const { refreshToken, ...tokens } = parseTokens(answer)
      return {
        ...tokens,
        refreshToken: refreshToken ?? held?.refreshToken,
        memory: held?.memory ?? { verifier: attempt!.verifier },
        sinceMs: decodeAccessToken(tokens.accessToken).sinceMs,
        refreshExpiresInSeconds: undefined,
        scopes: undefined,
        notes: [],
      }
    },
    tokenError: (refusal) => unexpectedStatus(TOKEN_REQUEST, refusal),
    endsGrant(error) {
      const body = error instanceof AuthError ? error.body : undefined
      return typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_grant'
    },
    restore(handed) {
      const { accessToken, refreshToken, memory } = readRecord('another tab', handed)
      const { verifier } = readRecord('another tab', memory)
      if (typeof verifier !== 'string') throw unexpectedAnswer('another tab')
      const tokens = parseTokens({ access_token: accessToken, refresh_token: refreshToken })
      return {
        accessToken: tokens.accessToken,
        refreshToken: tokens.refreshToken,
        claims: tokens.claims,
        memory: { verifier },
      }
    },
    userInfoRequest: {
      what: `GET ${USER_INFO_PATH}`,
      method: 'GET',
      url: authHost + USER_INFO_PATH,
      headers: { accept: 'application/json' },
      cache: 'no-store',
      secrets: [],
    },
    readUserInfo: (answer) => readRecord(`GET ${USER_INFO_PATH}`, answer),
    revocationRequest: () => undefined,
    logout: ({ isForced, returnUri, state }) => ({
      url: logoutUrl(settings, { isForced, returnUri, state }),
      bringsStateBack: true,
    }),
  }
}
