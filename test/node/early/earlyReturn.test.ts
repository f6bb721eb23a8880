// The way back from the sign-in page: the first script sends the code while the app's files are on their way.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeAuthServer, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, neverAnswers } from '../../../src/testing/fakeHost.ts'
import { checkGenerated } from '../../generated.ts'
import {
  type AddressCase,
  addressCase,
  addressOf,
  allPieces,
  expectedAddress,
  ownAnswer,
  storedOf,
  TOKEN_NAMES,
} from '../startUp/addressCases.ts'
import { ATTRIBUTES, earlyScript, type EarlyOptions, type EarlyPage, openEarlyPage } from './earlyScene.ts'
import { EXCHANGE_FAULTS } from '../signIn/exchangeFaults.ts'
import { tokenBodies } from '../session/sessionScene.ts'

await earlyScript()

const STATE = 'Ab1Ab1'
const ATTEMPT = {
  verifier: 'v'.repeat(64),
  authHost: 'https://auth.test',
  clientId: 'admin',
  redirectUri: 'https://app.test/',
  returnTo: '/activity?x=%20y#end',
  createdAtMs: FAKE_START_MS - 120_000,
}

const stored = (attempt: object = {}) => ({
  'latchkey https://auth.test admin tab': JSON.stringify({
    attempts: { [STATE]: { ...ATTEMPT, ...attempt } },
  }),
})

/** Nobody has a session, so that only the code of the address can sign anybody in. */
function cameBack(options: EarlyOptions & { query?: (whole: string) => string } = {}) {
  const server = options.server ?? createFakeAuthServer()
  const query = { redirect_uri: ATTEMPT.redirectUri, state: STATE, code_challenge: ATTEMPT.verifier }
  const asked = `https://auth.test/oauth/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'plain' })}`
  const address = server.callbackOf(asked)
  server.user = undefined
  return openEarlyPage({
    address: options.query?.(address) ?? address,
    sessionStorage: stored(),
    ...options,
    server,
  })
}

/** The app's files have come, and it has started. */
async function startApp(page: EarlyPage, config: Parameters<EarlyPage['createAuth']>[0] = {}) {
  const auth = page.createAuth({ autoLogin: false, ...config })
  void auth.start()
  await page.host.settle()
  return auth
}

const seen = (auth: Awaited<ReturnType<typeof startApp>>) => {
  const state = auth.getState()
  return [state.status, 'error' in state ? state.error?.code : undefined]
}

/** Codes that were sent, by the script and by the app. */
const codes = (page: EarlyPage) => [...page.sent, ...tokenBodies(page.host)].map(({ code }) => code)

describe('a page that comes back from the sign-in page', () => {
  it('has its tokens when the app starts: no request is left to wait for, and the user is where he was', async () => {
    const page = await cameBack()
    expect(page.server.tokenRequests).toEqual([{ grantType: 'authorization_code', isGranted: true }])
    expect(page.host.address).toBe('https://app.test/activity?x=%20y#end')
    const auth = await startApp(page)
    expect(seen(auth)).toEqual(['authenticated', undefined])
    expect(page.host.address).toBe('https://app.test/activity?x=%20y#end')
    expect(page.host.requests).toEqual([])
    expect([...page.frames, ...page.host.frames]).toEqual([])
    expect(page.host.sessionStorage.get('latchkey https://auth.test admin tab')).toBeUndefined()
    expect(page.left).toEqual({})
    // The family belongs to the session that took it over.
    await auth.renew({ force: true })
    expect(page.server.tokenRequests.map(({ isGranted }) => isGranted)).toEqual([true, true])
  })

  it('sends what start-up would send', async () => {
    const early = await cameBack()
    const late = await cameBack({ attributes: null })
    await startApp(late)
    expect(late.sent).toEqual([])
    expect(early.sent).toEqual(tokenBodies(late.host))
  })

  it('hands over an exchange that is under way', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const server = createFakeAuthServer()
    const page = await cameBack({
      server,
      fetch: async (input, init) => {
        await mayAnswer
        return server.fetch(input, init)
      },
    })
    const auth = await startApp(page)
    expect(seen(auth)).toEqual(['initializing', undefined])
    answer()
    await expect.poll(() => seen(auth)).toEqual(['authenticated', undefined])
    expect(codes(page)).toHaveLength(1)
  })

  it.each([
    '/issues?state=open',
    '/issues?code=DE',
    '/issues?iss=https%3A%2F%2Fauth.test',
    '/issues?error=access_denied',
    `/issues?code=a&state=${STATE}&error=x`,
    '/issues?token=a.b.c',
    '/issues?',
    '/issues?&&#/deep?state=open',
    '//issues',
  ])('comes back to %s as without the script', async (returnTo) => {
    const early = await cameBack({ sessionStorage: stored({ returnTo }) })
    const late = await cameBack({ sessionStorage: stored({ returnTo }), attributes: null })
    const [withIt, without] = [await startApp(early), await startApp(late)]
    expect(seen(without)).toEqual(['authenticated', undefined])
    expect(seen(withIt)).toEqual(seen(without))
    expect(early.host.address).toBe(`https://app.test${returnTo}`)
    expect(codes(early)).toHaveLength(1)
    expect(early.host.sessionStorage.get('latchkey https://auth.test admin tab')).toBeUndefined()
  })

  it('tells routers of the place as without the script, although it stands in the bar already', async () => {
    const early = await cameBack()
    const late = await cameBack({ attributes: null })
    await startApp(early)
    await startApp(late)
    expect(early.told).toEqual(['https://app.test/activity?x=%20y#end'])
    expect(early.told).toEqual(late.told)
  })

  it('does nothing in a window of our own', async () => {
    for (const windowName of ['agent-iframe', 'latchkey https://auth.test admin AbCdEf popup link'])
      expect((await cameBack({ windowName })).sent, windowName).toEqual([])
  })

  it('takes the code out of the address in the window of a sign-in, and sends it to nobody', async () => {
    const mark = 'latchkey https://auth.test admin AbCdEf popup sign-in'
    const marked = { 'latchkey https://auth.test admin tab': JSON.stringify({ marks: [mark] }) }
    const page = await cameBack({ sessionStorage: marked })
    expect([page.host.address, page.sent]).toEqual(['https://app.test/', []])
    const said: unknown[] = []
    const opener = createFakeHost(page.address, { browser: page.host.browser })
    opener.platform.tabs().openChannel!(mark, (message) => said.push(message))
    await startApp(page)
    await expect.poll(() => said).toEqual([{ type: 'signInAnswer', address: page.address }])
    expect(page.sent).toEqual([])
  })

  it('sends its code once when the page has the script twice', async () => {
    const page = await cameBack({ copies: 2 })
    expect(page.frames).toEqual([])
    await page.host.clock.advance(30_000)
    expect(seen(await startApp(page))).toEqual(['authenticated', undefined])
    expect(codes(page)).toHaveLength(1)
  })

  it('gives the request up at the time limit of start-up', async () => {
    const page = await cameBack({ fetch: neverAnswers })
    await page.host.clock.advance(20_000)
    const auth = await startApp(page)
    await page.host.clock.advance(14_999)
    expect(seen(auth)).toEqual(['initializing', undefined])
    await page.host.clock.advance(1)
    expect(seen(auth)[0]).toBe('failed')
    expect(codes(page)).toHaveLength(1)
  })

  it('hands its answer over however long the app’s files take: a code cannot be sent again', async () => {
    const page = await cameBack()
    await page.host.clock.advance(90_000)
    expect(seen(await startApp(page))).toEqual(['authenticated', undefined])
    expect(codes(page)).toHaveLength(1)
  })

  it('leaves the code to the app that has another redirect URI, which finds nothing of its own', async () => {
    const page = await cameBack()
    const auth = await startApp(page, { redirectUri: 'https://app.test/other' })
    expect(seen(auth)[0]).toBe('unauthenticated')
    expect(codes(page)).toHaveLength(1)
  })

  it('sends nothing that start-up would refuse, and ends as without the script', async () => {
    const refused: [what: string, options: Parameters<typeof cameBack>[0]][] = [
      ['an issuer of another name', { query: (whole) => whole.replace('auth.test', 'evil.test') }],
      ['an empty issuer', { query: (whole) => whole.replace(/iss=[^&]*/, 'iss=') }],
      ['two issuers', { query: (whole) => `${whole}&iss=https%3A%2F%2Fauth.test` }],
      ['two codes', { query: (whole) => `${whole}&code=other` }],
      ['two states', { query: (whole) => `${whole}&state=${STATE}` }],
      ['a code and an error', { query: (whole) => `${whole}&error=access_denied` }],
      ['no code', { query: (whole) => whole.replace(/code=[^&]*/, 'error=server_error') }],
      ['an empty code', { query: (whole) => whole.replace(/code=[^&]*/, 'code=') }],
      ['another state', { query: (whole) => whole.replace(STATE, 'Zz9Zz9') }],
      ['a state that every object has', { query: (whole) => whole.replace(STATE, '__proto__') }],
      ['no attempt', { sessionStorage: {} }],
      [
        'an attempt that is no JSON',
        { sessionStorage: { 'latchkey https://auth.test admin tab': `"${STATE}":{` } },
      ],
      [
        'an attempt of another client',
        {
          sessionStorage: {
            'latchkey https://auth.test other tab': stored({ clientId: 'other' })[
              'latchkey https://auth.test admin tab'
            ],
          },
        },
      ],
      ['an attempt at another server', { sessionStorage: stored({ authHost: 'https://evil.test' }) }],
      ['an attempt that names another client', { sessionStorage: stored({ clientId: 'other' }) }],
      ['an attempt for another address', { sessionStorage: stored({ redirectUri: 'https://app.test/cb' }) }],
      ['an attempt that leads away', { sessionStorage: stored({ returnTo: 'https://evil.test/' }) }],
      [
        'an attempt of eleven minutes ago',
        { sessionStorage: stored({ createdAtMs: FAKE_START_MS - 660_000 }) },
      ],
      ['an attempt without a time', { sessionStorage: stored({ createdAtMs: undefined }) }],
    ]
    for (const [what, options] of refused) {
      const early = await cameBack(options)
      expect(early.sent, what).toEqual([])
      const late = await cameBack({ ...options, attributes: null })
      const [withIt, without] = [await startApp(early), await startApp(late)]
      expect(seen(withIt), what).toEqual(seen(without))
      expect(early.host.address, what).toBe(late.host.address)
      expect(codes(early), what).toEqual([])
      expect(codes(late), what).toEqual([])
    }
  })

  it.each([
    ['256 KB of states', `?${'state=aaaaaa&'.repeat(20_000)}state=${STATE}`],
    ['one state of 256 KB', `?code=a&state=${'a'.repeat(256 * 1024)}`],
  ])('reads nothing of the tab for an address with %s, which cannot be an answer', async (_what, query) => {
    const read: string[] = []
    const page = await openEarlyPage({
      address: `${ATTEMPT.redirectUri}${query}`,
      sessionStorage: { ...stored(), 'cache of the app': 'x'.repeat(100_000) },
      attributes: null,
      onRead: (key) => read.push(key),
    })
    expect([read, page.left?.address, page.host.address === page.address]).toEqual([[], undefined, true])
  })

  it('reads each entry of latchkey once, and none of the app, for an address with one state', async () => {
    const read: string[] = []
    await openEarlyPage({
      address: `${ATTEMPT.redirectUri}?code=a&state=Zz9Zz9`,
      sessionStorage: { ...stored(), 'cache of the app': 'x'.repeat(100_000) },
      attributes: null,
      onRead: (key) => read.push(key),
    })
    expect(read).toEqual(['latchkey https://auth.test admin tab'])
  })

  it('is left to start-up where the browser reports no network: it asks before it sends the code', async () => {
    const page = await cameBack({ isOnline: false })
    expect(page.sent).toEqual([])
    const auth = await startApp(page)
    expect(new Set(page.host.requests.map(({ url }) => new URL(url).pathname))).toEqual(
      new Set(['/api/userinfo']),
    )
    expect(seen(auth)).toEqual(['initializing', undefined])
  })

  it('sends nothing without attributes, with wrong ones, or without storage', async () => {
    for (const options of [
      { attributes: null },
      { attributes: { authHost: 'https://auth.test' } },
      { attributes: { ...ATTRIBUTES, authHost: 'auth.test' } },
      { attributes: { ...ATTRIBUTES, clientId: 'other' } },
      { attributes: { ...ATTRIBUTES, redirectUri: 'https://app.test/cb' } },
      { without: 'storage' as const },
    ])
      expect((await cameBack(options)).sent, JSON.stringify(options)).toEqual([])
  })

  // As long as its generator may take, and what a failing input is made smaller in.
  it(
    'sends a code only where start-up would, and once, whatever the address and the record',
    { timeout: 120_000, tags: ['generated'] },
    async () => {
      const check = async (one: AddressCase) => {
        const page = await openEarlyPage({
          address: addressOf(one),
          sessionStorage: storedOf(one),
          isFrameMute: true,
        })
        const answer = ownAnswer(one)
        // An address with an issuer or with tokens beside the code, or with one of those names twice, may be left to start-up.
        const pieces = allPieces(one)
        const names = pieces
          .map(({ text }) => text.split('=')[0]!)
          .filter((name) => TOKEN_NAMES.includes(name))
        const isPlain =
          new Set(names.map(decodeURIComponent)).size === names.length &&
          !pieces.some(({ text, token }) => text.startsWith('iss=') || token)
        if (isPlain)
          expect(page.sent.map(({ code }) => code)).toEqual(
            answer?.code && !answer.isError ? [answer.code] : [],
          )
        const auth = await startApp(page)
        expect(page.host.address).toBe(expectedAddress(one))
        const sent = codes(page)
        expect(new Set(sent).size).toBe(sent.length)
        auth.dispose()
      }
      await checkGenerated(
        'addresses that the early script comes back to',
        fc.asyncProperty(fc.array(addressCase, { minLength: 20, maxLength: 20 }), async (cases) => {
          await Promise.all(cases.map(check))
        }),
      )
    },
  )
})

describe('an exchange on the way back that fails', () => {
  it.each(EXCHANGE_FAULTS)(
    'ends as one of start-up itself, and its code is not sent again: %s',
    async (_, answer) => {
      const early = await cameBack({ fetch: answer })
      const late = await cameBack({ attributes: null })
      late.host.fetch = answer
      const [withIt, without] = [await startApp(early), await startApp(late)]
      await early.host.clock.advance(20_000)
      await late.host.clock.advance(20_000)
      expect(seen(without)[0]).toBe('failed')
      expect(seen(withIt)).toEqual(seen(without))
      expect(codes(early)).toHaveLength(1)
    },
  )

  it('is made good by a session at the server', async () => {
    const page = await cameBack({
      fetch: async () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    })
    page.server.user = createFakeAuthServer().user
    expect(seen(await startApp(page))).toEqual(['authenticated', undefined])
  })
})

describe('a tab that comes back with a code, and its copy', () => {
  // A copy has the address and the session storage of the tab.
  const openBoth = async (first: EarlyOptions, second: EarlyOptions) => {
    const server = createFakeAuthServer()
    const tab = await cameBack({ server, isAppFirst: true, ...first })
    const copy = await openEarlyPage({
      server,
      browser: tab.host.browser,
      address: tab.address,
      sessionStorage: stored(),
      isAppFirst: true,
      ...second,
    })
    return { server, pages: [tab, copy] as const }
  }
  const expectBothSignedIn = async (
    server: FakeAuthServer,
    pages: readonly EarlyPage[],
    withinMs: number,
  ) => {
    const auths = pages.map((page) => page.createAuth({ autoLogin: false }))
    for (const auth of auths) void auth.start()
    await pages[0]!.host.clock.advance(withinMs)
    expect(server.tokenRequests).toEqual([{ grantType: 'authorization_code', isGranted: true }])
    expect(auths.map((auth) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
  }

  it.each<[string, EarlyOptions, EarlyOptions]>([
    ['both with the script', {}, {}],
    ['the copy without the script', {}, { attributes: null }],
    ['the tab without the script', { attributes: null }, {}],
    ['both without the script', { attributes: null }, { attributes: null }],
  ])('%s: the code is sent once, and both are signed in', async (_how, first, second) => {
    const { server, pages } = await openBoth(first, second)
    await expectBothSignedIn(server, pages, 3_000)
  })

  it('the copy waits for an exchange that takes 1.5 s, and asks the server for nothing of its own', async () => {
    const { server, pages } = await openBoth({ attributes: null }, { attributes: null })
    // A frame would find the session, and bring a second grant.
    server.user = createFakeAuthServer().user
    for (const { host } of pages) {
      const { fetch } = host
      host.fetch = async (...request) => {
        await new Promise<void>((resolve) => host.platform.setTimer(resolve, 1_500))
        return fetch(...request)
      }
    }
    await expectBothSignedIn(server, pages, 5_000)
  })

  it('no record is left when the code goes out', async () => {
    const page = await cameBack({ fetch: neverAnswers })
    expect(page.sent).toHaveLength(1)
    expect(page.host.sessionStorage.entries()).toEqual({})
  })

  it.each<[string, () => Promise<unknown>]>([
    ['refuses', async () => Promise.reject(new DOMException('not fully active', 'InvalidStateError'))],
    ['never comes', () => new Promise(() => {})],
  ])('a lock that %s keeps nobody out, and the code is sent once', async (_how, lockRequest) => {
    const page = await cameBack({ lockRequest })
    const auth = await startApp(page)
    await page.host.clock.advance(9_000)
    expect(auth.getState().status).toBe('authenticated')
    expect(codes(page)).toHaveLength(1)
  })
})
