// Reads as their screens meet them: for one user only, with TanStack's options, repeated with measure, secrets out of sight.
import { dehydrate, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import {
  useAdminConsent,
  useCloudAccessToken,
  useCloudUserInfo,
  useLinkMap,
  useUserInfo,
} from '../../../src/hooks/serverCalls.ts'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { adminConsentQuery } from '../../../src/queries/cloudProvider.ts'
import { authed } from '../../../src/queries/authed.ts'
import { cloudAccessTokenQuery, cloudUserInfoQuery } from '../../../src/queries/cloudProvider.ts'
import { READ_DEFAULTS } from '../../../src/queries/defaults.ts'
import { shouldDehydrateMutation, shouldDehydrateQuery } from '../../../src/queries/keys.ts'
import { linkMapQuery } from '../../../src/queries/linkMap.ts'
import { userInfoQuery } from '../../../src/queries/userInfo.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createAuthError } from '../../../src/testing/errors.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import { openCloudScene } from './cloudScene.tsx'

/** Whose data a key is of. */
const ALICE = { user: 'alice', firm: 'f1', impersonator: null }
const LINKED = { linkedAccount: { id: 'cloud-alice' } }
const REFUSED = { user: undefined }

const READS = [
  ['user info', useUserInfo, userInfoQuery, '/api/userinfo'],
  ['cloud user info', useCloudUserInfo, cloudUserInfoQuery, '/cloudprovider/userinfo'],
  ['cloud token', () => useCloudAccessToken(), cloudAccessTokenQuery, '/cloudprovider/accesstoken'],
  ['consent', useAdminConsent, adminConsentQuery, '/cloudprovider/adminconsent/status'],
  ['link map', () => useLinkMap(), linkMapQuery, '/cloudprovider/linkmap'],
] as const

describe.each(READS)('%s', (_name, useIt, factory, path) => {
  function Screen() {
    const { status, error } = useIt()
    return <output>{error ? error.message : status}</output>
  }
  function Suspended() {
    useSuspenseQuery(factory(useAuth().auth) as ReturnType<typeof userInfoQuery>)
    return <output>shown</output>
  }

  it('goes to its address with the bearer token', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toBe('success')
    const [request] = scene.asked('GET', path)
    expect(request?.headers.get('authorization')).toBe(`Bearer ${await scene.auth.getAccessToken()}`)
    expect(request?.url.startsWith('https://auth.test/')).toBe(true)
  })

  it("says 'Not authenticated yet' to nobody signed in, and sends nothing", async () => {
    const scene = await openCloudScene({ server: REFUSED, config: { autoLogin: false } })
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toBe('Not authenticated yet')
    expect(scene.asked('GET', path)).toEqual([])
  })

  it('suspends', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    await scene.show(
      <Suspense fallback={<output>waiting</output>}>
        <Suspended />
      </Suspense>,
    )
    expect(screen.getByRole('status').textContent).toBe('shown')
  })

  it('has a key that reads like a sentence and belongs to one user, and to who acts for them', async () => {
    const alice = await openCloudScene()
    const acted = await openCloudScene({ server: { user: createFakeUser({ impersonatorId: 'root' }) } })
    const key = factory(alice.auth).queryKey as readonly unknown[]
    expect(key.slice(0, 4)).toEqual(['latchkey', 'https://auth.test', 'admin', ALICE])
    expect(key.slice(4).join(' ')).toMatch(/^[a-z ]+$/)
    expect((factory(acted.auth).queryKey as readonly unknown[])[3]).toEqual({
      ...ALICE,
      impersonator: 'root',
    })
  })
})

describe('options', () => {
  it('pass through: select, enabled, initialData', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    function Screen() {
      const selected = useCloudUserInfo({ select: (data) => String(data['id']) })
      const disabled = useAdminConsent({ enabled: false })
      const given = useUserInfo({ initialData: { name: 'given' }, staleTime: Infinity })
      return <output>{[selected.data, disabled.fetchStatus, given.data?.['name']].join(' ')}</output>
    }
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toBe('cloud-alice idle given')
    expect(scene.asked('GET', '/api/userinfo')).toEqual([])
  })

  it('tell the two link maps apart', async () => {
    const scene = await openCloudScene()
    function Screen() {
      const linked = useLinkMap({ select: (map) => map.length })
      const all = useLinkMap({ allUsers: true, select: (map) => map.length })
      return <output>{`${linked.data} of ${all.data}`}</output>
    }
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toBe('1 of 2')
  })

  it('take a part of the link map once, however often the screen is drawn', async () => {
    const scene = await openCloudScene()
    let count = 0
    const select = (map: readonly unknown[]) => {
      count += 1
      return map.length
    }
    function Screen() {
      const [round, setRound] = useState(1)
      const { data } = useLinkMap({ select })
      return <button type="button" onClick={() => setRound(2)}>{`${data} in round ${round}`}</button>
    }
    await scene.show(<Screen />)
    const before = count
    await scene.does(() => screen.getByRole('button').click())
    expect(screen.getByRole('button').textContent).toBe('1 in round 2')
    expect(count).toBe(before)
  })

  it('give the token of one account to who names it', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    function Screen() {
      return <output>{useCloudAccessToken('a/b').data?.reveal()}</output>
    }
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toMatch(/^cloud-token/)
    expect(scene.asked('GET', '/cloudprovider/accesstoken/a%2Fb').length).toBeGreaterThan(0)
  })
})

describe('a repeat', () => {
  const error = (details: object) => new AuthError('network', 'x', details)

  it('comes at most twice, only for what it can cure, and never offline', () => {
    const { retry } = READ_DEFAULTS
    expect([0, 1, 2].map((count) => retry(count, error({ retryable: true })))).toEqual([true, true, false])
    expect(retry(0, error({ retryable: false }))).toBe(false)
    expect(retry(0, new AuthError('offline', 'x', { retryable: true }))).toBe(false)
  })

  it('waits longer each time, never exactly as long as others do, and obeys Retry-After', () => {
    const { retryDelay } = READ_DEFAULTS
    const waits = Array.from({ length: 200 }, () => retryDelay(0, error({})))
    expect(new Set(waits).size).toBeGreaterThan(150)
    expect(waits.every((ms) => ms >= 500 && ms <= 1_500)).toBe(true)
    expect(retryDelay(1, error({}))).toBeGreaterThanOrEqual(1_000)
    expect(retryDelay(0, error({ retryAfterMs: 7_000 }))).toBe(7_000)
  })
})

describe('a cloud token', () => {
  it('prints, serialises and dehydrates as nothing, and is gone when nothing shows it', async () => {
    const scene = await openCloudScene({ cloud: LINKED })
    let token: string | undefined
    function Screen() {
      token = useCloudAccessToken().data?.reveal()
      return null
    }
    await scene.show(<Screen />)
    expect(token).toMatch(/^cloud-token/)
    const { client } = scene
    const all = [inspect(client.getQueryCache(), { depth: 9 }), JSON.stringify(dehydrate(client))]
    for (const text of all) expect(text).not.toContain('cloud-token-')
    expect(dehydrate(client, { shouldDehydrateQuery, shouldDehydrateMutation }).queries).toEqual([])
    scene.unmount()
    await scene.does(() => {})
    expect(client.getQueryCache().findAll({ queryKey: cloudAccessTokenQuery(scene.auth).queryKey })).toEqual(
      [],
    )
  })
})

describe('user info whose id is not that of the token', () => {
  const open = () =>
    openCloudScene({
      answer: ({ url }) =>
        url.endsWith('/api/userinfo') ? Response.json({ userId: 'u-17', name: 'Alice' }) : undefined,
    })

  it('is refused once, and the error says what is wrong and how the app can allow it', async () => {
    const scene = await open()
    const Screen = () => <output>{useUserInfo().error?.message}</output>
    await scene.show(<Screen />, { reactStrictMode: false })
    expect(screen.getByRole('status').textContent).toBe(
      'GET /api/userinfo names another userId than the access token',
    )
    const { error } = scene.client.getQueryState(userInfoQuery(scene.auth).queryKey)!
    expect(error).toMatchObject({
      code: 'unexpected-answer',
      retryable: false,
      remedy: expect.stringContaining('allowOtherUser: true') as string,
    })
    expect(JSON.stringify(error)).not.toContain('u-17')
    await scene.passes(10_000)
    expect(scene.asked('GET', '/api/userinfo')).toHaveLength(1)
  })

  it('is shown when the app allows it, by hook and by factory', async () => {
    const scene = await open()
    const Screen = () => <output>{String(useUserInfo({ allowOtherUser: true }).data?.['name'])}</output>
    await scene.show(<Screen />)
    expect(screen.getByRole('status').textContent).toBe('Alice')
    expect(await scene.client.query(userInfoQuery(scene.auth, { allowOtherUser: true }))).toMatchObject({
      userId: 'u-17',
    })
  })
})

describe("another user's data", () => {
  it('is never shown, not for one render', async () => {
    const scene = await openCloudScene()
    const seen: string[] = []
    function Screen() {
      const { user } = useAuth() as { user?: { userId: string } }
      const { data } = useUserInfo()
      if (data) seen.push(`${user?.userId} sees ${String(data['sub'])}`)
      return null
    }
    await scene.show(<Screen />)
    await scene.changeUser('carol')
    expect(new Set(seen)).toEqual(new Set(['alice sees alice', 'carol sees carol']))
  })
})

// At the top of the file, where the React Compiler sees them.
function useFirms() {
  'use no memo'
  const { auth } = useAuth()
  const queryFn = async () => {
    const state = auth.getState()
    return state.status === 'authenticated' ? String(state.user.userId) : ''
  }
  return useQuery(authed(auth, queryOptions({ queryKey: ['firms'], queryFn })))
}
function Firms() {
  return <output>{useFirms().data}</output>
}

describe("the app's own queries under authed()", () => {
  it('belong to the user, wait for a renewal in flight and go with the new token', async () => {
    let answer = () => {}
    const scene = await openCloudScene()
    const used: string[] = []
    const { auth, client, server } = scene
    scene.host.fetch = (input, init) =>
      new Promise((resolve) => {
        answer = () => resolve(server.fetch(input, init))
      })
    const options = authed(
      auth,
      queryOptions({
        queryKey: ['firms', 1],
        queryFn: async ({ queryKey }) => {
          used.push(await auth.getAccessToken())
          return queryKey
        },
      }),
    )
    expect(options.queryKey).toEqual([
      'latchkey',
      'https://auth.test',
      'admin',
      ALICE,
      'of this app',
      'firms',
      1,
    ])
    const before = await auth.getAccessToken()
    void auth.renew({ force: true })
    const fetching = client.query(options)
    await scene.host.settle()
    expect(used).toEqual([])
    await scene.does(() => answer())
    expect(await fetching).toEqual(['firms', 1])
    expect(used).toEqual([await auth.getAccessToken()])
    expect(used).not.toEqual([before])
  })

  it('are held back until somebody is signed in', async () => {
    const scene = await openCloudScene({ server: REFUSED, config: { autoLogin: false } })
    let count = 0
    function Screen() {
      const queryFn = async () => (count += 1)
      const { fetchStatus } = useQuery(authed(useAuth().auth, { queryKey: ['firms'], queryFn }))
      return <output>{fetchStatus}</output>
    }
    await scene.show(<Screen />)
    expect([screen.getByRole('status').textContent, count]).toEqual(['idle', 0])
  })

  it('follow the user in a hook as the recipes have it, under the React Compiler too', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    render(
      <TestAuthProvider auth={auth}>
        <Firms />
      </TestAuthProvider>,
    )
    expect(await screen.findByText('alice')).toBeTruthy()
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'carol' } }))
    expect(await screen.findByText('carol')).toBeTruthy()
  })

  it('fail for who was signed in when the options were made and is not any more', async () => {
    const scene = await openCloudScene()
    let count = 0
    const options = authed(scene.auth, { queryKey: ['firms'], queryFn: async () => (count += 1) })
    await scene.changeUser('carol')
    await expect(scene.client.query(options)).rejects.toMatchObject({ code: 'not-authenticated' })
    expect(count).toBe(0)
  })

  it.each([
    ['401', { status: 401 }, false],
    ['403', { statusCode: 403 }, false],
    ['403 of axios', { response: { status: 403 } }, false],
    ['404', { status: 404 }, false],
    ['429', { status: 429 }, true],
    ['503', { status: 503 }, true],
    ['no status at all', new TypeError('Failed to fetch'), true],
    ["'Not authenticated yet'", new AuthError('not-authenticated', 'x'), false],
  ])('meeting %s are repeated only if that can help', async (_name, error, isRepeated) => {
    const { auth } = await openCloudScene()
    const { retry } = authed(auth, { queryKey: ['a'], retry: undefined }) as unknown as typeof READ_DEFAULTS
    expect(retry(0, error as never)).toBe(isRepeated)
    expect(retry(2, error as never)).toBe(false)
  })

  it.each<[string, unknown, object]>([
    [
      'ofetch',
      Object.assign(new Error('403'), { status: 403, data: { detail: 'For staff only' } }),
      { description: 'For staff only' },
    ],
    [
      'axios',
      Object.assign(new Error('403'), {
        config: { headers: { authorization: 'Bearer canary' } },
        response: {
          status: 403,
          data: '{"detail":"For staff only"}',
          headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="a b"' },
        },
      }),
      { description: 'For staff only', scopes: ['a', 'b'], body: { detail: 'For staff only' } },
    ],
    [
      'ky',
      Object.assign(new Error('403'), {
        request: new Request('https://api.test/', { headers: { authorization: 'Bearer canary' } }),
        response: new Response(null, {
          status: 403,
          headers: {
            'www-authenticate': 'Bearer error="insufficient_scope", error_description="Ask your manager"',
          },
        }),
      }),
      { description: 'Ask your manager' },
    ],
    ['an app', { status: 403 }, { body: '' }],
    ['an app whose body refers to itself', circular(), { body: '' }],
  ])(
    'that a client refuses with 403, as %s says it, is forbidden, without the request',
    async (_name, thrown, expected) => {
      const { auth, client } = await openCloudScene()
      const options = authed(auth, { queryKey: ['firms'], queryFn: () => Promise.reject(thrown as Error) })
      const error: unknown = await client.query(options).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toMatchObject({
        code: 'forbidden',
        message: 'The call answered 403',
        status: 403,
        ...expected,
      })
      expect(inspect(error, { depth: 9, showHidden: true, getters: true })).not.toContain('canary')
      expect(client.getQueryCache().getAll()[0]?.state.fetchFailureCount).toBe(1)
    },
  )

  it('that fail otherwise reject with what the app has thrown', async () => {
    const { auth, client } = await openCloudScene()
    for (const thrown of [
      Object.assign(new Error('x'), { status: 404 }),
      new TypeError('Failed to fetch'),
      createAuthError('offline'),
    ]) {
      const options = authed(auth, {
        queryKey: [thrown.message],
        queryFn: () => Promise.reject(thrown),
        retry: false,
      })
      await expect(client.query(options)).rejects.toBe(thrown)
    }
  })

  it("keep the app's own rule for repeats, except for 401 and 403", async () => {
    const { auth } = await openCloudScene()
    const retryOf = (retry: unknown) =>
      (authed(auth, { queryKey: ['a'], retry }) as unknown as typeof READ_DEFAULTS).retry
    expect(retryOf(5)(4, { status: 404 } as never)).toBe(true)
    expect(retryOf(true)(40, { status: 500 } as never)).toBe(true)
    expect(retryOf(() => true)(40, { status: 401 } as never)).toBe(false)
    expect(retryOf(false)(0, { status: 500 } as never)).toBe(false)
  })

  it('keep everything else as it was', async () => {
    const { auth } = await openCloudScene()
    const options = { queryKey: ['a'], staleTime: 5, meta: { own: true }, enabled: false }
    expect(authed(auth, options)).toMatchObject({ staleTime: 5, meta: { own: true }, enabled: false })
  })
})

function circular(): object {
  const data: Record<string, unknown> = {}
  data['self'] = data
  return { status: 403, data }
}
