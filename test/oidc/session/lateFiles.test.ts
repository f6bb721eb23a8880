// "Whose call is it?": a file of latchkey that comes late is no reason to send what one user asked for as the next one.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { APP } from '../scene.ts'
import type { Page } from './sessionScene.ts'

const FILE = '../../../src/protocol/loadFile.ts'
const APIS = 'https://files.example.com'

/** Files wait from now on, until the returned function is called. */
let holdFiles: () => () => void

beforeEach(() => {
  vi.resetModules()
  let gate = Promise.resolve()
  holdFiles = () => {
    let open = () => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    return open
  }
  vi.doMock(FILE, async (original) => {
    const real: typeof import('../../../src/protocol/loadFile.ts') = await original()
    return {
      ...real,
      loadFile: async (...given: Parameters<typeof real.loadFile>) => {
        await gate
        return real.loadFile(...given)
      },
    }
  })
})
afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

/** Ada is signed in in two tabs, and no file of a later use has come yet. */
async function open() {
  const { createOidcScene, json } = await import('./sessionScene.ts')
  const { follow, start } = await import('./sessionPages.ts')
  const { endOf } = await import('../signIn/windowScene.ts')
  const scene = createOidcScene({ config: { autoLogin: false, autoLogout: false } })
  scene.provider.user = 'ada'
  scene.provider.instead.set('/api/data', () => json({}))
  const page = await start(scene)
  const other = await start(scene)
  await scene.browser.clock.advance(3_000)
  return { scene, page, other, follow, endOf }
}

type Opened = Awaited<ReturnType<typeof open>>

const CHANGES: Record<string, (opened: Opened) => Promise<unknown>> = {
  'another one signs in in another tab': async ({ scene, other, follow }) => {
    scene.provider.user = 'bob'
    await other.auth.login({ prompt: 'login' })
    await follow(scene, other)
  },
  'they sign out': async ({ page }) => void page.auth.logout(),
  'they sign out and another one signs in in another tab': async ({ scene, page, other, follow }) => {
    void other.auth.logout()
    await scene.browser.clock.advance(1_000)
    const left = await follow(
      scene,
      other,
      `${APP}?state=${new URL(other.host.navigations.at(-1)!).searchParams.get('state')}`,
    )
    scene.provider.user = 'bob'
    await left.auth.login()
    await follow(scene, left)
    await page.host.settle()
  },
}

const CALLS: Record<string, (page: Page) => Promise<unknown>> = {
  'user info': async ({ auth }) => {
    const { internalsOf } = await import('../../../src/session/internals.ts')
    return internalsOf(auth).readUserInfo()
  },
  'a call': async ({ auth }) => auth.fetch('/api/data'),
  'a raw call': async ({ auth }) => auth.fetch.raw('/api/data'),
  'a native call': async ({ auth }) => auth.fetch.native('/api/data'),
  'a call of an instance with defaults': async ({ auth }) => auth.fetch.create({ retry: 1 })('/api/data'),
  'a token for a resource': async ({ auth }) => auth.getAccessToken({ resource: APIS }),
  'a token for a resource, by force': async ({ auth }) =>
    auth.getAccessToken({ resource: APIS, force: true }),
}

describe.each(Object.entries(CHANGES))('while its file is on its way and %s', (_what, change) => {
  it.each(Object.entries(CALLS))(
    'the first %s is of nobody, and nothing is sent for it',
    async (_call, ask) => {
      const opened = await open()
      const { scene, page, endOf } = opened
      const letCome = holdFiles()
      const end = endOf(ask(page))
      await page.host.settle()
      await change(opened)
      await scene.browser.clock.advance(3_000)
      const before = scene.provider.requests.length
      letCome()
      await scene.browser.clock.advance(3_000)
      expect(await end).toBe('not-authenticated')
      const late = scene.provider.requests.slice(before)
      expect(
        late.filter(({ path, body }) => /^\/(api\/data|userinfo)$/.test(path) || body.has('resource')),
      ).toEqual([])
    },
  )
})
