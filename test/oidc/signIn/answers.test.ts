// The response of the sign-in page and of the hidden frame: which is taken, in which order it is judged (OpenID Connect Core §3.1.2.5, RFC 9207).
import { describe, expect, it } from 'vitest'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { answerError, APP, explained, faultOf, ISSUER, server, STATE } from '../scene.ts'

const { readAnswer } = openIdConnect({ issuer: ISSUER })
const address = (query: string) => readAnswer(`${APP}?${query}`)
const judged = (query: string, metadata: Record<string, unknown> = {}, isSilent = false) => {
  const answer = address(query)
  if (!answer) throw new Error('No response was found')
  const error = answerError(answer, { isSilent }, {}, metadata)
  return error && explained(error)
}
const PROMISED = { authorization_response_iss_parameter_supported: true }
const iss = `iss=${encodeURIComponent(ISSUER)}`

describe('the address', () => {
  it('brings a code', () => {
    expect(address(`state=${STATE}&code=c-1&${iss}&session_state=x`)).toEqual({
      state: STATE,
      code: 'c-1',
      error: undefined,
      errorDescription: undefined,
      iss: ISSUER,
    })
    expect(judged(`state=${STATE}&code=c-1&${iss}`, PROMISED)).toBeUndefined()
    expect(judged(`state=${STATE}&code=c-1`)).toBeUndefined()
  })

  it.each([
    ['callback-state-missing', 'code=c-1'],
    ['callback-state-unknown: too short', 'state=abc&code=c-1'],
    ['callback-state-unknown: too long', `state=${STATE}x&code=c-1`],
    ['callback-state-unknown: of other letters', `state=${'%00'.repeat(32)}&code=c-1`],
    ['callback-state-twice', `state=${STATE}&state=${STATE}&code=c-1`],
    ['callback-state-__proto__', 'state=__proto__&code=c-1'],
    ['callback-state-constructor', 'state=constructor&code=c-1'],
    ['no code and no error', `state=${STATE}`],
    ['an empty code', `state=${STATE}&code=`],
    ['nothing', ''],
  ])('%s: nothing of ours, left untouched', (_, query) => {
    expect(address(query)).toBeUndefined()
  })

  it.each([
    [
      'callback-with-id-token-or-access-token-in-fragment',
      `#state=${STATE}&id_token=eyJ&access_token=a&code=c-1`,
    ],
    ['foreign-fragment-is-kept', `#/invoices/7?state=${STATE}&code=c-1`],
  ])('%s: never read', (_, hash) => {
    expect(readAnswer(APP + hash)).toBeUndefined()
  })

  it.each(['id_token', 'access_token', 'token_type'])(
    'callback-with-id-token-or-access-token: %s beside the code rejects the code',
    (name) => {
      const error = judged(`state=${STATE}&code=c-1&${name}=x`)
      expect(error?.code).toBe('unexpected-answer')
      expect(error?.message).toContain(name)
    },
  )

  it('callback-jarm-response', () => {
    const error = judged(`state=${STATE}&response=eyJhbGciOiJub25lIn0.e30.`)
    expect(error?.code).toBe('unexpected-answer')
    expect(error?.remedy).toContain("'code'")
    expect(address('response=eyJhbGciOiJub25lIn0.e30.')).toBeUndefined()
  })

  it.each(['code', 'iss', 'error', 'error_description'])('callback-%s-twice', (name) => {
    const error = judged(`state=${STATE}&code=c-1&${iss}&error=e&error_description=d&${name}=again`)
    expect(error).toMatchObject({ code: 'unexpected-answer', retryable: false })
    expect(error?.message).toContain(name)
  })
})

describe('whose response it is', () => {
  it('callback-iss-wrong', () => {
    expect(judged(`state=${STATE}&code=c-1&iss=https%3A%2F%2Fevil.example.com`)?.code).toBe('issuer-mismatch')
  })

  it('callback-iss-missing-but-promised', () => {
    const error = judged(`state=${STATE}&code=c-1`, PROMISED)
    expect(error?.code).toBe('issuer-mismatch')
    expect(error?.message).toBe(
      `The response names no issuer, although the metadata of ${JSON.stringify(ISSUER)} promises one (iss)`,
    )
    expect(error?.remedy).toContain('iss')
    expect(judged(`state=${STATE}&code=c-1`)).toBeUndefined()
  })

  it('an error without the promised iss is refused by name on the page; in the frame it only ends the silent check', () => {
    const query = `state=${STATE}&error=login_required`
    expect(judged(query, PROMISED)).toMatchObject({
      code: 'issuer-mismatch',
      message: expect.stringContaining('login_required') as string,
    })
    expect(judged(query, PROMISED, true)?.code).toBe('iframe-blocked')
    expect(judged(`state=${STATE}&code=c-1`, PROMISED, true)?.code).toBe('issuer-mismatch')
  })

  it('a wrong iss names both, and is another error than a missing one', () => {
    const error = judged(`state=${STATE}&code=c-1&iss=https%3A%2F%2Fother.example.com`, PROMISED)
    expect(error?.message).toBe(
      `The response is of issuer "https://other.example.com", not of ${JSON.stringify(ISSUER)}`,
    )
  })

  it('callback-iss-twice', () => {
    expect(judged(`state=${STATE}&code=c-1&${iss}&${iss}`, PROMISED)?.code).toBe('unexpected-answer')
  })

  it('callback-iss-empty', () => {
    expect(judged(`state=${STATE}&code=c-1&iss=`)?.code).toBe('issuer-mismatch')
  })

  it.each([`${ISSUER}/`, ISSUER.toUpperCase(), `${ISSUER}?`, 'https://login.example.com'])(
    'callback-iss-almost: %s',
    (other) => {
      expect(judged(`state=${STATE}&code=c-1&iss=${encodeURIComponent(other)}`)?.code).toBe('issuer-mismatch')
    },
  )

  it('two-servers-one-origin-mix-up', () => {
    const other = openIdConnect({ issuer: 'https://other.example.com' })
    const answer = other.readAnswer(`${APP}?state=${STATE}&code=c-1&iss=https%3A%2F%2Fother.example.com`)!
    expect(explained(answerError(answer, { isSilent: false })).code).toBe('issuer-mismatch')
  })

  it('callback-error-with-wrong-iss', () => {
    const query = `state=${STATE}&error=access_denied&iss=https%3A%2F%2Fevil.example.com`
    expect(judged(query)?.code).toBe('issuer-mismatch')
    expect(judged(query, {}, true)?.code).toBe('issuer-mismatch')
  })

  it('a foreign "no session" does not end a session', () => {
    const query = `state=${STATE}&error=login_required&iss=https%3A%2F%2Fevil.example.com`
    expect(judged(query, {}, true)?.code).toBe('issuer-mismatch')
  })
})

describe('an error', () => {
  it.each(['login_required', 'interaction_required', 'consent_required', 'account_selection_required'])(
    '%s of the hidden frame means no session (glewlwyd says interaction_required)',
    (error) => {
      expect(judged(`state=${STATE}&error=${error}`, {}, true)?.code).toBe('login-required')
    },
  )

  it('login_required at the sign-in page is a refusal', () => {
    expect(judged(`state=${STATE}&error=login_required`)?.code).toBe('authorization-refused')
  })

  it('a user who says no has cancelled, in the words of the provider', () => {
    const error = judged(`state=${STATE}&error=access_denied&error_description=No%20thanks%0A`)
    expect(error).toMatchObject({
      code: 'access-denied',
      message: expect.stringContaining('No thanks') as string,
    })
  })

  it.each([
    ['unsupported_response_mode', false],
    ['invalid_scope', false],
    ['unauthorized_client', false],
    ['invalid_request', false],
    ['server_error', true],
    ['temporarily_unavailable', true],
  ])('%s: retryable %s', (error, retryable) => {
    expect(judged(`state=${STATE}&error=${error}`)).toMatchObject({
      code: 'authorization-refused',
      retryable,
    })
  })

  it('an error beside a code wins', () => {
    expect(judged(`state=${STATE}&code=c-1&error=access_denied`)?.code).toBe('access-denied')
  })
})

describe('the hidden frame', () => {
  const on = server({}, { response_modes_supported: ['web_message'] })
  const read = (found: unknown) => on.readSilentAnswer(found, STATE)
  const found = { state: STATE, code: 'c-1' }

  it.each([
    ['frame-redirect-answer-query', `${APP}?state=${STATE}&code=c-1`],
    ['frame-redirect-answer-fragment', `${APP}#state=${STATE}&code=c-1`],
    ['frame-redirect-answer-404-page', `https://admin.example.com/no/such/page?state=${STATE}&code=c-1`],
    [
      'frame-redirect-answer-silent.html',
      `https://admin.example.com/silent.html?a=b&state=${STATE}&code=c-1#x`,
    ],
  ])('%s', (_, url) => {
    expect(read(url)).toMatchObject(found)
  })

  it.each([
    ['another state', `${APP}?state=${'t'.repeat(32)}&code=c-1`],
    ['the app without a response', APP],
    ['about:blank', 'about:blank'],
    ['the login page', `${ISSUER}/auth?state=${STATE}`],
    ['nothing', ''],
  ])('frame-login-page: %s is no response', (_, url) => {
    expect(read(url)).toBeUndefined()
  })

  it('frame-jarm-response: explained, because the frame is ours', () => {
    const answer = read(`${APP}?response=eyJhbGciOiJub25lIn0.e30.`)!
    expect(explained(answerError(answer, { isSilent: true })).message).toContain('JARM')
  })

  it('a message is read by the same rules', () => {
    const message = { type: 'authorization_response', response: { state: STATE, code: 'c-1', iss: ISSUER } }
    expect(read(message)).toMatchObject(found)
    expect(read({ ...message, response: { ...message.response, state: 'other' } })).toBeUndefined()
  })

  it.each([
    null,
    undefined,
    7,
    [],
    {},
    { type: 'okta_post_message' },
    { type: 'authorization_response' },
    'closeMe',
  ])('a message of any other shape is none: %j', (message) => {
    expect(read(message)).toBeUndefined()
  })

  it.each([
    [undefined, ['query', 'web_message'], true],
    ['auto', ['query'], false],
    ['auto', undefined, false],
    ['frame', ['query', 'web_message'], false],
    ['auto', ['okta_post_message'], false],
  ] as const)('silent %s with %j: messages are heard %s, the address is read', (silent, modes, isHeard) => {
    const connected = server(silent === undefined ? {} : { silent }, { response_modes_supported: modes })
    const message = { type: 'authorization_response', response: { state: STATE, code: 'c-1' } }
    expect(connected.readSilentAnswer(message, STATE) !== undefined).toBe(isHeard)
    expect(connected.silentCheck).toMatchObject({ lookEveryMs: 20, graceMs: 3_000, redirectUri: undefined })
  })

  it('silent off: there is no silent check', () => {
    expect(server({ silent: 'off' }).silentCheck).toBeUndefined()
  })

  it('the redirect URI of the silent check can be a page of its own', () => {
    const silentRedirectUri = 'https://admin.example.com/silent.html'
    expect(server({ silentRedirectUri }).silentCheck?.redirectUri).toBe(silentRedirectUri)
  })
})

describe('the key of an attempt', () => {
  const profile = openIdConnect({ issuer: ISSUER })

  it('insecure-origin-refused', async () => {
    const error = await faultOf(() =>
      profile.createKey({
        randomBytes: (length) => new Uint8Array(length),
        isSecureContext: false,
      }),
    )
    expect(error.code).toBe('proof-key-unavailable')
    expect(error.remedy).toContain('https')
  })

  it.each([
    ['random-unavailable', { randomBytes: undefined, isSecureContext: true }],
    [
      'proof-key-unavailable',
      { randomBytes: (length: number) => new Uint8Array(length), isSecureContext: true },
    ],
  ])('a host without crypto is explained: %s', async (code, crypto) => {
    expect((await faultOf(() => profile.createKey(crypto))).code).toBe(code)
  })
})
