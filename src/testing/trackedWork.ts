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

/** The same response: its body is in progress until it has been read. */
export function trackedBody(response: Response, track: Track): Response {
  // Chromium gives a fetched 204 a body, but refuses one in a new response. A locked body was given before: reading it fails, as in a browser.
  if (!response.body || response.status === 204 || response.body.locked) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value } = await track(reader.read(), 'request')
        if (value) controller.enqueue(value)
        else controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the page reads.
    { highWaterMark: 0 },
  )
  const tracked = new Response(body, response)
  for (const name of ['url', 'redirected', 'type'] as const)
    Object.defineProperty(tracked, name, { value: response[name] })
  return tracked
}
