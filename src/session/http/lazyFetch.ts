// Stands for an ofetch instance that loads beside start-up: a user is signed in without it.
import { AuthError } from '../../errors.ts'
import type { Settings } from '../../protocol/config.ts'
import { ours } from '../laterFile.ts'
import type { Platform } from '../platform/platform.ts'
import { assertNoChallenge, type StepUps, withWords } from './challenge.ts'
import type { AppFetchOptions } from './appFetch.ts'
import type { AppFetch } from './fetchTypes.ts'

export const loadAppFetchFile = () => import('./appFetch.ts')

export interface LazyFetchOptions {
  settings: Pick<Settings, 'server' | 'apiOrigins'>
  platform: Platform
  stepUps: StepUps
  server?: AppFetchOptions['server']
  timeline: AppFetchOptions['timeline']
}

export interface LazyFetchUse {
  bearer: Pick<AppFetchOptions, 'getAccessToken' | 'renewRefused' | 'watchSession'>
  meetClaims?: AppFetchOptions['meetClaims']
  /** @throws AuthError `not-initialised` */
  assertReady(): void
}

/** Loads the file with the first call; a load that failed is tried again by the next call. */
export function createLazyFetch(
  { settings, platform, server, timeline, stepUps }: LazyFetchOptions,
  { assertReady, meetClaims, bearer }: LazyFetchUse,
): AppFetch {
  const isAllowed = (origin: string) =>
    [settings.server.authHost, new URL(platform.address()).origin, ...settings.apiOrigins].includes(origin)
  const isOurs = (error: unknown) => error instanceof AuthError
  return createLazy(bearer.watchSession, async () => {
    assertReady()
    const { createAppFetch } = await ours(platform, loadAppFetchFile)
    const { getAccessToken, renewRefused, watchSession } = bearer
    const check = (response: Response) => assertNoChallenge(response, stepUps, platform.now())
    return createAppFetch({
      ...(meetClaims && { meetClaims }),
      getAccessToken,
      renewRefused,
      watchSession,
      platform,
      timeline,
      server,
      check,
      explain: (error, challenge) => withWords(error, challenge, stepUps.load),
      isAllowed,
      isOurs,
    })
  })
}

function createLazy(watchSession: AppFetchOptions['watchSession'], load: () => Promise<AppFetch>): AppFetch {
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
