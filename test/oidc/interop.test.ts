// The profile against a server that somebody else wrote: npm oidc-provider in its standard configuration, over HTTP.
import { afterAll, expect, it } from 'vitest'
import { startOidcServer } from '../../demo/servers/oidc/startOidcServer.ts'
import { oidcProvider } from '../../scripts/interop/servers/oidcProvider.ts'
import { type Step, walk } from '../../scripts/interop/walk.ts'

const APP = 'http://localhost:5173/'
const running = oidcProvider.start([APP])
afterAll(async () => (await running).stop())

it('signs in, renews, is asked silently, signs out', async () => {
  const steps: Step[] = []
  await walk(await running, APP, (step) => steps.push(step)).catch(() => {})
  expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  expect(steps.map(({ title }) => title)).toEqual([
    'discovery',
    'sign-in',
    'tokens',
    'CORS at the token endpoint',
    'a code once more',
    'wrong verifier',
    'user info',
    'refresh',
    'another tab takes it over',
    'silent check',
    'old refresh token once more',
    'revocation',
    'logout',
    'silent check after the logout',
  ])
})

it('takes an app at any address of this machine, and no other', async () => {
  const { issuer, close } = await startOidcServer()
  const ask = (redirectUri: string) =>
    fetch(
      `${issuer}/auth?${new URLSearchParams({
        client_id: 'admin',
        response_type: 'code',
        scope: 'openid',
        redirect_uri: redirectUri,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })}`,
      { redirect: 'manual' },
    ).then(({ status }) => status)
  expect(await ask('http://127.0.0.1:4999/any/page.html')).toBe(303)
  expect(await ask('https://evil.example.com/')).toBe(400)
  await close()
})
