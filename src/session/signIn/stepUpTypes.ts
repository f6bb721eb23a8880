// What is said about a stronger sign-in by the parts that do not load with it.
import type { Claims } from '../../protocol/claims.ts'
import type { StepUpChallenge } from '../../stepUpErrors.ts'

/** How a stronger sign-in is asked for. */
export interface StepUpOptions {
  /** 'popup' keeps the page, with what was typed into it; call it inside the click. Default 'page'. */
  display?: 'page' | 'popup' | undefined
}

/** What a page that leaves for a step-up, or for a sign-in of some strength, keeps to judge what comes back. */
export interface KeptStepUp extends StepUpChallenge {
  /** Absent: whoever signs in. */
  readonly user?: Claims | undefined
  /** It is a switch: what it is held against. */
  readonly switchTo?: object | undefined
}
