// Looks for another environment of a user who has just signed in; what does it loads then.
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

  async function look(signal: AbortSignal) {
    const { claims } = tokens.current ?? {}
    const file = await loadEnvironment(platform).catch(() => undefined)
    if (!file) return timeline.record('environment', 'failed', 'it could not be loaded')
    if (!claims || signal.aborted) return
    await file.redirectToEnvironment(context, parts, claims, signal)
  }

  return {
    whileSignedIn(signal: AbortSignal, isNew: boolean) {
      if (isNew && mayRedirect) void look(signal)
    },
  }
}
