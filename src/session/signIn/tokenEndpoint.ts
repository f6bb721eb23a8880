// The ways to get tokens from the server: a code, the hidden frame, the refresh token.
import { CODE_LIFETIME_MS } from '../../constants.ts'
import { offline } from '../../errors.ts'
import type { CodeUse, Held, OpenedServer, Received } from '../../protocol/servers/profile.ts'
import type { Attempt, AuthorizationAnswer } from '../../protocol/signIn.ts'
import type { Platform } from '../platform/platform.ts'

/** Tokens, and what the server's protocol remembers of the sign-in that they began with. */
export interface Granted extends Received {
  /** When they were asked for, by the wall clock: their life counts from then, however long they are on the way. */
  askedAtMs: number
  /** What the tabs call the session; only where another tab has handed it over. */
  session?: string | undefined
}

export interface TokenEndpointOptions {
  platform: Pick<Platform, 'early' | 'isOnline' | 'now' | 'on' | 'setTimer'>
  server: Pick<OpenedServer, 'known' | 'get'>
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
  /** @throws AuthError `invalid-grant` when the refresh token is worth nothing any more */
  refresh(held: Held, refreshToken: string, resource?: string): Promise<Granted>
  /** Whether the refresh token may have been used up by a renewal whose answer was lost. */
  mayBeSpent(held: Held): boolean
}

export function createTokenEndpoint({ platform, server, askFrame }: TokenEndpointOptions): TokenEndpoint {
  const redeem = async (code: string, use: CodeUse, askedAtMs = platform.now()) => {
    const received = await (await server.get()).exchange(code, use)
    return { ...received, askedAtMs }
  }
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
      return redeem(code, { attempt, isSilent: false }, platform.early?.sentAtMs)
    },
    async verify(signal, isLastChance = false) {
      const { answer, attempt } = await askFrame(signal, isLastChance)
      const refusal = (await server.get()).answerError(answer, { isSilent: true })
      if (refusal) throw refusal
      // `latchkey/early` may have asked long before.
      return redeem(answer.code!, { attempt, isSilent: true }, attempt.createdAtMs)
    },
    async refresh(held, refreshToken, resource) {
      const on = await server.get()
      const askedAtMs = platform.now()
      return { ...(await on.refresh(held, refreshToken, resource)), askedAtMs }
    },
    mayBeSpent: (held) => server.known()?.mayBeSpent?.(held) === true,
  }
}
