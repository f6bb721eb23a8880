// Whether the server is there: what was just heard of it, or else one cheap request, shared by all who ask.
import { AuthError, network, offline, timedOut, unexpectedAnswer } from '../../errors.ts'
import { isRecord } from '../../json.ts'
import type { Probe } from '../../protocol/servers/profile.ts'
import { PROBE_LIMIT_MS, REACHABLE_TRUST_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Platform } from '../platform/platform.ts'
import type { Send } from './send.ts'

export type Reachability = ReturnType<typeof createReachability>

/** A server with a request that tells whether it is there. */
export interface ProbedServer {
  get(): Promise<{ readonly probe: Probe }>
}

type ReachabilityPlatform = Pick<Platform, 'fetch' | 'isOnline' | 'now' | 'setTimer' | 'watchPolicy'>

export function createReachability(platform: ReachabilityPlatform, plainSend: Send) {
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
      // A refusal is a response too; no response, or a server that cannot work now, takes back what was heard before.
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
      // The page of a network that wants its own sign-in first.
      if (!isRecord(answer)) throw unexpectedAnswer(what)
    } catch (error) {
      if (!isAway(error)) return
      if (cors !== 'likely' || !(error instanceof AuthError) || error.code !== 'network') throw error
      // Without CORS on that response only this much can be told: that there is a server.
      await unread()
    }
  }
  const ask = async (server: ProbedServer): Promise<void> => {
    if (!platform.isOnline()) throw offline()
    const { probe } = await server.get()
    // Its metadata came just now.
    if (isKnown()) return
    const { origin, pathname } = new URL(probe.url)
    const what = `GET ${pathname}`
    const endWatch = platform.watchPolicy?.(origin)
    try {
      if ((await within(platform, PROBE_LIMIT_MS, () => knock(probe, what))) === 'late') throw timedOut(what)
      heard()
    } catch (error) {
      heardAtMs = -Infinity
      // The browser tells of a violation in a task of its own.
      await new Promise<void>((resolve) => platform.setTimer(resolve, 0))
      if (!endWatch?.()) throw error instanceof AuthError ? error : network(what, error)
      return
    }
    endWatch?.()
  }
  return {
    /** Sends requests to the server; a response counts as a sign of life. */
    send,
    /** The server has just answered in another way than to a request: in the hidden frame. */
    heard,
    /**
     * Before the browser is sent to the server: its own error page would take the place of the app. Nothing is asked where
     * the server was heard of in the last 10 seconds; where the page's policy forbids to ask, nobody knows, and it passes.
     *
     * @throws AuthError `offline`, `network`, `timeout`, `unexpected-status`, `rate-limited`, those of the server's metadata
     */
    async check(server: ProbedServer) {
      if (platform.isOnline() && isKnown()) return
      asking ??= ask(server).finally(() => {
        asking = undefined
      })
      return asking
    },
  }
}

/** No response, or one by which nobody can sign in or out now. */
const isAway = (error: unknown): boolean => !(error instanceof AuthError) || error.retryable
