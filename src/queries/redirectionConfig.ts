// Reads the static redirections file: which users belong to which environment.
import { invalidArgument } from '../base/sessionErrors.ts'
import { untilHeard } from '../base/within.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { loadEnvironment } from '../session/features/environments/environments.ts'
import { type AuthQuery, READ_DEFAULTS, SHARED_META } from './defaults.ts'
import { actionKey } from './keys.ts'

/** The read of `useRedirectionConfig`. */
export function redirectionConfigQuery(auth: Auth): AuthQuery<RedirectionConfig> {
  return {
    ...READ_DEFAULTS,
    // The same file for every user.
    meta: SHARED_META,
    queryKey: actionKey(auth, 'redirection config') as AuthQuery<RedirectionConfig>['queryKey'],
    queryFn: async ({ signal }) => {
      const isStarting = () => auth.getState().status === 'initializing'
      if (isStarting()) await untilHeard((ended) => auth.subscribe(() => isStarting() || ended()), signal)
      signal.throwIfAborted()
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
