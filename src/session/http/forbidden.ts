// Makes the error of a 403 to a call of the app; loads with the first such call.
import { type AuthError, callRefused } from '../../base/errors.ts'
import { readRefusal } from '../../protocol/answers.ts'
import { type StepUps, withWords } from './challenge.ts'

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
