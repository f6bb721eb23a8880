// Makes the errors of a step-up (RFC 9470), a switch and an unconfirmed logout; apart, because they load with the first one.
import { type AuthError, fault } from './errors.ts'

/** The sign-in that an API requires. */
export interface StepUpChallenge {
  /** Any of these is enough, the best first, in the server's terms. */
  readonly acrValues?: readonly string[] | undefined
  /** Longest time since the user last gave their credentials. */
  readonly maxAgeInSeconds?: number | undefined
  /** Claims that the API requires, as JSON for the parameter `claims` (Entra ID). */
  readonly claims?: string | undefined
}

/** The API requires a stronger or more recent sign-in. */
export const stepUpRequired = (challenge: StepUpChallenge): AuthError =>
  Object.assign(
    fault(
      'step-up-required',
      'This needs a stronger sign-in',
      'Pass this error to auth.stepUp() on a click.',
    ),
    challenge,
  )

export const stepUpRefused = (
  challenge: StepUpChallenge,
  why = 'the API asks for the same once more',
): AuthError =>
  Object.assign(
    fault(
      'step-up-refused',
      `The stronger sign-in was not enough: ${why}`,
      'Check that server and API mean the same by acr_values and max_age.',
    ),
    challenge,
  )

/** The former session continues. */
export const switchRefused = (why: string, cause?: AuthError): AuthError =>
  fault(
    'switch-refused',
    `The switch was not done: ${why}`,
    'The session is as it was. Name an organization of this user, and map it to firmId.',
    { cause },
  )

/** The sign-in page has let a session in that a logout was to end, and the server has no page that ends it. */
export const sessionKept = (): AuthError =>
  fault(
    'session-kept',
    'The server still has the session that was ended here',
    'Sign in once more to go on with it, or sign out at the server itself.',
  )
