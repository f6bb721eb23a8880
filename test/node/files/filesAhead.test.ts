// What a later click needs is there before the click: its files are fetched in an idle moment after start-up.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

const FILES = [
  '../../../src/session/signIn/popupAnswer.ts',
  '../../../src/session/signIn/stepUp.ts',
  '../../../src/session/signedIn/resourceTokens.ts',
  '../../../src/protocol/loginParameters.ts',
] as const

interface PageOptions {
  hasUser?: boolean
  autoLogin?: boolean
  isFrameMute?: boolean
  hasIdleMoments?: boolean
}

/** A page of which the later files are counted, and refused while they are missing. */
async function openPage(options: PageOptions = {}) {
  const { hasUser = true, autoLogin = false, isFrameMute = false, hasIdleMoments = true } = options
  vi.resetModules()
  const files = { asked: 0, areMissing: false }
  for (const name of FILES)
    vi.doMock(name, async (original) => {
      files.asked += 1
      if (files.areMissing)
        throw new TypeError('Failed to fetch dynamically imported module: /assets/later.js')
      return original()
    })
  const { createAuth } = await import('../../../src/session/createAuth.ts')
  const server = createFakeAuthServer(hasUser ? {} : { user: undefined })
  const host = createFakeHost(APP, {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    fetch: server.fetch,
    onFrame: (frame) => queueMicrotask(() => isFrameMute || server.answerFrame(frame)),
  })
  const waiting: (() => void)[] = []
  const whenIdle = (callback: () => void) => waiting.push(callback)
  const platform = { ...host.platform, ...(hasIdleMoments && { whenIdle }) }
  const auth = createAuth({ ...CONFIG, autoLogin }, { platform })
  void auth.start()
  await host.settle()
  return {
    auth,
    host,
    files,
    waiting,
    async beIdle() {
      for (const callback of waiting.splice(0)) callback()
      await host.settle()
    },
  }
}

afterEach(() => {
  for (const name of FILES) vi.doUnmock(name)
  vi.unstubAllGlobals()
})

describe('the files of a later click', () => {
  it.each([true, false])(
    'are fetched once start-up is over and the page is idle; signed in: %s',
    async (hasUser) => {
      const { files, beIdle } = await openPage({ hasUser })
      expect(files.asked).toBe(0)
      await beIdle()
      expect(files.asked).toBe(FILES.length)
    },
  )

  it('never come before what start-up needs', async () => {
    const { files, waiting, auth } = await openPage({ isFrameMute: true })
    expect([auth.getState().status, waiting.length, files.asked]).toEqual(['initializing', 0, 0])
  })

  it('are asked for once, however often the page is left and used again', async () => {
    const { files, waiting, auth, host, beIdle } = await openPage()
    await beIdle()
    await auth.renew({ force: true })
    await auth.start()
    await host.settle()
    expect([waiting.length, files.asked]).toEqual([0, FILES.length])
  })

  it('are not needed on the way to the sign-in page', async () => {
    const { files, auth, beIdle } = await openPage({ hasUser: false, autoLogin: true })
    expect(auth.getState().status).toBe('redirecting')
    await beIdle()
    expect(files.asked).toBe(0)
  })

  it('are left where they are when the page was left before it was idle', async () => {
    const { files, auth, beIdle } = await openPage()
    auth.dispose()
    await beIdle()
    expect(files.asked).toBe(0)
  })

  it('that do not come fail in silence; the first use asks for them again', async () => {
    const { files, auth, host, beIdle } = await openPage()
    files.areMissing = true
    await beIdle()
    expect([files.asked, host.warnings]).toEqual([FILES.length, []])
    expect(auth.getState().status).toBe('authenticated')
    files.areMissing = false
    await expect(auth.getAccessToken({ resource: 'https://api.test/' })).rejects.toMatchObject({
      code: 'not-supported',
    })
    expect(files.asked).toBe(FILES.length + 1)
  })

  it('stay away from a platform that knows no idle moments', async () => {
    const { files, beIdle } = await openPage({ hasIdleMoments: false })
    await beIdle()
    expect(files.asked).toBe(0)
  })
})

describe('an idle moment', () => {
  const tell = vi.fn()
  const whenIdle = (browser: Record<string, unknown>) => {
    tell.mockClear()
    vi.stubGlobal('navigator', {})
    for (const [name, value] of Object.entries(browser)) vi.stubGlobal(name, value)
    createBrowserPlatform().whenIdle?.(tell)
  }

  it('is the browser’s own where it tells of one', () => {
    whenIdle({ requestIdleCallback: (callback: () => void) => callback() })
    expect(tell).toHaveBeenCalledOnce()
  })

  it('is two seconds later where the browser tells of none', () => {
    vi.useFakeTimers()
    try {
      whenIdle({})
      vi.advanceTimersByTime(1_999)
      expect(tell).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(tell).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  it('never comes for a user who saves data', () => {
    whenIdle({
      navigator: { connection: { saveData: true } },
      requestIdleCallback: (callback: () => void) => callback(),
    })
    expect(tell).not.toHaveBeenCalled()
  })
})
