// Recognises a challenge for a stronger sign-in, or a refusal for lack of rights; the file that reads it loads later.
import { type AuthError, callRefused } from '../../base/errors.ts'
import { readRefusal } from '../../protocol/answers.ts'

export interface StepUps {
  /** The last successful step-up: its challenge and time. */
  last?: { readonly key: string; readonly atMs: number } | undefined
  /** Brings the sign-in window to the front, if one is open. */
  focus?: (() => void) | undefined
  /** Loads what a step-up needs. @throws AuthError */
  load(): Promise<{
    /** The error for a challenge; `undefined` when it asks for no stronger sign-in. */
    challengeError(header: string, stepUps: StepUps, nowMs: number): AuthError | undefined
    addWords(forbidden: AuthError, challenge: string | null): void
  }>
}

const ASKS = /insufficient_(user_authentication|authentication_context|claims)/

/** @throws AuthError `step-up-required`, `step-up-refused` */
export async function assertNoChallenge(
  { headers, ok }: Response,
  stepUps: StepUps | undefined,
  nowMs: number,
): Promise<void> {
  const challenge = headers.get('www-authenticate') ?? ''
  if (ok || !stepUps || !ASKS.test(challenge)) return
  const error = (await stepUps.load()).challengeError(challenge, stepUps, nowMs)
  if (error) throw error
}

/** The `forbidden` of a call of the app that was refused with 403. It has no request, and so no bearer token. */
export const forbidden = async (
  what: string,
  { text, secrets, challenge }: { text: string; secrets: readonly string[]; challenge: string | null },
  load: StepUps['load'],
): Promise<AuthError> =>
  withWords(
    callRefused(what, readRefusal({ status: 403, text, secrets, retryAfter: null }, 0)),
    challenge,
    load,
  )

/** Adds the server's description to a `forbidden`. If the file that reads it cannot be loaded, the error stays without. */
export async function withWords(
  error: AuthError,
  challenge: string | null,
  load: StepUps['load'],
): Promise<AuthError> {
  if (error.code === 'forbidden') {
    try {
      const { addWords } = await load()
      addWords(error, challenge)
    } catch {}
  }
  return error
}
