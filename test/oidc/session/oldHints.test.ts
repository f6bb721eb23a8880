// A logout with an old ID token as its hint, at a provider that somebody else wrote (npm oidc-provider): expired, or signed with a key that is gone.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '../../../demo/authServer/listen.ts'
import type { OpenIdConnectOptions } from '../../../src/protocol/servers/oidcOptions.ts'
import { APP, server } from '../scene.ts'

const DAY_SECONDS = 86_400

/** Its keys may be others than those that an ID token was signed with. */
async function startProvider() {
  const app: { handle?: ReturnType<Provider['callback']> } = {}
  const listening = await listenOnLoopback(
    { host: 'localhost', port: 0 },
    (request, response) => void app.handle?.(request, response),
  )
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(listening.origin, {
    clients: [
      {
        client_id: 'admin',
        token_endpoint_auth_method: 'none',
        redirect_uris: [APP],
        post_logout_redirect_uris: [APP],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'now' }] },
    cookies: { keys: ['a key of this test'] },
  })
  app.handle = provider.callback()
  return { ...listening, privateKey }
}

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(async () => provider.close())

/** Leaves with the ID token of a sign-in two days ago. */
async function leave(key: CryptoKey, options: Partial<OpenIdConnectOptions> = {}) {
  const { origin: issuer } = provider
  const signedInAt = Math.floor(Date.now() / 1000) - 2 * DAY_SECONDS
  const idToken = await new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'RS256', kid: key === provider.privateKey ? 'now' : 'before' })
    .setIssuer(issuer)
    .setAudience('admin')
    .setIssuedAt(signedInAt)
    .setExpirationTime(signedInAt + DAY_SECONDS)
    .sign(key)
  const on = server({ issuer, ...options }, { end_session_endpoint: `${issuer}/session/end` })
  const page = on.logout({
    isForced: true,
    returnUri: APP,
    state: 'x',
    current: { accessToken: 'a', claims: { userId: 'ada' }, memory: { idToken } } as never,
  })
  if (!page || page instanceof Error) throw new Error('no logout page')
  const asked = new URL(page.url).searchParams
  const response = await fetch(page.url)
  return { asked, status: response.status, text: await response.text() }
}

const withoutHint = () => ({
  endSession: { url: `${provider.origin}/session/end`, returnParameter: 'post_logout_redirect_uri' },
})

describe('an ID token of two days ago', () => {
  it('is taken as a hint, although it has expired', async () => {
    const { asked, status } = await leave(provider.privateKey)
    expect(status).toBe(200)
    expect(asked.get('client_id')).toBe('admin')
    expect(asked.get('post_logout_redirect_uri')).toBe(APP)
    expect(asked.has('id_token_hint')).toBe(true)
  })

  it('of a key that is gone ends at an error page, with the words of docs/troubleshooting.md', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const { status, text } = await leave(privateKey)
    expect(status).toBe(400)
    expect(text).toContain('could not validate id_token_hint')
  })

  it('is not sent with `endSession`: the provider knows the client and the way back', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const { asked, status } = await leave(privateKey, withoutHint())
    expect(status).toBe(200)
    expect([...asked]).toEqual([
      ['client_id', 'admin'],
      ['post_logout_redirect_uri', APP],
    ])
  })
})
