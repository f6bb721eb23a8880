// A sign-in: the request, the begun attempt, and the stored requirements for its result.
import type { Claims } from '../../protocol/claims.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { FurtherParameters, SignInWishes } from '../../protocol/loginParameters.ts'
import type { Attempt } from '../../protocol/signIn.ts'
import type { StepUpChallenge } from '../../base/stepUpErrors.ts'
import type { LoginOptions } from '../auth.ts'
import type { Flow } from '../http/reachability.ts'

export interface SignInRequest extends LoginOptions {
  isAutomatic?: boolean | undefined
  /** That of start-up. Default: a new one. */
  flow?: Flow | undefined
  /** The server must ask for the credentials, even if it has a session. */
  isFresh?: boolean | undefined
  /** Parameters of a switch to another organization. Later sign-ins of this tab send them too. */
  further?: FurtherParameters | undefined
  /** Set when the app's hook calls `login` because of a clash: the reason shown if the user cancels. */
  clash?: SessionClash | undefined
  /** With a popup: throws for a wrong result, before the current session ends. */
  check?: ((granted: Granted) => void) | undefined
  /** Set for a step-up: the next page checks the tokens by it. */
  stepUp?: KeptStepUp | undefined
}

export interface BegunAttempt {
  state: string
  attempt: Attempt
  /** URL of the sign-in page. */
  address: string
}

/** Stored with an attempt: the required strength and user. */
export interface KeptStepUp extends StepUpChallenge {
  /** Absent: any user. */
  readonly user?: Claims | undefined
  /** Set for a switch: the organization that the result must have. */
  readonly switchTo?: object | undefined
}

/** The strength that the app asks for; `undefined` for none. */
export function strengthOf({ acrValues = [], maxAgeInSeconds }: SignInWishes): KeptStepUp | undefined {
  const values = [acrValues].flat().flatMap((value) => value.match(/\S+/g) ?? [])
  if (values.length === 0) return maxAgeInSeconds === undefined ? undefined : { maxAgeInSeconds }
  return { acrValues: values, maxAgeInSeconds }
}
