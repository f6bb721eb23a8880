// A server that signs in whoever has a session, although the app has asked for the credentials.
import { onEndpoint, type Trait } from './trait.ts'

export const ignoresPromptLogin: Trait = {
  name: 'prompt=login and max_age are ignored',
  source:
    'FusionAuth/fusionauth-issues issue 2208, "Support the prompt parameter", 2025-09-04: not before 1.60',
  wrap: onEndpoint('authorization', async (request, next) => {
    const url = new URL(request.url)
    if (!url.searchParams.has('prompt') && !url.searchParams.has('max_age')) return undefined
    if (url.searchParams.get('prompt') === 'none') return undefined
    for (const name of ['prompt', 'max_age']) url.searchParams.delete(name)
    return next(new Request(url, request))
  }),
}
