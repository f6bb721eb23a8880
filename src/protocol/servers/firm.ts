// The specification's own server as a profile: fixed addresses, JSON bodies, who it is from the access token (docs/serverContract.md).
import { AuthError, loginRequired, unexpectedAnswer } from '../../errors.ts'
import { memberOf } from '../../json.ts'
import { invalidGrant } from '../../sessionErrors.ts'
import { readRecord } from '../answers.ts'
import { TOKEN_PATH, USER_INFO_PATH } from '../endpoints.ts'
import { logoutUrl } from '../pages.ts'
import { createAttemptKey } from '../pkce.ts'
import { answerError, authorizeUrl, isNoSession, readAnswer, readFrameAnswer } from '../signIn.ts'
import { codeGrant, parseTokens, refreshGrant } from '../tokens.ts'
import type { Memory, OpenedServer, Server, ServerClient, ServerPorts, ServerProfile } from './profile.ts'

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
    open(client, ports) {
      const server = connect(authHost, client, ports)
      return { known: () => server, get: async () => server, restore }
    },
  }
}

function connect(authHost: string, client: ServerClient, { call }: ServerPorts): Server {
  const settings = { authHost, ...client }
  const fetchTokens = async (body: Record<string, string>, memory: Memory, refreshToken?: string) => {
    const tokens = parseTokens(await call({ method: 'POST', path: TOKEN_PATH, body }))
    return { tokens: { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }, memory }
  }

  return {
    authorizeUrl: ({ key, redirectUri, isSilent = false, prompt }) =>
      authorizeUrl(settings, {
        ...key,
        redirectUri,
        prompt: isSilent ? 'none' : prompt,
        isInFrame: isSilent,
      }),
    silentCheck: {},
    readSilentAnswer: readFrameAnswer,
    answerError: (answer, { isSilent }) =>
      isSilent && isNoSession(answer) ? loginRequired() : answerError(answer, authHost),
    exchange: (code, { attempt }) => fetchTokens(codeGrant(code, attempt), { verifier: attempt.verifier }),
    async refresh({ memory }, refreshToken) {
      try {
        const body = refreshGrant(refreshToken, memory['verifier'] ?? '', client.clientId)
        return await fetchTokens(body, memory, refreshToken)
      } catch (error) {
        if (error instanceof AuthError && memberOf(error.body, 'error') === 'invalid_grant')
          throw invalidGrant(error)
        throw error
      }
    },
    readUserInfo: async (_, token, signal) =>
      readRecord(`GET ${USER_INFO_PATH}`, await call({ method: 'GET', path: USER_INFO_PATH, token, signal })),
    logout: ({ isForced, returnUri, state }) => ({
      url: logoutUrl(settings, { isForced, returnUri, state }),
    }),
  }
}

const restore: OpenedServer['restore'] = (handed) => {
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
}
