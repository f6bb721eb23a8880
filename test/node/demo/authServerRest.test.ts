// Every REST address of the demo's authorization server, with what it refuses.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { LARGE_FIRM_USERS } from '../../../demo/seed.ts'
import { createProofKey } from '../../../demo/authServer/visitor.ts'
import { type Answer, APP_ORIGIN, claimsOf, CLIENT_ID, sceneForEachTest, text } from './authServerScene.ts'

const scene = sceneForEachTest()

const tokenOf = (userId: string, impersonatorId?: string): string =>
  scene.server.mintAccessToken(impersonatorId === undefined ? { userId } : { userId, impersonatorId })

const outcome = ({ status, body }: Answer): [number, unknown] => [status, body['error']]

const OF_CLIENT = `client_id=${CLIENT_ID}`

const ADDRESSES: [string, string][] = [
  ['GET', '/api/userinfo'],
  ['PUT', '/api/firms/firm-noorderlicht'],
  ['POST', '/api/redirections'],
  ['GET', '/cloudprovider/accesstoken'],
  ['GET', '/cloudprovider/accesstoken/cumulus-0002'],
  ['GET', '/cloudprovider/userinfo'],
  ['GET', '/cloudprovider/reauthenticate/link'],
  ['GET', `/cloudprovider/adminconsent/status?${OF_CLIENT}`],
  ['DELETE', `/cloudprovider/adminconsent?${OF_CLIENT}`],
  ['GET', `/cloudprovider/linkmap?${OF_CLIENT}`],
  ['PUT', `/cloudprovider/linkmap?${OF_CLIENT}`],
  ['POST', '/support/authorization'],
]

describe.each(ADDRESSES)('%s %s', (method, path) => {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }

  it('wants an access token that is ours and alive', async () => {
    const good = tokenOf('anna')
    const [header, payload, signature = ''] = good.split('.')
    const bad = [
      undefined,
      'not-a-token',
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      scene.server.mintAccessToken({ userId: 'anna', lifetimeSeconds: -1 }),
      scene.server.mintAccessToken({ userId: 'anna', claims: { iss: 'https://other.example' } }),
      scene.server.mintAccessToken({ userId: 'anna', claims: { jti: 'never-issued' } }),
      scene.server.mintAccessToken({ userId: 'nobody' }),
    ]
    const answers = await Promise.all(
      bad.map((token) => scene.call(method, path, { ...body, ...(token === undefined ? {} : { token }) })),
    )
    for (const answer of answers) {
      expect(outcome(answer)).toEqual([401, 'invalid_token'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP_ORIGIN)
    }
    scene.server.expireAllTokens()
    expect(outcome(await scene.call(method, path, { ...body, token: good }))).toEqual([401, 'invalid_token'])
  })
})

describe('user info', () => {
  it('says who is signed in, in which session, and for which firm', async () => {
    const { accessToken } = await scene.signIn('bram~anna')
    const { body } = await scene.call('GET', '/api/userinfo', { token: accessToken })
    expect(body).toMatchObject({
      userId: 'bram',
      impersonatorId: 'anna',
      firmId: 'firm-noorderlicht',
      sessionId: claimsOf(accessToken)['sessionId'],
      name: 'Bram Jansen',
      role: 'member',
      environment: 'eu',
      firm: { name: 'Noorderlicht Accountants', cloudProviderId: 'cumulus' },
    })
    const own = await scene.call('GET', '/api/userinfo', { token: tokenOf('anna') })
    expect(own.body).not.toHaveProperty('impersonatorId')
  })
})

describe('the firm', () => {
  const put = (userId: string, firmId: string, body: unknown): Promise<Answer> =>
    scene.call('PUT', `/api/firms/${firmId}`, { token: tokenOf(userId), body })

  it('gets another cloud provider from its administrator', async () => {
    const answer = await put('daan', 'firm-maasvogel', { id: 'firm-maasvogel', cloudProviderId: 'nimbus' })
    expect([answer.status, answer.body['cloudProviderId']]).toEqual([200, 'nimbus'])
    const { body } = await scene.call('GET', '/api/userinfo', { token: tokenOf('elif') })
    expect(body['firm']).toMatchObject({ cloudProviderId: 'nimbus' })
  })

  const ASKED = { id: 'firm-maasvogel', cloudProviderId: 'x' }
  it.each([
    ['a member', 'elif', 'firm-maasvogel', ASKED, 403],
    ['an administrator of another firm', 'anna', 'firm-maasvogel', ASKED, 403],
    ['a firm that does not exist', 'daan', 'firm-none', { id: 'firm-none', cloudProviderId: 'x' }, 403],
    ['an encoded step upwards', 'daan', '..%2Ffirm-maasvogel', ASKED, 403],
    ['another id in the body', 'daan', 'firm-maasvogel', { id: 'firm-cascade', cloudProviderId: 'x' }, 400],
    ['no provider', 'daan', 'firm-maasvogel', { id: 'firm-maasvogel' }, 400],
    ['an empty provider', 'daan', 'firm-maasvogel', { id: 'firm-maasvogel', cloudProviderId: '  ' }, 400],
    [
      'a provider that is a list',
      'daan',
      'firm-maasvogel',
      { id: 'firm-maasvogel', cloudProviderId: ['x'] },
      400,
    ],
    [
      'a provider that is too long',
      'daan',
      'firm-maasvogel',
      { id: 'firm-maasvogel', cloudProviderId: 'x'.repeat(101) },
      400,
    ],
    ['an array', 'daan', 'firm-maasvogel', [], 400],
  ])('refuses %s', async (_name, userId, firmId, body, status) => {
    const answer = await put(userId, firmId, body)
    expect(answer.status).toBe(status)
    expect(answer.body['error_description']).toEqual(expect.any(String))
    expect(scene.server.accounts.firm('firm-maasvogel')?.cloudProviderId).toBeNull()
  })

  it('refuses a body that is not JSON', async () => {
    const send = (body: string, type: string): Promise<Response> =>
      fetch(`${scene.server.origin}/api/firms/firm-maasvogel`, {
        method: 'PUT',
        body,
        headers: { authorization: `Bearer ${tokenOf('daan')}`, 'content-type': type },
      })
    expect((await send('{', 'application/json')).status).toBe(400)
    expect((await send('id=firm-maasvogel', 'application/x-www-form-urlencoded')).status).toBe(415)
  })
})

describe('the cloud account', () => {
  it('gives a token and facts to whoever has linked one', async () => {
    const token = tokenOf('bram')
    const access = await scene.call('GET', '/cloudprovider/accesstoken', { token })
    expect(access.body).toMatchObject({ id: 'cumulus-bram', token_type: 'Bearer', expires_in: 3600 })
    expect(text(access.body, 'access_token')).toMatch(/^cumulus\./)
    expect((await scene.call('GET', '/cloudprovider/accesstoken/cumulus-bram', { token })).status).toBe(200)
    const info = await scene.call('GET', '/cloudprovider/userinfo', { token })
    expect(info.body).toMatchObject({
      linked: true,
      id: 'cumulus-bram',
      email: 'bram.jansen@cumulus.example',
    })
  })

  it('says so when nothing is linked', async () => {
    const token = tokenOf('elif')
    expect(outcome(await scene.call('GET', '/cloudprovider/accesstoken', { token }))).toEqual([
      404,
      'not_found',
    ])
    expect((await scene.call('GET', '/cloudprovider/userinfo', { token })).body).toEqual({ linked: false })
    expect(outcome(await scene.call('GET', '/cloudprovider/reauthenticate/link', { token }))).toEqual([
      404,
      'not_found',
    ])
  })

  it('gives the token of a colleague to an administrator only', async () => {
    const path = '/cloudprovider/accesstoken/cumulus-0009'
    expect((await scene.call('GET', path, { token: tokenOf('anna') })).body['id']).toBe('cumulus-0009')
    expect(outcome(await scene.call('GET', path, { token: tokenOf('bram') }))).toEqual([403, 'access_denied'])
    expect(outcome(await scene.call('GET', path, { token: tokenOf('daan') }))).toEqual([404, 'not_found'])
  })

  it.each(['..', '%2e%2e', '%2F%2Fevil.example', '%00', 'ünïcode', '%E0%A4%A'])(
    'takes the id %s for nothing but an id',
    async (id) => {
      const answer = await scene.call('GET', `/cloudprovider/accesstoken/${id}`, { token: tokenOf('anna') })
      expect([400, 404]).toContain(answer.status)
    },
  )

  it('makes a new nonce each time', async () => {
    const nonce = async (): Promise<unknown> =>
      (await scene.call('GET', '/cloudprovider/reauthenticate/link', { token: tokenOf('bram') })).body[
        'nonce'
      ]
    expect(await nonce()).not.toBe(await nonce())
  })
})

describe("the administrator's consent", () => {
  const status = (userId: string, query = OF_CLIENT): Promise<Answer> =>
    scene.call('GET', `/cloudprovider/adminconsent/status?${query}`, { token: tokenOf(userId) })
  const revoke = (userId: string, query = OF_CLIENT): Promise<Answer> =>
    scene.call('DELETE', `/cloudprovider/adminconsent?${query}`, { token: tokenOf(userId) })

  it('can be read by all staff of the firm', async () => {
    expect((await status('chiara')).body).toMatchObject({
      granted: true,
      domain: 'noorderlicht.example',
      grantedBy: 'anna',
    })
    expect((await status('elif')).body).toEqual({ granted: false })
  })

  it('is revoked by an administrator with 204 and no body, and again with 204', async () => {
    const answers = [await revoke('anna'), await revoke('anna')]
    expect(answers.map(({ status: code, body }) => [code, body['text']])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect((await status('anna')).body).toEqual({ granted: false })
  })

  it('is that of a domain when one is named, and revoked for that domain only', async () => {
    const ofDomain = `${OF_CLIENT}&domain=noorderlicht.example`
    const ofOther = `${OF_CLIENT}&domain=other.example`
    expect((await status('anna', ofDomain)).body['granted']).toBe(true)
    expect((await status('anna', ofOther)).body['granted']).toBe(false)
    expect((await revoke('anna', ofOther)).status).toBe(204)
    expect((await status('anna')).body['granted']).toBe(true)
    expect((await revoke('anna', ofDomain)).status).toBe(204)
    expect((await status('anna')).body['granted']).toBe(false)
    expect(outcome(await status('anna', `${ofDomain}&domain=x`))).toEqual([400, 'invalid_request'])
  })

  it('is not revoked by a member, nor for another app', async () => {
    expect(outcome(await revoke('bram'))).toEqual([403, 'access_denied'])
    expect(outcome(await revoke('anna', 'client_id=another'))).toEqual([400, 'invalid_request'])
    expect(outcome(await revoke('anna', ''))).toEqual([400, 'invalid_request'])
    expect(outcome(await status('anna', `${OF_CLIENT}&${OF_CLIENT}`))).toEqual([400, 'invalid_request'])
    expect((await status('anna')).body['granted']).toBe(true)
  })
})

describe('the link map', () => {
  const path = `/cloudprovider/linkmap?${OF_CLIENT}`
  const read = async (
    query = '',
    userId = 'anna',
  ): Promise<{ internalUser: { id: string }; externalUser: unknown }[]> => {
    const { body } = await scene.call('GET', `${path}${query}`, { token: tokenOf(userId) })
    return body as unknown as { internalUser: { id: string }; externalUser: unknown }[]
  }
  const write = (body: unknown, userId = 'anna'): Promise<Answer> =>
    scene.call('PUT', path, { token: tokenOf(userId), body })

  it('has five thousand users in the largest firm, of whom the linked ones come first asked', async () => {
    const all = await read('&allUsers=true')
    const linked = await read()
    expect(all).toHaveLength(LARGE_FIRM_USERS)
    expect(new Set(all.map((entry) => entry.internalUser.id)).size).toBe(LARGE_FIRM_USERS)
    expect(linked).toEqual(all.filter((entry) => entry.externalUser !== null))
    expect(await read('&allUsers=false')).toEqual(linked)
    expect(linked.length).toBeGreaterThan(4000)
  })

  it('is replaced as a whole', async () => {
    const answer = await write([
      { internalUser: 'anna', externalUser: { id: 1001 } },
      {
        internalUser: { id: 'bram' },
        externalUser: { id: 'cloud-2', name: 'Bram', email: 'b@cumulus.example' },
      },
    ])
    expect([answer.status, answer.body]).toEqual([200, { saved: 2 }])
    expect(await read()).toEqual([
      expect.objectContaining({ externalUser: { id: '1001', name: '', email: '' } }),
      expect.objectContaining({ externalUser: { id: 'cloud-2', name: 'Bram', email: 'b@cumulus.example' } }),
    ])
    expect(await read('&allUsers=true')).toHaveLength(LARGE_FIRM_USERS)
    expect((await write([])).body).toEqual({ saved: 0 })
    expect(await read()).toEqual([])
  })

  it('takes back what it gave', async () => {
    const linked = await read()
    expect((await write(linked)).body).toEqual({ saved: linked.length })
    expect(await read()).toEqual(linked)
  })

  it('is for administrators, except for reading what is linked', async () => {
    expect(await read('', 'bram')).not.toHaveLength(0)
    const all = await scene.call('GET', `${path}&allUsers=true`, { token: tokenOf('bram') })
    expect(outcome(all)).toEqual([403, 'access_denied'])
    expect(outcome(await write([], 'bram'))).toEqual([403, 'access_denied'])
  })

  it('belongs to one firm', async () => {
    expect((await read('&allUsers=true', 'daan')).map((entry) => entry.internalUser.id)).toEqual([
      'daan',
      'elif',
    ])
    expect(outcome(await write([{ internalUser: 'anna', externalUser: { id: 'x' } }], 'daan'))).toEqual([
      400,
      'invalid_request',
    ])
  })

  it.each([
    ['an object', { internalUser: 'anna', externalUser: { id: 'x' } }],
    ['null', null],
    ['a text', 'anna'],
    ['an entry that is null', [null]],
    ['an entry that is an array', [[]]],
    ['no internal user', [{ externalUser: { id: 'x' } }]],
    ['an empty internal user', [{ internalUser: '', externalUser: { id: 'x' } }]],
    ['no external user', [{ internalUser: 'anna' }]],
    ['an external user that is null', [{ internalUser: 'anna', externalUser: null }]],
    ['an external user without id', [{ internalUser: 'anna', externalUser: {} }]],
    ['an external id that is a list', [{ internalUser: 'anna', externalUser: { id: ['7'] } }]],
    ['somebody unknown', [{ internalUser: 'nobody', externalUser: { id: 'x' } }]],
    [
      'somebody twice',
      [
        { internalUser: 'anna', externalUser: { id: 'x' } },
        { internalUser: 'anna', externalUser: { id: 'y' } },
      ],
    ],
  ])('refuses %s and keeps the old map', async (_name, body) => {
    expect(outcome(await write(body))).toEqual([400, 'invalid_request'])
    expect((await read()).length).toBeGreaterThan(4000)
  })

  it('refuses an allUsers that is neither true nor false', async () => {
    expect(outcome(await scene.call('GET', `${path}&allUsers=1`, { token: tokenOf('anna') }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  it('is replaced only by who has read it as it is, where If-Match says so', async () => {
    const send = (method: string, headers: Record<string, string>, body?: unknown): Promise<Response> =>
      fetch(`${scene.server.origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokenOf('anna')}`,
          'content-type': 'application/json',
          origin: APP_ORIGIN,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const seen = await send('GET', {})
    const etag = seen.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(seen.headers.get('access-control-expose-headers')).toContain('ETag')
    const anna = [{ internalUser: 'anna', externalUser: { id: 'x' } }]
    const saved = await send('PUT', { 'if-match': etag }, anna)
    expect(saved.status).toBe(200)
    const late = await send('PUT', { 'if-match': etag }, [])
    expect([late.status, await late.json()]).toMatchObject([412, { error: 'conflict' }])
    expect(await read()).toHaveLength(1)
    expect((await send('PUT', { 'if-match': saved.headers.get('etag') ?? '' }, [])).status).toBe(200)
    expect((await send('PUT', {}, anna)).status).toBe(200)
  })
})

describe('support access', () => {
  const authorize = (body: unknown, token = tokenOf('bram')): Promise<Answer> =>
    scene.call('POST', '/support/authorization', { token, body })

  it('is given for whole minutes and says when it ends', async () => {
    const { status, body } = await authorize({ requestCode: 'HELP-2041', duration: 90, client_id: CLIENT_ID })
    expect(status).toBe(200)
    expect(Date.parse(text(body, 'endsAt')) - Date.parse(text(body, 'startsAt'))).toBe(90 * 60_000)
    expect(body).not.toHaveProperty('requestCode')
  })

  it.each([
    ['no code', { duration: 5, client_id: CLIENT_ID }],
    ['a code that is none', { requestCode: '<b>', duration: 5, client_id: CLIENT_ID }],
    ['no minutes', { requestCode: 'HELP-1', duration: 0, client_id: CLIENT_ID }],
    ['half a minute', { requestCode: 'HELP-1', duration: 0.5, client_id: CLIENT_ID }],
    ['more than a day', { requestCode: 'HELP-1', duration: 1441, client_id: CLIENT_ID }],
    ['minutes as text', { requestCode: 'HELP-1', duration: '5', client_id: CLIENT_ID }],
    ['another app', { requestCode: 'HELP-1', duration: 5, client_id: 'another' }],
    ['an array', []],
  ])('refuses %s', async (_name, body) => {
    expect(outcome(await authorize(body))).toEqual([400, 'invalid_request'])
  })

  it('takes a code once, and not from somebody who works on behalf of another', async () => {
    const order = { requestCode: 'HELP-77', duration: 1440, client_id: CLIENT_ID }
    expect(outcome(await authorize(order, tokenOf('bram', 'anna')))).toEqual([403, 'access_denied'])
    expect((await authorize(order)).status).toBe(200)
    expect(outcome(await authorize(order))).toEqual([409, 'conflict'])
  })
})

describe('the key for another environment', () => {
  it('is new each time, lasts a minute, and is for the app of the token', async () => {
    const ask = (client_id: string): Promise<Answer> =>
      scene.call('POST', '/api/redirections', { token: tokenOf('frank'), body: { client_id } })
    const [first, second] = [await ask(CLIENT_ID), await ask(CLIENT_ID)]
    expect(first.body).toEqual({ jti: expect.any(String), expires_in: 60 })
    expect(first.body['jti']).not.toBe(second.body['jti'])
    expect(outcome(await ask('another'))).toEqual([400, 'invalid_request'])
  })
})

describe('addresses that are not there', () => {
  it('answers JSON for calls, and names the methods of a known address', async () => {
    const token = tokenOf('anna')
    expect(outcome(await scene.call('GET', '/api/nothing', { token }))).toEqual([404, 'not_found'])
    const wrong = await scene.call('POST', '/api/userinfo', { token, body: {} })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET'])
    expect((await scene.call('GET', '/nothing')).headers.get('content-type')).toContain('text/html')
  })
})

describe('a session that has ended', () => {
  it('takes its access and refresh tokens with it', async () => {
    const { accessToken, refreshToken, verifier } = await scene.signIn('anna')
    scene.server.revokeAllSessions()
    expect(outcome(await scene.call('GET', '/api/userinfo', { token: accessToken }))).toEqual([
      401,
      'invalid_token',
    ])
    expect(outcome(await scene.refresh(refreshToken, verifier))).toEqual([400, 'invalid_grant'])
    expect(outcome(await scene.refresh(refreshToken, createProofKey().verifier))).toEqual([
      400,
      'invalid_grant',
    ])
  })

  it('can be survived by a refresh when only the access tokens were ended', async () => {
    const { accessToken, refreshToken, verifier } = await scene.signIn('anna')
    scene.server.expireAllTokens()
    expect((await scene.call('GET', '/api/userinfo', { token: accessToken })).status).toBe(401)
    const renewed = await scene.refresh(refreshToken, verifier)
    expect(
      (await scene.call('GET', '/api/userinfo', { token: text(renewed.body, 'access_token') })).status,
    ).toBe(200)
  })
})
