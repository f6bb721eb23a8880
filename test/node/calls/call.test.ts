// What the library asks of the authorization server: expected status, raw bodies, limits, and a bearer that goes nowhere else (F6-F12, F14).
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { createCall, type Request } from '../../../src/session/http/call.ts'
import { createSend } from '../../../src/session/http/send.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeHost, neverAnswers } from '../../../src/testing/fakeHost.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { startScene, tokenBodies } from '../session/sessionScene.ts'

const GET = { method: 'GET', path: '/api/userinfo' } as const

const isUserInfo = (input: Parameters<typeof fetch>[0]) =>
  typeof input === 'string' && input.endsWith('/api/userinfo')

function create(answer: () => Response | Promise<Response>) {
  const host = createFakeHost('https://app.test/', { fetch: async () => answer() })
  const call = createCall('https://auth.test', createSend(host.platform))
  const failure = async (request: Request = GET) => {
    const outcome: unknown = await call(request).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(AuthError)
    return outcome as AuthError
  }
  return { host, call, failure }
}

describe('an answer', () => {
  it.each([
    [403, 'This user is not allowed to do that.'],
    [404, 'The server says why in the body.'],
    [409, 'The server says why in the body.'],
    [412, 'It was changed meanwhile: read it again.'],
    [422, 'The server says why in the body.'],
  ])('with status %i says in plain words what to do', async (status, remedy) => {
    expect((await create(() => new Response('{}', { status })).failure()).remedy).toBe(remedy)
  })

  it.each<[string, string, unknown]>([
    ['an object', '{"name":"Alice"}', { name: 'Alice' }],
    ['a list', '[1,2]', [1, 2]],
    ['null', 'null', null],
    ['a number', '7', 7],
    ['a text', '"x"', 'x'],
    ['no JSON at all', 'Good morning', 'Good morning'],
    ['HTML', '<b>x</b>', '<b>x</b>'],
    ['broken JSON', '{nope', '{nope'],
    ['the word NaN', 'NaN', 'NaN'],
    ['nothing', '', ''],
  ])(
    'that is %s is parsed, and raw when it cannot be, whatever its content type',
    async (_what, text, value) => {
      for (const type of ['application/json', 'text/html', 'application/octet-stream', '']) {
        const { call } = create(() => new Response(text, { headers: { 'content-type': type } }))
        expect(await call(GET)).toEqual(value)
      }
    },
  )

  it('keeps numbers and names as JSON has them, and poisons nothing', async () => {
    const { call } = create(() => new Response('{"__proto__":{"isAdmin":true},"x":1}'))
    await call(GET)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  it.each([201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 409, 410, 418, 429, 500, 501, 502, 503, 504])(
    'with status %i rejects, for 200 is expected',
    async (status) => {
      const isEmpty = [204, 304].includes(status)
      const { failure } = create(() => new Response(isEmpty ? null : '{"error":"nope"}', { status }))
      const error = await failure()
      expect(error).toMatchObject({ status, body: isEmpty ? '' : { error: 'nope' } })
      expect(error.message).toBe(`GET /api/userinfo answered ${status}`)
      expect(error.retryable).toBe(status === 429 || status >= 500)
      expect(error.remedy?.length).toBeGreaterThan(5)
    },
  )

  it('with status 204 is success where 204 is expected, and 200 is not', async () => {
    const request: Request = {
      method: 'DELETE',
      path: '/cloudprovider/adminconsent?client_id=admin',
      expectedStatus: 204,
    }
    expect(await create(() => new Response(null, { status: 204 })).call(request)).toBe('')
    expect(await create(() => new Response('{}')).failure(request)).toMatchObject({ status: 200 })
  })

  it('that failed and is no JSON is in the error as it came', async () => {
    const { failure } = create(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    expect((await failure()).body).toBe('<h1>Bad gateway</h1>')
  })

  it('loses its secrets on the way into an error, and keeps the codes that apps branch by', async () => {
    const host = createFakeHost('https://app.test/', {
      fetch: async (_input, init) => {
        const { code, code_verifier } = JSON.parse(init?.body as string) as Record<string, string>
        const repeated = { code, seen: `${code_verifier} does not fit`, held: 'canary-of-the-vault' }
        const error = { code: 'E_CODE', token: 'expired', bearer: 'canary-bearer', jwt: createAccessToken() }
        return Response.json(
          { error, repeated, nested: [{ refresh_token: 'canary-that-is-new' }] },
          { status: 400 },
        )
      },
    })
    const call = createCall(
      'https://auth.test',
      createSend(host.platform, undefined, () => ['canary-of-the-vault']),
    )
    const error = await call({
      method: 'POST',
      path: '/oauth/token',
      token: 'canary-bearer',
      body: { code: 'canary-code', code_verifier: 'canary-verifier', client_id: 'admin' },
    }).catch((reason: unknown) => reason as AuthError)
    const seen = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${(error as AuthError).stack}`
    expect(seen).not.toMatch(/canary|eyJ/)
    expect((error as AuthError).body).toEqual({
      error: { code: 'E_CODE', token: 'expired', bearer: '[redacted]', jwt: '[redacted]' },
      repeated: { code: '[redacted]', seen: '[redacted] does not fit', held: '[redacted]' },
      nested: [{ refresh_token: '[redacted]' }],
    })
  })

  it('that failed is parsed up to 256 KB; a larger one comes raw, cut at 64 KB, and no half of a secret with it', async () => {
    const fill = (length: number) => `{"code":"E_LARGE","fill":"${'x'.repeat(length - 28)}"}`
    const of = async (text: string) => {
      const { failure } = create(() => new Response(text, { status: 500 }))
      return (await failure()).body
    }
    expect(fill(100).length).toBe(100)
    expect(await of(fill(256 * 1024))).toMatchObject({ code: 'E_LARGE' })
    expect(await of(fill(256 * 1024 + 1))).toBe(fill(256 * 1024 + 1).slice(0, 64 * 1024))
    const text = `<p>${'x'.repeat(64 * 1024 - 20)}the-token-of-the-user</p>`
    const { failure } = create(() => new Response(text, { status: 502 }))
    const error = await failure({ method: 'GET', path: '/x', token: 'the-token-of-the-user' })
    expect(String(error.body)).not.toContain('the-t')
    expect(String(error.body).length).toBeLessThanOrEqual(64 * 1024)
  })

  it('that succeeded is parsed whatever its size', async () => {
    const list = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'a person' }))
    expect(await create(() => Response.json(list)).call({ method: 'GET', path: '/x' })).toEqual(list)
  })
})

/** Megabytes for as long as somebody reads. */
function endless(status: number) {
  let isStopped = false
  let sentBytes = 0
  const chunk = new TextEncoder().encode(`the-token-of-the-user${'x'.repeat(1_000_000)}`)
  const body = new ReadableStream({
    pull(controller) {
      sentBytes += chunk.length
      controller.enqueue(chunk)
    },
    cancel: () => void (isStopped = true),
  })
  return { response: new Response(body, { status }), sentBytes: () => sentBytes, isStopped: () => isStopped }
}

describe('an answer without an end', () => {
  it('is read no further than 16 MB, and is none', async () => {
    const { response, sentBytes, isStopped } = endless(200)
    const error = await create(() => response).failure()
    expect(error).toMatchObject({ code: 'unexpected-answer', status: 200, retryable: true })
    expect(sentBytes()).toBeLessThan(20_000_000)
    expect(isStopped()).toBe(true)
  })

  it('that is a refusal is read no further than 1 MB, and the error holds 64 KB of it, without secrets', async () => {
    const { response, sentBytes, isStopped } = endless(500)
    const error = await create(() => response).failure({
      method: 'GET',
      path: '/x',
      token: 'the-token-of-the-user',
    })
    expect(error).toMatchObject({ status: 500 })
    expect(String(error.body)).toHaveLength(64 * 1024)
    expect(String(error.body)).not.toContain('the-t')
    expect(sentBytes()).toBeLessThan(5_000_000)
    expect(isStopped()).toBe(true)
  })

  it('in characters of several bytes is put together as it was', async () => {
    const text = JSON.stringify({ name: 'Żółć 😀'.repeat(10_000) })
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream({
      start(controller) {
        for (let index = 0; index < bytes.length; index += 7)
          controller.enqueue(bytes.slice(index, index + 7))
        controller.close()
      },
    })
    expect(await create(() => new Response(body)).call(GET)).toEqual(JSON.parse(text))
  })
})

describe('a request', () => {
  it('goes with the bearer, without cookies, without redirects', async () => {
    const seen: RequestInit[] = []
    const host = createFakeHost('https://app.test/', {
      fetch: async (_input, init) => {
        seen.push(init ?? {})
        return Response.json({})
      },
    })
    await createCall(
      'https://auth.test',
      createSend(host.platform),
    )({ method: 'PUT', path: '/x?y=1', body: { a: 1 }, token: 'the-token' })
    expect(host.requests[0]).toMatchObject({ method: 'PUT', url: 'https://auth.test/x?y=1', body: '{"a":1}' })
    expect(Object.fromEntries(host.requests[0]?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: 'Bearer the-token',
      'content-type': 'application/json',
    })
    expect(seen[0]).toMatchObject({ credentials: 'omit', redirect: 'error' })
  })

  it.each([
    ['GET', 'no-store'],
    // With no-store the browser asks for leave before every single call: one more round trip.
    ['POST', 'default'],
  ] as const)(
    '%s has the cache mode %s: no answer is kept, and the preflight of a write is',
    async (method, cache) => {
      const seen: RequestInit[] = []
      const host = createFakeHost('https://app.test/', {
        fetch: async (_input, init) => {
          seen.push(init ?? {})
          return Response.json({})
        },
      })
      await createCall('https://auth.test', createSend(host.platform))({ method, path: '/x' })
      expect(seen[0]).toMatchObject({ cache })
    },
  )

  it('without body and token says neither', async () => {
    const { host, call } = create(() => Response.json({}))
    await call(GET)
    expect(Object.fromEntries(host.requests[0]?.headers ?? [])).toEqual({ accept: 'application/json' })
    expect(host.requests[0]?.body).toBeUndefined()
  })

  it('that reaches nobody is a network error that can be tried again, without the address and the token in it', async () => {
    const { failure } = create(() => Promise.reject(new TypeError('Failed to fetch')))
    const error = await failure({ ...GET, path: '/api/userinfo?secret=canary', token: 'canary' })
    expect(error).toMatchObject({
      code: 'network',
      retryable: true,
      message: 'GET /api/userinfo did not reach the server',
    })
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
  })

  it('that nobody answers is given up after 15 seconds', async () => {
    const { host, failure } = create(() => Response.json({}))
    host.fetch = neverAnswers
    const outcome = failure()
    await host.clock.advance(14_999)
    expect(host.counts().timers).toBe(1)
    await host.clock.advance(1)
    expect(await outcome).toMatchObject({ code: 'timeout', retryable: true })
    expect(host.counts().timers).toBe(0)
  })

  it('whose answer stops in the middle is given up after 15 seconds too', async () => {
    const host = createFakeHost('https://app.test/', {
      fetch: async (_input, init) => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"name":'))
            init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
          },
        })
        return new Response(body)
      },
    })
    const outcome = createCall(
      'https://auth.test',
      createSend(host.platform),
    )(GET).catch((error: unknown) => error)
    await host.clock.advance(15_000)
    expect(await outcome).toMatchObject({ code: 'timeout' })
  })

  it.each<[string, typeof fetch]>([
    ['never settles', () => new Promise(() => {})],
    ['never ends the body', async () => new Response(new ReadableStream())],
  ])('is given up after 15 seconds also by a fetch that does not obey: one that %s', async (_how, send) => {
    const { host, failure } = create(() => Response.json({}))
    host.fetch = send
    let error: AuthError | undefined
    void failure().then((found) => (error = found))
    await host.clock.advance(14_999)
    expect(error).toBeUndefined()
    await host.clock.advance(1)
    expect(error).toMatchObject({ code: 'timeout', retryable: true })
    expect(host.counts().timers).toBe(0)
  })

  it('given up by the caller ends also where fetch does not obey', async () => {
    const { host, call } = create(() => Response.json({}))
    host.fetch = () => new Promise(() => {})
    const controller = new AbortController()
    const outcome = call({ ...GET, signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(new Error('left the page'))
    expect(await outcome).toMatchObject({ message: 'left the page' })
  })

  it('can be given up by the caller, who gets their own reason', async () => {
    const { host, call } = create(() => Response.json({}))
    host.fetch = neverAnswers
    const controller = new AbortController()
    const outcome = call({ ...GET, signal: controller.signal }).catch((error: unknown) => error)
    await host.settle()
    controller.abort(new Error('left the page'))
    expect(await outcome).toMatchObject({ message: 'left the page' })
    expect(host.counts().timers).toBe(0)
  })

  it('given up before it began is not sent to the end', async () => {
    const { host, call } = create(() => Response.json({}))
    host.fetch = async (input, init) => {
      init?.signal?.throwIfAborted()
      return neverAnswers(input, init)
    }
    const outcome = call({ ...GET, signal: AbortSignal.abort(new Error('too late')) }).catch(
      (error: unknown) => error,
    )
    expect(await outcome).toMatchObject({ message: 'too late' })
  })
})

describe('Retry-After', () => {
  it('holds further requests to that path back, and to no other', async () => {
    const { host, call, failure } = create(
      () => new Response('', { status: 503, headers: { 'retry-after': '10' } }),
    )
    expect(await failure()).toMatchObject({ status: 503, retryAfterMs: 10_000 })
    host.fetch = async () => Response.json({ ok: true })
    await host.clock.advance(4_000)
    // Nothing was sent: the error says what the server answered before, and how much of the pause is left.
    expect(await failure({ ...GET, path: '/api/userinfo?again' })).toMatchObject({
      code: 'rate-limited',
      message: 'GET /api/userinfo waits: the server answered 503',
      status: 503,
      retryAfterMs: 6_000,
      retryable: true,
    })
    expect(await call({ ...GET, path: '/cloudprovider/userinfo' })).toEqual({ ok: true })
    expect(host.requests).toHaveLength(2)
    await host.clock.advance(6_000)
    expect(await call(GET)).toEqual({ ok: true })
  })

  it('is counted by a monotonic clock', async () => {
    const { host, failure } = create(
      () => new Response('', { status: 429, headers: { 'retry-after': '10' } }),
    )
    await failure()
    host.clock.jump(86_400_000)
    expect(await failure()).toMatchObject({ code: 'rate-limited' })
    expect(host.requests).toHaveLength(1)
  })
})

describe('a call with the bearer token', () => {
  const READ = { method: 'GET', path: '/api/userinfo' } as const

  it('fails before anybody is signed in', async () => {
    const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    await expect(internalsOf(auth).call(READ)).rejects.toThrow('Not authenticated yet')
    expect(host.requests).toEqual([])
  })

  it('refused with 401 is repeated once, after one renewal', async () => {
    const { host, auth } = await startScene()
    const { fetch } = host
    let isOld = true
    host.fetch = async (input, init) => {
      if (!isUserInfo(input) || !isOld) return fetch(input, init)
      isOld = false
      return Response.json({ error: 'invalid_token' }, { status: 401 })
    }
    expect(await internalsOf(auth).call(READ)).toMatchObject({ name: 'Name of alice' })
    expect(tokenBodies(host).map((body) => body['grant_type'])).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    const bearers = host.requests.map(({ headers }) => headers.get('authorization')).filter(Boolean)
    expect(new Set(bearers).size).toBe(2)
  })

  it('refused again after the renewal tells the caller, and logs nobody out', async () => {
    const { host, auth } = await startScene()
    const { fetch } = host
    host.fetch = async (input, init) =>
      isUserInfo(input) ? Response.json({}, { status: 401 }) : fetch(input, init)
    await expect(internalsOf(auth).call(READ)).rejects.toMatchObject({ status: 401 })
    expect(tokenBodies(host)).toHaveLength(2)
    expect(host.requests.filter(({ url }) => url.endsWith('/api/userinfo'))).toHaveLength(2)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('refused with 403 is not repeated and renews nothing', async () => {
    const { host, auth } = await startScene()
    const { fetch } = host
    host.fetch = async (input, init) =>
      isUserInfo(input) ? Response.json({}, { status: 403 }) : fetch(input, init)
    await expect(internalsOf(auth).call(READ)).rejects.toMatchObject({ status: 403, retryable: false })
    expect(tokenBodies(host)).toHaveLength(1)
  })

  it('held back after a 401 that asked for a pause renews no second token', async () => {
    const { host, auth } = await startScene()
    const { fetch } = host
    host.fetch = async (input, init) =>
      isUserInfo(input)
        ? Response.json({}, { status: 401, headers: { 'retry-after': '60' } })
        : fetch(input, init)
    const call = async () => internalsOf(auth).call(READ)
    await expect(call()).rejects.toMatchObject({ status: 401 })
    expect(tokenBodies(host)).toHaveLength(2)
    await host.clock.advance(40_000)
    await expect(call()).rejects.toMatchObject({ code: 'rate-limited', status: 401, retryAfterMs: 20_000 })
    expect(tokenBodies(host)).toHaveLength(2)
  })

  it('20 refused at once share one renewal', async () => {
    const { host, server, auth } = await startScene()
    const { fetch } = host
    const stale = await auth.getAccessToken()
    host.fetch = async (input, init) =>
      new Headers(init?.headers).get('authorization') === `Bearer ${stale}`
        ? Response.json({}, { status: 401 })
        : fetch(input, init)
    const answers = await Promise.all(Array.from({ length: 20 }, () => internalsOf(auth).call(READ)))
    expect(answers).toHaveLength(20)
    expect(server.tokenRequests).toHaveLength(2)
  })

  it('refused, with a renewal that fails too, tells the caller of the 401', async () => {
    const { host, auth } = await startScene()
    host.fetch = async (input) =>
      isUserInfo(input) ? Response.json({}, { status: 401 }) : new Response('', { status: 503 })
    await expect(internalsOf(auth).call(READ)).rejects.toMatchObject({ status: 401 })
    expect(auth.getState().status).toBe('authenticated')
  })
})
