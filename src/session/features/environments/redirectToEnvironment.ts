// Redirects a user who belongs to another environment, once. A failure has no effect.
import { AuthError, timedOut, unexpectedAnswer } from '../../../base/errors.ts'
import { memberOf, readBody } from '../../../base/json.ts'
import type { Claims } from '../../../protocol/claims.ts'
import { USER_INFO_PATH } from '../../../protocol/endpoints.ts'
import { passthroughUrl } from '../../../protocol/passthrough.ts'
import {
  judgeRedirection,
  parseRedirectionConfig,
  type RedirectionConfig,
} from '../../../protocol/redirection.ts'
import { within } from '../../../base/within.ts'
import { createReachability } from '../../http/reachability.ts'
import { createSend } from '../../http/send.ts'
import { loadLater } from '../../laterFile.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Context } from '../../context.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { Bearer } from '../../signedIn/bearer.ts'

type FilePlatform = Pick<Platform, 'address' | 'fetch' | 'setTimer'>

const LARGEST_REDIRECTIONS_BYTES = 262_144
const REDIRECTIONS_TIMEOUT_MS = 5_000

/** Reads the redirections file: without credentials, 256 KB and 5 s at most. @throws AuthError `unexpected-answer`, `timeout` */
export async function readRedirectionConfig(url: string, platform: FilePlatform): Promise<RedirectionConfig> {
  const controller = new AbortController()
  const read = async () => {
    // Relative to the page's own URL: a `<base>` in injected HTML has no effect.
    const response = await platform.fetch(new URL(url, platform.address()).href, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      signal: controller.signal,
    })
    const wrong = () => unexpectedAnswer('The redirections file', response.status)
    if (response.status !== 200) throw wrong()
    const { text, isCut } = await readBody(response, LARGEST_REDIRECTIONS_BYTES)
    const config = isCut ? undefined : parseRedirectionConfig(JSON.parse(text))
    if (!config) throw wrong()
    return config
  }
  const found = await within(platform, REDIRECTIONS_TIMEOUT_MS, read).catch((error: unknown) => {
    throw error instanceof AuthError ? error : unexpectedAnswer('The redirections file')
  })
  if (found !== 'late') return found
  controller.abort()
  throw timedOut('The redirections file')
}

/** Never rejects. @param signal aborted when the user's session ends */
export async function redirectToEnvironment(
  context: Pick<Context, 'settings' | 'platform' | 'timeline' | 'tabRecords' | 'reachability'>,
  { bearer, send }: { bearer: Pick<Bearer, 'call'>; send: SendEvent },
  claims: Claims,
  signal: AbortSignal,
): Promise<void> {
  const { settings, platform, timeline, tabRecords, reachability } = context
  const { authHost, clientId, allowedEnvironmentHosts } = settings
  try {
    const config = await readRedirectionConfig(settings.redirectionsUrl!, platform)
    const address = platform.address()
    const verdict = judgeRedirection(config, { claims, clientId, authHost, address, allowedEnvironmentHosts })
    if (verdict.type === 'stay') return timeline.record('environment', 'skipped', verdict.why)
    if (signal.aborted) return
    const skip = (why: string) => timeline.record('environment', 'skipped', `${verdict.why}; ${why}`)
    const { authHost: otherHost } = verdict.environment
    const mark = `environment ${otherHost}`
    if (tabRecords.isMarked(mark)) return skip('it was tried before in this browser session')
    // A user who is logged out and arrives nowhere is worse off than one who stays. Only hosts named by the app are probed: the
    // file's author must not make the page violate its CSP.
    if (allowedEnvironmentHosts.length > 0) await assertThere(otherHost, platform)
    if (signal.aborted) return
    if (!tabRecords.mark(mark)) return skip('this browser cannot remember that it was tried')
    const request = { method: 'POST', path: '/api/redirections', body: { client_id: clientId } } as const
    const jti = memberOf(await bearer.call(request), 'jti')
    if (typeof jti !== 'string' || jti === '') throw unexpectedAnswer('POST /api/redirections')
    if (signal.aborted) return
    // Without the network the user would be logged out and get nowhere.
    const [file] = await Promise.all([loadLater(platform), reachability.settleDoubt()])
    if (signal.aborted) return
    if (!tabRecords.countNavigation(platform.now())) return skip('too many redirects')
    timeline.record('environment', 'started', verdict.why)
    const redirect = verdict.redirectFrom(file.returnAddress({ settings, platform }))
    const environmentUrl = passthroughUrl(otherHost, jti, redirect)
    await send({ type: 'logout', departure: { environmentUrl } })
  } catch (error) {
    timeline.record('environment', 'failed', error instanceof AuthError ? error : 'it could not be looked up')
  }
}

/** @throws AuthError `offline`, `network`, `timeout` */
async function assertThere(otherHost: string, platform: Platform): Promise<void> {
  // Its responses can be read by its own apps, not by this one.
  const probe = async () => ({ url: otherHost + USER_INFO_PATH, cors: 'none' as const })
  await createReachability(platform, createSend(platform), probe).begin().check()
}
