// Begins a sign-in attempt: makes its keys and the URL of the sign-in page.
import type { FurtherParameters, SignInWishes } from '../../protocol/loginParameters.ts'
import type { Context } from '../context.ts'
import { loadLater } from '../laterFile.ts'
import { limitedCrypto } from '../platform/limitedCrypto.ts'
import type { BegunAttempt, SignInRequest } from './signInRequest.ts'

const FRESH_SECONDS = '300'

/** @throws AuthError `invalid-argument`, those of the metadata, the keys, a pushed request, and of `Flow.check` */
export async function beginAttempt(
  { settings, platform, redirectUri, reachability, ...options }: Context,
  { isFresh, isAutomatic, further, flow = reachability.begin(), ...wishes }: SignInRequest,
  returnTo: string,
): Promise<BegunAttempt> {
  const disposal = options.disposal()
  // `prompt=login` asks for the credentials; with `max_age`, an OpenID Connect provider returns `auth_time`. Taken literally, 0 would
  // ask for ever; a login fits in five minutes.
  const parameters = {
    ...further,
    ...(await parametersOf(wishes, platform)),
    ...(isFresh && settings.server.authHost === undefined && { max_age: FRESH_SECONDS }),
  }
  const server = await options.server.get()
  const [key] = await Promise.all([
    settings.server.createKey(limitedCrypto(platform)),
    // A pushed request already shows that the server can be reached.
    server.push ? undefined : flow.check(),
  ])
  const { verifier, nonce, state, challenge } = key
  disposal.throwIfAborted()
  if (challenge.method === 'plain') {
    platform.warn('PKCE is plain: the page is no secure context: serve it by https.')
  }
  const { authHost, clientId } = settings
  const ownUri = redirectUri()
  const url = server.authorizeUrl({ key, redirectUri: ownUri, parameters, isAutomatic })
  const address = server.push ? await server.push(url) : url
  disposal.throwIfAborted()
  const createdAtMs = platform.now()
  return {
    state,
    address,
    attempt: { verifier, nonce, authHost, clientId, redirectUri: ownUri, returnTo, createdAtMs },
  }
}

/** A sign-in without options needs no further file. */
async function parametersOf(
  { prompt, ...others }: SignInWishes,
  platform: Context['platform'],
): Promise<FurtherParameters> {
  if (Object.keys(others).length === 0) return prompt ? { prompt } : {}
  return (await loadLater(platform)).loginParameters({ prompt, ...others })
}
