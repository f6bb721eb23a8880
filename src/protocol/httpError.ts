// Reads the errors that HTTP clients reject with: each keeps status and body in another place.
import { recordOf, textsOf } from '../base/json.ts'
import { cleanText } from './redaction.ts'

/** An error with the status of the response: of `auth.fetch`, ofetch or axios. */
export interface HttpError extends Error {
  /** Of the response: 400 to 599. */
  readonly status: number
  /** The body: parsed if it is JSON. */
  readonly data?: unknown
}

/**
 * Whether a call failed with one of these statuses; without statuses, with any. For errors of `auth.fetch` (`FetchError`, and
 * `AuthError`, whose body is in `body`), and those of axios. docs/apiErrors.md.
 *
 * @example
 * if (isHttpError(error, 422)) showFieldErrors(error.data)
 */
export function isHttpError(error: unknown, ...statuses: readonly number[]): error is HttpError {
  const status = error instanceof Error ? recordOf(error)['status'] : undefined
  return typeof status === 'number' && (statuses.length === 0 || statuses.includes(status))
}

/** The HTTP status of an error, as ofetch, axios and ky keep it. */
export function statusOf(error: unknown): number | undefined {
  const { status, statusCode, response } = recordOf(error)
  const found = status ?? statusCode ?? recordOf(response)['status']
  return typeof found === 'number' ? found : undefined
}

/** The body of an error's response, as ofetch and axios keep it, and `AuthError`. */
export function bodyOf(error: unknown): unknown {
  const { body, response, data = recordOf(response)['data'] } = recordOf(error)
  return data ?? body
}

/** The server's text for users: the first of these members of the body with one, on one line, cut at 300 characters. */
export function serversWords(error: unknown, ...members: readonly string[]): string | undefined {
  const body = recordOf(bodyOf(error))
  return textsOf(members.map((name) => body[name]))
    .map(cleanText)
    .find(Boolean)
}
