// A stronger sign-in (RFC 9470): who changes the link map has confirmed, in the last minutes, that it is they.
import type { Caller } from './bearer.ts'
import { HttpError } from './http.ts'

/** The `acr` of a sign-in whose user has confirmed that it is they. */
export const CONFIRMED = 'confirmed'

const LONGEST_SECONDS = 300
/** What clocks may differ. */
const TOLERANCE_SECONDS = 5

/** Whether a request asks for the confirmation, by its `acr_values`. */
export const asksToConfirm = (acrValues: unknown): boolean =>
  typeof acrValues === 'string' && acrValues.split(' ').includes(CONFIRMED)

/** @throws HttpError 401 with the challenge */
export function requireConfirmation({ token }: Caller): void {
  const { strength } = token
  const ageSeconds = Date.now() / 1000 - (strength?.authTimeSeconds ?? 0)
  if (strength?.acr === CONFIRMED && ageSeconds <= LONGEST_SECONDS + TOLERANCE_SECONDS) return
  throw new HttpError(401, 'insufficient_user_authentication', 'confirm that it is you', {
    'www-authenticate': `Bearer error="insufficient_user_authentication", acr_values="${CONFIRMED}", max_age="${LONGEST_SECONDS}"`,
  })
}
