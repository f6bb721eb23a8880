// latchkey against a server that somebody else wrote: npm oidc-provider in its standard configuration, over HTTP.

// @module-tag thorough

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { findFreePort } from '../../../scripts/browsers/freePort.ts'
import type { RunningServer } from '../interop/server.ts'
import { betterAuth } from '../interop/servers/betterAuth.ts'
import { glewlwyd } from '../interop/servers/glewlwyd.ts'
import { oidcProvider } from '../interop/servers/oidcProvider.ts'
import { SESSION_CASES } from '../interop/sessionCases.ts'
import { walkChecks, walkSession } from '../interop/walks.ts'

const SERVERS = [oidcProvider, betterAuth, glewlwyd]
let app = ''
let running: RunningServer
beforeAll(async () => {
  app = `http://localhost:${await findFreePort()}/`
  running = await oidcProvider.start([app])
})
afterAll(async () => running.stop())

let checked: readonly string[] = []
it('keeps what `npx latchkey check --sign-in` looks for', async () => {
  const steps = await walkChecks(running, app, oidcProvider)
  expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  checked = steps.map(({ title }) => title)
  expect(checked).toContain('logout-return')
})

it('keeps a whole session: sign-in, reload, tabs, renewal, logout, and what goes wrong on the way', async () => {
  const steps = await walkSession(running, app, oidcProvider)
  expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  const found = Object.fromEntries(steps.map((step) => [step.title, step.found]))
  expect(found).toEqual({
    'a cold sign-in': 'back at the place; GET /.well-known/openid-configuration, POST /token',
    'a reload': 'signed in by the frame; frame /auth, GET /.well-known/openid-configuration, POST /token',
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

it.each(SERVERS)('$name names deviations by checks and cases that there are', ({ deviations, leftOut }) => {
  const titles = [...checked, ...SESSION_CASES.map(({ title }) => title)]
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
