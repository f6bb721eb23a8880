// Sends a request to the token endpoint and reads the response: a wrong clock is found out, and metadata that is too old.
import { AuthError } from '../../errors.ts'
import { numberOf } from '../../json.ts'
import { OWN_ORIGIN_WAIT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Received } from '../credentials.ts'
import type { GrantedTokens, IdTokenCheck, OidcTokens, ServerTime, TokenUse } from './oidcProfile.ts'
import type { ServerPorts, WireRequest } from './profile.ts'

/** The step of `explain()` that says which checks an ID token has passed; the devtools read it. */
const ID_TOKEN = 'ID token'

/** @param readAlgorithms those of ID tokens by metadata that is fetched now; absent: the app has given them by hand */
export function createTokenReceipt(
  tokens: OidcTokens,
  ports: ServerPorts,
  readAlgorithms: (() => Promise<readonly string[]>) | undefined,
) {
  const { now, send, record, crypto } = ports
  /** Those of metadata that is newer than what the server was made of. */
  let algorithms: readonly string[] | undefined

  /** Reads, and records which checks of the ID token it passed. */
  const read = async (
    answer: unknown,
    use: TokenUse,
    time: ServerTime,
    isMetadataNew = false,
  ): Promise<GrantedTokens> => {
    const checks: IdTokenCheck[] = []
    const check = (name: IdTokenCheck) => void checks.push(name)
    try {
      const context = { ...use, time, deviceNowMs: now(), sha256: crypto.sha256, check, algorithms }
      const granted = await tokens.readTokens(answer, context)
      // A refresh may bring none.
      if (checks.length > 0) record(ID_TOKEN, 'done', `passed: ${checks.join(', ')}`)
      return granted
    } catch (error) {
      const failed = checks.pop()
      // What is known of the provider may be an hour old: it may sign in another way by now.
      if (failed === 'signature algorithm' && readAlgorithms && !isMetadataNew) {
        algorithms = await readAlgorithms().catch(() => algorithms)
        return read(answer, use, time, true)
      }
      if (failed) record(ID_TOKEN, 'failed', `passed: ${checks.join(', ') || 'none'}; failed: ${failed}`)
      throw error
    }
  }

  return async (request: WireRequest, use: TokenUse): Promise<Received> => {
    const isRefresh = use.held !== undefined
    const answer = await send({
      ...request,
      refused: (refusal) => tokens.tokenError({ ...refusal, isRefresh }),
    })
    const { notes, ...received } = await read(answer, use, { nowMs: now(), source: 'device' }).catch(
      // Where a token and the device disagree about the time, the app's own server is asked for it.
      async (error: unknown) => {
        if (!(error instanceof AuthError && error.code === 'clock-skew')) throw error
        return read(answer, use, await askOwnOrigin(ports))
      },
    )
    for (const { code, message } of notes) {
      record('tokens', 'done', message)
      if (code === 'no-refresh-token') ports.tell?.(message)
    }
    return received
  }
}

/** The header `Date` of the page's own origin; without one, the device's clock with the mark that nobody knows better. */
export async function askOwnOrigin({ address, fetch, now, setTimer }: ServerPorts): Promise<ServerTime> {
  const ask = async () => {
    // The page itself, which is there; what stands in its query is nobody's business.
    const { origin, pathname } = new URL(address())
    const { headers } = await fetch(origin + pathname, {
      method: 'HEAD',
      cache: 'no-store',
      credentials: 'omit',
    })
    // A cache on the way repeats the time at which it stored the page, and says how long ago that was.
    return Date.parse(headers.get('date') ?? '') + (numberOf(headers.get('age')) ?? 0) * 1000
  }
  const nowMs = await within({ setTimer }, OWN_ORIGIN_WAIT_MS, ask).catch(() => Number.NaN)
  return typeof nowMs === 'number' && Number.isFinite(nowMs)
    ? { nowMs, source: 'origin' }
    : { nowMs: now(), source: 'none' }
}
