// Tracks the asynchronous work of a fake page, so that the fake clock waits for it.
import type { CryptoPort } from '../protocol/pkce.ts'
import type { KeepPort, SealPort } from '../session/platform/platform.ts'

// Browsers encrypt on other threads: the clock must wait for them.
export function tracked(real: SealPort, track: <Result>(work: Promise<Result>) => Promise<Result>): SealPort {
  return {
    async createKey() {
      const { publicKey, open } = await track(real.createKey())
      return { publicKey, open: (sealed) => track(open(sealed)) }
    },
    seal: (text, publicKey) => track(real.seal(text, publicKey)),
  }
}

// So they do with keys.
export const trackedKeys = (
  real: NonNullable<CryptoPort['subtle']>,
  track: <Result>(work: Promise<Result>) => Promise<Result>,
): NonNullable<CryptoPort['subtle']> =>
  new Proxy(real, {
    get:
      (_, name: keyof typeof real) =>
      (...values: never[]) =>
        track((real[name] as (...given: never[]) => Promise<unknown>).apply(real, values)),
  })

export const trackedKeep = (
  real: KeepPort,
  track: <Result>(work: Promise<Result>) => Promise<Result>,
): KeepPort => ({
  seal: (text) => track(real.seal(text)),
  open: (sealed, key) => track(real.open(sealed, key)),
})

// A body is in progress until it has been read.
export function trackedBody(
  response: Response,
  track: <Result>(work: Promise<Result>, kind: 'request') => Promise<Result>,
): Response {
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

const trackedStream = (
  stream: ReadableStream<Uint8Array>,
  track: <Result>(work: Promise<Result>, kind: 'request') => Promise<Result>,
): ReadableStream<Uint8Array> =>
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
