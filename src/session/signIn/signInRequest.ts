// What a sign-in is asked for, what one that has begun consists of, and what a page keeps to judge what it brings.
import type { Claims } from '../../protocol/claims.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { FurtherParameters } from '../../protocol/loginParameters.ts'
import type { Attempt } from '../../protocol/signIn.ts'
import type { StepUpChallenge } from '../../stepUpErrors.ts'
import type { LoginOptions } from '../authOptions.ts'

/** A sign-in as the session asks for it. */
export interface SignInRequest extends LoginOptions {
  isAutomatic?: boolean | undefined
  /** The credentials are asked for, whatever session the server has. */
  isFresh?: boolean | undefined
  /** What a switch asks of the server, at later sign-ins too. */
  further?: FurtherParameters | undefined
  /** The app's hook asked for it because of this clash: should the user turn back, that is why they are signed out. */
  clash?: SessionClash | undefined
  /** In a window: looks at what it brought before it takes the place of anything. Throws where that is not what was asked for. */
  check?: ((granted: Granted) => void) | undefined
  /** The API has asked for it: what the page that comes back holds the tokens against. */
  stepUp?: KeptStepUp | undefined
}

export interface BegunAttempt {
  /** The key that the answer comes back with. */
  state: string
  attempt: Attempt
  /** Of the sign-in page. */
  address: string
}

/** What a page that leaves for a step-up, or for a sign-in of some strength, keeps to judge what comes back. */
export interface KeptStepUp extends StepUpChallenge {
  /** Absent: whoever signs in. */
  readonly user?: Claims | undefined
  /** It is a switch: what it is held against. */
  readonly switchTo?: object | undefined
}
