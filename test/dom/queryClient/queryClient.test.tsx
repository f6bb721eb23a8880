// What an app's QueryClient shows and keeps of a session: every interaction by a readable name, never a secret, nothing of the last user (architecture "Where state lives"; T24, W9).
import { inspect } from 'node:util'
import { dehydrate, QueryClient, useQueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { pendingLogoutKey } from '../../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useLogin, useLogout, useRenew } from '../../../src/hooks/serverCalls.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { isLatchkeyKey, shouldDehydrateMutation, shouldDehydrateQuery } from '../../../src/queries/keys.ts'
import { userInfoQuery } from '../../../src/queries/userInfo.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { type Scene, startScene, tokenBodies } from '../../node/session/sessionScene.ts'
import { type AppOptions, type AppScene, startApp } from '../appScene.tsx'
import { dataOf, ownersOf, queryKeysOf } from './cacheContents.ts'
import { reachableTexts } from '../../reachableTexts.ts'
import { holdRequests } from '../../holdRequests.ts'

function Actions() {
  const login = useLogin()
  const logout = useLogout()
  const renew = useRenew()
  return (
    <>
      <button type="button" onClick={() => login.mutate()}>
        Sign in
      </button>
      <button type="button" onClick={() => logout.mutate()}>
        Sign out
      </button>
      <button type="button" onClick={() => renew.mutate({ force: true })}>
        Renew
      </button>
      <p>{`renew ${renew.status} ${renew.error?.code ?? ''}`}</p>
    </>
  )
}

/** Whose data a key is of. */
const ALICE = { user: 'alice', firm: 'f1', impersonator: null }
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function Name() {
  const { data, status, error } = useUserInfo({ retry: false })
  return <p>{`info ${status} ${textOf(data?.['name'])} ${error?.code ?? ''}`}</p>
}

async function click(app: AppScene, name: string) {
  act(() => screen.getByText(name).click())
  await app.settle()
}
const rows = ({ queryClient }: AppScene) =>
  queryClient
    .getMutationCache()
    .getAll()
    .map(({ options, state }) => `${JSON.stringify(options.mutationKey)} ${state.status}`)

describe('the query devtools', () => {
  it('show the silent verification, every renewal in one row, and the user info', async () => {
    const app = await startApp(
      <>
        <Actions />
        <Name />
      </>,
    )
    await app.settle()
    expect(rows(app)).toEqual(['["latchkey","https://auth.test","admin","verify session"] success'])
    for (let round = 0; round < 5; round += 1) await act(() => app.auth.renew({ force: true }))
    expect(rows(app)).toContain('["latchkey","https://auth.test","admin","renew token"] success')
    expect(rows(app).filter((row) => row.includes('renew token'))).toHaveLength(1)
    expect(queryKeysOf(app.queryClient)).toEqual([
      ['latchkey', 'https://auth.test', 'admin', ALICE, 'user info'],
    ])
  })

  it('show the exchange of a code and what the user clicks', async () => {
    const left = await startScene({ server: { user: undefined } })
    const callback = left.server.callbackOf(left.host.navigations[0] ?? '')
    const app = await startApp(<Actions />, {
      address: callback,
      host: {
        browser: left.host.browser,
        sessionStorage: left.host.sessionStorage,
        fetch: left.server.fetch,
      },
    })
    expect(rows(app)).toEqual(['["latchkey","https://auth.test","admin","exchange code"] success'])
    await click(app, 'Renew')
    expect(rows(app)).toContain('["latchkey","https://auth.test","admin","renew"] success')
    await click(app, 'Sign out')
    expect(app.host.navigations).toHaveLength(1)
  })

  it('show a failure with its code', async () => {
    const app = await startApp(<Actions />)
    app.host.fetch = async () => new Response('', { status: 503 })
    await click(app, 'Renew')
    expect(screen.getByText('renew error unexpected-status')).toBeInstanceOf(HTMLElement)
    expect(rows(app)).toContain('["latchkey","https://auth.test","admin","renew token"] error')
  })

  it('never show a paused row: offline fails at once', async () => {
    const app = await startApp(<Actions />)
    app.host.setOnline(false)
    await click(app, 'Renew')
    expect(
      app.queryClient
        .getMutationCache()
        .getAll()
        .some(({ state }) => state.isPaused),
    ).toBe(false)
    expect(screen.getByText('renew error offline')).toBeInstanceOf(HTMLElement)
  })
})

describe('a secret', () => {
  /** Everything that was secret in this session, from what went over the wire. */
  async function secretsOf({ host, auth }: Scene): Promise<string[]> {
    const sent = tokenBodies(host).flatMap((body) => [
      body['code'],
      body['code_verifier'],
      body['refresh_token'],
    ])
    const bearers = host.requests.map(({ headers }) => headers.get('authorization')?.slice('Bearer '.length))
    const token = await auth.getAccessToken().catch(() => undefined)
    return [...sent, ...bearers, token].filter((secret): secret is string => typeof secret === 'string')
  }
  const textsOf = (root: unknown) => reachableTexts(root).join('\n')

  const FLOWS: readonly [string, AppOptions, (app: AppScene) => Promise<void>][] = [
    ['a silent sign-in', {}, async () => {}],
    [
      'ten renewals',
      {},
      async (app) => {
        for (let round = 0; round < 10; round += 1) await act(() => app.auth.renew({ force: true }))
      },
    ],
    [
      'a renewal that the server refuses with the token in its answer',
      {},
      async (app) => {
        const token = await app.auth.getAccessToken()
        app.host.fetch = async () =>
          Response.json({ error: 'no', access_token: token, message: `not ${token}` }, { status: 500 })
        await click(app, 'Renew')
      },
    ],
    [
      'a renewal that ends the session',
      {},
      async (app) => {
        app.server.revokeAll()
        app.server.user = undefined
        await click(app, 'Renew')
      },
    ],
    [
      'a call refused with 401 in clear text',
      {},
      async (app) => {
        const { fetch } = app.host
        const token = await app.auth.getAccessToken()
        app.host.fetch = async (input, init) =>
          init?.method === 'GET' ? new Response(`bad token ${token}`, { status: 401 }) : fetch(input, init)
        await act(() => app.queryClient.query({ ...userInfoQuery(app.auth), retry: false }).catch(() => {}))
      },
    ],
    [
      'a network that breaks',
      {},
      async (app) => {
        app.host.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
        await click(app, 'Renew')
      },
    ],
    ['a logout', {}, (app) => click(app, 'Sign out')],
    [
      'a logout without network',
      {},
      async (app) => {
        app.host.setOnline(false)
        await click(app, 'Sign out')
      },
    ],
    ['a sign-in by redirect', { server: { user: undefined } }, async () => {}],
  ]

  it.each(FLOWS)('is nowhere to be seen after %s', async (_what, options, flow) => {
    const lines: unknown[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...line) => void lines.push(...line))
    }
    const app = await startApp(
      <>
        <Actions />
        <Name />
      </>,
      options,
    )
    await app.settle()
    const before = await secretsOf(app)
    await flow(app)
    await app.settle()
    const secrets = [...new Set([...before, ...(await secretsOf(app))])]

    const all = { shouldDehydrateQuery: () => true, shouldDehydrateMutation: () => true }
    const { queryClient, host, auth } = app
    const mutations = queryClient.getMutationCache().getAll()
    const queries = queryClient.getQueryCache().getAll()
    const places: Record<string, string> = {
      'a persister': JSON.stringify(dehydrate(queryClient, all)),
      mutations: textsOf(
        mutations.map(({ state, options: { mutationKey, meta } }) => [state, mutationKey, meta]),
      ),
      queries: textsOf(queries.map(({ state, queryKey, meta }) => [state, queryKey, meta])),
      'printed caches': inspect([mutations, queries], { depth: 12, showHidden: true }),
      'the state': `${textsOf(auth.getState())} ${inspect(auth.getState(), { depth: 9, getters: true })}`,
      'the explanation': textsOf(auth.explain()),
      'the console': `${textsOf(lines)} ${inspect(lines, { depth: 9 })} ${textsOf(host.warnings)}`,
      'local storage': textsOf(host.localStorage.entries()),
      'the address': [host.address, ...host.replacedAddresses].join(' '),
      'the channels': textsOf(host.browser.posted),
      'the page': document.body.innerHTML,
    }
    expect(secrets.every((secret) => secret.length > 3)).toBe(true)
    const hits = Object.entries(places).flatMap(([place, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret.slice(0, 12)}`),
    )
    expect(hits).toEqual([])
  })

  it('would be found if it were there', () => {
    expect(textsOf({ deep: new Map([['x', ['eyJ.canary']]]) })).toContain('canary')
    expect(textsOf(Object.assign(new Error('hidden canary'), {}))).toContain('canary')
  })
})

describe('what a persister keeps', () => {
  it('is nothing of ours, with the filters of the package', async () => {
    const queryClient = new QueryClient({
      defaultOptions: { dehydrate: { shouldDehydrateQuery, shouldDehydrateMutation } },
    })
    const app = await startApp(<Name />, { queryClient })
    await app.settle()
    await queryClient.query({ queryKey: ['of the app'], queryFn: () => 1 })
    expect(dehydrate(queryClient).queries.map(({ queryKey }) => queryKey)).toEqual([['of the app']])
    expect(dehydrate(queryClient).mutations).toEqual([])
  })
})

describe('useUserInfo', () => {
  it('waits for start-up, asks once with the bearer, and shows what the server says', async () => {
    const app = await startApp(<Name />, { isStrict: false })
    await app.settle()
    expect(screen.getByText('info success Name of alice')).toBeInstanceOf(HTMLElement)
    const asked = app.host.requests.filter(({ url }) => url === 'https://auth.test/api/userinfo')
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers.get('authorization')).toMatch(/^Bearer eyJ/)
  })

  it('takes TanStack options: select, enabled, staleTime', async () => {
    function Selected() {
      const info = useUserInfo({ select: (data) => String(data['email']).toUpperCase(), staleTime: Infinity })
      const never = useUserInfo({ enabled: false, select: () => 'shared' })
      return <p>{`${info.data} ${never.fetchStatus}`}</p>
    }
    const app = await startApp(<Selected />, { isStrict: false })
    await app.settle()
    expect(screen.getByText(/ALICE@FIRM\.TEST/)).toBeInstanceOf(HTMLElement)
    expect(app.host.requests.filter(({ url }) => url.endsWith('/api/userinfo'))).toHaveLength(1)
  })

  it('is asked for again by StrictMode at most once, and the answer given up is not kept', async () => {
    const app = await startApp(<Name />)
    await app.settle()
    expect(app.host.requests.filter(({ url }) => url.endsWith('/api/userinfo')).length).toBeLessThanOrEqual(2)
    expect(screen.getByText('info success Name of alice')).toBeInstanceOf(HTMLElement)
  })

  it('cannot be given another key or function', async () => {
    function Wrong() {
      const { data } = useUserInfo({ queryKey: ['mine'], staleTime: 1 } as object)
      return <p>{String(data?.['name'])}</p>
    }
    const app = await startApp(<Wrong />)
    await app.settle()
    expect(ownersOf(app.queryClient)).toEqual([ALICE])
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'alice'],
  ])('answered by %s is an error, not data', async (_what, body) => {
    const app = await startApp(<Name />, { config: { autoLogin: false } })
    app.host.fetch = async () => Response.json(body)
    await act(async () => {
      await app.queryClient.resetQueries()
      await app.host.settle()
    })
    expect(screen.getByText('info error unexpected-answer')).toBeInstanceOf(HTMLElement)
  })

  it('has another key for another person who acts for the user', async () => {
    const app = await startApp(<Name />, {
      server: { user: createFakeUser({ userId: 'alice', impersonatorId: 'support' }) },
    })
    await app.settle()
    expect(ownersOf(app.queryClient)).toEqual([{ ...ALICE, impersonator: 'support' }])
  })

  it('fails when nobody is signed in, and asks nobody', async () => {
    const app = await startApp(<Name />, { config: { autoLogin: false }, server: { user: undefined } })
    await app.settle()
    expect(screen.getByText(/info (error|pending)/)).toBeInstanceOf(HTMLElement)
    expect(app.host.requests).toEqual([])
  })
})

describe('a change of the user', () => {
  function Who() {
    const { status, user } = useAuth() as { status: string; user?: { userId: string } }
    const { data } = useUserInfo({ retry: false })
    const count = queryKeysOf(useQueryClient()).filter(isLatchkeyKey).length
    return (
      <p>{`${status} ${user?.userId ?? 'nobody'} sees ${textOf(data?.['name']) || 'nothing'} of ${count > 0}`}</p>
    )
  }

  it('leaves nothing of the first one: not on the screen, not in the caches', async () => {
    const app = await startApp(<Who />)
    await app.settle()
    expect(document.body.textContent).toContain('authenticated alice sees Name of alice')
    app.host.navigationError = new Error('the browser stays')
    await act(() => app.auth.logout().catch(() => {}))
    await app.settle()
    expect(document.body.textContent).not.toMatch(/alice/)
    expect(dataOf(app.queryClient)).toEqual([])
    expect(JSON.stringify(dehydrate(app.queryClient))).not.toContain('alice')
  })

  it('shows the second one their own data', async () => {
    const app = await startApp(<Who />)
    await app.settle()
    app.host.navigationError = new Error('the browser stays')
    await act(() => app.auth.logout().catch(() => {}))
    app.server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
    // Another tab has brought the browser to the logout page meanwhile.
    const { settings } = internalsOf(app.auth)
    app.host.localStorage.remove(pendingLogoutKey(settings))
    app.auth.dispose()
    await act(async () => {
      void app.auth.start()
      await app.host.settle()
    })
    await app.settle()
    expect(document.body.textContent).toContain('authenticated bob sees Name of bob')
    expect(document.body.textContent).not.toContain('alice')
  })

  it('drops an answer for the first one that comes too late', async () => {
    const app = await startApp(<Who />)
    await app.settle()
    app.host.fetch = async () => Response.json({ name: 'Late Alice' })
    const release = holdRequests(app.host)
    const late = app.queryClient.query({ ...userInfoQuery(app.auth), retry: false }).catch(() => 'dropped')
    await app.settle()
    app.host.navigationError = new Error('the browser stays')
    const leaving = app.auth.logout().catch(() => {})
    await app.settle()
    release()
    await act(() => Promise.all([late, leaving]))
    await app.settle()
    expect(document.body.textContent).not.toContain('Alice')
    expect(dataOf(app.queryClient)).toEqual([])
  })

  it.each([
    ['all', undefined],
    ['own', 1],
  ] as const)('with clearQueries: %s, leaves of the app’s own data %s', async (clearQueries, left) => {
    const app = await startApp(<Who />, { config: { clearQueries } })
    app.queryClient.setQueryData(['of the app'], 1)
    await act(() => app.auth.logout())
    expect(app.queryClient.getQueryData(['of the app'])).toBe(left)
  })
})
