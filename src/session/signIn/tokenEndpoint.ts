// The ways to get tokens from the server: a code, the hidden frame, the refresh token (spec §4, §7, contract §4 "token").
import { CODE_LIFETIME_MS } from '../../constants.ts'
import { loginRequired, offline } from '../../errors.ts'
import type { Settings } from '../../protocol/config.ts'
import { answerError, type Attempt, type AuthorizationAnswer, isNoSession } from '../../protocol/signIn.ts'
import { codeGrant, parseTokens, refreshGrant, type Tokens } from '../../protocol/tokens.ts'
import type { Platform } from '../platform/platform.ts'

/** Tokens and the verifier of the sign-in that they began with. */
export interface Granted {
  tokens: Tokens
  verifier: string
  /** When they were asked for, by the wall clock: their life counts from then, however long they are on the way. */
  askedAtMs: number
  /** What the tabs call the session; only where another tab has handed it over. */
  session?: string | undefined
}

export interface TokenEndpointOptions {
  settings: Settings
  platform: Pick<Platform, 'early' | 'isOnline' | 'now' | 'on' | 'setTimer'>
  /** POST /oauth/token; rejects with AuthError. */
  post(body: Record<string, string>): Promise<unknown>
  /** Opens the hidden frame, unless frames have failed before and this is not the session's last chance. */
  askFrame(
    signal: AbortSignal,
    isLastChance: boolean,
  ): Promise<{ answer: AuthorizationAnswer; attempt: Attempt }>
}

export interface TokenEndpoint {
  /** Exchanges a code; waits for the network when the browser is offline, as long as the code may live. */
  exchange(code: string, attempt: Attempt, signal: AbortSignal): Promise<Granted>
  /**
   * Asks the server's own session through the hidden frame.
   *
   * @param isLastChance the session held here ends without an answer: the frame is opened although others have failed
   * @throws AuthError `login-required` when there is none
   */
  verify(signal: AbortSignal, isLastChance?: boolean): Promise<Granted>
  refresh(refreshToken: string, verifier: string): Promise<Granted>
}

export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { settings, platform } = options
  const request = async (
    body: Record<string, string>,
    verifier: string,
    askedAtMs = platform.now(),
  ): Promise<Granted> => ({ tokens: parseTokens(await options.post(body)), verifier, askedAtMs })
  const untilOnline = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = () => settle(() => reject(offline()))
      const stop = platform.on('online', () => settle(resolve))
      const cancel = platform.setTimer(giveUp, CODE_LIFETIME_MS)
      signal.addEventListener('abort', giveUp)
      function settle(end: () => void) {
        stop()
        cancel()
        signal.removeEventListener('abort', giveUp)
        end()
      }
    })

  return {
    async exchange(code, attempt, signal) {
      if (!platform.isOnline()) await untilOnline(signal)
      return request(codeGrant(code, attempt), attempt.verifier, platform.early?.sentAtMs)
    },
    async verify(signal, isLastChance = false) {
      const { answer, attempt } = await options.askFrame(signal, isLastChance)
      if (isNoSession(answer)) throw loginRequired()
      const refusal = answerError(answer, settings.authHost)
      if (refusal) throw refusal
      // `latchkey/early` may have asked long before.
      return request(codeGrant(answer.code!, attempt), attempt.verifier, attempt.createdAtMs)
    },
    refresh: async (refreshToken, verifier) =>
      request(refreshGrant(refreshToken, verifier, settings.clientId), verifier),
  }
}
