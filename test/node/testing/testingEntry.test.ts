// What latchkey/testing promises in plain Node, without a page: the versions of Node that apps test on, and no names that stay behind.
import { expect, it, vi } from 'vitest'
import { createAuth } from '../../../src/index.ts'
import {
  createFakeAuthServer,
  createFakeBrowser,
  createFakeHost,
  createTestAuth,
} from '../../../src/testing/index.ts'

it('runs a session where there is no navigator, as in Node 20', async () => {
  vi.stubGlobal('navigator', undefined)
  const server = createFakeAuthServer()
  const host = createFakeHost('https://app.test/', {
    server,
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
  })
  const auth = createAuth(
    { authHost: server.authHost, clientId: 'admin', scopes: ['openid'], autoLogin: false },
    { platform: host.platform },
  )
  void auth.start()
  await host.settle()
  expect(auth.getState().status).toBe('authenticated')
})

it('gives a test auth where there is no page', async () => {
  const auth = createTestAuth({ user: { userId: 'bob' } })
  expect(await auth.fetch('https://auth.test/api/userinfo')).toMatchObject({ sub: 'bob' })
  await auth.logout()
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
})
