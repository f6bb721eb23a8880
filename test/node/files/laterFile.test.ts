// What a step-up or a sign-in in a window needs is one file: fetched in an idle moment, and only where a component needs it.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LoginOptions } from '../../../src/session/auth.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

const FILE = '../../../src/session/later.ts'

interface PageOptions {
  hasUser?: boolean
  autoLogin?: boolean
  isFrameMute?: boolean
  hasIdleMoments?: boolean
  hasComponent?: boolean
}

/** A page of which the later files are counted, and refused while they are missing. */
async function openPage(options: PageOptions = {}) {
  const { hasUser = true, autoLogin = false, isFrameMute = false, hasIdleMoments = true } = options
  const { hasComponent = true } = options
  vi.resetModules()
  const files = { asked: 0, areMissing: false }
  vi.doMock(FILE, async (original) => {
    files.asked += 1
    if (files.areMissing) throw new TypeError('Failed to fetch dynamically imported module: /assets/later.js')
    return original()
  })
  const { createAuth } = await import('../../../src/session/createAuth.ts')
  const { fetchLaterFile } = await import('../../../src/session/internals.ts')
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
  // As `useStepUp` and the `expired` content of `<Authenticated>` do when they are mounted.
  if (hasComponent) fetchLaterFile(auth)
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
  vi.doUnmock(FILE)
  vi.unstubAllGlobals()
})

describe('the file of a later click', () => {
  it.each([true, false])(
    'is fetched in an idle moment where a component needs it; signed in: %s',
    async (hasUser) => {
      const { files, beIdle } = await openPage({ hasUser })
      expect(files.asked).toBe(0)
      await beIdle()
      expect(files.asked).toBe(1)
    },
  )

  it('is not fetched where no component needs it', async () => {
    const { files, beIdle } = await openPage({ hasComponent: false })
    await beIdle()
    expect(files.asked).toBe(0)
  })

  it('never comes before what start-up needs', async () => {
    const { files, auth, beIdle } = await openPage({ isFrameMute: true })
    await beIdle()
    expect([auth.getState().status, files.asked]).toEqual(['initializing', 0])
  })

  it('is asked for once, however often the page is left and used again', async () => {
    const { files, waiting, auth, host, beIdle } = await openPage()
    await beIdle()
    await auth.renew({ force: true })
    await auth.start()
    await host.settle()
    expect([waiting.length, files.asked]).toEqual([0, 1])
  })

  it('is not needed on the way to the sign-in page', async () => {
    const { files, auth, beIdle } = await openPage({ hasUser: false, autoLogin: true })
    expect(auth.getState().status).toBe('redirecting')
    await beIdle()
    expect(files.asked).toBe(0)
  })

  it.each([
    ['of a browser', Object.assign(new EventTarget(), { isTrusted: true, target: null })],
    ['of React', { target: {}, nativeEvent: {}, isPropagationStopped: () => false }],
  ])('is not needed where the options are the event of a click, %s', async (_from, event) => {
    const { files, auth } = await openPage({ hasUser: false, hasComponent: false })
    await auth.login(event as object)
    expect([auth.getState().status, files.asked]).toEqual(['redirecting', 0])
  })

  it('is needed for every option but the prompt', async () => {
    const asked = async (options: LoginOptions) => {
      const { files, auth } = await openPage({ hasUser: false, hasComponent: false })
      await auth.login(options)
      return files.asked
    }
    expect(await asked({ prompt: 'login', returnTo: '/firms' })).toBe(0)
    expect(await asked({ loginHint: 'ada' })).toBe(1)
  })

  it('is left where it is when the page was left before it was idle', async () => {
    const { files, auth, beIdle } = await openPage()
    auth.dispose()
    await beIdle()
    expect(files.asked).toBe(0)
  })

  it('that does not come fails in silence; the first use asks for it again', async () => {
    const { files, auth, host, beIdle } = await openPage()
    files.areMissing = true
    await beIdle()
    expect([files.asked, host.warnings]).toEqual([1, []])
    expect(auth.getState().status).toBe('authenticated')
    files.areMissing = false
    await expect(auth.getAccessToken({ resource: 'https://api.test/' })).rejects.toMatchObject({
      code: 'not-supported',
    })
    expect(files.asked).toBe(2)
  })

  it('stays away on a platform that knows no idle moments', async () => {
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
