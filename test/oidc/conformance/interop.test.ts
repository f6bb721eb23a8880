// The profile against a server that somebody else wrote: npm oidc-provider in its standard configuration, over HTTP.
import { afterAll, expect, it } from 'vitest'
import { startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { betterAuth } from '../../../scripts/interop/servers/betterAuth.ts'
import { glewlwyd } from '../../../scripts/interop/servers/glewlwyd.ts'
import { oidcProvider } from '../../../scripts/interop/servers/oidcProvider.ts'
import { SESSION_CASES } from '../../../scripts/interop/sessionCases.ts'
import { type Step, walk } from '../../../scripts/interop/walk.ts'
import { walkSession } from '../../../scripts/interop/walkSession.ts'

const SERVERS = [oidcProvider, betterAuth, glewlwyd]
const STEPS = [
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
]
const APP = 'http://localhost:5173/'
const running = oidcProvider.start([APP])
afterAll(async () => (await running).stop())

it('signs in, renews, is asked silently, signs out', async () => {
  const steps: Step[] = []
  await walk(await running, APP, (step) => steps.push(step)).catch(() => {})
  expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  expect(steps.map(({ title }) => title)).toEqual(STEPS)
})

it('keeps a whole session: sign-in, reload, tabs, renewal, logout, and what goes wrong on the way', async () => {
  const steps: Step[] = []
  await walkSession(await running, APP, oidcProvider, (step) => steps.push(step))
  expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  const found = Object.fromEntries(steps.map((step) => [step.title, step.found]))
  expect(found).toEqual({
    'a cold sign-in': 'back at the place; GET /.well-known/openid-configuration, frame /auth, POST /token',
    'a reload': 'signed in by the frame; frame /auth, POST /token',
    'a new tab': 'signed in by the first one, without a request',
    'a renewal on time': '1 refresh, another token, no render',
    'a forced renewal': '1 refresh, another token, no render',
    '8 tabs, an expired token': '1 refresh, the same token in all',
    'a logout, and the other tabs': 'signed out in both, and the server has no session left',
    'a denied sign-in': expect.stringContaining('unauthenticated, cancelled, access-denied'),
    'a wrong client': expect.stringContaining('iframe-timeout'),
    'a restart of the server': expect.stringContaining('signed in anew'),
    'a token endpoint without CORS': expect.stringContaining('CORS'),
  })
})

it.each(SERVERS)('$name names deviations by steps that there are', ({ deviations, leftOut }) => {
  const titles = [...STEPS, ...SESSION_CASES.map(({ title }) => title)]
  for (const title of Object.keys({ ...deviations, ...leftOut })) expect(titles).toContain(title)
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
