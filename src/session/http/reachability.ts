// Finds out whether the server can be reached: by a response within the same flow, else by one cheap request. `onLine` only chooses the error.
import { AuthError, network, offline, timedOut, unexpectedAnswer } from '../../base/errors.ts'
import { isRecord, memberOf } from '../../base/json.ts'
import type { Probe } from '../../protocol/servers/profile.ts'
import { failureOf } from '../../protocol/signIn.ts'
import { PROBE_LIMIT_MS, START_UP_WAITS_MS, waitAfter } from '../../base/sessionConstants.ts'
import { startLimit, untilHeard, within } from '../../base/within.ts'
import type { Platform } from '../platform/platform.ts'
import type { Send } from './send.ts'

export type Reachability = ReturnType<typeof createReachability>

/** One start-up, logout or click. Only requests sent since it began count. */
export interface Flow {
  /**
   * Called before a navigation, so that the browser's error page never replaces the app. Sends nothing if the server has
   * responded within this flow.
   *
   * @throws AuthError `offline`, `network`, `timeout`, `unexpected-status`, `rate-limited`, those of the server's metadata
   */
  check(): Promise<void>
}

/** @param getProbe rejects if the server's metadata cannot be loaded */
export function createReachability(
  platform: Pick<Platform, 'fetch' | 'isOnline' | 'on' | 'setTimer'>,
  plainSend: Send,
  getProbe: () => Promise<Probe>,
) {
  /** Numbers requests and flows in the order in which they begin. */
  let count = 0
  /** The last request with a response; 0 after one without, or with one like 503. */
  let heard = 0
  /** Begun when the page woke, or when the browser lost the network. */
  let sinceDoubt: Flow | undefined

  const named = (error: unknown, what: string): AuthError => {
    const known = error instanceof AuthError ? error : network(what, error)
    return known.code === 'network' && !platform.isOnline() ? offline() : known
  }
  const hear = (request: number) => {
    heard = Math.max(heard, request)
  }
  const send: Send = async (sending) => {
    const own = ++count
    try {
      const answer = await plainSend(sending)
      hear(own)
      return answer
    } catch (error) {
      // A refusal is a response too.
      if (isAway(error)) heard = 0
      else hear(own)
      throw error instanceof AuthError ? named(error, sending.what) : error
    }
  }
  const knock = async ({ url, cors }: Probe, what: string, signal: AbortSignal): Promise<void> => {
    if (cors !== 'none')
      try {
        const request = { method: 'GET', url, headers: {}, cache: 'no-store', secrets: [] } as const
        const answer = await send({ ...request, what, signal })
        // For example the sign-in page of a hotel's network.
        if (!isRecord(answer)) throw unexpectedAnswer(what)
        return
      } catch (error) {
        if (!isAway(error)) return
        if (cors !== 'likely' || !/^(network|offline)$/.test((error as AuthError).code)) throw error
      }
    // The response may have no CORS headers: a request in no-cors mode succeeds if there is a server.
    const own = ++count
    await platform.fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal })
    hear(own)
  }
  const ask = async (begun: number): Promise<void> => {
    const probe = await getProbe()
    // The metadata was fetched just now.
    if (heard > begun) return
    const what = `GET ${new URL(probe.url).pathname}`
    const limit = new AbortController()
    try {
      const work = () => knock(probe, what, limit.signal)
      if ((await within(platform, PROBE_LIMIT_MS, work)) === 'late') throw timedOut(what)
    } catch (error) {
      limit.abort()
      heard = 0
      throw named(error, what)
    }
  }
  const begin = (): Flow => {
    const begun = ++count
    let asking: Promise<void> | undefined
    return {
      async check() {
        if (heard > begun) return
        asking ??= ask(begun).finally(() => {
          asking = undefined
        })
        return asking
      },
    }
  }
  return {
    send,
    /** The server has responded in the hidden frame. */
    heard: () => hear(++count),
    begin,
    /** The page woke, or the browser lost the network: earlier responses say nothing. */
    doubt() {
      sinceDoubt = begin()
    },
    /**
     * Called before a single-use request, which must not count as sent if it never leaves. Probes the server if the browser reports no
     * network, or if it has not responded since the page woke.
     *
     * @throws AuthError `offline`, `network`, `timeout`
     */
    async settleDoubt() {
      const flow = platform.isOnline() ? sinceDoubt : begin()
      await flow?.check().catch((error: unknown) => {
        // A status proves that there is a network, except for a page in place of the server.
        if (memberOf(error, 'code') === 'unexpected-answer') throw network('The request', error)
        if (memberOf(error, 'status') === undefined) throw error
      })
    },
    /** Probes with backoff, and when the browser is online again, until the server responds. False if aborted or no longer wanted. */
    async untilThere(signal: AbortSignal, isWanted = () => true): Promise<boolean> {
      for (let failureCount = 0; ;) {
        const limit = startLimit(platform, waitAfter(START_UP_WAITS_MS, failureCount), signal)
        await untilHeard((back) => platform.on('online', back), limit.signal)
        limit.end()
        failureCount = limit.signal.aborted ? failureCount + 1 : 0
        if (signal.aborted || !isWanted()) return false
        if (!(await failureOf(begin().check()))) return !signal.aborted && isWanted()
      }
    },
  }
}

/** No response, or a temporary one like 503. */
const isAway = (error: unknown): boolean => !(error instanceof AuthError) || error.retryable
