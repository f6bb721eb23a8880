// Loads what a step-up needs with the first one, and notices that an API asks for it (contract §12).
import { ours } from '../ours.ts'

/** What is known of step-ups on this page. */
export interface StepUps {
  /** The last one that was gone through: what for, and when. */
  last?: { readonly key: string; readonly atMs: number } | undefined
  /** For everybody who asks for one meanwhile. */
  running?: Promise<void> | undefined
}

export const loadStepUp = (): Promise<typeof import('./stepUp.ts')> => ours(import('./stepUp.ts'))

const ASKS = /insufficient_(user_authentication|authentication_context)/

/** @throws AuthError `step-up-required`, `step-up-refused` */
export async function assertNoChallenge(
  { headers }: Response,
  stepUps: StepUps,
  nowMs: number,
): Promise<void> {
  const challenge = headers.get('www-authenticate') ?? ''
  if (!ASKS.test(challenge)) return
  const error = (await loadStepUp()).challengeError(challenge, stepUps, nowMs)
  if (error) throw error
}
