// Gets tokens from the server: by a code, the hidden frame or the refresh token.
import { CODE_LIFETIME_MS } from '../../base/constants.ts'
import { framesWorkKey } from '../../protocol/storageKeys.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import type { FurtherParameters } from '../../protocol/loginParameters.ts'
import type { CodeUse, ForResource, OpenedServer } from '../../protocol/servers/profile.ts'
import { isUntouched } from '../../protocol/renewalOutcome.ts'
import type { Attempt } from '../../protocol/signIn.ts'
import { startLimit } from '../../base/within.ts'
import { fetchAppFetchFile } from '../http/lazyFetch.ts'
import type { Reachability } from '../http/reachability.ts'
import { askInFrame, type FrameOptions } from './hiddenFrame.ts'

export function createTokenEndpoint(
  options: FrameOptions & { reachability: Reachability; server: OpenedServer },
) {
  const { settings, platform, reachability, server } = options
  const { localStorage } = platform
  const framesKey = framesWorkKey(settings)
  const redeem = async (code: string, use: CodeUse, askedAtMs = platform.now()): Promise<Granted> => {
    // The page is idle while the server works.
    fetchAppFetchFile(platform)
    const received = await (await server.get()).exchange(code, use)
    return { ...received, askedAtMs }
  }
  return {
    /** Exchanges a code. If the server cannot be reached, waits as long as the code may be valid. */
    async exchange(code: string, attempt: Attempt, signal: AbortSignal) {
      const limit = startLimit(platform, CODE_LIFETIME_MS, signal)
      await reachability.settleDoubt().catch(async (error: unknown) => {
        if (!(await reachability.untilThere(limit.signal))) throw error
      })
      limit.end()
      return redeem(code, { attempt, isSilent: false }, platform.early?.sentAtMs)
    },
    /** Gets tokens by the hidden frame; `isLastChance` as in `askInFrame`. @throws AuthError `login-required` when the server has no session */
    async askFrame(signal: AbortSignal, isLastChance?: boolean, parameters?: FurtherParameters) {
      const { answer, attempt } = await askInFrame(options, signal, isLastChance, parameters)
      const refusal = await (await server.get()).answerError(answer, { isSilent: true })
      if (refusal) throw refusal
      // `latchkey/early` may have opened the frame long before.
      const granted = await redeem(answer.code!, { attempt, isSilent: true }, attempt.createdAtMs)
      localStorage.set(framesKey, 'work')
      return granted
    },
    /** Whether a frame that gets the provider's cookies finds no session. A code is not used. */
    async isSignedOut(signal: AbortSignal) {
      if (localStorage.get(framesKey) === undefined) return false
      const { answer } = await askInFrame(options, signal)
      const refusal = await (await server.get()).answerError(answer, { isSilent: true })
      return refusal?.code === 'login-required'
    },
    /** Whether a frame of this browser has found a session before: then a frame's "no session" can be trusted. */
    doFramesWork: () => localStorage.get(framesKey) !== undefined,
    /** After the sign-in page found a session that the frame had missed, or a frame's "no session" ended one. */
    forgetFrames: () => localStorage.remove(framesKey),
    /** @throws AuthError `invalid-grant` when the refresh token can never be used again */
    async refresh(credentials: Credentials, refreshToken: string, forResource?: ForResource) {
      const on = await server.get()
      await reachability.settleDoubt()
      const askedAtMs = platform.now()
      const before = credentials.sentAtMs
      credentials.sentAtMs ??= askedAtMs
      try {
        return { ...(await on.refresh(credentials, refreshToken, forResource)), askedAtMs }
      } catch (error) {
        if (isUntouched(error) && credentials.refreshToken === refreshToken) credentials.sentAtMs = before
        throw error
      }
    },
    /** Whether a refresh token, sent at that time without a response, may be spent: the server accepts it once. */
    mayBeSpent(sentAtMs: number | undefined) {
      if (sentAtMs === undefined) return false
      const ageMs = platform.now() - sentAtMs
      // Negative if the clock was set back.
      return ageMs < 0 || ageMs >= (server.known()?.refreshReuseMs ?? 0)
    },
  }
}
