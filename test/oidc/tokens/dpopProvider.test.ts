// Tokens bound to a key, with a provider that somebody else wrote: npm oidc-provider, which requires proofs with a nonce, and pushed requests.

// @module-tag thorough

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { createBrowser, formOf } from '../interop/browser.ts'
import { readJwt } from '../../../src/protocol/claims.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'

const APP = 'http://localhost:5173/'
const API = 'https://api.example.com/v1'
const FILES = 'https://files.example.com'

let server: OidcServer
beforeAll(async () => {
  server = await startOidcServer({ isBound: true, isPushed: true, resources: [API, FILES] })
})
afterAll(async () => server.close())

/** As a page of the app would send it. */
const fetchAsPage: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('origin', new URL(APP).origin)
  return fetch(input, { ...init, headers })
}

async function signIn(parameters = {}): Promise<{ auth: Auth; host: FakeHost }> {
  const config: AuthConfig = {
    server: openIdConnect({
      issuer: server.issuer,
      dpop: 'required',
      silent: 'off',
      parameters: { prompt: 'consent', ...parameters },
    }),
    clientId: server.clientId,
    scopes: ['openid', 'offline_access'],
    autoLogin: false,
  }
  const browser = createFakeBrowser({
    startMs: Date.now(),
    whileSettling: () => vi.dynamicImportSettled(),
  })
  const first = createFakeHost(APP, { browser, fetch: fetchAsPage })
  const before = createAuth(config, { platform: first.platform })
  void before.start()
  await vi.waitFor(() => expect(before.getState().status).toBe('unauthenticated'), { timeout: 10_000 })
  await before.login()
  expect([...new URL(first.navigations[0]!).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
  const pages = createBrowser(APP)
  let page = await pages.open({ url: first.navigations[0]! })
  while (!page.url.startsWith(APP))
    page = await pages.open(
      formOf(page, page.text.includes('name="login"') ? { login: 'ada', password: 'x' } : {}),
    )
  const host = first.openNext(page.url)
  const auth = createAuth(config, { platform: host.platform })
  void auth.start()
  await vi.waitFor(() => expect(['authenticated', 'failed']).toContain(auth.getState().status), {
    timeout: 10_000,
  })
  return { auth, host }
}

describe('oidc-provider with DPoP and pushed requests required', () => {
  it('signs in, renews and tells the user, each nonce asked for once', async () => {
    const { auth, host } = await signIn()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    const before = await auth.getAccessToken()
    await auth.renew({ force: true })
    expect(await auth.getAccessToken()).not.toBe(before)
    expect(await internalsOf(auth).readUserInfo()).toMatchObject({ sub: 'ada' })
    const paths = host.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    expect(paths).toEqual(['POST /token', 'POST /token', 'POST /token', 'GET /me'])
  })

  it('a token that was carried away is refused', async () => {
    const { auth } = await signIn()
    const token = await auth.getAccessToken()
    const replay = (headers: Record<string, string>) =>
      fetch(`${server.issuer}/me`, { headers }).then(({ ok }) => ok)
    expect(await replay({ authorization: `Bearer ${token}` })).toBe(false)
    expect(await replay({ authorization: `DPoP ${token}` })).toBe(false)
    const thief = await signIn()
    const seen: Headers[] = []
    const send = thief.host.fetch
    thief.host.fetch = async (input, init) => {
      seen.push(new Headers(init?.headers))
      return send(input, init)
    }
    await internalsOf(thief.auth).readUserInfo()
    const proof = seen[0]!.get('dpop')!
    expect(await replay({ authorization: `DPoP ${token}`, dpop: proof })).toBe(false)
  })
  it('gives a token for each API: bound, for that API alone, and the session goes on', async () => {
    const { auth } = await signIn({ resource: [API, FILES] })
    const audienceOf = (token: string) => readJwt(token)?.['aud']
    expect(audienceOf(await auth.getAccessToken())).toBe(API)
    const token = await auth.getAccessToken({ resource: FILES })
    expect(readJwt(token)).toMatchObject({ aud: FILES, cnf: { jkt: expect.any(String) } })
    expect(await auth.getAccessToken({ resource: FILES })).toBe(token)
    await auth.renew({ force: true })
    expect(audienceOf(await auth.getAccessToken())).toBe(API)
    expect(await auth.getAccessToken({ resource: FILES })).toBe(token)
    await expect(auth.getAccessToken({ resource: 'https://unknown.example.com' })).rejects.toMatchObject({
      code: 'client-refused',
      message: expect.stringMatching(/^The provider refused this client: invalid_target/),
    })
    await auth.renew({ force: true })
    expect(auth.getState().status).toBe('authenticated')
  })
})
