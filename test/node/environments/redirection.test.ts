// Users of another environment are taken there once, and no file, fault or target can make it more than nothing.

import type { AuthConfig } from '../../../src/protocol/config.ts'
import { AuthError } from '../../../src/base/errors.ts'
import { QueryClient } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  isTrustedHost,
  judgeRedirection,
  parseRedirectionConfig,
  type RedirectionConfig,
} from '../../../src/protocol/redirection.ts'
import { decodeAccessToken } from '../../../src/protocol/claims.ts'
import { redirectionConfigQuery } from '../../../src/queries/redirectionConfig.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { neverAnswers } from '../../../src/testing/fakeHost.ts'
import { createAccessToken, createClaims, createJwt } from '../../../src/testing/tokens.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { deepLink } from '../startUp/addressCases.ts'
import { hostileFiles } from './hostileFiles.ts'
import {
  APP,
  createScene,
  nextPage,
  type Scene,
  type SceneOptions,
  stepsOfPage,
} from '../session/sessionScene.ts'
import { checkGenerated, generatedRuns } from '../../generated.ts'

const token = (claims: object) => createJwt({ ...createClaims(), ...claims })

const FILE_URL = 'https://cdn.test/redirections.json'
const AUTH = 'https://eu-auth.firm.test'
const US = 'https://us-auth.firm.test'
const rule = (more: object = {}) => ({
  criteria: { firmId: ['f9'] },
  applications: ['admin'],
  authHost: US,
  topLevelDomain: 'test',
  ...more,
})
const HOME = rule({ criteria: { firmId: ['f1'] }, authHost: AUTH })
const file = (...environments: object[]) => ({
  topLevelDomains: ['test', 'com', 'co.uk', 'nl'],
  // The last one is where the user is now.
  environments: [...(environments.length > 0 ? environments : [rule()]), HOME],
  environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
})

interface EnvironmentScene extends Scene {
  /** What came for the file. */
  fileRequests: { url: string; init: RequestInit | undefined }[]
}

/** A signed-in user; the file and POST /api/redirections answer as given. */
async function signedIn(
  options: {
    file?: unknown
    answerFile?: typeof fetch
    redirections?: () => Response
    /** The host of the other environment. */
    answerThere?: typeof fetch
    scene?: SceneOptions
    from?: Scene
  } = {},
): Promise<EnvironmentScene> {
  const fileRequests: EnvironmentScene['fileRequests'] = []
  const sceneOptions: SceneOptions = {
    ...options.scene,
    config: { authHost: AUTH, redirectionsUrl: FILE_URL, ...options.scene?.config } as Partial<AuthConfig>,
    server: {
      authHost: AUTH,
      user: createFakeUser({ userId: 'frank', firmId: 'f9' }),
      ...options.scene?.server,
    },
  }
  const scene = options.from ? nextPage(options.from, APP, sceneOptions) : createScene(sceneOptions)
  const serverFetch = scene.server.fetch
  scene.host.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    if (url === FILE_URL) {
      fileRequests.push({ url, init })
      return options.answerFile?.(input, init) ?? Response.json(options.file ?? file())
    }
    if (url.startsWith(`${US}/`)) return options.answerThere?.(input, init) ?? new Response('')
    if (url === `${AUTH}/api/redirections`) {
      return options.redirections?.() ?? Response.json({ jti: 'handover-1', expires_in: 60 })
    }
    return serverFetch(input, init)
  }
  void scene.auth.start()
  await scene.host.settle()
  return { ...scene, fileRequests }
}

const steps = ({ auth }: Scene) =>
  stepsOfPage(auth)
    .filter(({ step }) => step === 'environment')
    .map(({ outcome, detail }) => `${outcome}: ${detail}`)
const asked = ({ host }: Scene) => host.requests.filter(({ url }) => url.endsWith('/api/redirections'))

describe('a user of another environment', () => {
  it('is logged out to the passthrough page there, with a jti asked for and the address to come back to', async () => {
    const scene = await signedIn({ scene: { address: `${APP}firms?x=%20a#/r` } })
    expect(
      asked(scene).map(({ method, body, headers }) => [
        method,
        body,
        headers.get('authorization')?.slice(0, 7),
      ]),
    ).toEqual([['POST', '{"client_id":"admin"}', 'Bearer ']])
    const [leaving] = scene.host.navigations
    const logout = new URL(leaving ?? '')
    expect(logout.origin + logout.pathname).toBe(`${AUTH}/oauth/logout`)
    expect(logout.searchParams.get('post_logout_redirect_uri')).toBe(
      `${US}/oauth/passthrough?${new URLSearchParams({ jti: 'handover-1', redirect: `${APP}firms?x=%20a#/r` })}`,
    )
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'environment' })
    expect(steps(scene)).toEqual(['started: rule 1 matches by firmId'])
    // Nobody has signed out: no logout is owed.
    expect(Object.keys(scene.host.localStorage.entries()).filter((key) => key.includes('owed'))).toEqual([])
  })

  it('takes no token of another product along in the address to come back to', async () => {
    const foreign = createAccessToken({ aud: 'payroll' })
    const { host } = await signedIn({ scene: { address: `${APP}firms?jwt=${foreign}&x=%20a#/r` } })
    const out = new URL(host.navigations[0] ?? '').searchParams.get('post_logout_redirect_uri')
    expect(new URL(out ?? '').searchParams.get('redirect')).toBe(`${APP}firms?x=%20a#/r`)
  })

  it('is told to be signed out where the logout page on the way never comes', async () => {
    const scene = await signedIn()
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'environment' })
    await scene.host.clock.advance(5_000)
    expect(scene.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('is never held up: the session is there before the file is asked for', async () => {
    const seen: string[] = []
    const scene = createScene({
      config: { authHost: AUTH, redirectionsUrl: FILE_URL },
      server: { authHost: AUTH },
    })
    scene.host.fetch = (input, init) => {
      if (input !== FILE_URL) return scene.server.fetch(input, init)
      seen.push(scene.auth.getState().status)
      return neverAnswers(input, init)
    }
    void scene.auth.start()
    await scene.host.settle()
    expect(seen).toEqual(['authenticated'])
    expect(scene.auth.getState().status).toBe('authenticated')
    await scene.host.clock.advance(5_000)
    expect(steps(scene)).toEqual(['failed: The redirections file took too long'])
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it.each<[string, typeof fetch]>([
    ['never answers', () => new Promise(() => {})],
    ['stalls in the body', async () => new Response(new ReadableStream())],
  ])('%s and obeys no limit: given up after 5 seconds all the same', async (_what, never) => {
    const scene = createScene({
      config: { authHost: AUTH, redirectionsUrl: FILE_URL },
      server: { authHost: AUTH },
    })
    const { platform } = scene.host
    const real = platform.fetch
    Object.assign(platform, {
      fetch: ((input, init) => (input === FILE_URL ? never : real)(input, init)) satisfies typeof fetch,
    })
    void scene.auth.start()
    await scene.host.settle()
    await scene.host.clock.advance(5_000)
    expect(steps(scene)).toEqual(['failed: The redirections file took too long'])
  })

  it('is taken there at most once in a browser session', async () => {
    const first = await signedIn()
    const second = await signedIn({ from: first })
    expect(second.host.navigations).toEqual([])
    expect(asked(second)).toEqual([])
    expect(steps(second)).toEqual([
      'skipped: rule 1 matches by firmId; it was tried before in this browser session',
    ])
  })

  it('stays where this browser session cannot be marked', async () => {
    const sessionStorage = createFakeStorage()
    sessionStorage.fault = 'throws'
    const scene = await signedIn({ scene: { host: { sessionStorage } } })
    expect(scene.host.navigations).toEqual([])
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  describe('whose host the app names', () => {
    /** The host there answers as given to the request that asks whether it is there. */
    const withHost = async (answer: typeof fetch, from?: Scene) => {
      const probes: RequestInit[] = []
      const scene = await signedIn({
        ...(from && { from }),
        answerThere: async (input, init) => {
          probes.push(init!)
          return answer(input, init)
        },
        scene: { config: { allowedEnvironmentHosts: [US] } },
      })
      return { scene, probes }
    }
    const gone: typeof fetch = async () => {
      throw new TypeError('Failed to fetch')
    }

    it('is taken there once one request without a secret has found it there', async () => {
      const { scene, probes } = await withHost(async () => new Response('', { status: 401 }))
      expect(probes).toMatchObject([{ mode: 'no-cors', credentials: 'omit', cache: 'no-store' }])
      expect(scene.host.navigations).toHaveLength(1)
    })

    it.each([
      ['refuses connections', gone, 'GET /api/userinfo did not reach the server'],
      ['answers nothing', neverAnswers, 'GET /api/userinfo took too long'],
    ])('stays signed in where it %s, and is taken there another time', async (_what, answer, why) => {
      const { scene } = await withHost(answer)
      await scene.host.clock.advance(5_000)
      expect(scene.auth.getState().status).toBe('authenticated')
      expect([scene.host.navigations, asked(scene)]).toEqual([[], []])
      expect(steps(scene)).toEqual([`failed: ${why}`])
      const { scene: next } = await withHost(async () => new Response(''), scene)
      expect(next.host.navigations).toHaveLength(1)
    })
  })

  it('asks no host that only the file names: the policy of the page may forbid it', async () => {
    const scene = await signedIn()
    expect(scene.host.requests.filter(({ url }) => url.startsWith(US))).toEqual([])
    expect(scene.host.navigations).toHaveLength(1)
  })

  it('asks for the file without credentials or referrer, and follows no redirect', async () => {
    const { fileRequests } = await signedIn()
    expect(fileRequests).toHaveLength(1)
    expect(fileRequests[0]?.init).toMatchObject({
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    })
    expect(new Headers(fileRequests[0]?.init?.headers).get('authorization')).toBeNull()
  })

  it.each([
    ['is refused', () => new Response('{"error":"no"}', { status: 403 })],
    ['has no jti', () => Response.json({})],
    ['has a jti that is none', () => Response.json({ jti: { toString: 'x' } })],
    ['has an empty jti', () => Response.json({ jti: '' })],
    ['is a page', () => new Response('<h1>portal</h1>', { headers: { 'content-type': 'text/html' } })],
    ['is broken', () => new Response('{"jti":')],
  ])('stays signed in when the answer that should bring a jti %s', async (_how, redirections) => {
    const scene = await signedIn({ redirections })
    expect(scene.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'frank' } })
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene)).toHaveLength(1)
    expect(steps(scene)[0]).toMatch(/^failed: /)
  })

  it('stays when the network goes while the jti is asked for', async () => {
    let goOffline = () => {}
    const scene = signedIn({
      redirections() {
        goOffline()
        return Response.json({ jti: 'x' })
      },
      scene: {
        host: {
          onFrame: () => {},
        },
      },
    })
    const { host, server, auth } = await scene
    goOffline = () => host.setOnline(false)
    const [frame] = host.frames
    if (frame) server.answerFrame(frame)
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: false })
    expect(host.navigations).toEqual([])
  })

  it('goes on there once a server that went away on the way is back, and is not shown as logging out', async () => {
    let goAway = () => {}
    const { host, server, auth } = await signedIn({
      redirections() {
        goAway()
        return Response.json({ jti: 'handover-1', expires_in: 60 })
      },
      scene: { host: { onFrame: () => {} } },
    })
    const { fetch } = host
    goAway = () => void (host.fetch = () => Promise.reject(new TypeError('Failed to fetch')))
    const [frame] = host.frames
    if (frame) server.answerFrame(frame)
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', cause: { code: 'network' } })
    expect(host.navigations).toEqual([])

    const shown: unknown[] = []
    auth.subscribe(() => shown.push(auth.getState()))
    host.fetch = fetch
    await host.clock.advance(60_000)
    expect(host.navigations).toHaveLength(1)
    expect(new URL(host.navigations[0]!).searchParams.get('post_logout_redirect_uri')).toContain(
      `${US}/oauth/passthrough?jti=handover-1`,
    )
    expect(shown).not.toContainEqual(expect.objectContaining({ to: 'logout' }))
  })

  const withoutSecret = deepLink.filter((address) => !/eyJ|code=./.test(address))
  it(
    'brings every deep link without a token or a code along, byte for byte: 200 of them',
    { timeout: 120_000, tags: ['generated'] },
    async () => {
      await checkGenerated(
        'deep links to another environment',
        fc.asyncProperty(fc.array(withoutSecret, { minLength: 20, maxLength: 20 }), async (links) => {
          await Promise.all(
            links.map(async (address) => {
              const { host } = await signedIn({ scene: { address } })
              const out = new URL(host.navigations[0] ?? '').searchParams.get('post_logout_redirect_uri')
              expect(new URL(out ?? '').searchParams.get('redirect')).toBe(address)
            }),
          )
        }),
      )
    },
  )
})

describe('whether a rule matches', () => {
  const claims = { userId: 7, firmId: 'f9', sessionId: 's1', aud: ['admin', 'suite'], jti: 'j', exp: 1 }
  const judge = (environments: object[], who: object = claims) =>
    judgeRedirection(parseRedirectionConfig(file(...environments))!, {
      claims: who as typeof claims,
      clientId: 'admin',
      authHost: AUTH,
      address: APP,
      allowedEnvironmentHosts: [],
    })

  it.each([
    [
      'one claim with one of its values',
      [rule({ criteria: { firmId: ['f1', 'f9'] } })],
      'rule 1 matches by firmId',
    ],
    ['numbers and texts are the same', [rule({ criteria: { userId: ['7'] } })], 'rule 1 matches by userId'],
    ['one of several audiences', [rule({ criteria: { aud: ['suite'] } })], 'rule 1 matches by aud'],
    [
      'all claims',
      [rule({ criteria: { firmId: ['f9'], userId: ['7'] } })],
      'rule 1 matches by firmId, userId',
    ],
    [
      'the first that matches',
      [rule({ criteria: { firmId: ['x'] } }), rule(), rule({ authHost: 'https://uk-auth.firm.test' })],
      'rule 2 matches by firmId',
    ],
    ['not our own environment', [rule({ authHost: AUTH }), rule()], 'rule 2 matches by firmId'],
  ])('goes: %s', (_what, environments, why) => {
    expect(judge(environments)).toMatchObject({ type: 'go', why, environment: { authHost: US } })
  })

  it.each([
    ['one claim of two', [rule({ criteria: { firmId: ['f9'], userId: ['8'] } })]],
    ['another app', [rule({ applications: ['other'] })]],
    ['no app', [rule({ applications: [] })]],
    ['no values', [rule({ criteria: { firmId: [] } })]],
    ['a claim the user has not', [rule({ criteria: { impersonatorId: ['undefined'] } })]],
    ['a claim nobody may ask for', [rule({ criteria: { jti: ['j'] } })]],
    ['a member of every object', [rule({ criteria: { constructor: ['x'], toString: ['y'] } })]],
    ['a part of a value', [rule({ criteria: { firmId: ['f'] } })]],
    ['a pattern', [rule({ criteria: { firmId: ['.*', 'f9$', '^f9', '/f9/', 'f?'] } })]],
    ['another case', [rule({ criteria: { firmId: ['F9'] } })]],
    ['white space', [rule({ criteria: { firmId: [' f9', 'f9 '] } })]],
    ['our own environment only', [rule({ authHost: AUTH })]],
    ['our own environment with a slash', [rule({ authHost: `${AUTH}/` })]],
  ])('stays: %s', (_what, environments) => {
    expect(judge(environments)).toEqual({ type: 'stay', why: 'no rule matches this user' })
  })

  it('stays, and says why, when a rule matches and its host may not have the session', () => {
    expect(judge([rule({ authHost: 'https://us-auth.evil.test' }), rule()])).toEqual({
      type: 'stay',
      why: 'rule 1 matches by firmId, and its authHost is not one this app may hand a session to',
    })
  })
})

describe('where the user is now', () => {
  const eu = rule({ criteria: { firmId: ['f1'] }, authHost: AUTH, topLevelDomain: 'eu' })
  const us = rule({ topLevelDomain: 'com' })
  const judge = (environments: object[], address: string, authHost = AUTH) =>
    judgeRedirection(parseRedirectionConfig({ ...file(), environments })!, {
      claims: { userId: 'frank', firmId: 'f9' },
      clientId: 'admin',
      authHost,
      address,
      allowedEnvironmentHosts: [],
    }).type

  it('is the environment with our authHost, wherever the page is', () => {
    expect(judge([us, eu], 'https://admin.firm.com/')).toBe('go')
    expect(judge([{ ...eu, criteria: { firmId: ['f9'] } }, us], 'https://admin.firm.com/')).toBe('go')
  })

  it('is else the first one whose top-level domain the host of the page is under', () => {
    const elsewhere = 'https://auth.firm.test'
    expect(judge([us, eu], 'https://admin.firm.com/', elsewhere)).toBe('stay')
    expect(judge([us, eu], 'https://admin.firm.com./', elsewhere)).toBe('stay')
    expect(judge([{ ...us, topLevelDomain: 'COM' }], 'https://ADMIN.firm.com:8443/', elsewhere)).toBe('stay')
    expect(judge([us, eu], 'https://admin.firm.eu/', elsewhere)).toBe('go')
    expect(judge([us, { ...eu, topLevelDomain: 'com' }], 'https://admin.firm.com/', elsewhere)).toBe('stay')
    expect(judge([{ ...us, topLevelDomain: 'localhost' }], 'http://localhost:4000/', elsewhere)).toBe('stay')
    // Not a part of a label, not anywhere but at the end.
    expect(judge([us, eu], 'https://admin.firmcom/', AUTH)).toBe('go')
    expect(judge([us], 'https://com.firm.nl/', AUTH)).toBe('go')
    expect(judge([{ ...us, topLevelDomain: '' }], 'https://admin.firm.com/', AUTH)).toBe('go')
  })

  it('is never left for itself by another name of a rule', () => {
    const same = rule({ topLevelDomain: 'nl' })
    expect(judge([us, same], 'https://admin.firm.com/', 'https://auth.firm.test')).toBe('stay')
  })
})

describe('the address to arrive at', () => {
  const redirect = (
    address: string,
    more: {
      to?: string
      from?: string
      domains?: string[]
      prefixMappings?: Record<string, string>
      others?: object[]
      authHost?: string
    } = {},
  ) => {
    const {
      to = 'com',
      from = 'nl',
      domains = ['nl', 'com', 'co.uk', 'uk'],
      prefixMappings = { eu: 'us' },
      others = [],
      authHost = 'https://auth.firm.nl',
    } = more
    const verdict = judgeRedirection(
      parseRedirectionConfig({
        topLevelDomains: domains,
        environments: [
          rule({ authHost: 'https://auth.firm.com', topLevelDomain: to }),
          rule({ criteria: { firmId: ['f1'] }, authHost: 'https://auth.firm.nl', topLevelDomain: from }),
          ...others,
        ],
        environmentVariables: { prefixMappings },
      })!,
      {
        claims: { userId: 'frank', firmId: 'f9' },
        clientId: 'admin',
        authHost,
        address,
        allowedEnvironmentHosts: ['https://auth.firm.com'],
      },
    )
    return verdict.type === 'go' ? verdict.redirectFrom(address) : verdict.why
  }

  it.each([
    [
      'the top-level domain',
      'https://admin.firm.nl/a?x=%20b+c&y#/r',
      'https://admin.firm.com/a?x=%20b+c&y#/r',
      {},
    ],
    ['the first label too', 'https://eu.firm.nl/', 'https://us.firm.com/', {}],
    ['to two labels', 'https://admin.firm.nl/', 'https://admin.firm.co.uk/', { to: 'co.uk' }],
    ['from two labels', 'https://admin.firm.co.uk/', 'https://admin.firm.com/', { from: 'co.uk' }],
    ['with its port', 'https://admin.firm.nl:8443/x', 'https://admin.firm.com:8443/x', {}],
    ['a dot at the end', 'https://admin.firm.nl./x', 'https://admin.firm.com/x', {}],
    ['letters of other scripts', 'https://admin.xn--frm-hoa.nl/', 'https://admin.xn--frm-hoa.com/', {}],
    ['by the first label only', 'https://admin.eu.firm.nl/', 'https://admin.eu.firm.com/', {}],
    ['a domain of the list', 'https://admin.firm.uk/', 'https://admin.firm.com/', {}],
    ['a domain of its rule alone', 'https://admin.firm.nl/', 'https://admin.firm.com/', { domains: [] }],
    [
      'a domain of the first of its rules',
      'https://admin.firm.nl/',
      'https://admin.firm.com/',
      { domains: [], others: [rule({ authHost: 'https://auth.firm.nl', topLevelDomain: 'eu' })] },
    ],
    [
      'where no rule is about the page or its authHost',
      'https://admin.firm.uk/',
      'https://admin.firm.com/',
      { authHost: 'https://auth.partner.test' },
    ],
  ])('is the same place there: %s', (_what, address, expected, more) => {
    expect(redirect(address, more)).toBe(expected)
  })

  it.each([
    ['localhost', 'http://localhost:4000/a', {}],
    ['an app on 127.0.0.1', 'http://127.0.0.1:4000/a', { to: '0.0.1' }],
    ['a name below localhost', 'http://eu.localhost:4000/a', { from: 'localhost' }],
    ['a domain that nobody names', 'https://admin.firm.org/', {}],
    ['an address without a name', 'https://10.0.0.7/', { from: '7' }],
    ['a target that somebody owns', 'https://admin.firm.nl/', { to: 'evil.com' }],
    ['a target that is none', 'https://admin.firm.nl/', { to: 'com/@evil.test' }],
    ['a prefix that is none', 'https://eu.firm.nl/', { prefixMappings: { eu: 'evil.test/' } }],
    ['half of a domain', 'https://admin.firm.co.uk/', { from: 'uk', domains: ['uk'] }],
  ])('is the address itself where it cannot be moved: %s', (_what, address, more) => {
    expect(redirect(address, more)).toBe(address)
  })

  it.each([
    ['https://eu.nl/', 'https://eu.com/', {}],
    ['https://constructor.firm.nl/', 'https://constructor.firm.com/', {}],
    ['https://__proto__.firm.nl/', 'https://__proto__.firm.com/', {}],
  ])(
    'never changes the label that somebody owns, nor by a member of every object: %s',
    (address, expected, more) => {
      expect(redirect(address, more)).toBe(expected)
    },
  )

  it('goes into the logout of a signed-in user', async () => {
    const scene = await signedIn({
      scene: { address: 'https://eu.firm.nl/a?b=c#d', config: { authHost: AUTH } },
      file: {
        ...file(rule({ topLevelDomain: 'com' })),
        environmentVariables: { prefixMappings: { eu: 'us', us: 'eu', 'eu-auth': 'us-auth' } },
      },
    })
    const out = new URL(scene.host.navigations[0] ?? '').searchParams.get('post_logout_redirect_uri')
    expect(out).toBe(
      `${US}/oauth/passthrough?${new URLSearchParams({ jti: 'handover-1', redirect: 'https://us.firm.com/a?b=c#d' })}`,
    )
  })
})

describe('a file of the allowed size', () => {
  const long = <Item>(count: number, item: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, at) => item(at))

  it('is read in steps that do not multiply: a thousand domains and thousands of prefixes', () => {
    const big = {
      topLevelDomains: long(1_000, () => 'com'),
      environments: long(60, () =>
        rule({ authHost: 'https://us-auth.firm.com', criteria: { firmId: long(60, (at) => `f${at}`) } }),
      ),
      environmentVariables: {
        prefixMappings: Object.fromEntries(long(11_000, (at) => [`p${at}`, `a${at}`])),
      },
    }
    expect(JSON.stringify(big).length).toBeGreaterThan(200_000)
    expect(JSON.stringify(big).length).toBeLessThan(262_144)
    let stepCount = 0
    const names = ['endsWith', 'startsWith', 'slice', 'lastIndexOf', 'replace', 'toLowerCase'] as const
    const spies = [
      ...names.map((name) => vi.spyOn(String.prototype, name as 'slice')),
      vi.spyOn(RegExp.prototype, 'exec'),
      vi.spyOn(RegExp.prototype, 'test'),
      vi.spyOn(Array.prototype, 'includes'),
    ]
    const config = parseRedirectionConfig(big)!
    const verdict = judgeRedirection(config, {
      claims: { userId: 'u', firmId: 'f9' },
      clientId: 'admin',
      authHost: 'https://eu-auth.firm.com',
      address: 'https://admin.firm.nl/',
      allowedEnvironmentHosts: [],
    })
    stepCount = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    for (const spy of spies) spy.mockRestore()
    expect(config.topLevelDomains).toEqual(['com'])
    expect(Object.keys(config.environmentVariables.prefixMappings)).toHaveLength(100)
    expect(verdict.type).toBe('stay')
    // 15,600 texts in the file.
    expect(stepCount).toBeLessThan(15_600)
    expect(stepCount).toBeGreaterThan(100)
  })

  it('loses what its lists hold twice, and what comes after a hundred entries', () => {
    const values = [...long(150, () => 'f9'), ...long(150, (at) => `f${at + 100}`)]
    const config = parseRedirectionConfig(file(...long(150, () => rule({ criteria: { firmId: values } }))))!
    expect(config.environments).toHaveLength(100)
    expect(config.environments[0]!.criteria['firmId']).toEqual(['f9', ...long(99, (at) => `f${at + 100}`)])
  })

  it('never matches more because something was cut: every claim that is named counts', () => {
    const criteria = { firmId: ['f9'], ...Object.fromEntries(long(150, (at) => [`x${at}`, ['y']])) }
    const config = parseRedirectionConfig(file(rule({ criteria })))!
    expect(Object.keys(config.environments[0]!.criteria)).toHaveLength(151)
  })
})

describe('which hosts may be handed a session', () => {
  const config = (more: object = {}) =>
    ({
      topLevelDomains: ['test', 'com', 'co.uk', 'uk', 'nl', 'io'],
      environments: [],
      environmentVariables: { prefixMappings: { eu: 'eu', us: 'us', dev: 'dev' } },
      ...more,
    }) as RedirectionConfig
  const trusts = (target: string, authHost: string, more: object = {}, allowed: string[] = []) =>
    isTrustedHost(target, config(more), { authHost, allowedEnvironmentHosts: allowed })

  it.each([
    ['https://us-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://us.auth.firm.com', 'https://eu.auth.firm.com'],
    ['https://us.firm.com', 'https://eu.firm.com'],
    ['https://us.auth.firm.com', 'https://auth.firm.com'],
    ['https://auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://dev-auth.firm.nl', 'https://auth.firm.com'],
    ['https://auth.firm.co.uk', 'https://auth.firm.com'],
    ['https://us-auth.firm.co.uk', 'https://eu-auth.firm.co.uk'],
  ])('%s beside %s', (target, own) => {
    expect(trusts(target, own)).toBe(true)
  })

  it.each([
    ['https://us-auth.evil.com', 'https://eu-auth.firm.com'],
    ['https://us-firm.com', 'https://firm.com'],
    ['https://us-firm.com', 'https://eu-firm.com'],
    ['https://us-firm.com', 'https://eu.firm.com'],
    ['https://eu-firm.com', 'https://us-auth.firm.com'],
    ['https://us-auth.firm.com.evil.com', 'https://eu-auth.firm.com'],
    ['https://us-auth.firm.org', 'https://eu-auth.firm.com'],
    ['https://ap-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://us-auth.firm.com:8443', 'https://eu-auth.firm.com'],
    ['https://us-auth.firm.com', 'https://firm.com'],
    ['http://us-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://user@us-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://us-auth.firm.com/path', 'https://eu-auth.firm.com'],
    ['https://us-auth.firm.com.', 'https://eu-auth.firm.com'],
    ['https://127.0.0.1', 'https://eu-auth.firm.com'],
    ['https://[::1]', 'https://eu-auth.firm.com'],
    ['https://2130706433', 'https://eu-auth.firm.com'],
    ['https://com', 'https://eu.com'],
    ['https://us.co.uk', 'https://eu.co.uk'],
    ['https://evil.co.uk', 'https://firm.co.uk'],
    ['http://localhost:4002', 'http://localhost:4001'],
    ['http://us.localhost', 'http://eu.localhost'],
    ['https://us-auth.xn--frm-hoa.com', 'https://eu-auth.firm.com'],
    ['https://us-us-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://xus-auth.firm.com', 'https://eu-auth.firm.com'],
    ['https://usauth.firm.com', 'https://auth.firm.com'],
  ])('never %s beside %s', (target, own) => {
    expect(trusts(target, own)).toBe(false)
  })

  it.each([
    [
      'a top-level domain that somebody owns',
      { topLevelDomains: ['evil.com', 'com'] },
      'https://eu-auth.firm.evil.com',
    ],
    ['an empty top-level domain', { topLevelDomains: ['', 'com', '.', '.com'] }, 'https://evil.com'],
    [
      'a prefix of two labels',
      { environmentVariables: { prefixMappings: { a: 'eu-auth.firm', b: 'evil' } } },
      'https://evil.com',
    ],
    [
      'a prefix that ends in a mark',
      { environmentVariables: { prefixMappings: { a: 'eu-auth.', b: 'evil.' } } },
      'https://evil.firm2.com',
    ],
    [
      'the owned name as a prefix',
      { environmentVariables: { prefixMappings: { a: 'eu', b: 'evil', c: 'firm' } } },
      'https://evil-firm.com',
    ],
    [
      'a pattern as a prefix',
      { environmentVariables: { prefixMappings: { a: '.*', b: '[a-z]+' } } },
      'https://evil-auth.firm2.com',
    ],
    [
      'nothing as a prefix',
      { environmentVariables: { prefixMappings: { a: '' } } },
      'https://auth.firm2.com',
    ],
  ])('the file cannot widen it with %s', (_what, more, target) => {
    expect(trusts(target, 'https://eu-auth.firm.com', more)).toBe(false)
  })

  it('every host that the app itself lists, and no other way of writing it', () => {
    const allowed = ['https://auth.partner.example', 'http://localhost:4002']
    expect(trusts('https://auth.partner.example', AUTH, {}, allowed)).toBe(true)
    expect(trusts('http://localhost:4002', AUTH, {}, allowed)).toBe(true)
    expect(trusts('http://localhost:4003', AUTH, {}, allowed)).toBe(false)
    expect(trusts('https://auth.partner.example/', AUTH, {}, allowed)).toBe(false)
  })

  it('no host by the lists of the file where the app names hosts itself', () => {
    expect(trusts('https://us-auth.firm.com', 'https://eu-auth.firm.com')).toBe(true)
    const allowed = ['https://auth.partner.example']
    expect(trusts('https://us-auth.firm.com', 'https://eu-auth.firm.com', {}, allowed)).toBe(false)
  })
})

describe('a hostile file', () => {
  it(
    `changes nothing but explain(): ${hostileFiles.length} of them`,
    { timeout: 240_000, tags: ['thorough'] },
    async () => {
      expect(hostileFiles.length).toBeGreaterThanOrEqual(200)
      const faults: unknown[] = []
      for (let index = 0; index < hostileFiles.length; index += 40) {
        await Promise.all(
          hostileFiles.slice(index, index + 40).map(async ([what, text]) => {
            const scene = await signedIn({ answerFile: async () => new Response(text) })
            const { host, auth } = scene
            const isUnmoved = auth.getState().status === 'authenticated' && host.navigations.length === 0
            const said = steps(scene)
            if (!isUnmoved || asked(scene).length > 0 || said.length !== 1 || said[0]?.includes('started'))
              faults.push([what, auth.getState().status, host.navigations, said])
          }),
        )
      }
      expect(faults).toEqual([])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  it.each([
    ['a redirect', async () => Response.redirect('https://evil.test/', 302)],
    ['an error status', async () => Response.json(file(), { status: 500 })],
    ['nothing', async () => new Response(null, { status: 204 })],
    ['no network', async () => Promise.reject(new TypeError('Failed to fetch'))],
    [
      'a body that breaks off',
      async () => new Response(new ReadableStream({ pull: (to) => to.error(new TypeError('cut')) })),
    ],
    [
      'a body without end',
      async () =>
        new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536).fill(32)) })),
    ],
  ])('so does %s in its place', async (_what, answerFile) => {
    const scene = await signedIn({ answerFile })
    expect(scene.auth.getState().status).toBe('authenticated')
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene)).toHaveLength(1)
  })
})

describe('any file', () => {
  const mostly = (right: unknown, ...wrong: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 5 * wrong.length, arbitrary: fc.constant(right) }, ...wrong)
  const texts = fc.array(fc.constantFrom('f9', 'eu', 'us', 'test', 'admin', ''))
  const hosts = fc.constantFrom(
    'https://evil.test',
    `${US}/`,
    'javascript:0',
    'https://us-auth.evil.test',
    AUTH,
  )
  const names = fc.constantFrom('firmId', 'userId', '__proto__', 'aud')
  const rules = fc.record(
    {
      criteria: mostly({ firmId: ['f9'] }, fc.dictionary(names, texts), fc.anything()),
      applications: mostly(['admin'], texts, fc.anything()),
      authHost: mostly(US, hosts, fc.webUrl()),
      topLevelDomain: mostly('test', fc.anything()),
    },
    { requiredKeys: ['criteria', 'applications', 'authHost'] },
  )
  const files = fc.oneof(
    { weight: 1, arbitrary: fc.anything() },
    {
      weight: 9,
      arbitrary: fc.record({
        topLevelDomains: mostly(['test', 'com'], fc.array(fc.domain()), texts),
        environments: fc.oneof(
          { weight: 5, arbitrary: fc.array(rules, { minLength: 1, maxLength: 3 }) },
          fc.anything(),
        ),
        environmentVariables: mostly({ prefixMappings: { eu: 'eu', us: 'us' } }, fc.anything()),
      }),
    },
  )

  it(
    'is refused as a whole or leads to an own host only: 3,000 generated files',
    { tags: ['generated'] },
    async () => {
      const claims = decodeAccessToken(createAccessToken({ userId: 'frank', firmId: 'f9' })).claims
      const address = 'https://admin.firm.nl/'
      const about = { claims, clientId: 'admin', authHost: AUTH, address, allowedEnvironmentHosts: [] }
      let goneCount = 0
      await checkGenerated(
        'redirections files',
        fc.property(files, (value) => {
          const config = parseRedirectionConfig(value)
          const verdict = config && judgeRedirection(config, about)
          if (verdict?.type !== 'go') return
          goneCount += 1
          expect(verdict.environment.authHost).toMatch(
            /^https:\/\/(?:us-|us\.|eu\.)?auth\.firm\.|^https:\/\/(?:us|eu)-auth\.firm\./,
          )
        }),
      )
      expect(goneCount).toBeGreaterThan(generatedRuns('redirections files') * 0.02)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('the file as a query', () => {
  const read = async ({ auth }: Scene) =>
    new QueryClient()
      .query({ ...redirectionConfigQuery(auth), retry: false })
      .catch((error: unknown) =>
        error instanceof AuthError ? `${error.code}: ${error.message}` : 'another error',
      )

  it('reads what start-up reads and takes nobody anywhere', async () => {
    const scene = await signedIn({ scene: { server: { user: createFakeUser({ firmId: 'f1' }) } } })
    expect(await read(scene)).toEqual(parseRedirectionConfig(file()))
    expect(scene.host.navigations).toEqual([])
  })

  it('waits for start-up, which reads the file itself if it needs it', async () => {
    const scene = createScene({ config: { redirectionsUrl: FILE_URL } })
    const { fetch } = scene.host
    scene.host.fetch = async (input, init) =>
      new Request(input).url === FILE_URL ? Response.json(file()) : fetch(input, init)
    const reading = read(scene)
    await scene.host.settle()
    expect(scene.host.requests).toEqual([])
    void scene.auth.start()
    await scene.host.settle()
    expect(await reading).toEqual(parseRedirectionConfig(file()))
  })

  it('that nobody waits for any more asks for nothing', async () => {
    const scene = createScene({
      config: { redirectionsUrl: FILE_URL, autoLogin: false },
      server: { user: undefined },
    })
    const client = new QueryClient()
    const { queryKey } = redirectionConfigQuery(scene.auth)
    const reading = client
      .query({ ...redirectionConfigQuery(scene.auth), retry: false })
      .catch(() => 'cancelled')
    await client.cancelQueries({ queryKey })
    expect(await reading).toBe('cancelled')
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.host.requests.filter(({ url }) => url === FILE_URL)).toEqual([])
  })

  it('says what is missing or wrong', async () => {
    const without = await signedIn({ scene: { config: { redirectionsUrl: undefined } } })
    expect(await read(without)).toBe('invalid-argument: redirectionsUrl is not set')
    const wrong = await signedIn({ file: { environments: [] } })
    expect(await read(wrong)).toBe('unexpected-answer: The redirections file got an unexpected answer')
  })
})

describe('the redirections file', () => {
  const AUTH = 'https://auth.firm.test'

  const rule = {
    criteria: { firmId: ['f9'] },
    applications: ['admin'],
    authHost: 'https://us-auth.firm.test',
    topLevelDomain: 'test',
  }
  const file = (more: object = {}) => ({
    topLevelDomains: ['test'],
    environments: [rule],
    environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
    ...more,
  })
  const texts = (count: number) => Array.from({ length: count }, () => 'x')

  it.each<[string, unknown]>([
    ['is null', null],
    ['has no variables', file({ environmentVariables: undefined })],
    ['has variables that are null', file({ environmentVariables: null })],
    ['has prefixes that are no record', file({ environmentVariables: { prefixMappings: 'eu' } })],
    [
      'has one prefix that is no text',
      file({ environmentVariables: { prefixMappings: { eu: 'eu', us: 5 } } }),
    ],
    ['has a text of 1,001 characters', file({ topLevelDomains: ['x'.repeat(1001)] })],
    [
      'has one criterion that is no list',
      file({ environments: [{ ...rule, criteria: { firmId: ['f9'], aud: 5 } }] }),
    ],
    ['has a rule without criteria', file({ environments: [{ ...rule, criteria: {} }] })],
    ['has criteria that are null', file({ environments: [{ ...rule, criteria: null }] })],
  ])('that %s is none', (_what, value) => {
    expect(parseRedirectionConfig(value)).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['1,001 rules', file({ environments: Array.from({ length: 1001 }, () => rule) })],
    ['a list of 1,001 texts', file({ topLevelDomains: texts(1001) })],
    ['a text of 1,000 characters', file({ topLevelDomains: ['x'.repeat(1000)] })],
  ])('may have %s', (_what, value) => {
    expect(parseRedirectionConfig(value)).toBeDefined()
  })

  it.each([
    ['userId', { userId: 'u9' }],
    ['firmId', { firmId: 'u9' }],
    ['sessionId', { sessionId: 'u9' }],
    ['impersonatorId', { impersonatorId: 'u9' }],
    ['aud', { aud: ['other', 'u9'] }],
  ])('has rules that go by %s', (name, claims) => {
    const config = parseRedirectionConfig(file({ environments: [{ ...rule, criteria: { [name]: ['u9'] } }] }))
    const about = {
      clientId: 'admin',
      authHost: AUTH,
      address: 'https://admin.firm.nl/',
      allowedEnvironmentHosts: [],
    }
    const judge = (of: object) =>
      judgeRedirection(config!, { ...about, claims: decodeAccessToken(token(of)).claims }).type
    expect([judge(claims), judge({})]).toEqual(['go', 'stay'])
  })

  it.each<[string, string, string, { domains?: string[]; prefixes?: Record<string, string> }]>([
    ['without TLS', 'http://eu-auth.localhost', 'https://auth.localhost', { domains: ['localhost'] }],
    ['beside an authHost that is none', 'https://eu-auth.firm.test', 'nonsense', {}],
    ['by a prefix of two labels', 'https://eu.shop.auth.firm.test', AUTH, { prefixes: { shop: 'eu.shop' } }],
  ])('leads to no host %s', (_what, target, authHost, { domains = ['test'], prefixes = { eu: 'eu' } }) => {
    const config = { topLevelDomains: domains, environmentVariables: { prefixMappings: prefixes } }
    expect(isTrustedHost(target, config, { authHost, allowedEnvironmentHosts: [] })).toBe(false)
  })
})
