// The session that the first script of a page looks for while the app's files are on their way: taken over whole, or not at all.
import { describe, expect, it } from 'vitest'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { earlyScript, type EarlyOptions, type EarlyPage, openEarlyPage, ATTRIBUTES } from './earlyScene.ts'
import { EXCHANGE_FAULTS } from '../signIn/exchangeFaults.ts'
import { tokenBodies } from '../session/sessionScene.ts'

await earlyScript()

/** The app's files have come, and it has started. */
async function startApp(page: EarlyPage, config: Parameters<EarlyPage['createAuth']>[0] = {}) {
  const auth = page.createAuth(config)
  void auth.start()
  await page.host.settle()
  return auth
}

/** What a user of the app sees of a state. */
const seen = (auth: Awaited<ReturnType<typeof startApp>>) => {
  const state = auth.getState()
  return {
    status: state.status,
    error: 'error' in state ? state.error?.code : undefined,
    user: 'user' in state ? state.user.userId : undefined,
  }
}

describe('a page that looked for its session early', () => {
  it('has it when the app starts: no frame and no request is left to wait for', async () => {
    const page = await openEarlyPage()
    expect(page.server.tokenRequests).toEqual([{ grantType: 'authorization_code', isGranted: true }])
    const auth = await startApp(page)
    expect(seen(auth)).toEqual({ status: 'authenticated', error: undefined, user: 'alice' })
    expect(page.host.requests).toEqual([])
    expect(page.host.frames).toEqual([])
    await page.host.clock.advance(2000)
    expect(page.frames).toEqual([])
    expect(page.left).toEqual({})
    expect(page.timerCount()).toBe(0)
    // The family belongs to the session that took it over.
    await auth.renew({ force: true })
    expect(page.server.tokenRequests.map(({ isGranted }) => isGranted)).toEqual([true, true])
  })

  it('hands over a frame that has not answered yet: start-up listens to it and exchanges its code', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    const auth = await startApp(page)
    expect(auth.getState().status).toBe('initializing')
    page.server.answerFrame(page.frames[0]!)
    await page.host.settle()
    expect(seen(auth)).toMatchObject({ status: 'authenticated', user: 'alice' })
    expect(page.sent).toEqual([])
    expect(tokenBodies(page.host)).toHaveLength(1)
    expect(page.host.frames).toEqual([])
  })

  it('hands over an exchange that is under way', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const { promise: hasAnswered, resolve: answered } = Promise.withResolvers<void>()
    const server = createFakeAuthServer()
    const page = await openEarlyPage({
      server,
      fetch: async (input, init) => {
        await mayAnswer
        return server.fetch(input, init).finally(answered)
      },
    })
    const auth = await startApp(page)
    expect(auth.getState().status).toBe('initializing')
    answer()
    await hasAnswered
    await page.host.settle()
    expect(seen(auth)).toMatchObject({ status: 'authenticated', user: 'alice' })
    expect([page.sent.length, page.host.requests.length]).toEqual([1, 0])
  })

  it('opens its frame at once in a head too, where there is no body to put it into', async () => {
    const page = await openEarlyPage({ isInHead: true })
    expect(page.sent).toHaveLength(1)
    expect(seen(await startApp(page))).toMatchObject({ status: 'authenticated' })
    expect(page.host.requests).toEqual([])
  })

  it('knows at once that nobody is signed in, and leaves for the sign-in page', async () => {
    const page = await openEarlyPage({ server: createFakeAuthServer({ user: undefined }) })
    const auth = await startApp(page)
    expect(seen(auth).status).toBe('redirecting')
    expect(page.host.frames).toEqual([])
    expect(page.host.navigations[0]).toContain('https://auth.test/oauth/authorize?')
  })

  it('still passes the time limit of the frame on to start-up', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    const auth = await startApp(page, { autoLogin: false, iframeTimeoutInSeconds: 5 })
    await page.host.clock.advance(5000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', cause: { code: 'iframe-timeout' } })
    expect(page.frames).toEqual([])
  })

  it('gives up after 25 seconds, and start-up asks anew', async () => {
    const page = await openEarlyPage()
    await page.host.clock.advance(25_000)
    expect(page.frames).toEqual([])
    expect(page.left).toEqual({})
    const auth = await startApp(page)
    expect(seen(auth)).toMatchObject({ status: 'authenticated' })
    expect(tokenBodies(page.host)).toHaveLength(1)
  })

  it('lets go of what nobody takes when start-up is cut off', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    const auth = await startApp(page)
    auth.dispose()
    await page.host.settle()
    expect(page.frames).toEqual([])
    expect(page.left).toEqual({})
  })
})

describe('start-up begins by itself', () => {
  const others: [what: string, options: EarlyOptions][] = [
    ['there are no attributes', { attributes: {} }],
    ['the script was imported', { attributes: null }],
    ['the authHost is no address', { attributes: { ...ATTRIBUTES, authHost: 'auth.test' } }],
    ['the clientId is missing', { attributes: { authHost: 'https://auth.test', scopes: 'openid' } }],
    ['the page has no SHA-256', { without: 'crypto' }],
    ['storage is denied', { without: 'storage' }],
    [
      'frames have failed in this tab, and silent sign-in is off',
      {
        sessionStorage: {
          'latchkey https://auth.test admin tab': JSON.stringify({
            silentSignIn: { failures: 2, offUntilMs: FAKE_START_MS + 60_000 },
          }),
        },
      },
    ],
    [
      'other tabs hold the session',
      { localStorage: { 'latchkey https://auth.test admin session': '{"tabs":["Zz9Zz9"]}' } },
    ],
  ]
  it.each(others)('when %s', async (_what, options) => {
    const page = await openEarlyPage(options)
    expect(page.frames).toEqual([])
    expect(page.sent).toEqual([])
    expect(page.timerCount()).toBe(0)
    expect(page.left?.frame).toBeUndefined()
  })

  it('when the page is offline: start-up says so, and the early frame is gone', async () => {
    const page = await openEarlyPage({ isOnline: false, isFrameMute: true })
    const auth = await startApp(page)
    expect(page.frames).toEqual([])
    expect(seen(auth)).toMatchObject({ status: 'failed', error: 'offline' })
  })

  it('when the page is a window of our own', async () => {
    for (const windowName of ['agent-iframe', 'latchkey https://auth.test admin popup link']) {
      const page = await openEarlyPage({ windowName })
      expect(page.frames, windowName).toEqual([])
    }
    expect((await openEarlyPage({ windowName: 'report' })).frames).toHaveLength(1)
  })

  it('when an answer of the sign-in page has just arrived', async () => {
    const stored = JSON.stringify({ attempts: { Ab1Ab1: { verifier: 'v' } } })
    const page = await openEarlyPage({
      address: 'https://app.test/?code=c&state=Ab1Ab1',
      sessionStorage: { 'latchkey https://auth.test admin tab': stored },
    })
    expect(page.frames).toEqual([])
    expect(page.left?.address?.()).toBe('https://app.test/?code=c&state=Ab1Ab1')
  })

  it.each(['csp', 'remove'] as const)('when the early frame failed: %s', async (how) => {
    const page = await openEarlyPage({ isFrameMute: true })
    page.frames[0]![how]()
    const auth = await startApp(page)
    expect(page.left).toEqual({})
    page.server.answerFrame(page.host.frames[0]!)
    await page.host.settle()
    expect(seen(auth)).toMatchObject({ status: 'authenticated' })
    expect(page.frames).toEqual([])
  })

  it('when the app has other options, and the developer reads so', async () => {
    const page = await openEarlyPage()
    const auth = await startApp(page, { scopes: ['openid'] })
    expect(page.warnings).toEqual(['[latchkey] latchkey/early: other options than createAuth'])
    expect(page.left).toEqual({})
    expect(page.frames).toEqual([])
    expect(seen(auth)).toMatchObject({ status: 'authenticated' })
    expect(tokenBodies(page.host)).toHaveLength(1)
  })

  it('for another client of the same page, which leaves the first one its own', async () => {
    const page = await openEarlyPage()
    const other = await startApp(page, { clientId: 'reports' })
    expect(page.host.requests).toHaveLength(1)
    const own = await startApp(page)
    expect([seen(other).status, seen(own).status]).toEqual(['authenticated', 'authenticated'])
    expect(page.host.requests).toHaveLength(1)
    expect(page.warnings).toEqual([])
  })
})

describe('an answer to the early frame', () => {
  it('is exchanged only when it came from the frame, from the server, under its state, with its issuer', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    const [frame] = page.frames
    const state = frame!.parameters.get('state')
    const data = { type: 'authorization_response', response: { state, code: 'stolen' } }
    for (const message of [
      { origin: 'https://evil.test', source: {}, data },
      { origin: 'https://auth.test', source: {}, data },
      { origin: 'https://auth.test', source: null, data },
    ]) {
      page.post(message)
    }
    for (const response of [
      { code: 'of-another', state: 'Zz9Zz9' },
      { code: 'of-another', iss: 'https://other.test' },
      { code: 7 },
      { code: undefined },
    ]) {
      frame!.answer(response)
    }
    for (const odd of [undefined, null, 7, 'code', [], { response: null }]) frame!.post(odd)
    await page.host.settle()
    expect(page.sent).toEqual([])
  })

  it('of another issuer ends start-up as it does without the script', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    page.frames[0]!.answer({ code: 'c', iss: 'https://other.test' })
    const auth = await startApp(page)
    expect(seen(auth)).toMatchObject({ status: 'failed', error: 'issuer-mismatch' })
    expect([...page.sent, ...tokenBodies(page.host)]).toEqual([])
  })

  it('that comes twice is exchanged once', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    page.server.answerFrame(page.frames[0]!)
    page.server.answerFrame(page.frames[0]!)
    await page.host.settle()
    const auth = await startApp(page)
    expect(seen(auth)).toMatchObject({ status: 'authenticated' })
    expect([page.sent.length, page.host.requests.length]).toEqual([1, 0])
  })
})

describe('an early exchange that fails', () => {
  it.each(EXCHANGE_FAULTS)(
    'ends as one of start-up itself, and its code is not sent again: %s',
    async (_, answer) => {
      const early = await openEarlyPage({ fetch: answer })
      const late = await openEarlyPage({ attributes: null })
      // It lasts: start-up repeats itself, with a new code every time.
      early.host.fetch = answer
      late.host.fetch = answer
      const [withIt, without] = [await startApp(early), await startApp(late)]
      await early.host.clock.advance(16_000)
      await late.host.clock.advance(16_000)
      expect(seen(without).status).toBe('failed')
      expect(seen(withIt)).toEqual(seen(without))
      const codes = [...early.sent, ...tokenBodies(early.host)].map(({ code }) => code)
      expect(new Set(codes).size).toBe(codes.length)
    },
  )
})

describe('what the script sends', () => {
  it('is what start-up would send', async () => {
    const early = await openEarlyPage()
    const late = await openEarlyPage({ attributes: null })
    await startApp(late)
    const [own] = tokenBodies(late.host)
    expect(Object.keys(early.sent[0]!)).toEqual(Object.keys(own!))
    expect(early.sent[0]).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'admin',
      redirect_uri: 'https://app.test/',
    })
    expect(early.sent[0]!['code_verifier']).toMatch(/^[A-Za-z0-9._~-]{64}$/)
  })

  it('follows its attributes: scopes in any spelling, a redirect URI, remember me', async () => {
    const page = await openEarlyPage({
      isFrameMute: true,
      attributes: {
        ...ATTRIBUTES,
        authHost: 'https://auth.test/',
        scopes: ' openid,\n  profile ',
        redirectUri: 'https://app.test/back',
        rememberMe: 'true',
      },
    })
    const parameters = Object.fromEntries(page.frames[0]!.parameters)
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: 'https://app.test/back',
      scope: 'openid,profile',
      code_challenge_method: 'S256',
      prompt: 'none',
      response_mode: 'web_message',
      remember_me: 'true',
    })
    const auth = await startApp(page, { redirectUri: 'https://app.test/back', rememberMe: true })
    page.server.answerFrame(page.frames[0]!)
    await page.host.settle()
    expect(seen(auth)).toMatchObject({ status: 'authenticated' })
    expect(page.warnings).toEqual([])
  })
})
