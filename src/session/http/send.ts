// Sends latchkey's own requests, removes secrets from their errors, and respects the server's rate limits.
import { CALL_TIMEOUT_MS, LARGEST_ANSWER_BYTES, LARGEST_REFUSAL_BYTES } from '../../base/constants.ts'
import { AuthError, network, timedOut, unexpectedAnswer, unexpectedStatus } from '../../base/errors.ts'
import { parseJson, readBody } from '../../base/json.ts'
import { readRefusal } from '../../protocol/answers.ts'
import type { WireRequest } from '../../protocol/servers/profile.ts'
import type { Block } from '../../protocol/tabMessages.ts'
import { startLimit } from '../../base/within.ts'
import type { Platform } from '../platform/platform.ts'
import { assertNoChallenge, type StepUps, withWords } from './challenge.ts'

export interface Sending extends Omit<WireRequest, 'method'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Resolve with a `TaggedAnswer`. */
  readonly isTagged?: boolean | undefined
}

export interface TaggedAnswer {
  readonly body: unknown
  /** The ETag; `undefined` without one, and for a weak one, which If-Match never matches (RFC 9110 §13.1.1). */
  readonly etag: string | undefined
}

export type Send = (sending: Sending) => Promise<unknown>

/** Sends no cookies and follows no redirect. One time limit covers the whole response. */
export function createSend(
  platform: Pick<Platform, 'fetch' | 'monotonicNow' | 'now' | 'setTimer'>,
  limits: RateLimits = createRateLimits(platform),
  /** The session's secrets, removed from every error. */
  sessionSecrets: () => readonly string[] = () => [],
  stepUps?: StepUps,
): Send {
  return async ({ what, method, url, headers, body, cache, signal, ...request }) => {
    const {
      expectedStatus = 200,
      keepalive = false,
      refused = (refusal) => unexpectedStatus(what, refusal),
    } = request
    const endpoint = new URL(url).pathname
    const pause = limits.pause(endpoint)
    if (pause.retryAfterMs > 0) throw unexpectedStatus(`${what} waits: the server`, pause, 'rate-limited')

    const limit = startLimit(platform, CALL_TIMEOUT_MS, signal)
    // Ends the wait even if `fetch` ignores its signal.
    const over = limit.over.then(() => {
      throw limit.signal.reason as Error
    })
    try {
      const ask = async () => {
        const response = await (request.fetch ?? platform.fetch)(url, {
          method,
          headers,
          ...(body !== undefined && { body }),
          credentials: 'omit',
          redirect: request.seesRedirects ? 'manual' : 'error',
          cache,
          keepalive,
          signal: limit.signal,
        })
        const isExpected = response.status === expectedStatus
        const text = await readBody(response, isExpected ? LARGEST_ANSWER_BYTES : LARGEST_REFUSAL_BYTES)
        return { response, ...text }
      }
      const { response, text, isCut } = await Promise.race([ask(), over])
      const { status, headers: found } = response
      if (status === expectedStatus) {
        if (isCut) throw unexpectedAnswer(what, status)
        const answer = jsonOrRaw(text)
        return request.isTagged ? ({ body: answer, etag: strongTag(found) } satisfies TaggedAnswer) : answer
      }
      await assertNoChallenge(response, stepUps, platform.now())
      const secrets = [...request.secrets, ...sessionSecrets()]
      const refusal = readRefusal(
        { status, text, secrets, retryAfter: found.get('retry-after') },
        platform.now(),
      )
      if (refusal.retryAfterMs) limits.block([endpoint, refusal.retryAfterMs, status])
      const error = refused(refusal)
      throw stepUps ? await withWords(error, found.get('www-authenticate'), stepUps.load) : error
    } catch (error) {
      if (error instanceof AuthError) throw error
      if (signal?.aborted) throw signal.reason
      throw limit.signal.aborted ? timedOut(what) : network(what, error, request.networkRemedy)
    } finally {
      limit.end()
    }
  }
}

function strongTag(headers: Headers): string | undefined {
  const etag = headers.get('etag') ?? ''
  return /^"[!#-~\u0080-\u00ff]{0,1000}"$/.test(etag) ? etag : undefined
}

/** Parsed when it is JSON, raw otherwise, whatever the content type says. */
function jsonOrRaw(text: string): unknown {
  const parsed = parseJson(text)
  return parsed === undefined ? text : parsed
}

export type RateLimits = ReturnType<typeof createRateLimits>

/** By the monotonic clock. */
export function createRateLimits({ monotonicNow }: { monotonicNow(): number }) {
  const pauses = new Map<string, { untilMs: number; status: number }>()
  let told: (block: Block) => void = () => {}
  const pause = (endpoint: string) => {
    const { untilMs, status } = pauses.get(endpoint) ?? { untilMs: 0, status: 0 }
    return { status, retryAfterMs: untilMs - monotonicNow() }
  }
  const set = ([endpoint, forMs, status]: Block) =>
    pauses.set(endpoint, { untilMs: monotonicNow() + forMs, status })
  return {
    /** `retryAfterMs`: time to wait before the next request to an endpoint; 0 or less: none. `status`: that of the server's response. */
    pause,
    /** The pauses that are in force. */
    blocks: () =>
      Array.from(pauses.keys(), (endpoint): Block => {
        const { retryAfterMs, status } = pause(endpoint)
        return [endpoint, retryAfterMs, status]
      }).filter(([, forMs]) => forMs > 0),
    block(block: Block) {
      set(block)
      told(block)
    },
    adopt(block: Block) {
      if (block[1] > pause(block[0]).retryAfterMs) set(block)
    },
    /** Sets the one listener of `block`, which notifies the other tabs. */
    follow(listener: typeof told) {
      told = listener
    },
  }
}
