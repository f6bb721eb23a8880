// Loads what the app's own calls are made with, beside start-up: a user is signed in without it (contract §2 "fetch").
import { AuthError } from '../../errors.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import type { Context } from '../context.ts'
import type { AppFetchOptions } from './appFetch.ts'
import type { AppFetch } from './fetchTypes.ts'

export const loadAppFetchFile = () => import('./appFetch.ts')

/** @throws AuthError when the file does not come */
export async function loadAppFetch(
  { settings, platform, server }: Pick<Context, 'settings' | 'platform' | 'server'>,
  { getAccessToken, renewRefused }: Pick<AppFetchOptions, 'getAccessToken' | 'renewRefused'>,
): Promise<AppFetch> {
  const { createAppFetch } = await loadAppFetchFile().catch((error: unknown) => {
    throw asAuthError(error)
  })
  const isAllowed = (origin: string) =>
    [settings.server.authHost, new URL(platform.address()).origin, ...settings.apiOrigins].includes(origin)
  const isOurs = (error: unknown) => error instanceof AuthError
  return createAppFetch({ getAccessToken, renewRefused, platform, server, isAllowed, isOurs })
}
