// Stands for an ofetch instance that loads beside start-up: a user is signed in without it.
import type { AppFetch } from './fetchTypes.ts'

/** Calls what `load` brings; a load that failed is tried again by the next call. */
export function createLazyFetch(load: () => Promise<AppFetch>): AppFetch {
  let loading: Promise<AppFetch> | undefined
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const call = async (request: RequestInfo, options?: never): Promise<unknown> =>
    (await loaded())(request, options)
  return Object.assign(call, {
    raw: async (request: RequestInfo, options?: never) => (await loaded()).raw(request, options),
    native: async (...request: Parameters<AppFetch['native']>) => (await loaded()).native(...request),
    create: (...defaults: Parameters<AppFetch['create']>) =>
      createLazyFetch(async () => (await loaded()).create(...defaults)),
  }) as AppFetch
}
