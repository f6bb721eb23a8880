// Stands for `auth.fetch` until the file with ofetch has loaded; sign-in does not wait for it.
import { loadFile } from '../../protocol/loadFile.ts'
import type { AppFetchOptions } from './appFetch.ts'
import type { AppFetch } from './fetchTypes.ts'
import type { Platform } from '../platform/platform.ts'

const loadAppFetchFile = () => import('./appFetch.ts')

/** Preloads it in an idle moment. An earlier call, or one after a failure, loads it itself. */
export const fetchAppFetchFile = ({ whenIdle }: Pick<Platform, 'whenIdle'>): void =>
  whenIdle?.(() => void loadAppFetchFile().catch(() => {}))

/** After a failed load, the next call tries again. `assertReady` throws before initialisation. */
export const createLazyFetch = (
  options: AppFetchOptions & { platform: Parameters<typeof loadFile>[0] },
  assertReady: () => void,
): AppFetch =>
  createLazy(options.bearer.signal, async () => {
    assertReady()
    const { createAppFetch } = await loadFile(options.platform, loadAppFetchFile)
    return createAppFetch(options)
  })

function createLazy(signal: () => AbortSignal, load: () => Promise<AppFetch>): AppFetch {
  let loading: Promise<AppFetch> | undefined
  const loaded = async () => {
    // The call belongs to the session in which it began.
    const session = signal()
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    const appFetch = await loading
    session.throwIfAborted()
    return appFetch
  }
  const call = async (request: RequestInfo, options?: never): Promise<unknown> =>
    (await loaded())(request, options)
  return Object.assign(call, {
    raw: async (request: RequestInfo, options?: never) => (await loaded()).raw(request, options),
    native: async (...request: Parameters<AppFetch['native']>) => (await loaded()).native(...request),
    create: (...defaults: Parameters<AppFetch['create']>) =>
      createLazy(signal, async () => (await loaded()).create(...defaults)),
  }) as AppFetch
}
