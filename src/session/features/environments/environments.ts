// Looks for another environment of a user who has just signed in; the rest loads then.
import { loadFile } from '../../../protocol/loadFile.ts'
import type { Context } from '../../context.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { Bearer } from '../../signedIn/bearer.ts'

export const loadEnvironment = (platform: Context['platform']) =>
  loadFile(platform, () => import('./redirectToEnvironment.ts'))

export function createEnvironments(
  context: Pick<Context, 'settings' | 'platform' | 'timeline' | 'tokens' | 'tabRecords' | 'reachability'>,
  parts: { bearer: Pick<Bearer, 'call'>; send: SendEvent },
) {
  const { settings, platform, timeline, tokens } = context
  const mayRedirect = settings.redirectionsUrl !== undefined && settings.server.supports('environments')

  return {
    async afterSignIn(signal: AbortSignal) {
      const { claims } = tokens.current ?? {}
      if (!mayRedirect || !claims) return
      const file = await loadEnvironment(platform).catch(() => undefined)
      if (!file) timeline.record('environment', 'failed', 'it could not be loaded')
      else if (!signal.aborted) await file.redirectToEnvironment(context, parts, claims, signal)
    },
  }
}
