// Makes a sign-in attempt and the address of the sign-in page that belongs to it.
import type { FurtherParameters, SignInWishes } from '../../protocol/loginParameters.ts'
import type { Attempt } from '../../protocol/signIn.ts'
import type { Context } from '../context.ts'
import { loadLater } from '../laterFile.ts'

export interface BegunAttempt {
  /** The key that the answer comes back with. */
  state: string
  attempt: Attempt
  /** Of the sign-in page. */
  address: string
}

export type AttemptOptions = Pick<Context, 'settings' | 'platform' | 'server' | 'redirectUri' | 'disposal'>

/** @throws AuthError `invalid-argument`, those of the server's metadata, of the keys, and of an announced request */
export async function beginAttempt(
  { settings, platform, redirectUri, ...options }: AttemptOptions,
  wishes: SignInWishes,
  returnTo: string,
): Promise<BegunAttempt> {
  const disposal = options.disposal()
  const parameters = await parametersOf(wishes)
  const server = await options.server.get()
  const key = await settings.server.createKey(platform.crypto)
  const { verifier, nonce, state, challenge } = key
  disposal.throwIfAborted()
  if (challenge.method === 'plain') {
    platform.warn(
      'This page is not a secure context, so the PKCE challenge is the code verifier as plain text. Serve it over https.',
    )
  }
  const { authHost, clientId } = settings
  const ownUri = redirectUri()
  const url = server.authorizeUrl({ key, redirectUri: ownUri, parameters })
  const address = server.push ? await server.push(url) : url
  disposal.throwIfAborted()
  const createdAtMs = platform.now()
  return {
    state,
    address,
    attempt: { verifier, nonce, authHost, clientId, redirectUri: ownUri, returnTo, createdAtMs },
  }
}

const FURTHER_WISHES: readonly (keyof SignInWishes)[] = [
  'display',
  'loginHint',
  'uiLocales',
  'acrValues',
  'maxAgeInSeconds',
  'parameters',
]

/** A sign-in without further wishes needs no further file; nor does one by the event of a click. */
async function parametersOf(wishes: SignInWishes): Promise<FurtherParameters> {
  const { prompt } = wishes
  if (!FURTHER_WISHES.some((name) => name in wishes)) return prompt ? { prompt } : {}
  return (await loadLater()).loginParameters(wishes)
}
