// Sends a request to the token endpoint and reads the response. Detects a wrong device clock.
import { AuthError, type Refusal } from '../../base/errors.ts'
import { numberOf, recordOf } from '../../base/json.ts'
import { OWN_ORIGIN_WAIT_MS } from '../../base/sessionConstants.ts'
import { within } from '../../base/within.ts'
import type { Received } from '../credentials.ts'
import { redact } from '../redaction.ts'
import type { ServerTime } from './idToken.ts'
import type { OidcTokens, TokenUse } from './oidcTokens.ts'
import type { ServerPorts, WireRequest } from './profile.ts'

export function createTokenReceipt(tokens: OidcTokens, ports: ServerPorts) {
  const { now, send, record, crypto } = ports

  const read = (answer: unknown, use: TokenUse, time: ServerTime) =>
    tokens.readTokens(answer, { ...use, time, deviceNowMs: now(), subtle: crypto.subtle })

  return async (request: WireRequest, use: TokenUse): Promise<Received> => {
    const isRefresh = use.current !== undefined
    const refused = (refusal: Refusal) => tokens.tokenError({ ...refusal, isRefresh })
    const answer = await send({ ...request, refused })
    const { notes, warning, ...received } = await read(answer, use, { nowMs: now(), source: 'device' })
      .catch(
        // The ID token does not fit the device's clock: ask the app's own server for the time.
        async (error: unknown) => {
          if (!(error instanceof AuthError && error.code === 'clock-skew')) throw error
          return read(answer, use, await askOwnOrigin(ports))
        },
      )
      .catch((error: unknown) => {
        const body = recordOf(answer)
        const { access_token, refresh_token } = body
        const refreshToken = typeof refresh_token === 'string' ? refresh_token : undefined
        if (typeof access_token === 'string') ports.revoke({ accessToken: access_token, refreshToken })
        // Some servers refuse with status 200.
        throw body['error'] ? refused({ status: 200, body: redact(body, request.secrets) }) : error
      })
    if (recordOf(answer)['id_token'])
      record('ID token', 'done', 'signature algorithm, issuer, audience, nonce and time are right')
    for (const note of notes) record('tokens', 'done', note)
    if (warning) ports.tell?.(warning)
    return received
  }
}

/** The header `Date` of the page's own origin; without one the device's clock, with source `none`. */
export async function askOwnOrigin({ address, fetch, now, setTimer }: ServerPorts): Promise<ServerTime> {
  const ask = async () => {
    // The page itself, because it exists. Without its query, which may contain secrets.
    const { origin, pathname } = new URL(address())
    const { headers } = await fetch(origin + pathname, {
      method: 'HEAD',
      cache: 'no-store',
      credentials: 'omit',
    })
    // A cache sends the `Date` at which it stored the page, and the `Age` since then.
    return Date.parse(headers.get('date') ?? '') + (numberOf(headers.get('age')) ?? 0) * 1000
  }
  const nowMs = numberOf(await within({ setTimer }, OWN_ORIGIN_WAIT_MS, ask).catch(() => undefined))
  return nowMs === undefined ? { nowMs: now(), source: 'none' } : { nowMs, source: 'origin' }
}
