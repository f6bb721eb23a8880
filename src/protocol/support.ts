// Support access: what is asked of the server, and until when it then lasts (spec §3 "Support authorisation payload", §6).
import { LARGEST_SUPPORT_MINUTES } from '../constants.ts'
import { recordOf } from '../json.ts'
import { invalidArgument } from '../sessionErrors.ts'
import { redact } from './redaction.ts'
import { Secret } from './secret.ts'
import { assertWritten, type ServerRecord } from './answers.ts'

/** Whom to let in and for how long. */
export interface SupportRequest {
  /** The code that the supporter told. */
  requestCode: string | Secret
  /** Whole minutes, 1 to 1440. */
  duration: number
}

/** What was granted. */
export interface SupportAccess {
  /** When it ends: by the server's word, else by this machine's clock; milliseconds since 1970. */
  readonly endsAtMs: number
  /** The server's answer without its secrets. */
  readonly details: ServerRecord
}

/** The request's members, checked. @throws AuthError `invalid-argument` */
export function checkSupportRequest(request: SupportRequest): { requestCode: string; duration: number } {
  const { requestCode: given, duration } = request
  const requestCode = given instanceof Secret ? given.reveal() : given
  if (typeof requestCode !== 'string' || requestCode.trim() === '') {
    throw invalidArgument('requestCode is required', 'Ask the supporter for the code.')
  }
  if (!Number.isInteger(duration) || duration < 1 || duration > LARGEST_SUPPORT_MINUTES) {
    throw invalidArgument(
      `duration must be whole minutes from 1 to ${LARGEST_SUPPORT_MINUTES}`,
      'Choose a shorter or longer time.',
    )
  }
  return { requestCode, duration }
}

/** Reads the answer of POST /support/authorization. @throws AuthError `unexpected-answer` */
export function readSupportAccess(
  answer: unknown,
  options: { requestCode: string; duration: number; nowMs: number },
): SupportAccess {
  assertWritten('POST /support/authorization', answer)
  const details = redact(recordOf(answer), [options.requestCode]) as ServerRecord
  const told = details['endsAt']
  const toldMs = typeof told === 'string' ? Date.parse(told) : NaN
  return { endsAtMs: Number.isNaN(toldMs) ? options.nowMs + options.duration * 60_000 : toldMs, details }
}
