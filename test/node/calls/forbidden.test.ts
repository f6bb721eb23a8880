// A call that is refused for lack of rights: one code, the server's own words, and nothing of the request.
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { AuthError, callRefused } from '../../../src/base/errors.ts'
import { addWords } from '../../../src/protocol/challenge.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { startScene, type SceneOptions } from '../session/sessionScene.ts'

const API = 'https://api.test/invoices'
const SCOPE = 'Bearer error="insufficient_scope", error_description="Ask your manager", scope="a b"'
const SCOPE_OF_ANOTHER = 'error="insufficient_scope", error_description="Not this one", scope="c"'

const said = (challenge: string | null, body?: unknown) => {
  const error = callRefused('GET /x', { status: 403, body })
  addWords(error, challenge)
  const { description, scopes } = error
  return { ...('description' in error && { description }), ...('scopes' in error && { scopes }) }
}

describe('what the server says', () => {
  const manager = { description: 'Ask your manager', scopes: ['a', 'b'] }

  it.each<[string, string | null, unknown, object]>([
    ['a challenge', SCOPE, undefined, manager],
    ['a challenge before a body', SCOPE, { error_description: 'Other words here' }, manager],
    ['the last of several challenges', `Basic realm="x", DPoP algs="ES256", ${SCOPE}`, undefined, manager],
    [
      'the challenge that asks for scopes, not the first with an error',
      `DPoP error="invalid_token", error_description="Not this one", scope="c", ${SCOPE}`,
      undefined,
      manager,
    ],
    ['the first of two that ask for scopes', `${SCOPE}, DPoP ${SCOPE_OF_ANOTHER}`, undefined, manager],
    [
      'the first of two with another error',
      'Bearer error="a", error_description="Staff only", DPoP error="b", error_description="Not this one"',
      undefined,
      { description: 'Staff only' },
    ],
    [
      'a challenge that ends with the 4,096th character',
      `Basic realm="${'r'.repeat(4040)}", Bearer error=insufficient_scope, scope=ab`,
      undefined,
      { scopes: ['a'] },
    ],
    ['no scheme', SCOPE.slice(7), undefined, manager],
    ['bare values, other case', 'bearer Error=insufficient_scope,SCOPE=a', undefined, { scopes: ['a'] }],
    [
      'scopes that occur twice',
      'Bearer error="insufficient_scope", scope=" b a  b "',
      undefined,
      { scopes: ['b', 'a'] },
    ],
    [
      'an address as a scope',
      'Bearer error=insufficient_scope, scope="https://x.test/a.b/.default"',
      undefined,
      { scopes: ['https://x.test/a.b/.default'] },
    ],
    [
      'another error',
      'Bearer error="access_denied", error_description="Staff only", scope="a"',
      undefined,
      { description: 'Staff only' },
    ],
    [
      'a body of OAuth',
      null,
      { error: 'access_denied', error_description: 'For staff only' },
      { description: 'For staff only' },
    ],
    [
      'problem details',
      null,
      { type: 'about:blank', title: 'No access', detail: 'For staff only' },
      { description: 'For staff only' },
    ],
    [
      'problem details with a title alone',
      null,
      { title: 'No access', status: 403 },
      { description: 'No access' },
    ],
    [
      'a message',
      null,
      { statusCode: 403, message: 'For staff only', error: 'Forbidden' },
      { description: 'For staff only' },
    ],
    ['a sentence as error', null, { error: 'For staff only' }, { description: 'For staff only' }],
    ['a text', null, 'For staff only\n', { description: 'For staff only' }],
    [
      'a challenge without words before a body',
      'Bearer error="insufficient_scope", scope="a"',
      { detail: 'For staff only' },
      { description: 'For staff only', scopes: ['a'] },
    ],
  ])('is read: %s', (_name, challenge, body, expected) => {
    expect(said(challenge, body)).toEqual(expected)
  })

  it.each<[string, string | null, unknown]>([
    ['nothing', null, undefined],
    ['an empty header', '', ''],
    ['a code', null, { error: 'access_denied' }],
    ['a page of a firewall', null, '<html><body>Request blocked</body></html>'],
    ['words that are no text', null, { error_description: 7, detail: {}, message: ['x y'], title: null }],
    ['a list', null, ['For staff only']],
    ['null', null, null],
    [
      'scopes without the error that they belong to',
      'Bearer scope="a b", error_description="x y"',
      undefined,
    ],
    ['scopes that are none', 'Bearer error="insufficient_scope", scope="\u0000 \\" é"', undefined],
    ['a challenge cut off', 'Bearer error="insufficient_sco', undefined],
    ['signs without names', '=,=,= """ ,,;', undefined],
    ['an error in capitals, which is another one', 'Bearer error="INSUFFICIENT_SCOPE", scope="a"', undefined],
    ['a challenge behind 4,096 characters', `Basic realm="${'r'.repeat(4096)}", ${SCOPE}`, undefined],
    ['words of invisible characters', null, { detail: '\u202e\u0000 \u{e0041}' }],
  ])('is left alone: %s', (_name, challenge, body) => {
    expect(said(challenge, body)).toStrictEqual({})
  })

  it('is shown on one line, cut at 300 characters, without control characters and tokens', () => {
    const long = said(null, { detail: `No\u202e way\n\tin ${'x'.repeat(9_000)}` }).description!
    expect(long).toHaveLength(300)
    expect(long.startsWith('No way in xxx')).toBe(true)
    expect(said(null, { detail: 'Not with eyJhbGciOi.eyJzdWIi.c2ln, no' })).toEqual({
      description: 'Not with [redacted], no',
    })
  })

  it('has twenty scopes and no more', () => {
    const scope = Array.from({ length: 30 }, (_, index) => `s${index}`).join(' ')
    expect(said(`Bearer error="insufficient_scope", scope="${scope}"`)).toMatchObject({
      scopes: { length: 20 },
    })
  })

  it('is read in a moment, however long and wrong it is', () => {
    for (const piece of ['a="\\', 'a=,', 'error="insufficient_scope" ', '"', 'scope="a="', ', '])
      expect(() => said(piece.repeat(200_000), { detail: piece.repeat(200_000) })).not.toThrow()
  })
})

type Answer = (url: string) => Response

async function open(answer: Answer, options: SceneOptions = {}) {
  const scene = await startScene({ config: { apiOrigins: ['https://api.test'] }, ...options })
  const { fetch } = scene.host
  scene.host.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith('https://auth.test/oauth')) return fetch(input, init)
    return answer(url)
  }
  const failure = async (work: Promise<unknown>): Promise<AuthError> =>
    work.then(
      () => expect.unreachable('the call succeeded'),
      (error: unknown) => error as AuthError,
    )
  return { ...scene, failure }
}
const refused = (body: BodyInit | null = '{"error":"access_denied"}', headers: Record<string, string> = {}) =>
  new Response(body, { status: 403, headers: { 'content-type': 'application/json', ...headers } })

describe('auth.fetch', () => {
  it('rejects with the code forbidden, the status, the body, the words and the scopes', async () => {
    const { auth, failure } = await open(() => refused(undefined, { 'www-authenticate': SCOPE }))
    const error = await failure(auth.fetch(`${API}?key=secret`, { method: 'post', body: { a: 1 } }))
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({
      code: 'forbidden',
      message: 'POST /invoices answered 403',
      remedy: 'This user is not allowed to do that.',
      status: 403,
      body: { error: 'access_denied' },
      retryable: false,
      description: 'Ask your manager',
      scopes: ['a', 'b'],
    })
    expect(auth.getState().status).toBe('authenticated')
  })

  it('rejects so by each of its ways, and native answers, as fetch does', async () => {
    const { auth, failure } = await open(() => refused('{"detail":"For staff only"}'))
    const expected = {
      code: 'forbidden',
      message: 'GET /invoices answered 403',
      description: 'For staff only',
    }
    expect(await failure(auth.fetch.raw(API))).toMatchObject(expected)
    expect(await failure(auth.fetch(new Request(API)))).toMatchObject(expected)
    expect(await failure(auth.fetch.create({ baseURL: 'https://api.test' })('/invoices'))).toMatchObject(
      expected,
    )
    expect(await failure(auth.fetch.create({}).create({}).raw(API))).toMatchObject(expected)
    const response = await auth.fetch.native(API)
    expect([response.status, await response.json()]).toEqual([403, { detail: 'For staff only' }])
    const ignored = await auth.fetch.raw(API, { ignoreResponseError: true })
    expect([ignored.status, ignored._data]).toEqual([403, { detail: 'For staff only' }])
  })

  it("calls the app's hooks for it, with the response", async () => {
    const { auth, failure } = await open(() => refused())
    const seen: string[] = []
    const error = await failure(
      auth.fetch(API, {
        onResponse: ({ response }) => void seen.push(`response ${response.status}`),
        onResponseError: ({ response }) => void seen.push(`error ${response.status}`),
        onRequestError: () => void seen.push('no response'),
      }),
    )
    expect([error.code, seen]).toEqual(['forbidden', ['response 403', 'error 403']])
  })

  it.each<[string, () => Response, object, unknown]>([
    [
      'a page of a firewall',
      () => refused('<html>Blocked</html>', { 'content-type': 'text/html' }),
      {},
      '<html>Blocked</html>',
    ],
    ['half of a JSON', () => refused('{"error":'), {}, '{"error":'],
    ['nothing', () => refused(null), {}, ''],
    ['JSON that the app reads as a text', () => refused('{"a":1}'), { responseType: 'text' }, { a: 1 }],
    [
      'JSON in place of a file',
      () => refused('{"detail":"For staff only"}'),
      { responseType: 'blob' },
      { detail: 'For staff only' },
    ],
    ['JSON in place of bytes', () => refused('{"a":1}'), { responseType: 'arrayBuffer' }, { a: 1 }],
    ['a stream, which nobody reads', () => refused('{"a":1}'), { responseType: 'stream' }, ''],
    ['what the app reads itself, and is no JSON', () => refused('{}'), { parseResponse: () => 7n }, ''],
    [
      'problem details',
      () => refused('{"a":1}', { 'content-type': 'application/problem+json' }),
      {},
      { a: 1 },
    ],
    ['a number', () => refused('7'), {}, 7],
  ])('takes %s as the body', async (_name, answer, options, body) => {
    const { auth, failure } = await open(answer)
    const error = await failure(auth.fetch(API, options))
    expect([error.code, error.body]).toEqual(['forbidden', body])
  })

  it('ends the stream of a body that nobody reads', async () => {
    let isCancelled = false
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) })
    const { auth, failure } = await open(() => refused(body))
    expect((await failure(auth.fetch(API, { responseType: 'stream' }))).code).toBe('forbidden')
    expect(isCancelled).toBe(true)
  })

  it('keeps of a huge body what every error keeps', async () => {
    const { auth, failure } = await open(() =>
      refused(JSON.stringify({ detail: 'x y', rows: 'r'.repeat(300_000) })),
    )
    expect((await failure(auth.fetch(API))).body).toHaveLength(65_536)
    const file = await open(() => refused('y'.repeat(3_000_000)))
    expect((await failure(file.auth.fetch(API, { responseType: 'blob' }))).body).toHaveLength(65_536)
  })

  it('asks for a stronger sign-in first, where the API wants one', async () => {
    const stronger = 'Bearer error="insufficient_user_authentication", acr_values="gold"'
    const { auth, failure } = await open(() =>
      refused(undefined, { 'www-authenticate': `${SCOPE}, ${stronger}` }),
    )
    expect((await failure(auth.fetch(API))).code).toBe('step-up-required')
  })

  it('is forbidden too where the call went out without a token', async () => {
    const { auth, failure } = await open(() => refused('{"detail":"For staff only"}'))
    expect(await failure(auth.fetch('https://other.test/x'))).toMatchObject({
      code: 'forbidden',
      description: 'For staff only',
    })
  })
})

describe("latchkey's own calls", () => {
  it('have the same code and words, and keep their body', async () => {
    const { auth, failure } = await open(() =>
      Response.json({ error: 'access_denied', error_description: 'For staff only' }, { status: 403 }),
    )
    expect(await failure(internalsOf(auth).call({ method: 'GET', path: '/api/userinfo' }))).toMatchObject({
      code: 'forbidden',
      message: 'GET /api/userinfo answered 403',
      body: { error: 'access_denied', error_description: 'For staff only' },
      description: 'For staff only',
    })
  })
})

/** All that can be read of a value: own and inherited members, getters that hide, entries of headers. */
function readAll(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value === 'string') return `${value}\n`
  if (typeof value !== 'object' || value === null || seen.has(value)) return ''
  seen.add(value)
  const entries = value instanceof Headers ? [...value].flat() : []
  const inherited =
    value instanceof Request
      ? [value.headers, value.url]
      : value instanceof Response
        ? [value.headers, value.url]
        : []
  const own = Object.getOwnPropertyNames(value).map((name) => (value as Record<string, unknown>)[name])
  return [...entries, ...inherited, ...own].map((each) => readAll(each, seen)).join('')
}

describe('no error of auth.fetch', () => {
  const CANARY = 'Bearer canary-0123456789abcdef'

  it.each<[string, () => Response | never]>([
    ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map((status): [string, () => Response] => [
      `${status}`,
      () => new Response('{}', { status, headers: { 'content-type': 'application/json' } }),
    ]),
    [
      'no response',
      () => {
        throw new TypeError('Failed to fetch')
      },
    ],
  ])('holds a bearer, latchkey’s or the app’s own: %s', async (_name, answer) => {
    const { auth, host, failure } = await open(answer)
    const token = await auth.getAccessToken()
    const own = { headers: { authorization: CANARY, 'x-trace': '7' } }
    const request = new Request(API, own)
    const errors = [
      await failure(auth.fetch(API, { method: 'POST', body: { a: 1 } })),
      await failure(auth.fetch(API, own)),
      await failure(auth.fetch(API, { headers: new Headers(own.headers) })),
      await failure(auth.fetch(API, { headers: [['Authorization', CANARY]] })),
      await failure(auth.fetch(request)),
      await failure(auth.fetch.raw(request, { method: 'POST', body: '{}' })),
      await failure(auth.fetch.create(own)(API)),
      await failure(auth.fetch('https://other.test/', own)),
      await failure(
        auth.fetch(API, {
          onRequest({ options }) {
            options.headers.set('authorization', CANARY)
          },
        }),
      ),
    ]
    for (const error of errors) {
      const text = `${readAll(error)} ${inspect(error, { depth: 9, showHidden: true, getters: true })} ${JSON.stringify(error)}`
      expect(text).not.toContain('canary')
      expect(text).not.toContain(token)
      expect(text).not.toContain(token.split('.')[1])
    }
    // It went out all the same, and the app's own request is as it was.
    const sent = host.requests.slice(-8).map(({ headers }) => headers.get('authorization'))
    expect(sent.filter((each) => each === CANARY).length).toBeGreaterThanOrEqual(7)
    expect(request.headers.get('authorization')).toBe(CANARY)
    expect(request.bodyUsed).toBe(false)
  })

  it('holds what a server repeats of the token', async () => {
    const { auth, host, failure } = await open(() => new Response())
    const token = await auth.getAccessToken()
    host.fetch = async (_input, init) => {
      const bearer = new Headers(init?.headers).get('authorization') ?? ''
      return refused(JSON.stringify({ detail: `Not with ${bearer}`, seen: [bearer] }))
    }
    const error = await failure(auth.fetch(API))
    expect(readAll(error)).not.toContain(token.slice(0, 30))
    expect(error.description).toBe('Not with Bearer [redacted]')
  })
})
