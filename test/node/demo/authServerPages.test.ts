// Logging out, passing a session on, changing a password and the cloud popups of the demo's servers.

// @module-tag thorough

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHandovers } from '../../../demo/authServer/handovers.ts'
import {
  authorizeUrl,
  createProofKey,
  createVisitor,
  type Visitor,
} from '../../../demo/authServer/visitor.ts'
import {
  APP_ORIGIN,
  claimsOf,
  CLIENT_ID,
  openScene,
  REDIRECT_URI,
  text,
  type Scene,
} from './authServerScene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await openScene()
})

afterEach(async () => {
  await scene.server.close()
})

/** Does the server still know this browser? */
async function hasSession(visitor: Visitor, { server, authorize }: Scene = scene): Promise<boolean> {
  const answer = await visitor.fetch(
    authorizeUrl({ ...authorize(createProofKey().challenge, { prompt: 'none' }), origin: server.origin }),
  )
  return new URL(answer.headers.get('location') ?? '').searchParams.has('code')
}

const address = (path: string, parameters: Record<string, string>, origin = scene.server.origin): string =>
  `${origin}${path}?${new URLSearchParams(parameters)}`

const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

describe('logging out', () => {
  const forced = { client_id: CLIENT_ID, force: 'true', post_logout_redirect_uri: REDIRECT_URI, state: 'xY9' }

  it('ends the session at once with force, with all it gave out, and goes back with the state', async () => {
    const { visitor, accessToken, refreshToken, verifier } = await scene.signIn('anna')
    const answer = await visitor.fetch(address('/oauth/logout', forced))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${REDIRECT_URI}?state=xY9`])
    expect(await hasSession(visitor)).toBe(false)
    expect((await scene.call('GET', '/api/userinfo', { token: accessToken })).status).toBe(401)
    expect((await scene.refresh(refreshToken, verifier)).body['error']).toBe('invalid_grant')
  })

  it('ends one browser only', async () => {
    const here = await scene.signIn('anna')
    const there = await scene.signIn('anna')
    await here.visitor.fetch(address('/oauth/logout', forced))
    expect(await hasSession(there.visitor)).toBe(true)
    expect((await scene.refresh(there.refreshToken, there.verifier)).status).toBe(200)
  })

  it('asks first without force, and does what is answered', async () => {
    const { visitor } = await scene.signIn('anna')
    const asking = address('/oauth/logout', { ...forced, force: 'false' })
    const page = await (await visitor.fetch(asking)).text()
    expect(page).toContain('Sign out Anna de Vries?')
    expect(await hasSession(visitor)).toBe(true)
    expect((await visitor.submit(asking, { key: 'guessed', answer: 'yes' })).status).toBe(400)
    const key = fieldOf(page, 'key')
    const stay = await visitor.submit(asking, { key, answer: 'no' })
    expect([stay.headers.get('location'), await hasSession(visitor)]).toEqual([
      `${REDIRECT_URI}?state=xY9`,
      true,
    ])
    const leave = await visitor.submit(asking, { key, answer: 'yes' })
    expect([leave.headers.get('location'), await hasSession(visitor)]).toEqual([
      `${REDIRECT_URI}?state=xY9`,
      false,
    ])
  })

  it('shows a page when there is nowhere to go back to', async () => {
    const { visitor } = await scene.signIn('anna')
    const answer = await visitor.fetch(address('/oauth/logout', { client_id: CLIENT_ID, force: 'true' }))
    expect([answer.status, await hasSession(visitor)]).toEqual([200, false])
  })

  it.each([
    ['another origin', 'https://evil.example/'],
    ['a longer address', `${REDIRECT_URI}other`],
    ['user info', 'http://127.0.0.1:59999@evil.example/'],
    ['no scheme', '//127.0.0.1:59999/'],
    ['a script', 'javascript:alert(1)'],
    ['a stranger with our passthrough path', 'https://evil.example/oauth/passthrough?jti=x'],
  ])('goes nowhere and ends nothing for %s', async (_name, post_logout_redirect_uri) => {
    const { visitor } = await scene.signIn('anna')
    const answer = await visitor.fetch(address('/oauth/logout', { ...forced, post_logout_redirect_uri }))
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await hasSession(visitor)).toBe(true)
  })

  it('refuses an app that it does not know', async () => {
    const answer = await createVisitor().fetch(address('/oauth/logout', { ...forced, client_id: 'nobody' }))
    expect(answer.status).toBe(400)
  })
})

describe('passthrough', () => {
  const redirect = `${APP_ORIGIN}/firm?tab=1#here`

  it('starts a session from the jti of a live token, once, and goes where it was told', async () => {
    const { accessToken } = await scene.signIn('bram~anna')
    const jti = text(claimsOf(accessToken), 'jti')
    const visitor = createVisitor()
    const answer = await visitor.fetch(address('/oauth/passthrough', { jti, redirect }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, redirect])
    expect(await hasSession(visitor)).toBe(true)
    const signedIn = await scene.signIn('nobody', visitor)
    expect(claimsOf(signedIn.accessToken)).toMatchObject({ userId: 'bram', impersonatorId: 'anna' })
    const second = createVisitor()
    expect((await second.fetch(address('/oauth/passthrough', { jti, redirect }))).status).toBe(400)
    expect(await hasSession(second)).toBe(false)
  })

  it('replaces the session of somebody else and keeps an own one', async () => {
    const { visitor, accessToken } = await scene.signIn('anna')
    const ownKey = scene.server.mintAccessToken({ userId: 'anna' })
    await visitor.fetch(address('/oauth/passthrough', { jti: text(claimsOf(ownKey), 'jti'), redirect }))
    const same = await scene.signIn('nobody', visitor)
    expect(claimsOf(same.accessToken)['sessionId']).toBe(claimsOf(accessToken)['sessionId'])
    const other = scene.server.mintAccessToken({ userId: 'bram' })
    await visitor.fetch(address('/oauth/passthrough', { jti: text(claimsOf(other), 'jti'), redirect }))
    expect(claimsOf((await scene.signIn('nobody', visitor)).accessToken)['userId']).toBe('bram')
    expect((await scene.call('GET', '/api/userinfo', { token: accessToken })).status).toBe(401)
  })

  it.each([
    ['another origin', 'https://evil.example/'],
    ['no scheme', '//evil.example/'],
    ['a backslash', 'http:\\\\evil.example'],
    ['user info', 'http://127.0.0.1:59999@evil.example/'],
    ['user info of our own', 'http://anna@127.0.0.1:59999/'],
    ['a longer port', 'http://127.0.0.1:599990/'],
    ['a longer host', 'http://127.0.0.1:59999.evil.example/'],
    ['a script', 'javascript:alert(1)//127.0.0.1:59999'],
    ['data', 'data:text/html,hello'],
    ['a path', '/firm'],
    ['nothing', ''],
    ['a line break', '\r\nlocation: https://evil.example'],
  ])('never leads to %s, and the jti stays good', async (_name, wanted) => {
    const jti = text(claimsOf(scene.server.mintAccessToken({ userId: 'anna' })), 'jti')
    const visitor = createVisitor()
    const refused = await visitor.fetch(address('/oauth/passthrough', { jti, redirect: wanted }))
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
    expect((await visitor.fetch(address('/oauth/passthrough', { jti, redirect }))).status).toBe(303)
  })

  it('refuses a jti that is missing, doubled, unknown or of an expired token', async () => {
    const expired = text(
      claimsOf(scene.server.mintAccessToken({ userId: 'anna', lifetimeSeconds: -1 })),
      'jti',
    )
    const good = text(claimsOf(scene.server.mintAccessToken({ userId: 'anna' })), 'jti')
    const search = [`jti=${expired}`, 'jti=unknown', '', `jti=${good}&jti=${good}`]
    for (const query of search) {
      const visitor = createVisitor()
      const answer = await visitor.fetch(
        `${scene.server.origin}/oauth/passthrough?${query}&redirect=${encodeURIComponent(redirect)}`,
      )
      expect([answer.status, await hasSession(visitor)]).toEqual([400, false])
    }
  })
})

describe('another environment', () => {
  it('takes over a user by a one-time key after the logout here', async () => {
    const handovers = createHandovers()
    const europe = await openScene({ handovers })
    const america = await openScene({ environment: 'us', handovers })
    europe.server.addPartner(america.server.origin)
    const { visitor, accessToken } = await europe.signIn('frank')
    const { body } = await europe.call('POST', '/api/redirections', {
      token: accessToken,
      body: { client_id: CLIENT_ID },
    })
    const passthrough = address(
      '/oauth/passthrough',
      { jti: text(body, 'jti'), redirect: REDIRECT_URI },
      america.server.origin,
    )
    const logout = await visitor.fetch(
      address(
        '/oauth/logout',
        { client_id: CLIENT_ID, force: 'true', post_logout_redirect_uri: passthrough, state: 'abc' },
        europe.server.origin,
      ),
    )
    const onward = new URL(logout.headers.get('location') ?? '')
    expect(onward.origin).toBe(america.server.origin)
    const arrived = await visitor.fetch(onward.href)
    expect(arrived.headers.get('location')).toBe(REDIRECT_URI)
    expect([await hasSession(visitor, europe), await hasSession(visitor, america)]).toEqual([false, true])
    expect((await createVisitor().fetch(onward.href)).status).toBe(400)
    await europe.server.close()
    await america.server.close()
  })

  it('rewrites no address: from the app of another environment the user goes on by a click', async () => {
    const handovers = createHandovers()
    const partner = 'http://127.0.0.1:4999'
    const america = await openScene({ environment: 'us', handovers })
    america.server.addPartnerApp(partner)
    const go = async (redirect: string) => {
      const visitor = createVisitor()
      const query = { jti: handovers.issue('frank'), redirect }
      const answer = await visitor.fetch(address('/oauth/passthrough', query, america.server.origin))
      return { answer, isIn: await hasSession(visitor, america) }
    }
    const { answer, isIn } = await go(`${partner}/activity?x=%20a+b&"y"#here`)
    expect([answer.status, answer.headers.get('location'), isIn]).toEqual([200, null, true])
    expect(await answer.text()).toContain(`href="${APP_ORIGIN}/activity?x=%20a+b&amp;%22y%22#here"`)
    const stranger = await go('http://127.0.0.1:4998/activity')
    expect([stranger.answer.status, stranger.isIn]).toEqual([400, false])
    await america.server.close()
  })

  it('does not let in a person whom it does not know', async () => {
    const handovers = createHandovers()
    const america = await openScene({ environment: 'us', handovers })
    const visitor = createVisitor()
    const jti = handovers.issue('anna')
    const answer = await visitor.fetch(
      address('/oauth/passthrough', { jti, redirect: REDIRECT_URI }, america.server.origin),
    )
    expect([answer.status, await hasSession(visitor, america)]).toEqual([400, false])
    await america.server.close()
  })
})

describe('the last page of a popup', () => {
  const close = async (query: Record<string, string>, referer?: string): Promise<string> => {
    const answer = await fetch(address('/oauth/close', query), {
      headers: referer === undefined ? {} : { referer },
    })
    return answer.text()
  }

  it('tells closeMe to the registered origins of the app, and to nobody else', async () => {
    expect(await close({ client_id: CLIENT_ID })).toContain(`for (const target of ["${APP_ORIGIN}"])`)
    expect(await close({ client_id: CLIENT_ID, origin: 'https://evil.example' })).not.toContain('evil')
    expect(await close({ client_id: 'nobody' })).toContain('for (const target of [])')
    expect(await close({ client_id: CLIENT_ID }, 'https://evil.example/')).not.toContain('evil')
  })

  it('can say it in each form that the contract knows, or not at all', async () => {
    for (const form of ['type', 'name', 'message'] as const) {
      scene.server.faults.closeMessage = form
      expect(await close({ client_id: CLIENT_ID })).toContain(`postMessage({"${form}":"closeMe"}, target)`)
    }
    scene.server.faults.closeMessage = 'nothing'
    expect(await close({ client_id: CLIENT_ID })).not.toContain('postMessage')
  })
})

describe('changing the password', () => {
  const form = address.bind(undefined, '/oauth/changepassword', { client_id: CLIENT_ID })

  it('needs the current one, eight characters, and the same twice', async () => {
    const { visitor } = await scene.signIn('anna')
    const key = fieldOf(await (await visitor.fetch(form())).text(), 'key')
    const change = (current: string, next: string, repeat: string, proof = key): Promise<Response> =>
      visitor.submit(form(), { key: proof, current, next, repeat })
    const refusals = [
      await change('wrong', 'a new password', 'a new password'),
      await change('demo-password', 'short', 'short'),
      await change('demo-password', 'a new password', 'another one'),
      await change('demo-password', 'a new password', 'a new password', 'guessed'),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    expect(await refusals[0]?.text()).toContain('role="alert"')
    const done = await change('demo-password', 'a new password', 'a new password')
    expect(done.headers.get('location')).toBe(
      `${scene.server.origin}/oauth/close?client_id=${CLIENT_ID}&done=true`,
    )
    expect((await change('demo-password', 'yet another one', 'yet another one')).status).toBe(422)
    expect((await change('a new password', 'yet another one', 'yet another one')).status).toBe(303)
  })

  it('is for somebody who is signed in, and for a known app', async () => {
    expect((await createVisitor().fetch(form())).status).toBe(401)
    const { visitor } = await scene.signIn('anna')
    expect((await visitor.fetch(address('/oauth/changepassword', { client_id: 'nobody' }))).status).toBe(400)
  })

  it('remembers which app opened it', async () => {
    const { visitor } = await scene.signIn('anna')
    const page = await (await visitor.fetch(form(), { headers: { referer: `${APP_ORIGIN}/account` } })).text()
    expect(fieldOf(page, 'opener')).toBe(APP_ORIGIN)
    const fields = {
      key: fieldOf(page, 'key'),
      current: 'demo-password',
      next: '12345678',
      repeat: '12345678',
    }
    const done = await visitor.submit(form(), { ...fields, opener: APP_ORIGIN })
    expect(new URL(done.headers.get('location') ?? '').searchParams.get('origin')).toBe(APP_ORIGIN)
    const spoiled = await visitor.submit(form(), {
      ...fields,
      opener: 'https://evil.example',
      current: '12345678',
    })
    expect(spoiled.headers.get('location')).not.toContain('evil')
  })
})

describe('the popups of the cloud account', () => {
  const open = (visitor: Visitor, path: string, more: Record<string, string> = {}): Promise<Response> =>
    visitor.fetch(address(`/cloudprovider/${path}`, { client_id: CLIENT_ID, ...more }), {
      headers: { referer: `${APP_ORIGIN}/` },
    })

  const submit = async (visitor: Visitor, opened: Response, decision: string): Promise<Response> =>
    visitor.submit(opened.url, {
      ticket: fieldOf(await opened.clone().text(), 'ticket'),
      decision,
      account: 'cumulus-shared',
    })
  /** Decides on the cloud provider's page; returns the address where the popup ends. */
  const decide = async (visitor: Visitor, opened: Response, decision: string): Promise<URL> =>
    new URL((await submit(visitor, opened, decision)).headers.get('location') ?? '')

  const info = async (
    accessToken: string,
    path = '/cloudprovider/userinfo',
  ): Promise<Record<string, unknown>> => (await scene.call('GET', path, { token: accessToken })).body

  it('link an account once the visitor agrees, and end by telling the app', async () => {
    const { visitor, accessToken } = await scene.signIn('elif')
    const opened = await open(visitor, 'link')
    const end = await decide(visitor, opened, 'approve')
    expect(`${end.pathname}${end.search}`).toBe(
      `/oauth/close?client_id=${CLIENT_ID}&done=true&origin=${encodeURIComponent(APP_ORIGIN)}`,
    )
    expect(await info(accessToken)).toMatchObject({
      linked: true,
      id: 'cumulus-shared',
      email: 'office@cumulus.example',
    })
    expect((await submit(visitor, opened, 'approve')).status).toBe(400)
  })

  it('change nothing when the visitor denies, and still end', async () => {
    const { visitor, accessToken } = await scene.signIn('elif')
    const end = await decide(visitor, await open(visitor, 'link'), 'deny')
    expect(end.pathname).toBe('/oauth/close')
    expect(await info(accessToken)).toEqual({ linked: false })
  })

  it('that the app sends to the last page end what they have half done; one that ended by itself ends no other', async () => {
    const { visitor, accessToken } = await scene.signIn('elif')
    const halfDone = await open(visitor, 'link')
    await (await visitor.fetch(address('/oauth/close', { client_id: CLIENT_ID }))).text()
    expect((await submit(visitor, halfDone, 'approve')).status).toBe(400)
    expect(await info(accessToken)).toEqual({ linked: false })

    const other = await open(visitor, 'link')
    const end = await decide(visitor, await open(visitor, 'link'), 'deny')
    await (await visitor.fetch(end.href)).text()
    await decide(visitor, other, 'approve')
    expect(await info(accessToken)).toMatchObject({ linked: true })
  })

  it('unlink an account that is there', async () => {
    const { visitor, accessToken } = await scene.signIn('bram')
    await decide(visitor, await open(visitor, 'unlink'), 'approve')
    expect(await info(accessToken)).toEqual({ linked: false })
    expect((await open(visitor, 'unlink')).status).toBe(409)
  })

  it('confirm an account again with a nonce that works once and for its owner', async () => {
    const { visitor, accessToken } = await scene.signIn('bram')
    const nonce = async (): Promise<string> =>
      text(await info(accessToken, '/cloudprovider/reauthenticate/link'), 'nonce')
    const good = await nonce()
    const before = await info(accessToken)
    await decide(visitor, await open(visitor, 'reauthenticate', { nonce: good }), 'approve')
    expect(Date.parse(text(await info(accessToken), 'confirmedAt'))).toBeGreaterThanOrEqual(
      Date.parse(text(before, 'confirmedAt')),
    )
    expect((await open(visitor, 'reauthenticate', { nonce: good })).status).toBe(400)
    expect((await open(visitor, 'reauthenticate')).status).toBe(400)
    const other = await scene.signIn('elif')
    await decide(other.visitor, await open(other.visitor, 'link'), 'approve')
    expect((await open(other.visitor, 'reauthenticate', { nonce: await nonce() })).status).toBe(400)
  })

  it("give the administrator's consent for a domain", async () => {
    const { visitor, accessToken } = await scene.signIn('daan')
    await decide(
      visitor,
      await open(visitor, 'adminconsent', { domain: 'office.maasvogel.example' }),
      'approve',
    )
    expect(
      await info(accessToken, `/cloudprovider/adminconsent/status?client_id=${CLIENT_ID}`),
    ).toMatchObject({
      granted: true,
      domain: 'office.maasvogel.example',
      grantedBy: 'daan',
    })
    expect((await open(visitor, 'adminconsent', { domain: 'not a domain' })).status).toBe(400)
    const member = await scene.signIn('elif')
    expect((await open(member.visitor, 'adminconsent')).status).toBe(403)
  })

  it('refuse a visitor without a session and an unknown app', async () => {
    expect((await open(createVisitor(), 'link')).status).toBe(401)
    const { visitor } = await scene.signIn('elif')
    expect((await open(visitor, 'link', { client_id: 'nobody' })).status).toBe(400)
  })

  it('do not take the form of one session in another one', async () => {
    const one = await scene.signIn('elif')
    const opened = await open(one.visitor, 'link')
    const other = await scene.signIn('daan')
    expect((await submit(other.visitor, opened, 'approve')).status).toBe(400)
    expect(await info(other.accessToken)).toEqual({ linked: false })
  })
})

describe('every page', () => {
  it('has a strict policy, is not cached, sends no address on and cannot be framed', async () => {
    const { visitor } = await scene.signIn('anna')
    const pages = await Promise.all(
      [
        '/nothing',
        `/oauth/close?client_id=${CLIENT_ID}`,
        `/oauth/changepassword?client_id=${CLIENT_ID}`,
        `/oauth/logout?client_id=${CLIENT_ID}`,
        '/oauth/passthrough',
        `/oauth/authorize?client_id=nobody`,
      ].map((path) => visitor.fetch(`${scene.server.origin}${path}`)),
    )
    for (const { headers } of pages) {
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(await pages[0]?.text()).toContain('Demo and test tool.')
  })

  it('does not repeat what was sent to it', async () => {
    const evil = '"><script>alert(1)</script>'
    const answer = await createVisitor().fetch(
      address('/oauth/authorize', {
        client_id: evil,
        redirect_uri: evil,
        state: evil,
        response_type: 'code',
      }),
    )
    expect(await answer.text()).not.toContain('alert(1)')
  })
})
