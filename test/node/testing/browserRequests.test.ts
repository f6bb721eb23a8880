// The fake server as a browser meets it, by way of Playwright's interception: `signInAs` of latchkey/testing/playwright.
import { describe, expect, it } from 'vitest'
import { createFakeUser } from '../../../src/testing/index.ts'
import {
  type InterceptedRoute,
  type RoutedPage,
  signInAs,
  type SignInOptions,
} from '../../../src/testing/playwright/index.ts'

type Sent = { method?: string; headers?: Record<string, string>; body?: string }

async function open(options: SignInOptions = {}, user: Parameters<typeof signInAs>[1] = { userId: 'bob' }) {
  let matches: (address: URL) => boolean = () => false
  let handle: (route: InterceptedRoute) => Promise<void> = async () => {}
  const context: RoutedPage = {
    async route(url, handler) {
      matches = url
      handle = handler
    },
  }
  const servers = await signInAs(
    { route: async () => expect.unreachable(), context: () => context },
    user,
    options,
  )
  const ask = async (url: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    let response: { status: number; headers: Record<string, string>; body: string } | undefined
    await handle({
      request: () => ({
        url: () => url,
        method: () => method,
        allHeaders: async () => headers,
        postData: () => body ?? null,
      }),
      fulfill: async (given) => {
        response = given
      },
    })
    return response!
  }
  return { ...servers, ask, matches }
}

const AUTHORIZE = `https://auth.test/oauth/authorize?${new URLSearchParams({
  client_id: 'admin',
  redirect_uri: 'https://app.test/',
  state: '<s>',
  code_challenge: 'verifier',
  code_challenge_method: 'plain',
})}`
const codeOf = (address = '') => new URL(address).searchParams.get('code')
const tokenBody = (code: string | null) =>
  JSON.stringify({
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://app.test/',
    code_verifier: 'verifier',
  })

describe('signInAs', () => {
  it('answers for the server alone', async () => {
    const { matches } = await open({ authHost: 'https://auth.example.com' })
    expect(matches(new URL('https://auth.example.com/oauth/token'))).toBe(true)
    expect(matches(new URL('https://auth.example.com.evil.test/oauth/token'))).toBe(false)
    expect(matches(new URL('https://app.test/api/invoices'))).toBe(false)
  })

  it('signs the user in from code to user info, across origins', async () => {
    const { ask, server } = await open()
    const { status, headers } = await ask(AUTHORIZE)
    expect(status).toBe(302)
    const token = await ask('https://auth.test/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: tokenBody(codeOf(headers['location'])),
    })
    expect(token.headers['access-control-allow-origin']).toBe('*')
    const { access_token } = JSON.parse(token.body) as { access_token: string }
    const info = await ask('https://auth.test/api/userinfo', {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(JSON.parse(info.body)).toMatchObject({ name: 'Name of bob' })
    expect((await ask('https://auth.test/api/userinfo')).status).toBe(401)
    expect(server.tokenRequests).toEqual([{ grantType: 'authorization_code', isGranted: true }])
  })

  it('allows what the browser asks before a call', async () => {
    const { ask } = await open()
    const { status, headers } = await ask('https://auth.test/cloudprovider/linkmap', { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers['access-control-allow-headers']).toContain('authorization')
    expect(headers['access-control-allow-headers']).toContain('if-match')
    expect(headers['access-control-allow-methods']).toContain('PUT')
  })

  it('answers the hidden frame by a message to the app alone, as a literal that ends no script', async () => {
    const { ask } = await open()
    const { status, body } = await ask(`${AUTHORIZE}&prompt=none&response_mode=web_message`)
    expect(status).toBe(200)
    expect(body).toMatch(/parent\.postMessage\(\{"type":"authorization_response".*, "https:\/\/app\.test"\)/)
    expect(body).toContain('"state":"\\u003cs>"')
    const frame = await ask(`${AUTHORIZE}&prompt=none&nonce=n`)
    expect(frame.headers['location']).toMatch(/^https:\/\/app\.test\/\?/)
  })

  it('finds nobody before the sign-in page was visited, and after a logout', async () => {
    const { ask } = await open({ viaSignInPage: true })
    const silent = async () => (await ask(`${AUTHORIZE}&prompt=none`)).body.includes('login_required')
    expect(await silent()).toBe(true)
    expect(codeOf((await ask(AUTHORIZE)).headers['location'])).toBeTruthy()
    expect(await silent()).toBe(false)
    const back = `https://auth.test/oauth/logout?post_logout_redirect_uri=${encodeURIComponent('https://app.test/?a=1')}&state=s`
    expect((await ask(back)).headers['location']).toBe('https://app.test/?a=1&state=s')
    expect(await silent()).toBe(true)
  })

  it('takes a logout in a form, and one that leads nowhere', async () => {
    const { ask, server } = await open()
    const url = 'https://auth.test/oauth/logout'
    const body = 'post_logout_redirect_uri=https%3A%2F%2Fapp.test%2F'
    expect((await ask(url, { method: 'POST', body })).headers['location']).toBe('https://app.test/')
    expect((await ask(url)).status).toBe(200)
    expect(server.user).toBeUndefined()
  })

  it('lets nobody in with null, until the test says otherwise', async () => {
    const { ask, server } = await open({}, null)
    expect((await ask(AUTHORIZE)).body).toContain('Sign in')
    server.user = createFakeUser({ userId: 'carol' })
    expect((await ask(AUTHORIZE)).status).toBe(302)
  })

  it('agrees in a window of the cloud account', async () => {
    const { ask, cloud } = await open()
    expect((await ask('https://auth.test/cloudprovider/link?client_id=admin')).body).toContain(
      "opener?.postMessage('closeMe', '*')",
    )
    expect(cloud.linkedAccount).toBeDefined()
  })

  it('speaks OpenID Connect for an issuer with a path', async () => {
    const issuer = 'https://login.example.com/realms/staff'
    const { ask } = await open({ authHost: issuer })
    const metadata = JSON.parse((await ask(`${issuer}/.well-known/openid-configuration`)).body) as Record<
      string,
      string
    >
    expect(metadata['issuer']).toBe(issuer)
    const address = AUTHORIZE.replace(
      'https://auth.test/oauth/authorize',
      metadata['authorization_endpoint']!,
    )
    const code = codeOf((await ask(`${address}&nonce=n&scope=openid`)).headers['location'])
    const { body } = await ask(metadata['token_endpoint']!, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(JSON.parse(tokenBody(code)) as Record<string, string>).toString(),
    })
    expect(JSON.parse(body)).toHaveProperty('id_token')
  })

  it('takes on the ways of a provider: the frame goes back to the app, or shows a page and answers nothing', async () => {
    const silent = `${AUTHORIZE}&${new URLSearchParams({ nonce: 'n', prompt: 'none' })}`
    const { ask, server } = await open({ provider: 'keycloak', traits: ['frame-interaction-required'] })
    const back = (await ask(silent)).headers['location']
    expect(new URL(back!).searchParams.get('error')).toBe('interaction_required')
    server.traits.clear()
    expect(codeOf((await ask(silent)).headers['location'])).toBeTruthy()
    server.traits.add('frame-no-answer')
    expect(await ask(silent)).toMatchObject({
      status: 200,
      body: expect.stringContaining('Sign in') as string,
    })
    expect(codeOf((await ask(`${AUTHORIZE}&nonce=n`)).headers['location'])).toBeTruthy()
  })

  it('knows no other address', async () => {
    expect((await (await open()).ask('https://auth.test/admin')).status).toBe(404)
  })
})
