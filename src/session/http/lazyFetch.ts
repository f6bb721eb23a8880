// Stands for an ofetch instance that loads beside start-up: a user is signed in without it.
import { loadFile } from '../laterFile.ts'
import type { AppFetchOptions } from './appFetch.ts'
import type { AppFetch } from './fetchTypes.ts'

export const loadAppFetchFile = () => import('./appFetch.ts')

/** The file of the app's own calls; a load that failed is tried again by the next call. `assertReady` throws where no call may be made yet. */
export const createLazyFetch = (
  options: AppFetchOptions & { platform: Parameters<typeof loadFile>[0] },
  assertReady: () => void,
): AppFetch =>
  createLazy(options.bearer.watchSession, async () => {
    assertReady()
    const { createAppFetch } = await loadFile(options.platform, loadAppFetchFile)
    return createAppFetch(options)
  })

function createLazy(
  watchSession: AppFetchOptions['bearer']['watchSession'],
  load: () => Promise<AppFetch>,
): AppFetch {
  let loading: Promise<AppFetch> | undefined
  const loaded = async () => {
    // Whose call it is is settled now, however long the file takes.
    const assertSameSession = watchSession()
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    const appFetch = await loading
    assertSameSession()
    return appFetch
  }
  const call = async (request: RequestInfo, options?: never): Promise<unknown> =>
    (await loaded())(request, options)
  return Object.assign(call, {
    raw: async (request: RequestInfo, options?: never) => (await loaded()).raw(request, options),
    native: async (...request: Parameters<AppFetch['native']>) => (await loaded()).native(...request),
    create: (...defaults: Parameters<AppFetch['create']>) =>
      createLazy(watchSession, async () => (await loaded()).create(...defaults)),
  }) as AppFetch
}
