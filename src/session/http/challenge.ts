// Notices that an API asks for a stronger sign-in, or refuses for lack of rights; what reads its challenge loads with the first one.
import type { AuthError } from '../../errors.ts'

/** What is known of step-ups on this page. */
export interface StepUps {
  /** The last one that was gone through: what for, and when. */
  last?: { readonly key: string; readonly atMs: number } | undefined
  /** For everybody who asks for the same meanwhile. */
  running?: { readonly key: string; readonly credentials: object; readonly done: Promise<void> } | undefined
  /** Brings the window of a sign-in to the front, where there is one. */
  focus?: (() => void) | undefined
  /** Looks at the server for claims that an API misses, by the claims; `session`: whose they are. */
  meetings?: Map<string, { readonly session: AbortSignal; readonly done: Promise<string | undefined> }>
  /** Loads what a step-up needs. @throws AuthError */
  load(): Promise<{
    /** The error of a response; `undefined` when its challenge asks for nothing of the kind. */
    challengeError(header: string, stepUps: StepUps, nowMs: number): AuthError | undefined
    /** Adds the server's words. */
    addWords(forbidden: AuthError, challenge: string | null): void
  }>
}

const ASKS = /insufficient_(user_authentication|authentication_context|claims)/

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

/** The error, with what the server says of it; without, where the file that reads that does not come. */
export async function withWords(
  error: AuthError,
  challenge: string | null,
  load: StepUps['load'],
): Promise<AuthError> {
  if (error.code === 'forbidden') {
    try {
      const { addWords } = await load()
      addWords(error, challenge)
    } catch {
      // What happened is said without them.
    }
  }
  return error
}
