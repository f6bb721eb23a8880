// Checks whether the server can be reached: by a response a moment ago, else by one cheap request.
import { AuthError, network, offline, timedOut, unexpectedAnswer } from '../../errors.ts'
import { isRecord } from '../../json.ts'
import type { Probe } from '../../protocol/servers/profile.ts'
import { PROBE_LIMIT_MS, REACHABLE_TRUST_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Platform } from '../platform/platform.ts'
import type { Send } from './send.ts'

export type Reachability = ReturnType<typeof createReachability>

type ReachabilityPlatform = Pick<Platform, 'fetch' | 'isOnline' | 'now' | 'setTimer' | 'watchPolicy'>

/** @param getProbe what is asked, and how; rejects where the server's metadata cannot be had */
export function createReachability(
  platform: ReachabilityPlatform,
  plainSend: Send,
  getProbe: () => Promise<Probe>,
) {
  let heardAtMs = -Infinity
  let asking: Promise<void> | undefined

  const heard = () => {
    heardAtMs = platform.now()
  }
  const isKnown = () => Math.abs(platform.now() - heardAtMs) < REACHABLE_TRUST_MS
  const send: Send = async (sending) => {
    try {
      const answer = await plainSend(sending)
      heard()
      return answer
    } catch (error) {
      // A refusal is a response too. Without a response, or with one like 503, earlier responses no longer count.
      if (!isAway(error)) heard()
      else heardAtMs = -Infinity
      throw error
    }
  }
  const knock = async ({ url, cors }: Probe, what: string): Promise<void> => {
    const unread = () => platform.fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' })
    if (cors === 'none') return void (await unread())
    try {
      const answer = await send({ what, method: 'GET', url, headers: {}, cache: 'no-store', secrets: [] })
      // The sign-in page of a hotel's network, for example.
      if (!isRecord(answer)) throw unexpectedAnswer(what)
    } catch (error) {
      if (!isAway(error)) return
      if (cors !== 'likely' || !(error instanceof AuthError) || error.code !== 'network') throw error
      // The response may have no CORS headers: then a request in no-cors mode succeeds if there is a server.
      await unread()
    }
  }
  const ask = async (): Promise<void> => {
    if (!platform.isOnline()) throw offline()
    const probe = await getProbe()
    // The metadata was fetched just now.
    if (isKnown()) return
    const { origin, pathname } = new URL(probe.url)
    const what = `GET ${pathname}`
    const endWatch = platform.watchPolicy?.(origin)
    try {
      if ((await within(platform, PROBE_LIMIT_MS, () => knock(probe, what))) === 'late') throw timedOut(what)
      heard()
    } catch (error) {
      heardAtMs = -Infinity
      // The browser reports a CSP violation in a later task.
      await new Promise<void>((resolve) => platform.setTimer(resolve, 0))
      if (!endWatch?.()) throw error instanceof AuthError ? error : network(what, error)
      return
    }
    endWatch?.()
  }
  return {
    /** Sends requests to the server, and notes whether it responds. */
    send,
    /** The server has responded in the hidden frame. */
    heard,
    /**
     * Called before a navigation to the server, so that the browser's error page never replaces the app. Sends no request if the
     * server has responded in the last 10 seconds. Passes if the page's CSP forbids the request.
     *
     * @throws AuthError `offline`, `network`, `timeout`, `unexpected-status`, `rate-limited`, those of the server's metadata
     */
    async check() {
      if (platform.isOnline() && isKnown()) return
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
  }
}

/** No response, or one that a later request may not get, like 503. */
const isAway = (error: unknown): boolean => !(error instanceof AuthError) || error.retryable
