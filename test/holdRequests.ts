// Keeps what a page asks of the server under way, until the test lets it go.
import type { FakeHost } from '../src/testing/fakeHost.ts'

type IsMeant = (url: string, body: string) => boolean

export const urlOf = (input: RequestInfo | URL): string =>
  input instanceof Request ? input.url : input.toString()

export const bodyOf = (init: RequestInit | undefined): string =>
  typeof init?.body === 'string' ? init.body : ''

/** From now on these requests do not reach the server before the returned function is called. */
export function holdRequests(host: Pick<FakeHost, 'fetch'>, isMeant: IsMeant = () => true): () => void {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { fetch } = host
  host.fetch = async (input, init) => {
    if (isMeant(urlOf(input), bodyOf(init))) await released
    return fetch(input, init)
  }
  return release
}

/** From now on the server has done its part, but the page gets these responses when the returned function is called. */
export function holdResponses(host: Pick<FakeHost, 'fetch'>, isMeant: IsMeant = () => true): () => void {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { fetch } = host
  host.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (isMeant(urlOf(input), bodyOf(init))) await released
    return response
  }
  return release
}
