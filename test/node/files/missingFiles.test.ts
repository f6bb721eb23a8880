// A file of the library that is loaded later does not come, as after a deployment or behind a blocker: the session works without it.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

const FILES = {
  realTime: '../../../src/realtime/channels.ts',
  ownCalls: '../../../src/session/http/appFetch.ts',
  environments: '../../../src/session/features/environments/redirectToEnvironment.ts',
  later: '../../../src/session/later.ts',
}
const LIFE_MS = 3_600_000

/** A page without one of the files, signed in unless there is no user. */
async function openWithout(name: keyof typeof FILES, { address = APP, hasUser = true } = {}) {
  vi.resetModules()
  const file = { isMissing: true }
  vi.doMock(FILES[name], async (original) => {
    if (file.isMissing) throw new TypeError('Failed to fetch dynamically imported module: /assets/later.js')
    return original()
  })
  const { createAuth } = await import('../../../src/session/createAuth.ts')
  const server = createFakeAuthServer(hasUser ? {} : { user: undefined })
  const host = createFakeHost(address, {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    server,
  })
  const auth = createAuth(
    {
      ...CONFIG,
      autoLogout: false,
      realtime: createMemoryRealtime().transport,
      redirectionsUrl: 'https://static.test/redirections.json',
    },
    { platform: host.platform },
  )
  void auth.start()
  await host.settle()
  return { file, host, auth, server }
}

afterEach(() => {
  for (const file of Object.values(FILES)) vi.doUnmock(file)
})

describe.each(Object.keys(FILES) as (keyof typeof FILES)[])('without the file of %s', (name) => {
  it('the user is signed in, stays signed in and signs out', async () => {
    const { host, auth, server } = await openWithout(name)
    expect(auth.getState().status).toBe('authenticated')
    await host.clock.advance(LIFE_MS)
    await auth.getAccessToken()
    expect(server.tokenRequests).toHaveLength(2)
    await auth.logout()
    expect(host.navigations.at(-1)).toContain('/oauth/logout')
  })
})

it('real time that cannot be loaded is degraded, and explain() says so', async () => {
  const { auth } = await openWithout('realTime')
  expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
  expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'real time', outcome: 'failed' }))
})

it('an environment that cannot be looked up leaves the user where they are, and explain() says so', async () => {
  const { auth, host } = await openWithout('environments')
  expect(host.navigations).toEqual([])
  expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'environment', outcome: 'failed' }))
})

it('a call of the app fails while its file is missing, and works when it has come', async () => {
  const { file, auth, host } = await openWithout('ownCalls')
  host.fetch = async () => Response.json({ isIn: true })
  await expect(auth.fetch(`${APP}api/me`)).rejects.toMatchObject({
    code: 'internal',
    message: 'A file of latchkey did not load',
  })
  file.isMissing = false
  expect(await auth.fetch(`${APP}api/me`)).toEqual({ isIn: true })
})

it('a token in the URL whose file is missing is not given up for the sign-in page: start-up is repeated', async () => {
  const address = `${APP}?token=${createAccessToken({ userId: 'bob', jti: 'jti-of-bob' })}`
  const { auth, host } = await openWithout('later', { address, hasUser: false })
  const { internalsOf } = await import('../../../src/session/internals.ts')
  internalsOf(auth).hold()
  const state = auth.getState()
  expect([state.status, 'retryAtMs' in state && state.retryAtMs]).toEqual([
    'failed',
    host.platform.now() + 2_000,
  ])
  await host.clock.advance(2_000)
  expect([auth.getState().status, host.navigations]).toEqual(['failed', []])
  expect(auth.explain().filter(({ step }) => step === 'verify existing session')).toHaveLength(2)
})

it('a token in the URL of a signed-in user needs no file', async () => {
  const address = `${APP}?token=${createAccessToken({ userId: 'bob', jti: 'jti-of-bob' })}`
  const { auth, host } = await openWithout('later', { address })
  expect([auth.getState().status, host.navigations]).toEqual(['authenticated', []])
})

/** A page that counts how often the file of its own calls is asked for, and whose idle moments a test gives. */
async function openCounting(respond: (response: Promise<Response>) => Promise<Response>) {
  vi.resetModules()
  const page = { loadCount: 0 }
  vi.doMock(FILES.ownCalls, async (original) => {
    page.loadCount += 1
    return original()
  })
  const { createAuth } = await import('../../../src/session/createAuth.ts')
  const server = createFakeAuthServer()
  const host = createFakeHost(APP, {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    fetch: (...request) => respond(server.fetch(...request)),
    onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
  })
  const waiting: (() => void)[] = []
  const whenIdle = (callback: () => void) => void waiting.push(callback)
  const auth = createAuth(CONFIG, { platform: { ...host.platform, whenIdle } })
  void auth.start()
  expect([waiting.length, auth.getState().status]).toEqual([0, 'initializing'])
  await host.settle()
  return Object.assign(page, {
    auth,
    settle: () => host.settle(),
    async beIdle() {
      for (const callback of waiting) callback()
      await vi.dynamicImportSettled()
    },
  })
}

describe('what the app’s own calls need', () => {
  it('comes when the browser is idle, never beside start-up', async () => {
    const page = await openCounting((response) => response)
    expect([page.loadCount, page.auth.getState().status]).toEqual([0, 'authenticated'])
    await page.beIdle()
    expect(page.loadCount).toBe(1)
    page.auth.dispose()
  })

  it('comes while the code is exchanged, so that a call soon after sign-in does not wait for it', async () => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
    const page = await openCounting(async (response) => {
      await isAnswered
      return response
    })
    await page.beIdle()
    expect([page.loadCount, page.auth.getState().status]).toEqual([1, 'initializing'])
    answer()
    await page.settle()
    expect([page.loadCount, page.auth.getState().status]).toEqual([1, 'authenticated'])
    page.auth.dispose()
  })
})
