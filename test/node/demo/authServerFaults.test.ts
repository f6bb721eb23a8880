// The demo's authorization server from outside: its log, apps made known later, and the redirections file.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { authorizeUrl, createProofKey, createVisitor, signInAs } from '../../../demo/authServer/visitor.ts'
import { createRedirectionConfig } from '../../../demo/redirections/config.ts'
import { startRedirectionsServer } from '../../../demo/redirections/start.ts'
import { APP_ORIGIN, CLIENT_ID, REDIRECT_URI, sceneForEachTest } from './authServerScene.ts'

const scene = sceneForEachTest()

describe('the request log', () => {
  it('counts calls and keeps no secret', async () => {
    const { refreshToken, verifier, accessToken } = await scene.signIn('anna')
    await scene.refresh(refreshToken, verifier)
    await scene.call('GET', '/api/userinfo', { token: accessToken })
    const { requests } = scene.server
    expect(requests.count({ path: '/oauth/token' })).toBe(2)
    expect(requests.count({ path: '/oauth/token', grant: 'refresh_token', status: 200 })).toBe(1)
    expect(requests.matching({ path: '/api/userinfo' })).toEqual([
      expect.objectContaining({
        method: 'GET',
        status: 200,
      }),
    ])
    expect(requests.matching({ path: '/oauth/authorize' })[0]?.queryNames).toContain('code_challenge')
    expect(requests.matching({ path: '/oauth/signin/:uid' }).map(({ method }) => method)).toEqual([
      'GET',
      'POST',
    ])
    const everything = JSON.stringify(requests.all())
    for (const secret of [refreshToken, verifier, accessToken, 'aB3dE6']) {
      expect(everything).not.toContain(secret)
    }
    requests.clear()
    expect(requests.count()).toBe(0)
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
    expect(() => scene.server.addPartner('somewhere')).toThrow('not an origin')
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
    expect(await (await fetch(cdn.url)).json()).toMatchObject({ topLevelDomains: ['127.0.0.1'] })
    expect((await fetch(`${cdn.origin}/other`)).status).toBe(404)
    cdn.answerWith({ hang: true })
    await expect(fetch(cdn.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
    await cdn.close()
  })
})
