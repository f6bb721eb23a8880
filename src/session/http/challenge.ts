// Notices that an API asks for a stronger sign-in; what reads its challenge loads with the first one.
import type { AuthError } from '../../errors.ts'

/** What is known of step-ups on this page. */
export interface StepUps {
  /** The last one that was gone through: what for, and when. */
  last?: { readonly key: string; readonly atMs: number } | undefined
  /** For everybody who asks for one meanwhile. */
  running?: Promise<void> | undefined
  /** Loads what a step-up needs. @throws AuthError */
  load(): Promise<{
    /** The error of a response; `undefined` when its challenge asks for nothing of the kind. */
    challengeError(header: string, stepUps: StepUps, nowMs: number): AuthError | undefined
  }>
}

const ASKS = /insufficient_(user_authentication|authentication_context)/

/** @throws AuthError `step-up-required`, `step-up-refused` */
export async function assertNoChallenge(
  { headers }: Response,
  stepUps: StepUps | undefined,
  nowMs: number,
): Promise<void> {
  const challenge = headers.get('www-authenticate') ?? ''
  if (!stepUps || !ASKS.test(challenge)) return
  const error = (await stepUps.load()).challengeError(challenge, stepUps, nowMs)
  if (error) throw error
}
