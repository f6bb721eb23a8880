// The faults that tests can ask the demo's authorization server for, and the log of what arrived there.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { authorizeUrl, createProofKey, createVisitor, signInAs } from '../../../demo/authServer/visitor.ts'
import { createRedirectionConfig } from '../../../demo/redirections/config.ts'
import { startRedirectionsServer } from '../../../demo/redirections/start.ts'
import { APP_ORIGIN, CLIENT_ID, openScene, REDIRECT_URI, sceneForEachTest, text } from './authServerScene.ts'

const scene = sceneForEachTest({ faultsEndpoint: true })

const readUserInfo = (): Promise<Response> =>
  fetch(`${scene.server.origin}/api/userinfo`, {
    headers: {
      authorization: `Bearer ${scene.server.mintAccessToken({ userId: 'anna' })}`,
      origin: APP_ORIGIN,
    },
  })

describe('a rule for one address', () => {
  it.each([
    ['html', /^<!doctype html>/, 'text/html; charset=utf-8'],
    ['empty', /^$/, 'application/json; charset=utf-8'],
    ['null', /^null$/, 'application/json; charset=utf-8'],
    ['array', /^\[1,2,3\]$/, 'application/json; charset=utf-8'],
    ['wrong-keys', /accessToken/, 'application/json; charset=utf-8'],
  ] as const)(
    'answers a body that is %s, with 200, and lets the app read it',
    async (body, content, type) => {
      scene.server.faults.add({ path: '/api/userinfo', body })
      const answer = await readUserInfo()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP_ORIGIN)
      expect(await answer.text()).toMatch(content)
    },
  )

  it('answers a megabyte, or any text with any type', async () => {
    const remove = scene.server.faults.add({ path: '/api/*', body: 'huge' })
    expect((await (await readUserInfo()).text()).length).toBeGreaterThan(1024 * 1024)
    remove()
    scene.server.faults.add({
      path: '/api/*',
      body: { text: '{nope', contentType: 'application/octet-stream' },
    })
    const answer = await readUserInfo()
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'application/octet-stream',
      '{nope',
    ])
  })

  it('cuts JSON short after the work was done', async () => {
    scene.server.faults.add({ path: '/api/userinfo', stage: 'after', body: 'truncated' })
    const content = await (await readUserInfo()).text()
    expect(content).toMatch(/^\{"userId":"anna"/)
    expect(() => JSON.parse(content) as unknown).toThrow(SyntaxError)
  })

  it('answers a status with Retry-After, as often as asked, after letting some pass', async () => {
    scene.server.faults.add({ path: '/api/userinfo', status: 429, retryAfter: 7, skip: 1, times: 2 })
    const seen: [number, string | null][] = []
    for (let count = 0; count < 4; count += 1) {
      const answer = await readUserInfo()
      seen.push([answer.status, answer.headers.get('retry-after')])
    }
    expect(seen).toEqual([
      [200, null],
      [429, '7'],
      [429, '7'],
      [200, null],
    ])
    expect(scene.server.faults.pending()).toBe(0)
  })

  it('can send the app to another origin', async () => {
    scene.server.faults.add({ path: '/api/*', status: 307, headers: { location: 'http://127.0.0.1:9/' } })
    const answer = await fetch(`${scene.server.origin}/api/userinfo`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/'])
  })

  it('cuts the connection before the answer or in the middle of it', async () => {
    scene.server.faults.add({ path: '/api/userinfo', reset: 'before-answer', times: 1 })
    await expect(readUserInfo()).rejects.toThrow('fetch failed')
    scene.server.faults.add({ path: '/api/userinfo', stage: 'after', reset: 'mid-body', times: 1 })
    const begun = await readUserInfo()
    expect(begun.status).toBe(200)
    await expect(begun.text()).rejects.toThrow('terminated')
    expect((await readUserInfo()).status).toBe(200)
  })

  it('never answers, until the server closes', async () => {
    scene.server.faults.add({ path: '/api/userinfo', hang: true })
    const hanging = readUserInfo()
    await expect.poll(() => scene.server.requests.count({ path: '/api/userinfo' })).toBe(1)
    expect(scene.server.requests.all()[0]?.status).toBeUndefined()
    await Promise.all([expect(hanging).rejects.toThrow('fetch failed'), scene.server.close()])
  })

  it('waits before it goes on', async () => {
    scene.server.faults.add({ path: '/api/userinfo', delayMs: 60 })
    const startedAtMs = performance.now()
    expect((await readUserInfo()).status).toBe(200)
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(59)
  })

  it('strikes one grant type of the token address only', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    scene.server.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503 })
    expect((await scene.refresh(refreshToken, verifier)).status).toBe(503)
    expect((await scene.signIn('anna')).accessToken).not.toBe('')
  })

  it('can lose the answer of a refresh that did rotate', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    scene.server.faults.add({ path: '/oauth/token', stage: 'after', reset: 'before-answer', times: 1 })
    await expect(scene.refresh(refreshToken, verifier)).rejects.toThrow('fetch failed')
    expect(scene.server.counts.refreshes).toBe(1)
    expect((await scene.refresh(refreshToken, verifier)).body['error']).toBe('invalid_grant')
    expect(scene.server.counts.reuseDetected).toBe(1)
  })

  it('can keep the answer of one refresh back without holding up the next one', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    scene.server.faults.add({ path: '/oauth/token', stage: 'after', hang: true, times: 1 })
    const hanging = scene.refresh(refreshToken, verifier)
    await expect.poll(() => scene.server.counts.refreshes).toBe(1)
    expect((await scene.refresh(refreshToken, verifier)).body['error']).toBe('invalid_grant')
    await Promise.all([expect(hanging).rejects.toThrow('fetch failed'), scene.server.close()])
  })

  it('strikes one method only, preflights for example', async () => {
    scene.server.faults.add({ path: '/api/userinfo', method: 'OPTIONS', status: 500 })
    const preflight = await fetch(`${scene.server.origin}/api/userinfo`, {
      method: 'OPTIONS',
      headers: { origin: APP_ORIGIN, 'access-control-request-method': 'GET' },
    })
    expect([preflight.status, (await readUserInfo()).status]).toEqual([500, 200])
  })
})

describe('a switch of the whole server', () => {
  const location = async (parameters: Record<string, string> = {}): Promise<URLSearchParams> => {
    const at = await signInAs(
      createVisitor(),
      'anna',
      scene.authorize(createProofKey().challenge, parameters),
    )
    return at.searchParams
  }
  const frame = async (): Promise<Response> =>
    createVisitor().fetch(
      authorizeUrl(
        scene.authorize(createProofKey().challenge, { prompt: 'none', response_mode: 'web_message' }),
      ),
    )

  it('spoils state and issuer, in redirects and in frame messages', async () => {
    scene.server.faults.wrongState = true
    scene.server.faults.wrongIssuer = true
    const wrong = await location()
    expect([wrong.get('state'), wrong.get('iss')]).toEqual(['AAAAAA', 'https://another-issuer.example'])
    expect(wrong.has('code')).toBe(true)
    expect(await (await frame()).text()).toMatch(/"state":"AAAAAA","iss":"https:\/\/another-issuer.example"/)
    scene.server.faults.clear()
    scene.server.faults.omitIssuer = true
    expect([...(await location()).keys()]).toEqual(['code', 'state'])
    expect(await (await frame()).text()).not.toContain('"iss"')
  })

  it('refuses to be framed, in either way', async () => {
    expect((await frame()).headers.get('x-frame-options')).toBeNull()
    scene.server.faults.refuseFraming = 'x-frame-options'
    const denied = await frame()
    expect(denied.headers.get('x-frame-options')).toBe('DENY')
    expect(denied.headers.get('content-security-policy')).not.toContain('frame-ancestors')
    scene.server.faults.refuseFraming = 'csp'
    expect((await frame()).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('keeps silent in the frame', async () => {
    scene.server.faults.dropWebMessage = true
    const answer = await frame()
    expect([answer.status, (await answer.text()).includes('postMessage')]).toEqual([200, false])
  })

  it('changes lifetimes, answers and rotation', async () => {
    scene.server.faults.accessTokenLifetimeSeconds = 5
    const { verifier, challenge } = createProofKey()
    const first = await scene.exchange(
      await signInAs(createVisitor(), 'anna', scene.authorize(challenge)),
      verifier,
    )
    expect(first.body['expires_in']).toBe(5)
    scene.server.faults.editTokenAnswer = ({ expires_in: _left, ...answer }) => answer
    scene.server.faults.rotationOff = true
    const refreshToken = text(first.body, 'refresh_token')
    for (let count = 0; count < 3; count += 1) {
      const again = await scene.refresh(refreshToken, verifier)
      expect([again.body['refresh_token'], 'expires_in' in again.body]).toEqual([refreshToken, false])
    }
    expect(scene.server.counts).toMatchObject({ refreshes: 3, reuseDetected: 0 })
  })

  it('fails the next refreshes without harm to the family', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    scene.server.faults.failNextRefreshes = 2
    const answers = [
      await scene.refresh(refreshToken, verifier),
      await scene.refresh(refreshToken, verifier),
      await scene.refresh(refreshToken, verifier),
    ]
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
      [200, undefined],
    ])
  })

  it('makes every request slower', async () => {
    scene.server.faults.latencyMs = 60
    const startedAtMs = performance.now()
    await readUserInfo()
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(59)
  })

  it('cuts popups off from their opener', async () => {
    const policy = async (): Promise<string | null> =>
      (await fetch(`${scene.server.origin}/oauth/close?client_id=${CLIENT_ID}`)).headers.get(
        'cross-origin-opener-policy',
      )
    expect(await policy()).toBeNull()
    scene.server.faults.severPopups = true
    expect(await policy()).toBe('same-origin')
  })
})

describe('the request log', () => {
  it('counts calls and keeps no secret', async () => {
    const { refreshToken, verifier, accessToken, visitor } = await scene.signIn('anna')
    await scene.refresh(refreshToken, verifier)
    await scene.call('GET', '/api/userinfo', { token: accessToken })
    const { requests } = scene.server
    expect(requests.count({ path: '/oauth/token' })).toBe(2)
    expect(requests.count({ path: '/oauth/token', grant: 'refresh_token', status: 200 })).toBe(1)
    expect(requests.matching({ path: '/api/userinfo' })).toEqual([
      expect.objectContaining({
        method: 'GET',
        origin: APP_ORIGIN,
        hadBearer: true,
        hadCookie: false,
        status: 200,
      }),
    ])
    expect(requests.matching({ path: '/oauth/authorize' })[0]?.queryNames).toContain('code_challenge')
    expect(requests.matching({ path: '/oauth/signin/:uid' }).map(({ method }) => method)).toEqual([
      'GET',
      'POST',
    ])
    const everything = JSON.stringify(requests.all())
    for (const secret of [refreshToken, verifier, accessToken, 'aB3dE6', ...visitor.cookies()]) {
      expect(everything).not.toContain(secret)
    }
    requests.clear()
    expect(requests.count()).toBe(0)
  })

  it('tells silent checks from sign-ins', async () => {
    await createVisitor().fetch(authorizeUrl(scene.authorize(createProofKey().challenge, { prompt: 'none' })))
    await createVisitor().fetch(authorizeUrl(scene.authorize(createProofKey().challenge)))
    expect(scene.server.requests.count({ prompt: 'none' })).toBe(1)
    expect(scene.server.requests.count({ path: '/oauth/authorize' })).toBe(2)
  })
})

describe('POST /__faults', () => {
  const order = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${scene.server.origin}/__faults`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  it('drives rules and switches from another process, and reads the counts', async () => {
    const set = await order({
      rules: [{ path: '/api/userinfo', status: 500, times: 1 }],
      switches: { latencyMs: 1 },
    })
    expect(await set.json()).toMatchObject({ rules: 1, counts: { refreshes: 0 }, requests: [] })
    expect(scene.server.faults.latencyMs).toBe(1)
    expect((await readUserInfo()).status).toBe(500)
    expect(await (await fetch(`${scene.server.origin}/__faults`)).json()).toMatchObject({
      rules: 0,
      requests: [{ path: '/api/userinfo', status: 500 }],
    })
    await order({ clear: true, clearRequests: true })
    expect(scene.server.faults.latencyMs).toBe(0)
    expect(scene.server.requests.count()).toBe(0)
  })

  it('ends sessions and tokens', async () => {
    const { refreshToken, verifier, accessToken } = await scene.signIn('anna')
    await order({ expireAllTokens: true })
    expect((await scene.call('GET', '/api/userinfo', { token: accessToken })).status).toBe(401)
    await order({ revokeAllSessions: true })
    expect((await scene.refresh(refreshToken, verifier)).status).toBe(400)
  })

  it('refuses pages, other methods and orders that it does not know', async () => {
    expect((await order({ clear: true }, { origin: APP_ORIGIN })).status).toBe(403)
    expect((await fetch(`${scene.server.origin}/__faults`, { method: 'PUT' })).status).toBe(405)
    for (const bad of [[], null, { switches: { nothing: 1 } }, { switches: { clear: 1 } }, { rules: [{}] }]) {
      expect((await order(bad)).status).toBe(400)
    }
    expect((await order({ switches: { editTokenAnswer: 1 } })).status).toBe(400)
  })

  it('is not there unless asked for', async () => {
    const plain = await openScene()
    expect((await fetch(`${plain.server.origin}/__faults`)).status).toBe(404)
    await plain.server.close()
  })
})

describe('an app that is made known later', () => {
  it('can sign in, be framed and call from then on', async () => {
    const redirectUri = 'http://localhost:58888/app'
    const options = { ...scene.authorize(createProofKey().challenge), redirectUri }
    expect((await createVisitor().fetch(authorizeUrl(options))).status).toBe(400)
    scene.server.registerApp({ redirectUris: [redirectUri] })
    expect((await signInAs(createVisitor(), 'anna', options)).href).toContain(`${redirectUri}?code=`)
    expect((await signInAs(createVisitor(), 'anna', { ...options, redirectUri: REDIRECT_URI })).origin).toBe(
      APP_ORIGIN,
    )
    expect(() =>
      scene.server.registerApp({ redirectUris: [], appOrigins: ['http://localhost:1/path'] }),
    ).toThrow('not an origin')
    expect(() => scene.server.setCloudProvider('somewhere')).toThrow('not an origin')
  })

  it('can be another kind of client: forms, spaces, an ID token, and no verifier on refresh', async () => {
    const redirectUri = 'http://127.0.0.1:57777/'
    const other = await openScene({
      clients: [{ clientId: 'peer', redirectUris: [redirectUri], verifierOnRefresh: false }],
    })
    const { verifier, challenge } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', {
      origin: other.server.origin,
      clientId: 'peer',
      redirectUri,
      challenge,
      parameters: { scope: 'openid profile offline_access', nonce: 'n-1' },
    })
    const post = async (fields: Record<string, string>): Promise<Record<string, unknown>> => {
      const body = new URLSearchParams({ client_id: 'peer', ...fields })
      const headers = { origin: 'http://127.0.0.1:57777' }
      const answer = await fetch(`${other.server.origin}/oauth/token`, { method: 'POST', body, headers })
      return (await answer.json()) as Record<string, unknown>
    }
    const code = at.searchParams.get('code') ?? ''
    const first = await post({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    })
    expect(first).toMatchObject({ id_token: expect.any(String), access_token: expect.any(String) })
    const second = await post({ grant_type: 'refresh_token', refresh_token: text(first, 'refresh_token') })
    expect(second).toMatchObject({ access_token: expect.any(String) })
    const discovery = await fetch(`${other.server.origin}/.well-known/openid-configuration`)
    expect(await discovery.json()).toMatchObject({
      issuer: other.server.origin,
      authorization_endpoint: `${other.server.origin}/oauth/authorize`,
      token_endpoint: `${other.server.origin}/oauth/token`,
    })
    await other.server.close()
  })
})

describe('the redirections file', () => {
  const config = createRedirectionConfig({
    clientId: CLIENT_ID,
    authHosts: { eu: 'http://127.0.0.1:4001', us: 'http://127.0.0.1:4002' },
  })

  it('sends the firms of each environment to its server', async () => {
    const cdn = await startRedirectionsServer({ config })
    const answer = await fetch(cdn.url, { headers: { origin: APP_ORIGIN } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({
      topLevelDomains: ['127.0.0.1'],
      environments: [
        {
          criteria: { firmId: ['firm-noorderlicht', 'firm-maasvogel'] },
          applications: [CLIENT_ID],
          authHost: 'http://127.0.0.1:4001',
          topLevelDomain: '127.0.0.1',
        },
        {
          criteria: { firmId: ['firm-cascade'] },
          applications: [CLIENT_ID],
          authHost: 'http://127.0.0.1:4002',
          topLevelDomain: '127.0.0.1',
        },
      ],
      environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
    })
    expect(cdn.requests.count({ path: '/redirections.json' })).toBe(1)
    await cdn.close()
  })

  it('can be replaced by anything, and be the file again', async () => {
    const cdn = await startRedirectionsServer({ config })
    cdn.answerWith({ status: 503, text: '<h1>down</h1>', contentType: 'text/html' })
    const down = await fetch(cdn.url)
    expect([down.status, await down.text()]).toEqual([503, '<h1>down</h1>'])
    cdn.answerWith(undefined)
    cdn.setConfig({ ...config, environments: [] })
    expect(await (await fetch(cdn.url)).json()).toMatchObject({ environments: [] })
    expect((await fetch(`${cdn.origin}/other`)).status).toBe(404)
    cdn.answerWith({ hang: true })
    await expect(fetch(cdn.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
    await cdn.close()
  })
})
