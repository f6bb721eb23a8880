// Responds to the requests of a TestAuth: first the function of the test, then a fake server. No request for authHost leaves the machine.
import type { User } from '../protocol/claims.ts'
import { createFakeAuthServer, createFakeUser, type FakeAnswer } from './authServer.ts'
import { createFakeCloudServer, type FakeCloudServer, type FakeCloudServerOptions } from './cloudServer.ts'

/** Responds to a request, or leaves it to the fake server by returning nothing. */
export type Respond = (request: Request) => Response | undefined | Promise<Response | undefined>

export interface TestServer {
  readonly cloud: FakeCloudServer
  /** Whether a request is waiting for its response. */
  readonly isBusy: boolean
  /** Replaces `fetch`. Requests outside authHost without a response go to `passOn`. */
  readonly fetch: typeof fetch
}

export function createTestServer(options: {
  authHost: string
  address(): string
  user(): User | undefined
  respond: Respond | undefined
  cloud: FakeCloudServerOptions | undefined
  onRequest(request: Request): void
  passOn: typeof fetch
}): TestServer {
  const { authHost, respond, passOn } = options
  const auth = createFakeAuthServer({ authHost })
  let waitingCount = 0
  /** Accepts every signed-in user: this server issues no tokens. */
  const userInfo = (): FakeAnswer => {
    const user = options.user()
    if (!user) return { status: 401, body: { error: 'invalid_token' } }
    return { status: 200, body: createFakeUser({ userId: user.userId }).userInfo }
  }
  const cloud = createFakeCloudServer({ ...auth, userInfo }, options.cloud)

  async function answer(request: Request): Promise<Response | undefined> {
    const found = await respond?.(request.clone())
    if (found) return found
    const { origin, pathname } = new URL(request.url)
    if (origin !== authHost && request.url !== cloud.redirections?.url) return undefined
    if (request.method === 'GET' && pathname === '/api/userinfo') {
      const { status, body } = userInfo()
      return Response.json(body, { status })
    }
    return cloud.fetch(request)
  }

  return {
    cloud,
    get isBusy() {
      return waitingCount > 0
    },
    async fetch(input, init) {
      // Without the signal, which may belong to another realm. Aborting is handled below.
      const { signal, ...rest } = init ?? {}
      const isRequest = input instanceof Request
      const request = new Request(isRequest ? input : new URL(input, options.address()), rest)
      options.onRequest(request.clone())
      waitingCount += 1
      try {
        const response = (await unlessAborted(answer(request), signal)) ?? (await passOn(input, init))
        return repeatedAtOnce(response)
      } finally {
        waitingCount -= 1
      }
    },
  }
}

function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
    work.then(resolve, reject)
  })
}

/** Reads are retried twice after a 5xx. A test should not wait between them. */
function repeatedAtOnce(response: Response): Response {
  const isRepeated = response.status >= 500 || response.status === 429
  if (!isRepeated || response.headers.has('retry-after')) return response
  const headers = new Headers(response.headers)
  headers.set('retry-after', '0')
  return new Response(response.body, { status: response.status, headers })
}
