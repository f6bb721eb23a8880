// The check for a server's author: all is well with the demo's server and with oidc-provider, and each broken promise is found by its name.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { createVisitor } from '../../../demo/authServer/visitor.ts'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { checkServer, type CheckOptions } from '../../../src/cli/check/checkServer.ts'
import { STATE_LENGTH } from '../../../src/protocol/servers/oidcAnswer.ts'
import { printable, reportText } from '../../../src/cli/report.ts'
import { findFreePort } from '../../../scripts/browsers/freePort.ts'

/** A request on its way to the server; a fault may change it, or respond in the server's place. */
interface Passing {
  readonly method: string
  readonly url: URL
  readonly body: Record<string, string>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}
interface Reply {
  status: number
  headers: Headers
  text: string
}
interface Break {
  before?: (request: Passing) => Partial<Reply> | undefined
  after?: (request: Passing, reply: Reply) => void
}

let authServer: AuthServer
let provider: OidcServer
let proxy: Listening
let target = ''
let broken: Break = {}
let redirectUri = ''

beforeAll(async () => {
  redirectUri = `http://localhost:${await findFreePort()}/`
  authServer = await startAuthServer({ host: 'localhost', clientId: 'admin', redirectUris: [redirectUri] })
  provider = await startOidcServer({ redirectUris: [redirectUri] })
  proxy = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    void pass(request).then(({ status, headers, text }) => {
      for (const [name, value] of headers)
        if (!/^(?:content-length|set-cookie)$/.test(name)) response.setHeader(name, value)
      response.setHeader('set-cookie', headers.getSetCookie())
      response.writeHead(status).end(text)
    })
  })
})
beforeEach(() => {
  target = authServer.origin
})
afterEach(() => {
  broken = {}
  authServer.faults.clear()
})
afterAll(async () => {
  await Promise.all([authServer.close(), provider.close(), proxy.close()])
})

/** Hands a request on; the server's own origin becomes the proxy's in all that comes back. */
async function pass(request: IncomingMessage): Promise<Reply> {
  let sent = ''
  for await (const chunk of request) sent += String(chunk)
  const isJson = request.headers['content-type']?.includes('json') === true
  const body = (isJson ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))) as Record<
    string,
    string
  >
  const passing = {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', target),
    body,
    headers: request.headers,
  }
  const instead = broken.before?.(passing)
  if (instead) return { status: 200, headers: new Headers(), text: '', ...instead }
  const { host, connection: _hop, 'content-length': _length, ...headers } = request.headers
  const response = await fetch(passing.url, {
    method: passing.method,
    headers: { ...(headers as Record<string, string>), 'x-forwarded-host': host ?? '' },
    redirect: 'manual',
    ...(sent !== '' && { body: sent }),
  })
  const renamed = (text: string) =>
    text
      .replaceAll(target, proxy.origin)
      .replaceAll(encodeURIComponent(target), encodeURIComponent(proxy.origin))
  const reply = { status: response.status, headers: new Headers(), text: renamed(await response.text()) }
  for (const [name, value] of response.headers) {
    if (!/^(?:content-encoding|transfer-encoding)$/.test(name)) reply.headers.append(name, renamed(value))
  }
  broken.after?.(passing, reply)
  return reply
}

/** Somebody with a browser: follows every redirect, and fills in what a page asks for. */
function browser(fill: (page: string) => Record<string, string> | undefined) {
  const visitor = createVisitor()
  return async (address: string) => {
    let response = await visitor.fetch(address)
    let at = address
    for (let hops = 0; hops < 60; hops += 1) {
      const location = response.headers.get('location')
      const page = location === null ? await response.text() : ''
      const fields = location === null ? fill(page) : undefined
      if (location === null && !fields) return
      at = new URL(location ?? /action="([^"]+)"/.exec(page)?.[1] ?? at, at).href
      response = fields ? await visitor.submit(at, fields) : await visitor.fetch(at)
    }
  }
}

const anna = () => browser((page) => (page.includes('name="account"') ? { account: 'anna' } : undefined))

async function check(options: Partial<CheckOptions> & { open?: (address: string) => Promise<void> } = {}) {
  const { open = anna(), ...others } = options
  const tell = (line: string) => void open(/http\S+/.exec(line)?.[0] ?? '')
  return checkServer({
    address: proxy.origin,
    clientId: 'admin',
    redirectUri,
    scopes: ['openid', 'profile'],
    hasSignIn: true,
    tell,
    ...others,
  })
}

const brokenIn = (findings: Awaited<ReturnType<typeof check>>) =>
  findings.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id)

it('finds nothing wrong with the demo’s server, and has checked everything', async () => {
  const findings = await check({ address: authServer.origin })
  expect(findings.filter(({ verdict }) => verdict !== 'kept')).toEqual([])
  expect(findings.map(({ id }) => id)).toEqual(FIRM_CHECKS)
  expect(brokenIn(await check())).toEqual([])
})

it('asks as a browser does: pages, the frame, and what scripts of the app send', async () => {
  const seen = new Map<string, unknown>()
  broken = {
    before({ method, url, headers }) {
      const kind = `${method} ${url.pathname}${url.searchParams.has('prompt') ? ' in the frame' : ''}`
      const { accept, origin } = headers
      const [mode, dest] = ['mode', 'dest'].map((name) => headers[`sec-fetch-${name}`])
      seen.set(kind, [mode, dest, origin, String(accept).split(',')[0]])
      return undefined
    },
  }
  await check({ hasSignIn: false })
  const origin = redirectUri.slice(0, -1)
  const script = ['cors', 'empty', origin]
  expect(Object.fromEntries(seen)).toEqual({
    'GET /oauth/authorize': ['navigate', 'document', undefined, 'text/html'],
    'GET /oauth/authorize in the frame': ['navigate', 'iframe', undefined, 'text/html'],
    'GET /oauth/logout': ['navigate', 'document', undefined, 'text/html'],
    'OPTIONS /oauth/token': [...script, '*/*'],
    'POST /oauth/token': [...script, 'application/json'],
    'OPTIONS /api/userinfo': [...script, '*/*'],
    'GET /api/userinfo': [...script, 'application/json'],
  })
})

it('finds nothing wrong with a server that redirects navigations, and tells scripts in a body where to go', async () => {
  broken = {
    after({ headers }, reply) {
      const location = reply.headers.get('location')
      if (location === null || headers['sec-fetch-mode'] === 'navigate') return
      reply.headers.delete('location')
      Object.assign(reply, { status: 200, text: JSON.stringify({ redirect: true, url: location }) })
    },
  }
  expect(brokenIn(await check({ hasSignIn: false }))).toEqual([])
  target = provider.origin
  expect(brokenIn(await check({ address: proxy.origin, isOidc: true, hasSignIn: false }))).toEqual([])
})

it('takes a redirect to an error page of the server’s own for a refusal', async () => {
  target = provider.origin
  broken = {
    after({ url }, reply) {
      if (url.searchParams.get('redirect_uri') === redirectUri || reply.status !== 400) return
      reply.headers.set('location', '/error?error=invalid_redirect')
      Object.assign(reply, { status: 302, text: '' })
    },
  }
  const findings = await check({ address: proxy.origin, isOidc: true, hasSignIn: false })
  expect(findings.map(({ id, verdict }) => [id, verdict])).toEqual(
    expect.arrayContaining([
      ['redirect-foreign', 'kept'],
      ['redirect-exact', 'kept'],
    ]),
  )
})

const FIRM_CHECKS = [
  'https',
  'sign-in',
  'redirect-foreign',
  'redirect-exact',
  'pkce-required',
  'pkce-plain',
  'frame-answer',
  'frame-headers',
  'frame-cache',
  'token-preflight',
  'token-cors',
  'token-refusal',
  'user-info-preflight',
  'user-info',
  'logout',
  'logout-foreign',
  'code',
  'pkce-verifier',
  'pkce-wrong',
  'code-redirect',
  'tokens',
  'tokens-cors',
  'tokens-cache',
  'access-token',
  'refresh-verifier',
  'rotation',
  'refresh-replay',
  'code-replay',
  'logout-return',
]

it('stands in docs/serverContract.md with all that it checks', () => {
  const page = readFileSync('docs/serverContract.md', 'utf8')
  const [, section = ''] = page.split('\n## Check your server')
  const cells = [...section.matchAll(/^\| (`\w[^|]*) \|/gm)].map(([, cell = '']) => cell)
  const ids = cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, id]) => id))
  expect(ids).toEqual(FIRM_CHECKS)
})

const FOREIGN = 'https://attacker.example/'
const isToken = ({ method, url }: Passing) => method === 'POST' && url.pathname === '/oauth/token'
/** Without the verifier of its PKCE challenge. */
const isUnproved = (one: Passing, grant: 'authorization_code' | 'refresh_token') =>
  isToken(one) && one.body['grant_type'] === grant && one.body['code_verifier'] === undefined
const isPreflight = ({ method, url }: Passing, path: string) => method === 'OPTIONS' && url.pathname === path
const json = (value: object): Partial<Reply> => ({
  text: JSON.stringify(value),
  headers: new Headers({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': redirectUri.slice(0, -1),
  }),
})
const tokens = () => json({ access_token: 'x', refresh_token: 'y', token_type: 'Bearer' })
const to = (location: string): Partial<Reply> => ({ status: 302, headers: new Headers({ location }) })
const without = (name: string, path: string, isWanted: (reply: Reply) => boolean = () => true): Break => ({
  after: ({ url }, reply) => {
    if (url.pathname === path && isWanted(reply)) reply.headers.delete(name)
  },
})
const replace = (name: string, from: string, value: string | undefined): Break => ({
  before: ({ url }) => {
    if ((url.searchParams.get(name) ?? 'absent') !== from) return undefined
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return undefined
  },
})
const hits = <T>(condition: boolean, value: () => T) => (condition ? value() : undefined)

const breaks: [what: string, ids: string[], make: () => Break | undefined][] = [
  [
    'follows any redirect URI',
    ['redirect-foreign'],
    () => ({
      before: ({ url }) =>
        hits(url.pathname === '/oauth/authorize' && url.searchParams.get('redirect_uri') === FOREIGN, () =>
          to(`${FOREIGN}?code=1`),
        ),
    }),
  ],
  [
    'compares redirect URIs by their beginning',
    ['redirect-exact'],
    () => replace('redirect_uri', `${redirectUri}x`, redirectUri),
  ],
  [
    'does without PKCE',
    ['pkce-required'],
    () => ({
      before: ({ url }) => {
        if (url.pathname === '/oauth/authorize' && !url.searchParams.has('code_challenge')) {
          url.searchParams.set('code_challenge', 'a'.repeat(43))
          url.searchParams.set('code_challenge_method', 'S256')
        }
        return undefined
      },
    }),
  ],
  ['takes plain PKCE', ['pkce-plain'], () => void (authServer.faults.allowPlainChallenge = true)],
  [
    'shows its sign-in page in the frame',
    ['frame-answer', 'frame-headers'],
    () => replace('response_mode', 'web_message', undefined),
  ],
  ['posts no message', ['frame-answer'], () => void (authServer.faults.dropWebMessage = true)],
  [
    'forbids frames by X-Frame-Options',
    ['frame-headers'],
    () => void (authServer.faults.refuseFraming = 'x-frame-options'),
  ],
  ['forbids frames by its policy', ['frame-headers'], () => void (authServer.faults.refuseFraming = 'csp')],
  ['lets caches keep the frame’s page', ['frame-cache'], () => without('cache-control', '/oauth/authorize')],
  [
    'has no preflight for tokens',
    ['token-preflight'],
    () => ({ before: (one) => hits(isPreflight(one, '/oauth/token'), () => ({ status: 405 })) }),
  ],
  [
    'allows no content-type',
    ['token-preflight'],
    () => without('access-control-allow-headers', '/oauth/token'),
  ],
  [
    'has no CORS on errors',
    ['token-cors'],
    () => without('access-control-allow-origin', '/oauth/token', ({ status }) => status === 400),
  ],
  [
    'has no CORS on tokens',
    ['tokens-cors'],
    () => without('access-control-allow-origin', '/oauth/token', ({ status }) => status === 200),
  ],
  [
    'takes no JSON',
    ['token-refusal'],
    () => ({
      before: (one) =>
        hits(isToken(one) && one.body['code'] === 'a-code-that-never-was', () => ({
          ...json({ error: 'invalid_request' }),
          status: 415,
        })),
    }),
  ],
  [
    'asks preflights for a token',
    ['user-info-preflight'],
    () => ({ before: (one) => hits(isPreflight(one, '/api/userinfo'), () => ({ status: 401 })) }),
  ],
  [
    'refuses a call without a token by 403',
    ['user-info'],
    () => ({
      before: ({ method, url }) =>
        hits(method === 'GET' && url.pathname === '/api/userinfo', () => ({ ...json({}), status: 403 })),
    }),
  ],
  [
    'has no logout address',
    ['logout'],
    () => ({ before: ({ url }) => hits(url.pathname === '/oauth/logout', () => ({ status: 404 })) }),
  ],
  [
    'follows logout anywhere',
    ['logout-foreign'],
    () => ({
      before: ({ url }) =>
        hits(url.searchParams.get('post_logout_redirect_uri') === FOREIGN, () => to(FOREIGN)),
    }),
  ],
  ['names another issuer', ['code'], () => void (authServer.faults.wrongIssuer = true)],
  ['changes the state', ['frame-answer', 'code'], () => void (authServer.faults.wrongState = true)],
  [
    'takes a code without verifier',
    ['pkce-verifier'],
    () => ({ before: (one) => hits(isUnproved(one, 'authorization_code'), tokens) }),
  ],
  [
    'takes a code from another address',
    ['code-redirect'],
    () => ({
      before: (one) => hits(isToken(one) && one.body['redirect_uri'] === `${redirectUri}other`, tokens),
    }),
  ],
  [
    'has another token type',
    ['tokens'],
    () => void (authServer.faults.editTokenAnswer = (answer) => ({ ...answer, token_type: 'mac' })),
  ],
  [
    'has tokens without life',
    ['tokens'],
    () => void (authServer.faults.editTokenAnswer = (answer) => ({ ...answer, expires_in: 0 })),
  ],
  [
    'lets caches keep tokens',
    ['tokens-cache'],
    () => without('cache-control', '/oauth/token', ({ status }) => status === 200),
  ],
  [
    'issues opaque tokens',
    ['access-token'],
    () => void (authServer.faults.editTokenAnswer = (answer) => ({ ...answer, access_token: 'opaque' })),
  ],
  [
    'refreshes without verifier',
    ['refresh-verifier'],
    () => ({ before: (one) => hits(isUnproved(one, 'refresh_token'), tokens) }),
  ],
  ['does not rotate', ['rotation'], () => void (authServer.faults.rotationOff = true)],
]

it.each(breaks)('finds a server that %s', async (_what, ids, make) => {
  broken = make() ?? {}
  const findings = await check()
  expect(brokenIn(findings)).toEqual(ids)
  for (const { fault } of findings) {
    if (fault) expect([fault.wrong, fault.fix].every((text) => text.length > 5)).toBe(true)
  }
})

it.each([
  ['refresh tokens', 'refresh_token', 'refresh-replay'],
  ['codes', 'code', 'code-replay'],
])('finds a server that takes %s twice', async (_what, name, id) => {
  const taken = new Set<string>()
  broken = {
    before: (one) => hits(isToken(one) && taken.has(one.body[name] ?? 'none'), tokens),
    after: (one, { status }) => {
      if (isToken(one) && status === 200) taken.add(one.body[name] ?? 'another')
    },
  }
  expect(brokenIn(await check())).toEqual([id])
})

it('finds a server that takes any verifier', async () => {
  broken = {
    after: (one, reply) => {
      if (
        isToken(one) &&
        one.body['code_verifier'] !== undefined &&
        one.body['redirect_uri'] === redirectUri &&
        one.body['code'] !== 'a-code-that-never-was' &&
        reply.status === 400
      )
        Object.assign(reply, { status: 200, ...tokens() })
    },
  }
  expect(brokenIn(await check())).toEqual(['pkce-wrong', 'code-replay'])
})

it('finds a logout that keeps the session', async () => {
  broken = {
    before: ({ url }) => {
      const address =
        url.pathname === '/oauth/logout' ? url.searchParams.get('post_logout_redirect_uri') : null
      return address === redirectUri ? to(`${address}?state=${url.searchParams.get('state')}`) : undefined
    },
  }
  expect(brokenIn(await check())).toEqual(['logout-return'])
})

it('says first of all that the client is unknown, and what to register', async () => {
  const findings = await check({ clientId: 'another' })
  expect(brokenIn(findings)).toEqual(['sign-in'])
  expect(reportText(findings)).toContain(`Register the client another: public, without a secret`)
})

it('shows what a server says as text: nothing of it moves the cursor, rings or colours', () => {
  const said = '\u001b[2J\u001b]0;title\u0007\r\n\u009b31m \u202eabc é 日本'
  const text = reportText([
    {
      id: 'metadata',
      promise: `It names ${said}`,
      verdict: 'broken',
      fault: { wrong: said, fix: said },
      reason: said,
    },
  ])
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(text).toContain('é 日本')
  expect(printable('\u001b[2J')).toBe(String.raw`\u{1b}[2J`)
})

it('names http beyond this computer, and a server that is not there', async () => {
  const findings = await check({ address: 'http://auth.invalid' })
  expect(brokenIn(findings)).toEqual(['https', 'sign-in'])
})

it('tells what it has not checked without a session', async () => {
  const findings = await check({ hasSignIn: false })
  expect(findings.at(-1)).toEqual({
    id: 'session',
    promise: 'Codes, tokens, rotation and logout',
    verdict: 'unchecked',
    reason: 'add --sign-in, and sign in with a browser',
  })
})

const oidc = { isOidc: true, hasSignIn: false, clientId: 'admin' } as const

/** Signs in, agrees and logs out at oidc-provider. */
const annaThere = () =>
  browser((page) => {
    if (page.includes('name="login"')) return { prompt: 'login', login: 'anna', password: 'any' }
    if (page.includes('value="consent"')) return { prompt: 'consent' }
    const [, xsrf] = /name="xsrf" value="(\w+)"/.exec(page) ?? []
    return xsrf === undefined ? undefined : { xsrf, logout: 'yes' }
  })

describe('a provider that says less before a sign-in, or says it elsewhere', () => {
  const isSignIn = ({ url }: Passing) => url.pathname === '/auth' && url.searchParams.get('prompt') !== 'none'
  const loginPage = () => ({ text: '<form action="/login">' })
  const verdicts = (findings: Awaited<ReturnType<typeof check>>, ids: readonly string[]) =>
    findings.filter(({ id }) => ids.includes(id)).map(({ id, verdict }) => [id, verdict])
  const JUDGED = ['sign-in', 'redirect-foreign', 'redirect-exact', 'pkce-required', 'pkce-plain']
  const PKCE = ['pkce-required', 'pkce-plain']
  // It names the proxy in its tokens.
  let behind: OidcServer
  beforeAll(async () => {
    behind = await startOidcServer({
      redirectUris: [redirectUri],
      as: { issuer: proxy.origin, routes: {} },
      // With one, a further sign-in keeps what was granted before.
      organizations: { open: ['acme'], asking: [] },
    })
  })
  beforeEach(() => {
    target = behind.origin
  })
  afterAll(() => behind.close())

  it('is sent a state and a nonce as long as those of the library', async () => {
    const lengths = new Set<number | undefined>()
    broken = {
      before: ({ url }) => {
        for (const name of ['state', 'nonce'])
          if (url.pathname === '/auth') lengths.add(url.searchParams.get(name)?.length)
        return undefined
      },
    }
    await check(oidc)
    expect([...lengths]).toEqual([STATE_LENGTH])
  })

  it('and judges a request only after its sign-in page: what was not seen is neither ok nor WRONG', async () => {
    broken = { before: (one) => hits(isSignIn(one), loginPage) }
    const findings = await check(oidc)
    expect(brokenIn(findings)).toEqual([])
    expect(verdicts(findings, JUDGED)).toEqual(JUDGED.map((id) => [id, 'unchecked']))
  })

  it.each([
    ['sends refusals to an error page of another origin', 'https://errors.example.com/?error=invalid_client'],
    ['sends refusals to a page of its own', '/error?error=invalid_client'],
  ])('and %s: a refusal all the same', async (_what, address) => {
    broken = {
      after: ({ url }, reply) => {
        if (url.pathname === '/auth' && reply.status === 400) Object.assign(reply, to(address), { text: '' })
      },
    }
    expect(verdicts(await check(oidc), JUDGED.slice(0, 3))).toEqual(
      JUDGED.slice(0, 3).map((id) => [id, 'kept']),
    )
    const unknown = await check({ ...oidc, clientId: 'another' })
    expect(brokenIn(unknown)).toEqual(['sign-in'])
    expect(reportText(unknown)).toContain('found: error=invalid_client')
  })

  const afterLogin: Break = {
    before: (one) =>
      hits(isSignIn(one) && one.url.searchParams.get('code_challenge_method') !== 'S256', loginPage),
  }
  it('and looks at PKCE after the sign-in page: checked with --sign-in, else not', async () => {
    broken = afterLogin
    const without = await check(oidc)
    expect(brokenIn(without)).toEqual([])
    expect(verdicts(without, PKCE)).toEqual(PKCE.map((id) => [id, 'unchecked']))
    const whole = await check({ ...oidc, hasSignIn: true, open: annaThere() })
    expect(whole.filter(({ verdict }) => verdict === 'broken')).toEqual([])
    expect(verdicts(whole, PKCE)).toEqual(PKCE.map((id) => [id, 'kept']))
  })

  it('and takes a sign-in without PKCE: found with --sign-in', async () => {
    broken = {
      before: (one) => {
        const { searchParams, pathname } = one.url
        if (pathname !== '/auth' || searchParams.get('code_challenge_method') === 'S256') return undefined
        if (isSignIn(one)) return loginPage()
        searchParams.set('code_challenge', 'a'.repeat(43))
        searchParams.set('code_challenge_method', 'S256')
        return undefined
      },
    }
    expect(brokenIn(await check({ ...oidc, hasSignIn: true, open: annaThere() }))).toEqual(PKCE)
  })

  it('and answers prompt=none with its sign-in page: who signs in there after the logout shows nothing about the session', async () => {
    broken = {
      before: ({ url }) => {
        if (url.searchParams.get('prompt') === 'none') url.searchParams.delete('prompt')
        return undefined
      },
    }
    const findings = await check({ ...oidc, hasSignIn: true, open: annaThere() })
    expect(brokenIn(findings)).toEqual(['frame-answer'])
    expect(verdicts(findings, ['logout-return'])).toEqual([['logout-return', 'unchecked']])
  })

  it('and says what is wrong in words: they stand in what was found', async () => {
    broken = {
      before: ({ url }) =>
        hits(url.pathname.includes('well-known'), () => ({
          ...json({ error: 'Realm does not exist' }),
          status: 404,
        })),
    }
    expect(reportText(await check(oidc))).toContain('status 404: Realm does not exist')
  })

  it('and wants sign-ins of this client pushed, which its metadata do not say: they are pushed, and the option is named', async () => {
    broken = {
      before: (one) =>
        hits(isSignIn(one) && !one.url.searchParams.has('request_uri'), () =>
          to(`${redirectUri}?error=invalid_request&error_description=Pushed+authorization+request+required`),
        ),
    }
    const findings = await check(oidc)
    expect(brokenIn(findings)).toEqual([])
    expect(reportText(findings)).toMatch(/note .*\n.*\n.*Set pushedRequests: 'required' in openIdConnect/)
  })

  it('and wants a proof of a key at its token endpoint: the finding names the option', async () => {
    broken = {
      before: ({ method, url, headers }) =>
        hits(method === 'POST' && url.pathname === '/token' && headers['dpop'] === undefined, () => ({
          ...json({ error: 'invalid_request', error_description: 'DPoP proof is missing' }),
          status: 400,
        })),
    }
    const findings = await check(oidc)
    expect(brokenIn(findings)).toEqual(['token-refusal'])
    expect(reportText(findings)).toMatch(/invalid_request: DPoP proof is missing\n.*dpop: 'required'/)
  })

  it('and promises iss in every response: a missing one is found, in the frame and with a code', async () => {
    broken = {
      after: (_one, reply) => {
        const location = reply.headers.get('location')
        if (location !== null) reply.headers.set('location', location.replace(/[?&]iss=[^&]*/, ''))
      },
    }
    expect(brokenIn(await check({ ...oidc, hasSignIn: true, open: annaThere() }))).toEqual([
      'frame-answer',
      'code',
    ])
  })

  it('and ends no session without an ID token: logout is checked with --sign-in, else not', async () => {
    broken = {
      before: ({ method, url }) =>
        hits(
          method === 'GET' && url.pathname === '/session/end' && !url.searchParams.has('id_token_hint'),
          () => to('https://errors.example.com/?error=invalid_request'),
        ),
    }
    const LOGOUT = ['logout', 'logout-foreign']
    expect(verdicts(await check(oidc), LOGOUT)).toEqual(LOGOUT.map((id) => [id, 'unchecked']))
    const whole = await check({ ...oidc, hasSignIn: true, open: annaThere() })
    expect(whole.filter(({ verdict }) => verdict === 'broken')).toEqual([])
    expect(verdicts(whole, ['logout-return'])).toEqual([['logout-return', 'kept']])
  })
})

it('finds nothing wrong with an OpenID Connect provider, a session and its end included', async () => {
  const findings = await check({
    ...oidc,
    address: provider.issuer,
    scopes: ['openid', 'offline_access'],
    hasSignIn: true,
    open: annaThere(),
  })
  expect(findings.filter(({ verdict }) => verdict !== 'kept')).toEqual([])
  expect(findings.map(({ id }) => id)).toContain('id-token')
})

describe('a provider that wants each sign-in pushed and each token bound to a key', () => {
  const servers: OidcServer[] = []
  const start = async (more: Parameters<typeof startOidcServer>[0] = {}) => {
    const started = await startOidcServer({
      redirectUris: [redirectUri],
      isPushed: true,
      isBound: true,
      ...more,
    })
    servers.push(started)
    return started
  }
  afterEach(() => Promise.all(servers.splice(0).map((each) => each.close())))
  const whole = () => ({
    ...oidc,
    scopes: ['openid', 'offline_access'],
    hasSignIn: true,
    open: annaThere(),
  })

  it('is right in everything, with --dpop', async () => {
    const { issuer: address } = await start()
    const findings = await check({ ...whole(), address, isBound: true })
    expect(findings.filter(({ verdict }) => verdict === 'broken')).toEqual([])
    const kept = findings.filter(({ verdict }) => verdict === 'kept').map(({ id }) => id)
    expect(kept).toEqual(
      expect.arrayContaining(['redirect-exact', 'pkce-plain', 'dpop-preflight', 'dpop-nonce', 'tokens']),
    )
  })

  it('is checked with --dpop: without it the finding says so', async () => {
    const { issuer: address } = await start()
    const findings = await check({ ...whole(), address })
    expect(brokenIn(findings)).toEqual(['tokens', 'code-replay'])
    expect(reportText(findings)).toContain('check with --dpop')
  })

  it.each<[string, string[], Break]>([
    [
      'hides its nonce from the app’s page',
      ['dpop-nonce'],
      without('access-control-expose-headers', '/token'),
    ],
    [
      'allows no proof in its preflight',
      ['dpop-preflight'],
      without('access-control-allow-headers', '/token'),
    ],
    [
      'takes nothing that is pushed',
      ['sign-in'],
      { before: ({ url }) => hits(url.pathname === '/request', () => ({ status: 400 })) },
    ],
  ])('that %s is found', async (_what, ids, fault) => {
    // A proof of a key names the address that was asked: the proxy's.
    target = (await start({ as: { issuer: proxy.origin, routes: {} } })).origin
    broken = fault
    expect(brokenIn(await check({ ...oidc, isBound: true }))).toEqual(ids)
  })
})

it.each<[string, string[], Break, Partial<CheckOptions>?]>([
  [
    'has another issuer',
    ['issuer'],
    {
      after: ({ url }, reply) => {
        if (url.pathname.includes('well-known')) reply.text = reply.text.replace(/("issuer":"[^"]+)/, '$1/')
      },
    },
  ],
  ['is no provider', ['discovery'], { before: () => ({ text: '<html>' }) }],
  [
    'lets no page read its metadata',
    ['discovery'],
    without('access-control-allow-origin', '/.well-known/openid-configuration'),
  ],
  [
    'does not list S256',
    ['pkce-listed'],
    { after: (_one, reply) => void (reply.text = reply.text.replace('"S256"', '"plain"')) },
  ],
  [
    'says nothing of PKCE, which is no fault',
    [],
    {
      after: (_one, reply) =>
        void (reply.text = reply.text.replace('"code_challenge_methods_supported"', '"left_out"')),
    },
  ],
  ['shows a page to the frame', ['frame-answer'], replace('prompt', 'none', 'login')],
  ['has no CORS for tokens', ['token-cors'], without('access-control-allow-origin', '/token')],
])('finds a provider that %s', async (_what, ids, fault, options = {}) => {
  target = provider.issuer
  broken = fault
  expect(brokenIn(await check({ ...oidc, ...options }))).toEqual(ids)
})
