// The metadata of an OpenID Connect provider: what is taken, what is refused, and why (OpenID Connect Discovery §4, RFC 8414).
import { describe, expect, it } from 'vitest'
import { oidcProfile } from '../../../src/protocol/servers/openIdConnect.ts'
import { okta } from '../../../src/protocol/servers/presets.ts'
import {
  answerError,
  APP,
  ATTEMPT,
  codeOf,
  faultOf,
  ISSUER,
  METADATA,
  server,
  STATE,
  tokens,
} from '../scene.ts'

const readMetadata = (issuer: string, document: unknown, onUnusable?: (name: string) => void) =>
  oidcProfile({ issuer }).readMetadata(document, onUnusable)
const withIssuer = (issuer: string) => ({ ...METADATA, issuer })

describe('the issuer', () => {
  it('issuer-mismatch-is-refused', async () => {
    const error = await faultOf(() => readMetadata(ISSUER, withIssuer('https://evil.example.com')))
    expect(error.code).toBe('issuer-mismatch')
    expect(error.retryable).toBe(false)
  })

  it.each([
    ['https://login.example.com', 'https://login.example.com/'],
    ['https://login.example.com/', 'https://login.example.com'],
  ])('bare-host-slash-is-forgiven-and-document-string-counts: %s for %s', (configured, published) => {
    const judged = (iss: string) =>
      answerError(
        { state: 's', code: 'c', iss },
        { isSilent: false },
        { issuer: configured },
        { issuer: published },
      )?.code
    expect(readMetadata(configured, withIssuer(published)).issuer).toBe(published)
    expect(judged(published)).toBeUndefined()
    expect(judged(configured)).toBe('issuer-mismatch')
  })

  it.each([
    [ISSUER, `${ISSUER}/`],
    [`${ISSUER}/`, ISSUER],
  ])('path-slash-difference-is-refused-with-both-strings: %s, %s', async (configured, published) => {
    const error = await faultOf(() => readMetadata(configured, withIssuer(published)))
    expect(error.code).toBe('issuer-mismatch')
    expect(error.message).toContain(JSON.stringify(configured))
    expect(error.message).toContain(JSON.stringify(published))
    expect(error.remedy).toContain(JSON.stringify(published))
  })

  it.each([
    'https://LOGIN.example.com/realms/staff',
    'https://login.example.com/realms/Staff',
    'https://login.example.com:443/realms/staff',
    'https://login.example.com:8443/realms/staff',
    'https://login.example.com/realms/%73taff',
    'http://login.example.com/realms/staff',
    'https://login.example.com./realms/staff',
    ' https://login.example.com/realms/staff',
  ])('issuer-differs-by-case-or-port-is-refused: %s', async (published) => {
    expect(await codeOf(() => readMetadata(ISSUER, withIssuer(published)))).toBe('issuer-mismatch')
  })

  it.each([undefined, null])('a document whose issuer is %s is no metadata', async (issuer) => {
    const error = await faultOf(() => readMetadata(ISSUER, { ...METADATA, issuer }))
    expect(error.code).toBe('invalid-metadata')
    expect(error.retryable).toBe(true)
  })

  it.each([42, {}, ['https://login.example.com/realms/staff'], true])(
    'an issuer that is no text is refused, and nobody is told to set it: %s',
    async (issuer) => {
      const error = await faultOf(() => readMetadata(ISSUER, { ...METADATA, issuer }))
      expect(error.code).toBe('invalid-metadata')
      expect(error.message).toBe("The provider's metadata: no usable issuer")
    },
  )

  it('a foreign issuer cannot write over the line of an error', async () => {
    const error = await faultOf(() => readMetadata(ISSUER, withIssuer(`x\n\u202e${'y'.repeat(5000)}`)))
    expect(error.message).not.toMatch(/[\n\u202e]/)
    expect(error.message.length).toBeLessThan(500)
  })
})

describe('the address of the metadata', () => {
  it.each([
    ['https://login.example.com', 'https://login.example.com/.well-known/openid-configuration'],
    ['https://login.example.com/', 'https://login.example.com/.well-known/openid-configuration'],
    [ISSUER, `${ISSUER}/.well-known/openid-configuration`],
    [
      'https://a.example/application/o/admin/',
      'https://a.example/application/o/admin/.well-known/openid-configuration',
    ],
  ])('path-issuer-appends-well-known: %s', (issuer, url) => {
    expect(oidcProfile({ issuer }).discovery).toMatchObject({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      cache: 'no-store',
    })
  })

  it('discovery-params-are-sent-okta-client-id', () => {
    const { discovery } = oidcProfile(okta({ domain: 'acme.okta.com', clientId: 'a b' }))
    expect(discovery?.url).toBe('https://acme.okta.com/.well-known/openid-configuration?client_id=a+b')
  })

  it('inline-metadata-makes-no-request', () => {
    const profile = oidcProfile({ issuer: ISSUER, metadata: METADATA })
    expect(profile.discovery).toBeUndefined()
    expect(profile.readMetadata().token_endpoint).toBe(METADATA.token_endpoint)
  })

  it('inline metadata needs no issuer of its own', () => {
    const { authorization_endpoint, token_endpoint } = METADATA
    const profile = oidcProfile({ issuer: ISSUER, metadata: { authorization_endpoint, token_endpoint } })
    expect(profile.readMetadata().issuer).toBe(ISSUER)
  })

  it.each([
    ['issuer-mismatch', { ...METADATA, issuer: 'https://other.example.com' }],
    ['invalid-metadata', { ...METADATA, token_endpoint: 'http://login.example.com/token' }],
    ['invalid-metadata', { token_endpoint: METADATA.token_endpoint }],
    ['invalid-metadata', []],
  ])('wrong inline metadata is refused when the profile is made: %s', async (code, metadata) => {
    expect(await codeOf(() => oidcProfile({ issuer: ISSUER, metadata: metadata as object as never }))).toBe(
      code,
    )
  })
})

describe('the document', () => {
  it.each([
    ['discovery-html-200-is-refused', '<!doctype html><title>Sign in to the Wi-Fi</title>'],
    ['an empty body', ''],
    ['null', null],
    ['a list', [METADATA]],
    ['a number', 7],
    ['nothing', undefined],
    ['an empty object', {}],
    ['an error object', { error: 'Realm does not exist' }],
  ])('%s: retryable, with the address to look at', async (_, document) => {
    const error = await faultOf(() => readMetadata(ISSUER, document))
    expect(error).toMatchObject({ code: 'invalid-metadata', retryable: true })
    expect(error.message).toContain(`${ISSUER}/.well-known/openid-configuration`)
  })

  it.each(['authorization_endpoint', 'token_endpoint'])(
    'without %s there is nothing to begin with',
    async (name) => {
      const error = await faultOf(() => server({}, { [name]: undefined }))
      expect(error.code).toBe('invalid-metadata')
      expect(error.message).toContain(name)
    },
  )

  it.each(['end_session_endpoint', 'userinfo_endpoint', 'revocation_endpoint'])(
    '%s may be missing',
    (name) => {
      for (const value of [undefined, null])
        expect(readMetadata(ISSUER, { ...METADATA, [name]: value })).not.toHaveProperty(name)
    },
  )

  const UNSAFE = [
    'http://login.example.com/token',
    'javascript:alert(1)//https://x',
    'data:text/html,hi',
    'ftp://login.example.com/x',
    '/relative/token',
    'https://user:secret@login.example.com/token',
    'https://user@login.example.com/token',
    'https://login.example.com/token#part',
    'https://login.example.com\\@evil.example.com/token',
    ' https://login.example.com/token',
    'https://login.example.com/to\nken',
    'https://',
    '',
    42,
    {},
    [METADATA.token_endpoint],
  ]
  it.each(UNSAFE)('endpoint-http-is-refused-except-loopback: token_endpoint = %j', async (url) => {
    expect(await codeOf(() => server({}, { token_endpoint: url }))).toBe('invalid-metadata')
  })

  it.each(UNSAFE)(
    'an optional endpoint that cannot be used counts as absent, and is named: %j',
    (end_session_endpoint) => {
      const named: string[] = []
      const document = { ...METADATA, end_session_endpoint }
      expect(readMetadata(ISSUER, document, (name) => void named.push(name))).not.toHaveProperty(
        'end_session_endpoint',
      )
      expect(named).toEqual(['end_session_endpoint'])
    },
  )

  it('an optional endpoint given by hand that cannot be used is refused', async () => {
    const metadata = { ...METADATA, end_session_endpoint: '/relative' }
    expect(await codeOf(() => oidcProfile({ issuer: ISSUER, metadata }))).toBe('invalid-metadata')
  })

  it.each([
    'http://localhost:4701/token',
    'http://127.0.0.1:4701/token',
    'http://[::1]:4701/token',
    'http://login.localhost/token',
  ])('endpoint-http-is-refused-except-loopback: %s is taken', (url) => {
    expect(readMetadata(ISSUER, { ...METADATA, token_endpoint: url }).token_endpoint).toBe(url)
  })

  it.each([
    'https://acme.auth.eu-west-1.amazoncognito.com/oauth2/token',
    'https://graph.microsoft.com/oidc/userinfo?a=b',
  ])('endpoint-on-other-host-is-accepted-from-document-only: %s', (url) => {
    expect(readMetadata(ISSUER, { ...METADATA, userinfo_endpoint: url }).userinfo_endpoint).toBe(url)
  })

  it.each([undefined, [], ['client_secret_basic'], 'none', null])(
    'auth-methods-without-none-still-work: %j',
    (token_endpoint_auth_methods_supported) => {
      expect(tokens({}, { token_endpoint_auth_methods_supported }).codeRequest('c', ATTEMPT).url).toBe(
        METADATA.token_endpoint,
      )
    },
  )

  it.each([undefined, [], ['plain']])('code_challenge_methods_supported says nothing: %j', (methods) => {
    expect(readMetadata(ISSUER, { ...METADATA, code_challenge_methods_supported: methods })).toBeDefined()
  })

  it.each(['web_message', { 0: 'web_message' }, [42, null], null])(
    'a list that is none counts as absent: %j',
    (response_modes_supported) => {
      const message = { type: 'authorization_response', response: { state: STATE, code: 'c' } }
      expect(server({}, { response_modes_supported }).readSilentAnswer(message, STATE)).toBeUndefined()
    },
  )

  it('a provider that requires pushed requests is refused where the app wants none, or the endpoint is missing', async () => {
    const pushed_authorization_request_endpoint = `${ISSUER}/par`
    const required = { require_pushed_authorization_requests: true }
    const refused = await faultOf(() =>
      server({ pushedRequests: 'off' }, { ...required, pushed_authorization_request_endpoint }),
    )
    expect(refused).toMatchObject({ code: 'not-supported' })
    expect(refused.remedy).toContain('pushedRequests')
    const missing = await faultOf(() => server({}, required))
    expect(missing.code).toBe('invalid-metadata')
    expect(missing.message).toContain('pushed_authorization_request_endpoint')
  })

  it('members of the prototype are no metadata', async () => {
    expect(await codeOf(() => readMetadata(ISSUER, Object.create(METADATA)))).toBe('invalid-metadata')
  })
})

describe('the document that was kept', () => {
  it('is taken again, and stays the same', () => {
    const kept: unknown = JSON.parse(JSON.stringify(readMetadata(ISSUER, METADATA)))
    expect(readMetadata(ISSUER, kept)).toEqual(kept)
  })

  it('holds nothing but what is used', () => {
    const document = readMetadata(ISSUER, {
      ...METADATA,
      jwks_uri: 'https://x.example/jwks',
      secret: 'what is not ours',
    })
    expect(Object.keys(document).toSorted()).toEqual(Object.keys(METADATA).toSorted())
  })

  it('cached-document-with-other-issuer-is-discarded', async () => {
    const other = readMetadata('https://other.example.com', {
      ...METADATA,
      issuer: 'https://other.example.com',
    })
    expect(await codeOf(() => readMetadata(ISSUER, other))).toBe('issuer-mismatch')
  })

  it.each([
    { ...METADATA, token_endpoint: 'http://evil.example.com/token' },
    { ...METADATA, token_endpoint: ['https://evil.example.com'] },
    { ...METADATA, issuer: 'https://evil.example.com' },
    '{}',
    [],
  ])('poisoned-session-storage-is-parsed-strictly: %#', async (kept) => {
    expect(await codeOf(() => readMetadata(ISSUER, kept))).toMatch(/^(invalid-metadata|issuer-mismatch)$/)
  })
})

describe('the options', () => {
  it.each(['', ' ', undefined, null, 'undefined', 'null'])(
    'an issuer of an environment variable that is not set says so: %j',
    async (issuer) => {
      const error = await faultOf(() => oidcProfile({ issuer: issuer as string }))
      expect(error).toMatchObject({ code: 'invalid-config', message: 'Invalid config parameter : issuer' })
      expect(error.remedy).toContain('environment variable')
    },
  )

  it.each(['acme.com', 'acme', 42, 'urn:example:issuer'])(
    'non-url-issuer-fusionauth-is-explained: %j',
    async (issuer) => {
      const error = await faultOf(() => oidcProfile({ issuer: issuer as string }))
      expect(error.code).toBe('invalid-config')
      expect(error.remedy).toContain('FusionAuth')
    },
  )

  it.each([undefined, null, {}, 'https://login.example.com'])(
    'without an issuer nothing is made: %j',
    async (options) => {
      expect(await codeOf(() => oidcProfile(options as never))).toBe('invalid-config')
    },
  )

  it.each([
    'http://login.example.com',
    'https://login.example.com?realm=a',
    'https://login.example.com/#a',
    'https://user:secret@login.example.com',
    'https://login.example.com\\evil',
    'javascript:alert(1)',
    'file:///etc/passwd',
    ' https://login.example.com',
  ])('an issuer that is no plain https address is refused: %s', async (issuer) => {
    expect(await codeOf(() => oidcProfile({ issuer }))).toBe('invalid-config')
  })

  it.each(['http://localhost:4701', 'http://127.0.0.1:4701/oidc', 'http://[::1]:4701'])(
    'http is enough on loopback: %s',
    (issuer) => {
      expect(oidcProfile({ issuer }).id).toBe(issuer)
    },
  )

  it('the address of the metadata in place of the issuer is noticed, and the issuer named', async () => {
    const error = await faultOf(() => oidcProfile({ issuer: `${ISSUER}/.well-known/openid-configuration` }))
    expect(error.code).toBe('invalid-config')
    expect(error.remedy).toContain(JSON.stringify(ISSUER))
  })

  it.each(['https://accounts.google.com', 'https://accounts.google.com/'])(
    'Google is refused with its reason: %s',
    async (issuer) => {
      const error = await faultOf(() => oidcProfile({ issuer }))
      expect(error.code).toBe('not-supported')
      expect(error.message).toContain('Google')
      expect(error.remedy).toContain('client secret')
    },
  )

  it.each([
    ['tenant', 'a'],
    ['clientSecret', 'hush'],
    ['redirectURI', APP],
    ['dPoP', 'required'],
  ])('an option that nothing reads is refused: %s', async (name, value) => {
    const error = await faultOf(() => oidcProfile({ issuer: ISSUER, [name]: value }))
    expect(error.code).toBe('invalid-config')
    expect(error.message).toContain(name)
  })

  it('a misspelt option is refused with the name that was meant', () => {
    const name: string = 'tenant'
    expect(() => oidcProfile({ issuer: ISSUER, [name]: 'a' })).toThrow(
      expect.objectContaining({ code: 'invalid-config', remedy: 'Did you mean tenants?' }),
    )
  })

  it('null counts as absent, as in createAuth', () => {
    const { settings } = oidcProfile({ issuer: ISSUER, ...({ endSession: null, dpop: null } as object) })
    expect(settings.endSession).toBeUndefined()
    expect(settings.dpop).toBeUndefined()
  })

  it.each([
    ['silent', 'never'],
    ['dpop', true],
    ['pushedRequests', 'on'],
    ['dpop', 'always'],
    ['silentRedirectUri', '/silent.html'],
    ['silentRedirectUri', 'http://admin.example.com/silent.html'],
    ['discoveryUrl', 'http://login.example.com/metadata'],
    ['claims', 'sub'],
    ['parameters', { client_id: 'other' }],
    ['parameters', { redirect_uri: 'https://evil.example.com' }],
    ['parameters', { state: 'known' }],
    ['parameters', { nonce: 'known' }],
    ['parameters', { code_challenge: 'known' }],
    ['parameters', { code_challenge_method: 'plain' }],
    ['parameters', { response_type: 'token' }],
    ['parameters', { response_mode: 'fragment' }],
    ['parameters', { scope: 'openid' }],
    ['parameters', { request: 'eyJ' }],
    ['parameters', { request_uri: 'urn:x' }],
    ['tenants', 'any'],
    ['tenants', ['11111111-2222-3333-4444-555555555555']],
    ['endSession', { url: 'http://login.example.com/logout', returnParameter: 'returnTo' }],
    ['endSession', {}],
    ['endSession', { url: 'https://login.example.com/logout' }],
    ['endSession', { url: 'https://login.example.com/logout', returnParameter: '' }],
    ['refreshReuseInSeconds', -1],
    ['refreshReuseInSeconds', Number.NaN],
  ])('an option with a wrong value is refused by its name: %s = %j', async (name, value) => {
    const error = await faultOf(() => oidcProfile({ issuer: ISSUER, [name]: value }))
    expect(error.code).toBe('invalid-config')
    expect(error.message).toContain(name)
  })

  it.each([undefined, []])('an issuer of many tenants needs to be told which: %j', async (tenants) => {
    const error = await faultOf(() =>
      oidcProfile({ issuer: 'https://login.example.com/{tenantid}/v2.0', tenants }),
    )
    expect(error).toMatchObject({ code: 'invalid-config' })
    expect(error.message).toContain('tenants')
  })

  it('makes nothing but a frozen copy: a later change of the options has no effect', () => {
    const options = { issuer: ISSUER, silent: 'auto' as 'auto' | 'off' }
    const profile = oidcProfile(options)
    options.silent = 'off'
    expect(profile.settings.silent).toBe('auto')
  })

  it('names the server in storages by its issuer, however the bare host is written', () => {
    expect(oidcProfile({ issuer: 'https://login.example.com/' }).id).toBe('https://login.example.com')
    expect(oidcProfile({ issuer: `${ISSUER}/` }).id).toBe(`${ISSUER}/`)
  })
})
