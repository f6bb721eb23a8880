// What createAuth says to every wrong config, and what a right one means.
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { told } from '../thrownError.ts'
import { type AuthConfig, parseConfig } from '../../../src/protocol/config.ts'
import { pubnub } from '../../../src/pubnub/index.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { CONFIG } from '../session/sessionScene.ts'

const GOOD: AuthConfig = { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] }
const without = (name: keyof AuthConfig) => {
  const { [name]: _, ...others } = GOOD
  return others
}
const with_ = (members: object) => ({ ...GOOD, ...members })
/** A row for a wrong value of one member. */
const wrong = (what: string, name: string, value: unknown): [string, object, string] => [
  what,
  with_({ [name]: value }),
  `Invalid config parameter : ${name}`,
]

const IS_REALTIME = "pubnub({ … }), with import { pubnub } from 'latchkey/pubnub', or a RealtimeTransport"
const SCOPES = 'Scopes must be an array with string values'

const BAD: readonly [what: string, config: unknown, message: string][] = [
  ['undefined', undefined, 'Missing config parameter : authHost'],
  ['null', null, 'Missing config parameter : authHost'],
  ['a string', 'https://auth.test', 'Missing config parameter : authHost'],
  ['a number', 7, 'Missing config parameter : authHost'],
  ['an empty object', {}, 'Missing config parameter : authHost'],
  ['an empty array', [], 'Missing config parameter : authHost'],
  ['no authHost', without('authHost'), 'Missing config parameter : authHost'],
  ['no clientId', without('clientId'), 'Missing config parameter : clientId'],
  ['no scopes', without('scopes'), 'Missing config parameter : scopes'],
  ['authHost null', with_({ authHost: null }), 'Missing config parameter : authHost'],
  ['authHost empty', with_({ authHost: '' }), 'Missing config parameter : authHost'],
  ['clientId null', with_({ clientId: null }), 'Missing config parameter : clientId'],
  ['clientId empty', with_({ clientId: '' }), 'Missing config parameter : clientId'],
  ['scopes null', with_({ scopes: null }), 'Missing config parameter : scopes'],
  ['scopes empty text', with_({ scopes: '' }), 'Missing config parameter : scopes'],
  ['scopes as one text', with_({ scopes: 'openid profile' }), SCOPES],
  ['scopes as object', with_({ scopes: { 0: 'openid', length: 1 } }), SCOPES],
  ['scopes as set', with_({ scopes: new Set(['openid']) }), SCOPES],
  ['a number among the scopes', with_({ scopes: ['openid', 1] }), SCOPES],
  ['null among the scopes', with_({ scopes: [null] }), SCOPES],
  ['a hole among the scopes', with_({ scopes: Object.assign(['openid'], { 2: 'profile' }) }), SCOPES],
  ['an empty scope', with_({ scopes: ['openid', ''] }), SCOPES],
  ['a scope with a comma', with_({ scopes: ['openid,admin'] }), SCOPES],
  ['a scope with a space', with_({ scopes: ['openid profile'] }), SCOPES],
  ['a scope with a line end', with_({ scopes: ['openid\n'] }), SCOPES],
  ['a scope with a quote', with_({ scopes: ['"openid"'] }), SCOPES],
  ['a scope with a backslash', with_({ scopes: ['open\\id'] }), SCOPES],
  ['a scope beyond ASCII', with_({ scopes: ['öffnen'] }), SCOPES],
  ['nested scopes', with_({ scopes: [['openid']] }), SCOPES],
  ['a String object as scope', with_({ scopes: [new String('openid')] }), SCOPES],
  wrong('authHost a number', 'authHost', 1),
  wrong('authHost a URL object', 'authHost', new URL('https://auth.test')),
  wrong('authHost without scheme', 'authHost', 'auth.test'),
  wrong('authHost without scheme, with slashes', 'authHost', '//auth.test'),
  wrong('authHost over http', 'authHost', 'http://auth.test'),
  wrong('authHost over http on a look-alike of loopback', 'authHost', 'http://127.0.0.1.evil.test'),
  wrong('authHost over http on a look-alike of localhost', 'authHost', 'http://localhost.evil.test'),
  wrong('authHost as script', 'authHost', 'javascript:alert(1)'),
  wrong('authHost as data', 'authHost', 'data:text/html,x'),
  wrong('authHost as file', 'authHost', 'file:///etc/passwd'),
  wrong('authHost over ws', 'authHost', 'wss://auth.test'),
  wrong('authHost as blob', 'authHost', 'blob:https://auth.test/1'),
  wrong('authHost with a user', 'authHost', 'https://user@auth.test'),
  wrong('authHost with user and password', 'authHost', 'https://user:pass@auth.test'),
  wrong('authHost with an empty user', 'authHost', 'https://@auth.test'),
  wrong('authHost with a path', 'authHost', 'https://auth.test/tenant'),
  wrong('authHost with a query', 'authHost', 'https://auth.test?a=1'),
  wrong('authHost with an empty query', 'authHost', 'https://auth.test/?'),
  wrong('authHost with a hash', 'authHost', 'https://auth.test#a'),
  wrong('authHost with an empty hash', 'authHost', 'https://auth.test/#'),
  wrong('authHost with a trailing dot', 'authHost', 'https://auth.test.'),
  wrong('authHost with a space before', 'authHost', ' https://auth.test'),
  wrong('authHost with a line end after', 'authHost', 'https://auth.test\n'),
  wrong('authHost with a tab inside', 'authHost', 'https://auth\t.test'),
  wrong('authHost with backslashes', 'authHost', 'https:\\\\auth.test'),
  wrong('authHost with a port out of range', 'authHost', 'https://auth.test:99999'),
  wrong('clientId a number', 'clientId', 7),
  wrong('clientId with a line end', 'clientId', 'ad\nmin'),
  wrong('clientId with a NUL', 'clientId', 'admin\0'),
  wrong('clientId beyond ASCII', 'clientId', 'ädmin'),
  wrong('clientId of 201 characters', 'clientId', 'a'.repeat(201)),
  wrong('autoLogin as text', 'autoLogin', 'false'),
  wrong('verifyFirstVisit as text', 'verifyFirstVisit', 'no'),
  wrong('autoLogout a number', 'autoLogout', 0),
  wrong('autoRefreshToken as text', 'autoRefreshToken', 'yes'),
  wrong('uniqueSession an object', 'uniqueSession', {}),
  wrong('rememberMe a number', 'rememberMe', 1),
  wrong('idle time of nothing', 'idleTimeoutInMinutes', 0),
  wrong('negative idle time', 'idleTimeoutInMinutes', -1),
  wrong('idle time NaN', 'idleTimeoutInMinutes', NaN),
  wrong('idle time as text', 'idleTimeoutInMinutes', '30'),
  wrong('endless frame limit', 'iframeTimeoutInSeconds', Infinity),
  wrong('frame limit of nothing', 'iframeTimeoutInSeconds', 0),
  wrong('frame limit a BigInt', 'iframeTimeoutInSeconds', 60n),
  wrong('hooks a function', 'hooks', () => {}),
  wrong('hooks as text', 'hooks', 'afterLogin'),
  ['an unknown hook', with_({ hooks: { afterlogin: () => {} } }), 'Unsupported hook: afterlogin'],
  ['a hook named like a builtin', with_({ hooks: { toString: () => {} } }), 'Unsupported hook: toString'],
  ['a hook that is text', with_({ hooks: { afterLogin: 'run' } }), 'hook must be a function: afterLogin'],
  ['a hook that is null', with_({ hooks: { beforeLogout: null } }), 'hook must be a function: beforeLogout'],
  [
    'a hook that is an object',
    with_({ hooks: { afterRefreshToken: {} } }),
    'hook must be a function: afterRefreshToken',
  ],
  wrong('initToken a number', 'initToken', 5),
  wrong('a relative redirectUri', 'redirectUri', '/home'),
  wrong('a redirectUri over http', 'redirectUri', 'http://app.test/'),
  wrong('a redirectUri with a hash', 'redirectUri', 'https://app.test/#a'),
  wrong('a redirectUri with a user', 'redirectUri', 'https://me@app.test/'),
  wrong('a redirectUri that is a script', 'redirectUri', 'javascript:1'),
  wrong('audience empty', 'audience', ''),
  wrong('audience a list', 'audience', ['admin']),
  wrong('sessionType a number', 'sessionType', 1),
  wrong('sessionType 4', 'sessionType', '4'),
  wrong('deviceId of no UUID', 'deviceId', 'my laptop'),
  wrong('deviceId nil', 'deviceId', '00000000-0000-0000-0000-000000000000'),
  wrong('deviceId a number', 'deviceId', 7),
  wrong('apiOrigins as text', 'apiOrigins', 'https://api.test'),
  wrong('an API origin with a path', 'apiOrigins', ['https://api.test/v1']),
  wrong('an API origin over http', 'apiOrigins', ['http://api.test']),
  wrong('every origin as API origin', 'apiOrigins', ['*']),
]

describe('a wrong config', () => {
  it.each(BAD)('%s is refused with its own text', (_what, config, message) => {
    const { platform } = createFakeHost('https://app.test/')
    const create = () => createAuth(config as AuthConfig, { platform })
    expect(create).toThrow(AuthError)
    expect(create).toThrow(expect.objectContaining({ message }))
  })

  it.each(BAD)('%s: the error says what to do and quotes nothing of the config', (_what, config) => {
    let caught: unknown
    try {
      parseConfig(config as AuthConfig)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(AuthError)
    const { remedy, message } = caught as AuthError
    expect(remedy?.length).toBeGreaterThan(10)
    expect(`${message} ${remedy}`).not.toMatch(/evil|user:pass|openid,admin/)
  })

  it('names the first missing parameter in the order authHost, clientId, scopes', () => {
    expect(() => parseConfig({ scopes: ['openid'] } as never)).toThrow('Missing config parameter : authHost')
    expect(() => parseConfig({ authHost: 'https://auth.test' } as never)).toThrow(
      'Missing config parameter : clientId',
    )
  })

  it('touches nothing of the page: no request, no storage, no listener, no timer', () => {
    const host = createFakeHost('https://app.test/')
    createAuth(GOOD, { platform: host.platform })
    expect(() => createAuth({} as never, { platform: host.platform })).toThrow(
      'Missing config parameter : authHost',
    )
    expect(host.requests).toEqual([])
    expect(host.sessionStorage.entries()).toEqual({})
    expect(host.localStorage.entries()).toEqual({})
    expect(Object.values(host.counts()).every((count) => count === 0)).toBe(true)
  })
})

describe('a slip in the config', () => {
  const told = (config: object) => {
    try {
      parseConfig(config as AuthConfig)
    } catch (error) {
      const { code, message, remedy, stack = '' } = error as AuthError
      return { code, message, remedy, isInStack: stack.includes(remedy ?? 'nothing') }
    }
    return undefined
  }

  it.each([
    ['redirectURI', 'Did you mean redirectUri?'],
    ['autologin', 'Did you mean autoLogin?'],
    ['idleTimeoutInMinute', 'Did you mean idleTimeoutInMinutes?'],
    ['hook', 'Did you mean hooks?'],
    ['servr', 'Did you mean server?'],
    // Near two of them: the first.
    ['autoLogon', 'Did you mean autoLogin?'],
    ['udience', 'Did you mean audience?'],
    ['dience', 'Did you mean audience?'],
    ['auience', 'Did you mean audience?'],
    ['audien', 'Did you mean audience?'],
    ['xaudience', 'Did you mean audience?'],
    ['xxaudience', 'Did you mean audience?'],
    ['audienxce', 'Did you mean audience?'],
    ['auxdienxce', 'Did you mean audience?'],
    ['audiencexx', 'Did you mean audience?'],
    ['xudiencx', 'Did you mean audience?'],
    ['auxxence', 'Did you mean audience?'],
    ['xudienc', 'Did you mean audience?'],
    ['udiencex', 'Did you mean audience?'],
    ['ience', 'Take ience out: nothing reads it.'],
    ['xxxaudience', 'Take xxxaudience out: nothing reads it.'],
    ['xxxience', 'Take xxxience out: nothing reads it.'],
    ['xuxixnce', 'Take xuxixnce out: nothing reads it.'],
    ['audxxxnce', 'Take audxxxnce out: nothing reads it.'],
    ['somethingElse', 'Take somethingElse out: nothing reads it.'],
    ['sessionWorker', 'Take sessionWorker out: nothing reads it.'],
  ])('%s is not passed over in silence', (name, remedy) => {
    expect(told(with_({ [name]: true }))).toEqual({
      code: 'invalid-config',
      message: `Unknown config parameter : ${name}`,
      remedy,
      isInStack: true,
    })
    expect(told(with_({ [name]: undefined }))).toBeUndefined()
  })

  it.each([
    ['https://auth.test/oauth', 'https://auth.test'],
    ['https://auth.test/?a=b', 'https://auth.test'],
    ['https://me:secret@auth.test', 'https://auth.test'],
    ['http://localhost:4000/x', 'http://localhost:4000'],
  ])('authHost %s is told the origin to use', (authHost, origin) => {
    const { remedy } = told(with_({ authHost }))!
    expect(remedy).toBe(
      `authHost must be an https origin, or http on loopback, and nothing more: '${origin}'.`,
    )
  })

  const SERVER = "server must be what openIdConnect() of 'latchkey/oidc' returns."
  it.each<[object, string]>([
    [{ server: 'https://auth.test', authHost: undefined }, SERVER],
    [{ server: {}, authHost: '' }, SERVER],
    [{ server: 7, authHost: undefined }, SERVER],
    [{ server: {} }, 'server must be given without authHost: one of the two.'],
    [{ checkSessionOnWake: 'yes' }, 'checkSessionOnWake must be true or false.'],
    [{ claims: {} }, 'claims must be a function.'],
    [{ firmChannel: 'x' }, 'firmChannel must be a function.'],
    [{ deviceId: 'mine' }, 'deviceId must be a UUID that is not nil.'],
    [{ realtime: 'pubnub' }, `realtime must be ${IS_REALTIME}.`],
    // Bare keys, as latchkey took them before.
    [{ realtime: { publishKey: 'p', subscribeKey: 's' } }, `realtime must be ${IS_REALTIME}.`],
  ])('%j says what it must be', (slip, remedy) => {
    expect(told(with_(slip))).toMatchObject({ code: 'invalid-config', remedy })
  })

  it('does not check a session on wake unless it is asked to', () => {
    expect(parseConfig(GOOD).checkSessionOnWake).toBe(false)
  })

  it('that is far from every origin gets no guess', () => {
    expect(told(with_({ authHost: 'http://auth.test/' }))?.remedy).toBe(
      'authHost must be an https origin, or http on loopback.',
    )
  })
})

describe('a right config', () => {
  it('gets the defaults of the specification', () => {
    expect(parseConfig(GOOD)).toMatchObject({
      authHost: 'https://auth.test',
      clientId: 'admin',
      scopes: ['openid'],
      autoLogin: true,
      verifyFirstVisit: false,
      betweenPages: true,
      autoLogout: true,
      autoRefreshToken: false,
      idleTimeoutInMinutes: 30,
      uniqueSession: true,
      rememberMe: false,
      iframeTimeoutInSeconds: 60,
      audience: 'admin',
      sessionType: '1',
      apiOrigins: [],
      hooks: {},
    })
  })

  it.each([
    ['autoLogin', false],
    ['verifyFirstVisit', true],
    ['betweenPages', true],
    ['autoLogout', false],
    ['autoRefreshToken', true],
    ['idleTimeoutInMinutes', 0.5],
    ['uniqueSession', false],
    ['rememberMe', true],
    ['iframeTimeoutInSeconds', 10],
    ['audience', 'other'],
    ['sessionType', '3'],
    ['clearQueries', 'own'],
    ['clearQueries', 'all'],
    ['deviceId', '0A1B2C3D-1111-4222-8333-444455556666'],
    ['apiOrigins', ['https://api.test']],
    ['redirectUri', 'https://app.test/callback?x=1'],
    ['initToken', 'a.b.c'],
    ['realtime', pubnub({ publishKey: 'p', subscribeKey: 's' })],
  ])('%s is taken as given', (name, value) => {
    expect(parseConfig({ ...GOOD, [name]: value })).toMatchObject({ [name]: value })
  })

  it.each([
    ['https://auth.test/', 'https://auth.test'],
    ['https://AUTH.test', 'https://auth.test'],
    ['https://auth.test:443', 'https://auth.test'],
    ['https://auth.test:8443', 'https://auth.test:8443'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://auth.localhost:4000', 'http://auth.localhost:4000'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
  ])('takes %s as the authHost %s', (authHost, origin) => {
    expect(parseConfig({ ...GOOD, authHost }).authHost).toBe(origin)
  })

  it('takes an empty list of scopes, and drops repeated ones in order', () => {
    expect(parseConfig({ ...GOOD, scopes: [] }).scopes).toEqual([])
    expect(parseConfig({ ...GOOD, scopes: ['b', 'a', 'b', 'c:d/e'] }).scopes).toEqual(['b', 'a', 'c:d/e'])
  })

  it.each<[string, object, object, boolean]>([
    ['the same scopes in another order', { scopes: ['a', 'b'] }, { scopes: ['b', 'a'] }, true],
    ['other scopes', { scopes: ['a'] }, { scopes: ['b'] }, false],
    ['scopes that look alike in one word', { scopes: ['a', 'b'] }, { scopes: ['ab'] }, false],
    ['another audience', { audience: 'shop' }, {}, false],
  ])('shares a session with a page that asks for %s: or not', (_what, one, other, isShared) => {
    const askedBy = (config: object) => parseConfig({ ...GOOD, ...config }).asked
    expect(askedBy(one) === askedBy(other)).toBe(isShared)
  })

  it('takes optional members that are undefined or null as absent', () => {
    const optional = {
      rememberMe: null,
      idleTimeoutInMinutes: null,
      autoLogin: undefined,
      hooks: undefined,
      redirectUri: undefined,
      apiOrigins: undefined,
    }
    const { server, ...others } = parseConfig({ ...GOOD, ...optional } as never)
    const { server: expected, ...expectedOthers } = parseConfig(GOOD)
    expect(others).toEqual(expectedOthers)
    expect(server.id).toBe(expected.id)
  })

  it('cannot be changed afterwards by changing the object that was passed', async () => {
    const config = {
      ...GOOD,
      scopes: ['openid'],
      hooks: { afterLogin: () => {} },
      apiOrigins: ['https://api.test'],
    }
    const settings = parseConfig(config)
    config.authHost = 'https://evil.test'
    config.scopes.push('admin')
    config.apiOrigins.push('https://evil.test')
    config.hooks.afterLogin = undefined as never
    expect(settings.authHost).toBe('https://auth.test')
    expect(settings.scopes).toEqual(['openid'])
    expect(settings.apiOrigins).toEqual(['https://api.test'])
    expect(settings.hooks.afterLogin).toBeTypeOf('function')
    expect(Object.isFrozen(settings)).toBe(true)
  })

  it('reads every member once, so a getter cannot answer two things', () => {
    const reads: string[] = []
    const config = {
      get authHost() {
        reads.push('authHost')
        return reads.filter((name) => name === 'authHost').length === 1
          ? 'https://auth.test'
          : 'https://evil.test'
      },
      get clientId() {
        reads.push('clientId')
        return 'admin'
      },
      get scopes() {
        reads.push('scopes')
        return ['openid']
      },
    }
    expect(parseConfig(config).authHost).toBe('https://auth.test')
    expect(reads.toSorted()).toEqual(['authHost', 'clientId', 'scopes'])
  })

  it('reports what a getter throws as it is', () => {
    const config = {
      get authHost(): string {
        throw new RangeError('from the app')
      },
      clientId: 'admin',
      scopes: ['openid'],
    }
    expect(() => parseConfig(config)).toThrow('from the app')
  })
})

describe('a config', () => {
  const GOOD = { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] }
  const OWN: readonly [name: string, wrong: unknown, expected: string][] = [
    ['authHost', 'http://auth.test', 'an https origin, or http on loopback'],
    ['clientId', 7, 'a plain text'],
    ['autoLogin', 'yes', 'true or false'],
    ['rememberMe', 1, 'true or false'],
    ['idleTimeoutInMinutes', 0, 'a number above 0'],
    ['iframeTimeoutInSeconds', '60', 'a number above 0'],
    ['hooks', 'afterLogin', 'an object'],
    ['initToken', 5, 'a plain text'],
    ['redirectUri', '/home', 'an https address without a hash'],
    ['audience', ['admin'], 'a plain text'],
    ['redirectionsUrl', 'http://cdn.test/file.json', 'an https address or a path'],
    ['redirectionsUrl', '//cdn.test/file.json', 'an https address or a path'],
    ['redirectionsUrl', 7, 'an https address or a path'],
    ['redirectionsUrl', 'file.json', 'an https address or a path'],
    ['allowedEnvironmentHosts', 'https://auth.test', 'an array of https origins'],
    ['allowedEnvironmentHosts', ['https://auth.test/'], 'an array of https origins'],
    ['apiOrigins', ['http://api.test'], 'an array of https origins'],
    ['realtime', 'pubnub', IS_REALTIME],
    ['realtime', true, IS_REALTIME],
    ['firmChannel', 'firm', 'a function'],
    ['firmChannel', {}, 'a function'],
    ['sessionType', '4', "one of '1', '2', '3'"],
    ['clearQueries', 'none', "one of 'all', 'own'"],
    ['clearQueries', true, "one of 'all', 'own'"],
    ['messages', 'none', 'texts by name'],
    ['messages', true, 'texts by name'],
    ['messages', { signIn: 7 }, 'texts by name'],
    ['messages', { signIn: 'Anmelden', signedOut: [] }, 'texts by name'],
  ]

  it.each(OWN)('with a wrong %s, %j, says what it expects', (name, wrong, expected) => {
    const [code, message, remedy] = told(() => parseConfig({ ...GOOD, [name]: wrong }))
    expect([code, message]).toEqual(['invalid-config', `Invalid config parameter : ${name}`])
    expect(remedy).toContain(expected)
  })

  it('takes each of them right', () => {
    const settings = parseConfig({
      ...GOOD,
      scopes: ['openid', 'profile', 'openid'],
      redirectionsUrl: '/redirections.json',
      allowedEnvironmentHosts: ['https://us-auth.test'],
      firmChannel: (firm) => `tenant_${firm}`,
      messages: { signIn: 'Anmelden', signedOut: () => 'Abgemeldet', signInHere: undefined },
      idleTimeoutInMinutes: 0.001,
      hooks: { afterLogin: undefined } as never,
    })
    expect(settings).toMatchObject({
      scopes: ['openid', 'profile'],
      redirectionsUrl: '/redirections.json',
      allowedEnvironmentHosts: ['https://us-auth.test'],
      messages: { signIn: 'Anmelden' },
      idleTimeoutInMinutes: 0.001,
      hooks: {},
    })
    expect(settings.firmChannel?.('7')).toBe('tenant_7')
    expect(parseConfig({ ...GOOD, redirectionsUrl: 'https://cdn.test/r.json' }).redirectionsUrl).toBe(
      'https://cdn.test/r.json',
    )
  })
})

describe('a config with a wrong option', () => {
  it('whose initial token is no text says what it has to be', () => {
    expect(() => parseConfig({ ...CONFIG, initToken: 7 as never })).toThrow(
      expect.objectContaining({ code: 'invalid-config', remedy: expect.stringContaining('a plain text') }),
    )
  })
})
