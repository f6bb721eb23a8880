// Tracks the asynchronous work of a fake page, so that the fake clock waits for it.
import type { ClockWorks } from './fakeClock.ts'

type Track = ClockWorks['track']

/** Tracks the work that the methods of an object begin. Browsers hash and encrypt on other threads. */
export const trackedMethods = <Port extends object>(real: Port, track: Track): Port =>
  new Proxy(real, {
    get:
      (_, name) =>
      (...values: unknown[]) =>
        track((Reflect.get(real, name) as (...given: unknown[]) => Promise<unknown>).apply(real, values)),
  })

// A body is in progress until it has been read.
export function trackedBody(response: Response, track: Track): Response {
  for (const name of ['text', 'json', 'blob', 'arrayBuffer'] as const) {
    const read = response[name].bind(response) as () => Promise<unknown>
    Object.defineProperty(response, name, { value: () => track(read(), 'request') })
  }
  // Asked for each time: a copy of the response leaves it another stream.
  const body = () => Reflect.get(Response.prototype, 'body', response)
  Object.defineProperty(response, 'body', {
    get() {
      const stream = body()
      return stream && trackedStream(stream, track)
    },
  })
  return response
}

const trackedStream = (stream: ReadableStream<Uint8Array>, track: Track): ReadableStream<Uint8Array> =>
  new Proxy(stream, {
    get(_, name) {
      const member: unknown = Reflect.get(stream, name, stream)
      if (typeof member !== 'function') return member
      if (name !== 'getReader') return member.bind(stream) as unknown
      return () => {
        const reader = stream.getReader()
        return {
          read: () => track(reader.read(), 'request'),
          cancel: (reason?: unknown) => reader.cancel(reason),
          releaseLock: () => reader.releaseLock(),
          closed: reader.closed,
        }
      }
    },
  })
