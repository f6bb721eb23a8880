// Reads the static redirections file: which users belong to which environment.
import { invalidArgument } from '../base/sessionErrors.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { loadEnvironment } from '../session/features/environments/environments.ts'
import { READ_DEFAULTS, SHARED_META } from './defaults.ts'
import { sharedKey } from './keys.ts'
import type { AuthQuery } from './types.ts'

/**
 * Reads the file at `redirectionsUrl` as start-up does: no credentials, at most 256 KB and 5 seconds, a strict schema. Waits
 * for the end of start-up. Reading the file does not redirect.
 *
 * Errors: `invalid-argument` without `redirectionsUrl`, `unexpected-answer`, `timeout`.
 */
export function redirectionConfigQuery(auth: Auth): AuthQuery<RedirectionConfig> {
  return {
    ...READ_DEFAULTS,
    // The same file for every user.
    meta: SHARED_META,
    queryKey: sharedKey<RedirectionConfig>(auth, 'redirection config'),
    queryFn: async ({ signal }) => {
      await startUpEnd(auth, signal)
      const { settings, platform } = internalsOf(auth)
      const { redirectionsUrl } = settings
      if (redirectionsUrl === undefined) {
        throw invalidArgument('redirectionsUrl is not set', 'Pass it to createAuth.')
      }
      const { readRedirectionConfig } = await loadEnvironment(platform)
      return readRedirectionConfig(redirectionsUrl, platform)
    },
  }
}

/** Resolves when start-up has ended, in any state. Rejects when the signal aborts. */
function startUpEnd(auth: Auth, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (auth.getState().status === 'initializing') return
      stop()
      resolve()
    }
    const stop = auth.subscribe(look)
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason as Error)
    })
    look()
  })
}
