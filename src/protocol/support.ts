// Checks a request for support access, and reads the response.
import { LARGEST_SUPPORT_MINUTES } from '../base/constants.ts'
import { recordOf, textsOf } from '../base/json.ts'
import { invalidArgument } from '../base/sessionErrors.ts'
import { redact } from './redaction.ts'
import { Secret } from './secret.ts'
import { assertWritten, type ServerRecord } from './answers.ts'

/** A request for support access. */
export interface SupportRequest {
  /** The code that the supporter gave to the user. */
  requestCode: string | Secret
  /** Duration in whole minutes, 1 to 1440. */
  duration: number
}

/** The granted support access. */
export interface SupportAccess {
  /** When the access ends, milliseconds since 1970: the server's time, else by this machine's clock. */
  readonly endsAtMs: number
  /** The response of the server without its secrets. */
  readonly details: ServerRecord
}

export function checkSupportRequest(request: SupportRequest): { requestCode: string; duration: number } {
  const { requestCode: given, duration } = request
  const requestCode = given instanceof Secret ? given.reveal() : given
  if (typeof requestCode !== 'string' || requestCode.trim() === '') {
    throw invalidArgument('requestCode is required', 'Ask the supporter for the code.')
  }
  const range = `from 1 to ${LARGEST_SUPPORT_MINUTES}`
  if (!Number.isInteger(duration) || duration < 1 || duration > LARGEST_SUPPORT_MINUTES)
    throw invalidArgument(`duration must be whole minutes ${range}`, 'Choose a shorter or longer time.')
  return { requestCode, duration }
}

/** Reads the response of POST /support/authorization. @throws AuthError `unexpected-answer` */
export function readSupportAccess(
  answer: unknown,
  options: { requestCode: string; duration: number; nowMs: number },
): SupportAccess {
  assertWritten('POST /support/authorization', answer)
  const details = redact(recordOf(answer), [options.requestCode]) as ServerRecord
  const [endsAt = ''] = textsOf([details['endsAt']])
  return { endsAtMs: Date.parse(endsAt) || options.nowMs + options.duration * 60_000, details }
}
