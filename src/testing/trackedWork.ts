// Tracks the asynchronous work of a fake page, so that the fake clock waits for it.
import type { SealPort } from '../session/platform/platform.ts'

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

// A body is in progress until it has been read.
export function trackedBody(
  response: Response,
  track: <Result>(work: Promise<Result>, kind: 'request') => Promise<Result>,
): Response {
  for (const name of ['text', 'json', 'blob', 'arrayBuffer'] as const) {
    const read = response[name].bind(response) as () => Promise<unknown>
    Object.defineProperty(response, name, { value: () => track(read(), 'request') })
  }
  return response
}
