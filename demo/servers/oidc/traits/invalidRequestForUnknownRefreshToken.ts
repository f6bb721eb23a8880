// A server that does not say invalid_grant of a refresh token that it does not know.
import { formOf, onEndpoint, refuse, type Trait } from './trait.ts'

export const invalidRequestForUnknownRefreshToken: Trait = {
  name: 'a refresh token that it does not know: invalid_request',
  source: 'better-auth 1.7.5, seen in a run on 2026-11-22',
  isOccasional: true,
  wrap: onEndpoint('token', async (request) =>
    (await formOf(request)).has('refresh_token')
      ? refuse(request, { error: 'invalid_request', error_description: 'invalid refresh token' })
      : undefined,
  ),
}
