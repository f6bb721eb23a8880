// What servers without a stand-in of their own are known to do.
import { onEndpoint, type Trait } from './trait.ts'

/** The address redirects, which a page cannot follow. */
export const discoveryRedirects: Trait = {
  name: 'the metadata redirects to another address',
  source:
    'OpenID Connect Discovery 1.0 §4.2 wants 200; a proxy that adds a slash does so, second hand: no page was found',
  wrap: onEndpoint('metadata', async (request) =>
    new URL(request.url).searchParams.has('moved')
      ? undefined
      : new Response(null, {
          status: 302,
          headers: { location: `${request.url}?moved`, 'access-control-allow-origin': '*' },
        }),
  ),
}

/** Whoever has a session is signed in, although the app has asked for the credentials. */
export const ignoresPromptLogin: Trait = {
  name: 'prompt=login and max_age are ignored',
  source:
    'FusionAuth/fusionauth-issues issue 2208, "Support the prompt parameter", 2025-09-04: not before 1.60',
  wrap: onEndpoint('authorization', async (request, next) => {
    const url = new URL(request.url)
    if (url.searchParams.get('prompt') === 'none') return undefined
    for (const name of ['prompt', 'max_age']) url.searchParams.delete(name)
    return next(new Request(url, request))
  }),
}
