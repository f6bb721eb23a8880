// The app's own calls: the token goes to allowed origins only, never along a redirect, and a refused one is renewed once (F14).
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isHttpError } from '../../../src/protocol/httpError.ts'
import { userText } from '../../../src/protocol/userText.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { holdRequests } from '../../holdRequests.ts'
import { createScene, startScene, type SceneOptions, tokenBodies } from '../session/sessionScene.ts'

async function create(
  answer: (url: string, init: RequestInit) => Response | Promise<Response>,
  options: SceneOptions = {},
) {
  const scene = await startScene({ config: { apiOrigins: ['https://api.test'] }, ...options })
  const { fetch } = scene.host
  const inits: RequestInit[] = []
  scene.host.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith('https://auth.test/oauth')) return fetch(input, init)
    inits.push(init ?? {})
    return answer(url, init ?? {})
  }
  const last = () => {
    const { url, headers } = scene.host.requests.at(-1)!
    return { url, authorization: headers.get('authorization') }
  }
  const bearerTo = (origin: string) =>
    scene.host.requests
      .filter(({ url }) => url.startsWith(`${origin}/`))
      .map(({ headers }) => headers.get('authorization'))
  return { ...scene, inits, last, bearerTo }
}
const ok = () => Response.json({ ok: true })

describe('the bearer token', () => {
  it.each([
    'https://api.test/firms',
    'https://auth.test/api/userinfo',
    'https://app.test/api',
    '/api',
    'api?x=1',
    new URL('https://api.test/x').href,
  ])('goes to %s', async (address) => {
    const { auth, last } = await create(ok)
    await auth.fetch(address)
    expect(last().authorization).toBe(`Bearer ${await auth.getAccessToken()}`)
  })

  it.each([
    'https://evil.test/',
    'https://api.test.evil.test/',
    'https://api.test@evil.test/',
    'http://api.test/',
    'https://api.test:8443/',
    '//evil.test/x',
    'https://sub.api.test/',
    'https://evil.test/?https://api.test',
  ])('never goes to %s', async (address) => {
    const { auth, last } = await create(ok)
    expect(await auth.fetch(address)).toEqual({ ok: true })
    expect(last().authorization).toBeNull()
  })

  it('is sent to the address that was judged, whatever a <base> makes of it', async () => {
    const { host, auth } = await create(ok, { address: 'https://app.test/firms/7' })
    host.base = 'https://evil.test/steal/'
    const token = `Bearer ${await auth.getAccessToken()}`
    await auth.fetch('api/x', { query: { y: 1 } })
    await auth.fetch('/api/y')
    await auth.fetch.native('api/z')
    await auth.fetch('api/own', { headers: { authorization: 'Basic abc' } })
    const sent = host.requests.slice(-4).map(({ url, headers }) => [url, headers.get('authorization')])
    expect(sent).toEqual([
      ['https://app.test/firms/api/x?y=1', token],
      ['https://app.test/api/y', token],
      ['https://app.test/firms/api/z', token],
      ['https://app.test/firms/api/own', 'Basic abc'],
    ])
    // A base of the page's own origin means what it means to the browser.
    host.base = 'https://app.test/admin/'
    await auth.fetch('api/x')
    expect(host.requests.at(-1)?.url).toBe('https://app.test/admin/api/x')
    host.base = 'data:text/html,x'
    await auth.fetch('api/x')
    expect(host.requests.at(-1)?.url).toBe('https://app.test/firms/api/x')
  })

  it('goes along with Request and URL objects by the address that they hold', async () => {
    const { auth, last } = await create(ok)
    const token = `Bearer ${await auth.getAccessToken()}`
    const send = async (input: Request | URL) => {
      await auth.fetch.native(input)
      return last()
    }
    const [api, evil] = ['https://api.test/a', 'https://evil.test/a']
    expect(await send(new URL(api))).toEqual({ url: api, authorization: token })
    expect(await send(new Request(api))).toEqual({ url: api, authorization: token })
    expect(await send(new URL(evil))).toEqual({ url: evil, authorization: null })
    expect(await send(new Request(evil))).toEqual({ url: evil, authorization: null })
  })

  it.each([
    'blob:https://app.test/3b1f',
    'data:application/json,{}',
    'filesystem:https://app.test/t/x',
    'about:blank',
  ])('never goes to %s, which is no place on the net', async (address) => {
    const { auth, last } = await create(ok)
    await auth.fetch(address)
    expect(last()).toEqual({ url: address, authorization: null })
  })

  it('is not put over an authorization of the app', async () => {
    const { auth, bearerTo } = await create(ok)
    await auth.fetch('https://api.test/', { headers: { authorization: 'Basic abc' } })
    expect(bearerTo('https://api.test')).toEqual(['Basic abc'])
  })

  it('does not travel along a redirect', async () => {
    const { auth, inits } = await create(ok)
    await auth.fetch('https://api.test/')
    expect(inits.at(-1)?.redirect).toBe('error')
  })

  it('is renewed first when it is about to expire', async () => {
    const { host, auth } = await create(ok)
    await host.clock.advance(580_000)
    await auth.fetch('https://api.test/')
    expect(tokenBodies(host)).toHaveLength(2)
  })
})

describe('a call that is refused with 401', () => {
  const said = ({ auth }: Awaited<ReturnType<typeof create>>) =>
    auth
      .explain()
      .filter(({ step }) => step === 'call')
      .map(({ outcome, detail }) => `${outcome}: ${detail}`)
  const HIDDEN = '401 of https://api.test: its CORS must expose WWW-Authenticate'

  it('and whose reason CORS hides is explained, once for each API', async () => {
    const scene = await create(() => new Response('', { status: 401 }))
    for (const path of ['a', 'b']) await scene.auth.fetch(`https://api.test/${path}`).catch(() => {})
    expect(said(scene)).toEqual([`failed: ${HIDDEN}`])
  })

  it('and says why is not explained, nor is one of the page’s own origin', async () => {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
    const scene = await create(() => new Response('', { status: 401, headers }))
    await scene.auth.fetch('https://api.test/').catch(() => {})
    expect(said(scene)).toEqual([])
    const own = await create(() => new Response('', { status: 401 }))
    await own.auth.fetch('/api').catch(() => {})
    expect(said(own)).toEqual([])
  })

  it('is repeated once with a renewed token, with its method, body and headers', async () => {
    let count = 0
    const { host, auth, bearerTo } = await create(() =>
      (count += 1) === 1 ? new Response('', { status: 401 }) : ok(),
    )
    const request = { method: 'POST', body: { a: 1 }, headers: { 'x-trace': '7' } } as const
    expect(await auth.fetch('https://api.test/firms', request)).toEqual({ ok: true })
    expect(new Set(bearerTo('https://api.test')).size).toBe(2)
    const [first, second] = host.requests.filter(({ url }) => url.startsWith('https://api.test'))
    expect(second).toMatchObject({ method: 'POST', body: first?.body })
    expect(second?.headers.get('x-trace')).toBe('7')
  })

  it('twice comes back to the caller, without a logout', async () => {
    const { auth, bearerTo } = await create(() => Response.json({ why: 'no' }, { status: 401 }))
    await expect(auth.fetch('https://api.test/')).rejects.toMatchObject({ status: 401 })
    expect(bearerTo('https://api.test')).toHaveLength(2)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('20 times at once costs one renewal', async () => {
    const scene = await create((_url, init) =>
      new Headers(init.headers).get('authorization') === stale ? new Response('', { status: 401 }) : ok(),
    )
    const stale = `Bearer ${await scene.auth.getAccessToken()}`
    await Promise.all(Array.from({ length: 20 }, () => scene.auth.fetch('https://api.test/')))
    expect(tokenBodies(scene.host)).toHaveLength(2)
  })

  it('with a body that can be read once only is not repeated', async () => {
    const { auth, bearerTo } = await create(() => new Response('', { status: 401 }))
    const body = new Blob(['{}']).stream()
    await expect(
      auth.fetch('https://api.test/', { method: 'POST', body, duplex: 'half' }),
    ).rejects.toMatchObject({ status: 401 })
    expect(bearerTo('https://api.test')).toHaveLength(1)
  })

  it('403 is not repeated', async () => {
    const { host, auth, bearerTo } = await create(() => new Response('', { status: 403 }))
    await expect(auth.fetch('https://api.test/')).rejects.toMatchObject({ status: 403 })
    expect(bearerTo('https://api.test')).toHaveLength(1)
    expect(tokenBodies(host)).toHaveLength(1)
  })
})

it.each([500, 503, 408, 429])('an answer of %i is not repeated: the app decides', async (status) => {
  const { auth, bearerTo } = await create(() => new Response('', { status }))
  await expect(auth.fetch('https://api.test/')).rejects.toMatchObject({ status })
  expect(bearerTo('https://api.test')).toHaveLength(1)
})

it('fails with its exact text before start-up has ended, and when nobody is signed in', async () => {
  await expect(createScene().auth.fetch('https://auth.test/x')).rejects.toThrow('Not init yet')
  const { auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
  await expect(auth.fetch('https://auth.test/x')).rejects.toThrow('Not authenticated yet')
})

it('has raw, native and create, all with the token', async () => {
  const { auth, bearerTo } = await create(ok)
  expect((await auth.fetch.raw('https://api.test/')).status).toBe(200)
  expect((await auth.fetch.native('https://api.test/')).status).toBe(200)
  expect(await auth.fetch.create({ baseURL: 'https://api.test' })('/x')).toEqual({ ok: true })
  const bearer = `Bearer ${await auth.getAccessToken()}`
  expect(bearerTo('https://api.test')).toEqual([bearer, bearer, bearer])
})

it('carries no token in the errors of failed calls', async () => {
  const { auth } = await create(() => Promise.reject(new TypeError('Failed to fetch')))
  const error: unknown = await auth.fetch('https://api.test/').catch((thrown: unknown) => thrown)
  const { access_token } = createTokenResponse()
  const seen = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`
  expect(seen).not.toContain(access_token.split('.')[0])
  expect(seen).not.toContain('eyJ')
})

describe('what a screen does with an error', () => {
  const failureOf = async (answer: Parameters<typeof create>[0], options = {}) =>
    (await create(answer)).auth.fetch('https://api.test/', options).catch((error: unknown) => error)

  it('isHttpError tells the status and gives the body', async () => {
    const error = await failureOf(() => Response.json({ errors: { name: 'is taken' } }, { status: 422 }))
    expect([isHttpError(error), isHttpError(error, 409), isHttpError(error, 409, 422)]).toEqual([
      true,
      false,
      true,
    ])
    expect(isHttpError(error, 422) && error.data).toEqual({ errors: { name: 'is taken' } })
  })

  it('isHttpError knows a 403 too, and nothing that has no response', async () => {
    expect(isHttpError(await failureOf(() => new Response('', { status: 403 })), 403)).toBe(true)
    expect(isHttpError(await failureOf(() => Promise.reject(new TypeError('Failed to fetch'))))).toBe(false)
    expect(isHttpError({ status: 409 }, 409)).toBe(false)
  })

  it('userText says that the server was not reached, or took too long', async () => {
    const never = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    const unreached = await failureOf(() => Promise.reject(new TypeError('Failed to fetch')))
    const late = await failureOf(never, { timeout: 5 })
    expect([unreached, late].map((error) => userText(error, (name) => name))).toEqual([
      'errorNetwork',
      'errorTimeout',
    ])
  })
})

describe('a call that is aborted', () => {
  /** Calls, aborts while the token endpoint is silent, and lets it respond. */
  async function abortDuringRenewal({ host, auth }: Awaited<ReturnType<typeof create>>, isForced: boolean) {
    const release = holdRequests(host, (url) => url.endsWith('/oauth/token'))
    const renewal = isForced ? auth.renew({ force: true }) : undefined
    const control = new AbortController()
    const { signal } = control
    const address = 'https://api.test/firms'
    const calls = [auth.fetch(address, { signal }), auth.fetch.native(new Request(address, { signal }))]
    const ends: unknown[] = []
    for (const call of calls) call.catch((error: unknown) => ends.push(error))
    await host.settle()
    control.abort()
    await host.settle()
    expect(ends).toHaveLength(2)
    release()
    await renewal
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  }

  it('does not wait for a renewal, and is not sent', async () => {
    const scene = await create(ok)
    await abortDuringRenewal(scene, true)
    expect(scene.inits).toEqual([])
  })

  it('does not wait until a refused token is renewed, and is not repeated', async () => {
    const scene = await create(() => Response.json({}, { status: 401 }))
    await abortDuringRenewal(scene, false)
    expect(scene.inits).toHaveLength(2)
  })
})
