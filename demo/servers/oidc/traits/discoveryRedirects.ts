// A server whose metadata has moved: the address redirects, which a page cannot follow.
import { onEndpoint, type Trait } from './trait.ts'

export const discoveryRedirects: Trait = {
  name: 'the metadata redirects to another address',
  source:
    'OpenID Connect Discovery 1.0 §4.2 wants 200; a proxy that adds a slash does so, second hand: no page was found',
  isOccasional: true,
  wrap: onEndpoint('metadata', async (request) =>
    new URL(request.url).searchParams.has('moved')
      ? undefined
      : new Response(null, {
          status: 302,
          headers: { location: `${request.url}?moved`, 'access-control-allow-origin': '*' },
        }),
  ),
}
