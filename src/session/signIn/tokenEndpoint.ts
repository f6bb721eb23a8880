// The ways to get tokens from the server: a code, the hidden frame, the refresh token (spec §4, §7, contract §4 "token").
import { CODE_LIFETIME_MS } from '../../constants.ts'
import { AuthError, loginRequired, offline } from '../../errors.ts'
import type { Held, Memory, Server, TokenContext, WireRequest } from '../../protocol/servers/profile.ts'
import type { Attempt, AuthorizationAnswer } from '../../protocol/signIn.ts'
import type { Tokens } from '../../protocol/tokens.ts'
import type { Send } from '../http/send.ts'
import type { Platform } from '../platform/platform.ts'
import type { Timeline } from '../timeline.ts'

/** Tokens, and what the server's protocol remembers of the sign-in that they began with. */
export interface Granted {
  tokens: Tokens
  memory: Memory
  /** When they were asked for, by the wall clock: their life counts from then, however long they are on the way. */
  askedAtMs: number
  /** What the tabs call the session; only where another tab has handed it over. */
  session?: string | undefined
}

export interface TokenEndpointOptions {
  platform: Pick<Platform, 'address' | 'crypto' | 'early' | 'fetch' | 'isOnline' | 'now' | 'on' | 'setTimer'>
  timeline: Pick<Timeline, 'record'>
  /** The server, once its metadata is known. */
  server(): Promise<Server>
  send: Send
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
  /** @throws AuthError `login-required` without a refresh token */
  refresh(held: Held): Promise<Granted>
  /** Whether the refresh token may have been used up by a renewal whose answer was lost. */
  mayBeSpent(held: Held): boolean
  /** Whether an error says that the refresh token is worth nothing any more. */
  endsGrant(error: unknown): boolean
}

export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { platform, timeline } = options
  let server: Server | undefined
  /** The refresh whose answer has not come, or was lost. */
  let pending: { refreshToken: string | undefined; atMs: number } | undefined

  const getServer = async () => (server = await options.server())
  const send = (request: WireRequest, { tokenError }: Server, isRefresh: boolean) =>
    options.send({ ...request, refused: (refusal) => tokenError({ ...refusal, isRefresh }) })
  const read = async (
    { readTokens }: Server,
    answer: unknown,
    context: Omit<TokenContext, 'time' | 'sha256'>,
    askedAtMs: number,
  ): Promise<Granted> => {
    const time = { nowMs: platform.now(), source: 'device' as const }
    const { sha256 } = platform.crypto
    const { memory, notes, ...tokens } = await readTokens(answer, {
      ...context,
      time,
      sha256,
    } as TokenContext)
    for (const { message } of notes) timeline.record('tokens', 'done', message)
    return { tokens, memory, askedAtMs }
  }
  const redeem = async (
    code: string,
    context: { attempt: Attempt; isSilent: boolean },
    askedAtMs = platform.now(),
  ) => {
    const on = await getServer()
    const answer = await send(on.codeRequest(code, context.attempt), on, false)
    return read(on, answer, context, askedAtMs)
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
      const { answer, attempt } = await options.askFrame(signal, isLastChance)
      const refusal = (await getServer()).answerError(answer, { isSilent: true })
      if (refusal) throw refusal
      // `latchkey/early` may have asked long before.
      return redeem(answer.code!, { attempt, isSilent: true }, attempt.createdAtMs)
    },
    async refresh(held) {
      const on = await getServer()
      const request = on.refreshRequest(held)
      if (!request) throw loginRequired()
      const askedAtMs = platform.now()
      pending = { refreshToken: held.refreshToken, atMs: askedAtMs }
      try {
        const answer = await send(request, on, true)
        pending = undefined
        return await read(on, answer, { held }, askedAtMs)
      } catch (error) {
        // The server has spoken.
        if (!(error instanceof AuthError) || error.status !== undefined) pending = undefined
        throw error
      }
    },
    mayBeSpent: ({ refreshToken }) =>
      pending !== undefined &&
      pending.refreshToken === refreshToken &&
      platform.now() - pending.atMs >= (server?.refreshReuseMs ?? 0),
    endsGrant: (error) => server?.endsGrant(error) === true,
  }
}
