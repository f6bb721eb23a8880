// What the demo's authorization server promises to an app that signs in and renews.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import {
  createVisitor,
  createProofKey,
  authorizeUrl,
  follow,
  signInAs,
} from '../../../demo/authServer/visitor.ts'
import {
  APP_ORIGIN,
  claimsOf,
  CLIENT_ID,
  openScene,
  REDIRECT_URI,
  sceneForEachTest,
  text,
} from './authServerScene.ts'

const scene = sceneForEachTest()

/** A visitor whom the server does not know yet, on its sign-in page. */
async function openSignInPage(parameters: Record<string, string> = {}) {
  const visitor = createVisitor()
  const start = await visitor.fetch(authorizeUrl(scene.authorize(createProofKey().challenge, parameters)))
  return { visitor, ...(await follow(visitor, start, scene.server.origin)) }
}

const frameParameters = { prompt: 'none', response_mode: 'web_message' }

/** What the page of the hidden frame would post, and to whom. */
function frameMessage(html: string): {
  message: { type: string; response: Record<string, string> }
  target: string
} {
  const [, message = '', target = ''] = /postMessage\((\{.*\}), (".*?")\)/.exec(html) ?? []
  return {
    message: JSON.parse(message) as { type: string; response: Record<string, string> },
    target: JSON.parse(target) as string,
  }
}

describe('signing in', () => {
  it.each(['bram', 'bram@noorderlicht.example'])(
    'puts %s first, whom the app names in login_hint',
    async (hint) => {
      const visitor = createVisitor()
      const address = authorizeUrl(scene.authorize(createProofKey().challenge, { login_hint: hint }))
      const { response } = await follow(visitor, await visitor.fetch(address), scene.server.origin)
      const people = [...(await response.text()).matchAll(/name="account" value="([^"]*)"/g)].map(
        ([, who]) => who,
      )
      expect(people[0]).toBe('bram')
      expect(people.filter((who) => who === 'bram')).toHaveLength(1)
      expect(people.length).toBeGreaterThan(5)
    },
  )

  it('gives a code to the app, with its state and the issuer', async () => {
    const { challenge } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge))
    expect(`${at.origin}${at.pathname}`).toBe(REDIRECT_URI)
    expect([...at.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state'])
    expect(at.searchParams.get('state')).toBe('aB3dE6')
    expect(at.searchParams.get('iss')).toBe(scene.server.origin)
  })

  it('turns the code into a JWT with the claims of the specification', async () => {
    const { accessToken } = await scene.signIn('anna')
    const claims = claimsOf(accessToken)
    expect(Object.keys(claims).toSorted()).toEqual([
      'aud',
      'exp',
      'firmId',
      'iat',
      'iss',
      'jti',
      'role',
      'sessionId',
      'userId',
    ])
    expect(claims).toMatchObject({
      userId: 'anna',
      firmId: 'firm-noorderlicht',
      aud: CLIENT_ID,
      iss: scene.server.origin,
    })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(120)
  })

  it('names the administrator who works on behalf of somebody', async () => {
    const { accessToken } = await scene.signIn('bram~anna')
    expect(claimsOf(accessToken)).toMatchObject({ userId: 'bram', impersonatorId: 'anna' })
  })

  it('answers a token request with what the app needs and nothing that it must not have', async () => {
    const { verifier, challenge } = createProofKey()
    const answer = await scene.exchange(
      await signInAs(createVisitor(), 'anna', scene.authorize(challenge)),
      verifier,
    )
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ])
    expect(answer.body).toMatchObject({ expires_in: 120, token_type: 'Bearer', scope: 'profile firm' })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('tells the app when the visitor cancels', async () => {
    const { visitor, url } = await openSignInPage()
    const { url: at } = await follow(
      visitor,
      await visitor.submit(url.href, { cancel: '1' }),
      scene.server.origin,
    )
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'aB3dE6',
      iss: scene.server.origin,
    })
    expect(at.origin).toBe(APP_ORIGIN)
  })

  it('does not sign in somebody it does not know', async () => {
    const { visitor, url } = await openSignInPage()
    for (const account of ['nobody', 'anna~bram', 'grace', '', '__proto__']) {
      expect((await visitor.submit(url.href, { account })).status).toBe(400)
    }
  })

  it('does not show the sign-in page of one browser in another one', async () => {
    const { url } = await openSignInPage()
    expect((await createVisitor().fetch(url.href)).status).toBe(400)
    expect((await createVisitor().submit(url.href, { account: 'anna' })).status).toBe(400)
  })

  it('keeps a remembered session when the browser closes, and no other', async () => {
    const remembered = createVisitor()
    const passing = createVisitor()
    const { challenge } = createProofKey()
    await signInAs(remembered, 'anna', { ...scene.authorize(challenge), remember: true })
    await signInAs(passing, 'anna', scene.authorize(challenge))
    const isSignedIn = async (visitor: typeof passing): Promise<boolean> => {
      const answer = await visitor.fetch(authorizeUrl(scene.authorize(challenge, { prompt: 'none' })))
      return new URL(answer.headers.get('location') ?? '').searchParams.has('code')
    }
    expect([await isSignedIn(remembered), await isSignedIn(passing)]).toEqual([true, true])
    remembered.closeBrowser()
    passing.closeBrowser()
    expect([await isSignedIn(remembered), await isSignedIn(passing)]).toEqual([true, false])
  })

  it('ticks the remember-me box when the app asks for it', async () => {
    const asked = await openSignInPage({ remember_me: 'true' })
    expect(await asked.response.text()).toContain('name="remember" checked')
    const usual = await openSignInPage()
    expect(await usual.response.text()).not.toContain('checked')
  })

  it('keeps the session id through tabs, renewals and reloads, and makes a new one for a new sign-in', async () => {
    const first = await scene.signIn('anna')
    const secondTab = await scene.signIn('anna', first.visitor)
    const renewed = await scene.refresh(first.refreshToken, first.verifier)
    const session = claimsOf(first.accessToken)['sessionId']
    expect(claimsOf(secondTab.accessToken)['sessionId']).toBe(session)
    expect(claimsOf(text(renewed.body, 'access_token'))['sessionId']).toBe(session)
    expect(claimsOf((await scene.signIn('anna')).accessToken)['sessionId']).not.toBe(session)
  })
})

describe('what an authorize request must carry', () => {
  const refusedWith = async (parameters: Record<string, string | undefined>): Promise<string | null> => {
    const answer = await createVisitor().fetch(
      authorizeUrl(scene.authorize(createProofKey().challenge, parameters)),
    )
    const location = answer.headers.get('location')
    if (location === null) return `page ${answer.status}`
    const { hash, search } = new URL(location, scene.server.origin)
    return new URLSearchParams(search || hash.slice(1)).get('error')
  }

  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown app', { client_id: 'nobody' }, 'page 400'],
    ['no app', { client_id: undefined }, 'page 400'],
    ['an address that is not registered', { redirect_uri: 'http://127.0.0.1:59999/other' }, 'page 400'],
    ['an address on another origin', { redirect_uri: 'https://evil.example/' }, 'page 400'],
    ['an address that only begins well', { redirect_uri: `${REDIRECT_URI}@evil.example` }, 'page 400'],
    ['an unknown prompt', { prompt: 'perhaps' }, 'invalid_request'],
  ])('refuses %s', async (_name, parameters, outcome) => {
    expect(await refusedWith(parameters)).toBe(outcome)
  })

  it('takes a plain challenge when the switch allows it, and then wants exactly that verifier', async () => {
    scene.server.faults.allowPlainChallenge = true
    const { verifier } = createProofKey()
    const at = await signInAs(
      createVisitor(),
      'anna',
      scene.authorize(verifier, { code_challenge_method: 'plain' }),
    )
    expect((await scene.exchange(at, createProofKey().verifier)).status).toBe(400)
    const again = await signInAs(
      createVisitor(),
      'anna',
      scene.authorize(verifier, { code_challenge_method: 'plain' }),
    )
    expect((await scene.exchange(again, verifier)).status).toBe(200)
  })

  it('understands scopes joined by commas, by spaces, and none at all', async () => {
    const scopeOf = async (scope: string): Promise<unknown> => {
      const { verifier, challenge } = createProofKey()
      const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge, { scope }))
      return (await scene.exchange(at, verifier)).body['scope']
    }
    expect(await scopeOf('profile,firm,cloud:read')).toBe('profile firm cloud:read')
    expect(await scopeOf('profile firm')).toBe('profile firm')
    expect(await scopeOf('')).toBe('staff')
  })
})

describe('the hidden frame', () => {
  it('gets a code for the session, posted to the app origin only', async () => {
    const { visitor } = await scene.signIn('anna')
    const { verifier, challenge } = createProofKey()
    const answer = await visitor.fetch(authorizeUrl(scene.authorize(challenge, frameParameters)))
    const { message, target } = frameMessage(await answer.text())
    expect(target).toBe(APP_ORIGIN)
    expect(message.type).toBe('authorization_response')
    expect(message.response).toMatchObject({ state: 'aB3dE6', iss: scene.server.origin })
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain(`frame-ancestors ${APP_ORIGIN}`)
    expect(policy).toMatch(/script-src 'nonce-[\w+/]+=*'/)
    const at = new URL(`${REDIRECT_URI}?code=${message.response['code'] ?? ''}`)
    expect((await scene.exchange(at, verifier)).status).toBe(200)
  })

  it('gets login_required in the same form when there is no session', async () => {
    const answer = await createVisitor().fetch(
      authorizeUrl(scene.authorize(createProofKey().challenge, frameParameters)),
    )
    const { message, target } = frameMessage(await answer.text())
    expect(target).toBe(APP_ORIGIN)
    expect(message.response).toMatchObject({
      error: 'login_required',
      state: 'aB3dE6',
      iss: scene.server.origin,
    })
  })

  it('escapes a state that tries to leave the script', async () => {
    const state = '</script><script>alert(1)</script>'
    const answer = await createVisitor().fetch(
      authorizeUrl(scene.authorize(createProofKey().challenge, { ...frameParameters, state })),
    )
    const html = await answer.text()
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(frameMessage(html).message.response['state']).toBe(state)
  })

  it('tells an unregistered address nothing', async () => {
    const answer = await createVisitor().fetch(
      authorizeUrl(
        scene.authorize(createProofKey().challenge, {
          ...frameParameters,
          redirect_uri: 'https://evil.example/',
        }),
      ),
    )
    expect(answer.status).toBe(400)
    expect(await answer.text()).not.toContain('postMessage')
  })
})

describe('a code', () => {
  it('needs the verifier of its challenge', async () => {
    const { challenge } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge))
    const answer = await scene.exchange(at, createProofKey().verifier)
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant'])
  })

  it('works once, and its second use ends what the first one gave', async () => {
    const { verifier, challenge } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge))
    const first = await scene.exchange(at, verifier)
    const second = await scene.exchange(at, verifier)
    expect([first.status, second.status, second.body['error']]).toEqual([200, 400, 'invalid_grant'])
    expect((await scene.refresh(text(first.body, 'refresh_token'), verifier)).body['error']).toBe(
      'invalid_grant',
    )
  })

  it('belongs to one redirect URI', async () => {
    const { verifier, challenge } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge))
    const answer = await scene.token({
      grant_type: 'authorization_code',
      code: at.searchParams.get('code'),
      code_verifier: verifier,
      client_id: CLIENT_ID,
      redirect_uri: `${REDIRECT_URI}other`,
    })
    expect(answer.body['error']).toBe('invalid_grant')
  })
})

describe('renewal', () => {
  it('gives a new refresh token each time, in a chain', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    const second = await scene.refresh(refreshToken, verifier)
    const third = await scene.refresh(text(second.body, 'refresh_token'), verifier)
    expect([second.status, third.status]).toEqual([200, 200])
    expect(new Set([refreshToken, second.body['refresh_token'], third.body['refresh_token']]).size).toBe(3)
    expect(scene.server.counts).toMatchObject({ codesExchanged: 1, refreshes: 2, reuseDetected: 0 })
  })

  it('ends the family when a used refresh token comes again, and leaves other sign-ins alone', async () => {
    const first = await scene.signIn('anna')
    const otherTab = await scene.signIn('anna', first.visitor)
    const renewed = await scene.refresh(first.refreshToken, first.verifier)
    expect((await scene.refresh(first.refreshToken, first.verifier)).body['error']).toBe('invalid_grant')
    expect((await scene.refresh(text(renewed.body, 'refresh_token'), first.verifier)).body['error']).toBe(
      'invalid_grant',
    )
    expect(
      (await scene.call('GET', '/api/userinfo', { token: text(renewed.body, 'access_token') })).status,
    ).toBe(401)
    expect((await scene.refresh(otherTab.refreshToken, otherTab.verifier)).status).toBe(200)
    expect(scene.server.counts).toMatchObject({ reuseDetected: 1, familiesRevoked: 1 })
  })

  it('lets only one of many simultaneous uses through and counts the rest as reuse', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    const answers = await Promise.all(Array.from({ length: 8 }, () => scene.refresh(refreshToken, verifier)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(scene.server.counts.reuseDetected).toBeGreaterThanOrEqual(1)
    expect(scene.server.counts.familiesRevoked).toBe(1)
  })

  it('wants the verifier of the sign-in that began the family', async () => {
    const { refreshToken, verifier } = await scene.signIn('anna')
    const other = await scene.signIn('bram')
    expect((await scene.refresh(refreshToken, other.verifier)).body['error']).toBe('invalid_grant')
    expect((await scene.refresh(refreshToken, 'short')).body['error']).toBe('invalid_grant')
    const without = await scene.token({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: CLIENT_ID,
    })
    expect([without.status, without.body['error']]).toEqual([400, 'invalid_request'])
    expect((await scene.refresh(refreshToken, verifier)).status).toBe(200)
  })

  it('refuses a token that it never gave', async () => {
    const answer = await scene.refresh('never-issued', createProofKey().verifier)
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant'])
  })
})

describe('the token endpoint', () => {
  it('takes forms too, and refuses what is neither', async () => {
    const post = (body: string, type: string) =>
      fetch(`${scene.server.origin}/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } })
    const { challenge, verifier } = createProofKey()
    const at = await signInAs(createVisitor(), 'anna', scene.authorize(challenge))
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: at.searchParams.get('code') ?? '',
      code_verifier: verifier,
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
    })
    expect((await post(form.toString(), 'application/x-www-form-urlencoded')).status).toBe(200)
    for (const body of ['{', '[]', 'null', '{"grant_type":1}', '"text"']) {
      const answer = await post(body, 'application/json')
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it('refuses an unknown grant and an unknown app', async () => {
    expect((await scene.token({ grant_type: 'password', client_id: CLIENT_ID })).body['error']).toBe(
      'unsupported_grant_type',
    )
    const unknown = await scene.token({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'nobody',
    })
    expect([unknown.status, unknown.body['error']]).toEqual([401, 'invalid_client'])
  })

  it('answers the preflight of the app for two hours, and no other origin at all', async () => {
    const preflight = (origin: string) =>
      fetch(`${scene.server.origin}/oauth/token`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
    const allowed = await preflight(APP_ORIGIN)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-max-age')).toBe('7200')
    expect(allowed.headers.get('access-control-allow-origin')).toBe(APP_ORIGIN)
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    for (const origin of [
      'https://evil.example',
      'null',
      `${APP_ORIGIN}.evil.example`,
      'http://127.0.0.1:5999',
    ]) {
      const refused = await preflight(origin)
      expect(refused.status).toBe(403)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('lets an app read an error across origins', async () => {
    const answer = await scene.token({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: CLIENT_ID,
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP_ORIGIN)
  })
})

describe('the jti grant', () => {
  it('turns the jti of a live token into another token of the same session, once', async () => {
    const { accessToken } = await scene.signIn('bram~anna')
    const { jti, sessionId } = claimsOf(accessToken)
    const grant = { grant_type: 'jti', assertion: jti, client_id: CLIENT_ID }
    const first = await scene.token(grant)
    expect(first.status).toBe(200)
    expect(claimsOf(text(first.body, 'access_token'))).toMatchObject({
      userId: 'bram',
      impersonatorId: 'anna',
      sessionId,
    })
    expect(
      (await scene.call('GET', '/api/userinfo', { token: text(first.body, 'access_token') })).status,
    ).toBe(200)
    const second = await scene.token(grant)
    expect([second.status, second.body['error']]).toEqual([400, 'invalid_grant'])
  })

  it('refuses what is missing or unknown', async () => {
    expect((await scene.token({ grant_type: 'jti', client_id: CLIENT_ID })).body['error']).toBe(
      'invalid_request',
    )
    const unknown = await scene.token({ grant_type: 'jti', assertion: 'made-up', client_id: CLIENT_ID })
    expect(unknown.body['error']).toBe('invalid_grant')
  })
})

describe('a server that is only for this computer', () => {
  it('refuses another host to listen on, and another name to be called by', async () => {
    await expect(openScene({ host: '0.0.0.0' as '127.0.0.1' })).rejects.toThrow('loopback only')
    const { port } = new URL(scene.server.origin)
    expect((await fetch(`http://localhost:${port}/api/userinfo`)).status).toBe(421)
  })

  it('can stand on the other loopback name, which is another site', async () => {
    const other = await openScene({ host: 'localhost' })
    expect(other.server.origin).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await other.signIn('anna')).accessToken).not.toBe('')
    await other.server.close()
  })

  it('keeps the sessions of two servers on one host apart', async () => {
    const other = await openScene()
    const { visitor } = await scene.signIn('anna')
    await other.signIn('bram', visitor)
    const again = await scene.signIn('anna', visitor)
    expect(claimsOf(again.accessToken)['userId']).toBe('anna')
    await other.server.close()
  })
})

describe('with anyLoopbackApp', () => {
  const open = sceneForEachTest({ anyLoopbackApp: true })
  const at = (address: string) => ({
    origin: open.server.origin,
    redirectUri: address,
    challenge: createProofKey().challenge,
  })
  const preflight = async (origin: string) =>
    fetch(`${open.server.origin}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })

  it.each(['http://localhost:3000/', 'http://127.0.0.1:5174/admin/', 'http://shop.localhost/'])(
    'signs in the app at %s, which nobody has registered',
    async (address) => {
      const url = await signInAs(createVisitor(), 'anna', at(address))
      expect(`${url.origin}${url.pathname}`).toBe(address)
      expect((await preflight(url.origin)).headers.get('access-control-allow-origin')).toBe(url.origin)
      const logout = `${open.server.origin}/oauth/logout?client_id=${CLIENT_ID}&force=true&post_logout_redirect_uri=${encodeURIComponent(address)}`
      expect((await fetch(logout, { redirect: 'manual' })).headers.get('location')).toBe(address)
    },
  )

  it.each(['https://example.com/', 'http://localhost.example.com/', 'http://anna@localhost:3000/'])(
    'refuses %s as ever',
    async (address) => {
      const visitor = createVisitor()
      expect((await visitor.fetch(authorizeUrl(at(address)))).status).toBe(400)
      if (!address.includes('@')) expect((await preflight(new URL(address).origin)).status).toBe(403)
    },
  )

  it('lets pages of this computer frame the silent check', async () => {
    const response = await fetch(
      authorizeUrl({ ...at('http://localhost:3000/'), parameters: frameParameters }),
      { redirect: 'manual' },
    )
    expect(response.headers.get('content-security-policy')).toContain(
      'frame-ancestors http://127.0.0.1:59999 http://localhost:* http://127.0.0.1:*',
    )
  })
})
