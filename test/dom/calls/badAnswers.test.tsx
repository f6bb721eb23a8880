// Every call meets every answer a network can bring, and each time its screen comes to the end that is written here.

// @module-tag night

import { timeoutManager } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, CALLS, type Kind } from './badAnswerCalls.tsx'
import { openCloudScene } from './cloudScene.tsx'

type Answer = (request: Request) => Response | Promise<Response>

interface Fault {
  name: string
  answer: Answer
  /** What each kind of call shows: one word for all, or by kind with a word for the rest. */
  shows: string | (Partial<Record<Kind, string>> & { rest: string })
  /** Requests that leave, for reads and for writes. Default: one each. */
  requests?: [reads: number, writes: number]
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const text = (status: number, body: string) =>
  new Response(body, { status, headers: { 'content-type': 'text/html' } })
const cut = (body: string) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body))
        controller.error(new TypeError('terminated'))
      },
    }),
  )
const hang: Answer = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

const REFUSED = 'unexpected-status'
const STRANGE = 'unexpected-answer'
/** Bodies with status 200 that are none of those promised. */
const odd = (shown: Partial<Record<Kind, string>>): Fault['shows'] => ({
  rest: STRANGE,
  write: 'done',
  revoke: REFUSED,
  ...shown,
})
const ODD_REQUESTS: Fault['requests'] = [3, 1]

const FAULTS: Fault[] = [
  // The token endpoint's own refusal is an error of OAuth as JSON.
  { name: '201', answer: () => json(201, {}), shows: { rest: REFUSED, grant: STRANGE } },
  {
    name: '204',
    answer: () => new Response(null, { status: 204 }),
    shows: { rest: REFUSED, revoke: 'done', grant: STRANGE },
  },
  { name: '400 with a reason', answer: () => json(400, { error: 'invalid_request' }), shows: REFUSED },
  { name: '403', answer: () => json(403, { error: 'access_denied' }), shows: 'forbidden' },
  // Where nothing is linked the server says 404: after a popup that is a status like any other.
  {
    name: '404',
    answer: () => json(404, { error: 'not_found' }),
    shows: { rest: REFUSED, status: 'done' },
  },
  {
    name: '415 as a page',
    answer: () => text(415, '<h1>no</h1>'),
    // A page in the place of the token endpoint is of something before it.
    shows: { rest: REFUSED, grant: STRANGE },
  },
  { name: '500', answer: () => json(500, { error: 'server_error' }), shows: REFUSED, requests: [3, 1] },
  {
    name: '502 as a page',
    answer: () => text(502, '<h1>Bad gateway</h1>'),
    shows: REFUSED,
    requests: [3, 1],
  },
  { name: '429 for two seconds', answer: () => json(429, {}, { 'retry-after': '2' }), shows: 'rate-limited' },
  {
    name: 'no connection',
    answer: () => Promise.reject(new TypeError('Failed to fetch')),
    shows: 'network',
    requests: [3, 1],
  },
  {
    name: 'a reset in the middle',
    answer: () => cut('{"access_token":"a","nonce":"b"'),
    shows: 'network',
    requests: [3, 1],
  },
  { name: 'no answer at all', answer: hang, shows: 'timeout', requests: [3, 1] },
  {
    name: 'a redirect to another origin',
    // As browsers do it: what may not be followed fails, what may be brings the other origin's answer.
    answer: ({ redirect }) =>
      redirect === 'error' ? Promise.reject(new TypeError('Failed to fetch')) : json(200, {}),
    shows: 'network',
    requests: [3, 1],
  },
  {
    name: 'truncated JSON',
    answer: () => text(200, '{"access_token":"ab'),
    shows: odd({ write: STRANGE }),
    requests: ODD_REQUESTS,
  },
  {
    name: 'a page of a portal',
    answer: () => text(200, '<!doctype html><p>Accept our terms'),
    shows: odd({ write: STRANGE }),
    requests: ODD_REQUESTS,
  },
  { name: 'an empty body', answer: () => text(200, ''), shows: odd({}), requests: ODD_REQUESTS },
  { name: 'null', answer: () => json(200, null), shows: odd({}), requests: ODD_REQUESTS },
  {
    name: 'wrong keys',
    answer: () => json(200, { accessToken: 'no', entries: [] }),
    shows: odd({ record: 'shown', status: 'done' }),
    requests: ODD_REQUESTS,
  },
]

const isRead = ({ kind }: Call) => ['record', 'secret', 'list', 'status'].includes(kind)
const end = (call: Call) =>
  call.kind === 'record' || call.kind === 'secret' || call.kind === 'list' ? 'shown' : 'done'

beforeAll(() => {
  // Repeats come at once; everything that waits longer waits as long as it says.
  timeoutManager.setTimeoutProvider({
    setTimeout: (callback, delayMs) => setTimeout(callback, delayMs < 60_000 ? 0 : delayMs),
    clearTimeout: (timer) => clearTimeout(timer as never),
    setInterval: (callback, delayMs) => setInterval(callback, delayMs),
    clearInterval: (timer) => clearInterval(timer as never),
  })
})
afterAll(() => {
  timeoutManager.setTimeoutProvider(globalThis as never)
})

/** Brings a call to its end: `answer` meets the request that the call is about. */
async function play(
  call: Call,
  answer: Answer,
  before: (scene: Awaited<ReturnType<typeof openCloudScene>>) => void = () => {},
) {
  let isListening = false
  const scene = await openCloudScene({
    cloud: { linkedAccount: { id: 'cloud-alice' } },
    answer: (request) => {
      const isIt = request.method === call.method && new URL(request.url).pathname === call.path
      return isListening && isIt ? answer(request) : undefined
    },
  })
  const countBefore = scene.asked(call.method, call.path).length
  isListening = call.kind !== 'status'
  before(scene)
  const { Screen } = call
  await scene.show(<Screen />, { reactStrictMode: false })
  const button = screen.queryByRole('button')
  if (button) await scene.does(() => button.click())
  if (call.kind === 'status') {
    isListening = true
    await scene.does(() => scene.host.popups[0]?.post('closeMe'))
  }
  const [popup] = scene.host.popups
  if (call.kind === 'nonce' && popup?.urls[1]) await scene.does(() => scene.cloud.agree(popup))
  for (let round = 0; round < 12 && screen.getByRole('status').textContent === 'waiting'; round += 1)
    await scene.passes(16_000)
  return { scene, requestCount: scene.asked(call.method, call.path).length - countBefore }
}

describe.each(CALLS)('$name', { timeout: 60_000 }, (call) => {
  it.each(FAULTS)('met by $name comes to a visible end', async ({ answer, shows, requests = [1, 1] }) => {
    const { scene, requestCount } = await play(call, answer)
    const expected = typeof shows === 'string' ? shows : (shows[call.kind] ?? shows.rest)
    expect(screen.getByRole('status').textContent).toBe(expected)

    const isRepeated = isRead(call) && expected !== end(call)
    // The popup's own look at the status, before it began, is one request more.
    const isFirst = call.kind === 'status' ? 1 : 0
    expect(requestCount).toBe((isRepeated ? requests[0] : requests[1] === 1 ? 1 : requests[1]) + isFirst)
    expect(scene.host.counts().popups).toBe(0)
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it('met by the right answer succeeds', async () => {
    const { requestCount } = await play(call, () =>
      call.kind === 'revoke' ? new Response(null, { status: 204 }) : json(200, call.right),
    )
    expect(screen.getByRole('status').textContent).toBe(end(call))
    expect(requestCount).toBe(call.kind === 'status' ? 2 : 1)
  })

  it('met by 401 renews the session once, is repeated once, and keeps the session', async () => {
    const { scene, requestCount } = await play(call, () => json(401, { error: 'invalid_token' }))
    expect(screen.getByRole('status').textContent).toBe(REFUSED)
    const isOpen = call.kind === 'grant'
    expect(scene.server.tokenRequests.filter(({ grantType }) => grantType === 'refresh_token')).toHaveLength(
      isOpen ? 0 : 1,
    )
    expect(requestCount - (call.kind === 'status' ? 1 : 0)).toBe(isOpen ? 1 : 2)
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it('without a network says so at once, and leaves no window', async () => {
    const { scene } = await play(
      call,
      () => json(200, call.right),
      ({ host }) => host.setOnline(false),
    )
    expect(screen.getByRole('status').textContent).toBe('offline')
    expect(scene.host.counts().popups).toBe(0)
  })
})
