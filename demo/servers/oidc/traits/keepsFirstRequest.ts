// A server that remembers the first request of a browser that is not signed in, and answers that one after the sign-in.
import { onEndpoint, type Trait } from './trait.ts'

export const keepsFirstRequest: Trait = {
  name: 'who asks twice before the sign-in gets the response to the first request',
  source: 'glewlwyd 2.7.5, seen in a run on 2026-11-22',
  wrap: onEndpoint('authorization', async (request, next, { memory }) => {
    const asked = new URL(request.url).searchParams
    if (asked.get('prompt') === 'none') return undefined
    const first = memory.get('first') as string | undefined
    if (first === undefined) {
      memory.set('first', request.url)
      return undefined
    }
    memory.delete('first')
    return next(new Request(first, request))
  }),
}
