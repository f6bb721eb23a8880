// A stronger sign-in that an API asks for (RFC 9470): which challenges count, what is sent, and what comes of it.
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import { readStepUp } from '../../../src/protocol/challenge.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { SignInRequest } from '../../../src/session/signIn/signInRequest.ts'
import { stepUp } from '../../../src/session/features/stepUp.ts'
import type { Granted } from '../../../src/protocol/credentials.ts'
import { stepUpRefused, stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { createFakeStorage, type FakeStorage } from '../../../src/testing/fakeStorage.ts'
import { APP, jwt } from '../scene.ts'
import { follow, signedIn } from '../session/sessionPages.ts'
import { createOidcScene, json, type OidcScene, type Page } from '../session/sessionScene.ts'

const GOLD = 'Bearer error="insufficient_user_authentication", acr_values="gold", max_age="300"'
const OKTA =
  'Bearer realm="IdpMyAccountAPI", error="insufficient_authentication_context", error_description="The access token requires additional assurance levels", max_age=300, acr_values="urn:okta:loa:2fa:any"'
const INVOICES = `${APP}api/invoices`

describe('the header WWW-Authenticate', () => {
  const gold = { acrValues: ['gold', 'silver'], maxAgeInSeconds: 5 }

  it.each([
    [
      'challenge-two-schemes',
      'DPoP algs="ES256", error="invalid_token", Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age="5"',
      gold,
    ],
    [
      'challenge-two-schemes: ours first',
      'Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age="5", Basic realm="x", max_age="9"',
      gold,
    ],
    [
      'challenge-comma-in-quotes',
      'Bearer realm="a, error=\\"x\\", b=c", error="insufficient_user_authentication", acr_values="gold silver", max_age=5',
      gold,
    ],
    [
      'challenge-no-scheme (authentik)',
      'error="insufficient_user_authentication", acr_values="gold silver", max_age="5"',
      gold,
    ],
    [
      'challenge-unquoted-max-age',
      'Bearer error=insufficient_user_authentication,max_age=5,acr_values="gold silver"',
      gold,
    ],
    [
      'space around the sign, names of other case',
      'bearer Error = "insufficient_user_authentication" , ACR_Values = "gold silver" , MAX_AGE = 5',
      gold,
    ],
    ['a token of its own before', 'Negotiate YWJj==, Bearer error="insufficient_user_authentication"', {}],
    ['the form of Okta', OKTA, { acrValues: ['urn:okta:loa:2fa:any'], maxAgeInSeconds: 300 }],
    ['a wrong age', 'Bearer error="insufficient_user_authentication", max_age="-5"', {}],
    [
      'an age without end',
      `Bearer error="insufficient_user_authentication", max_age="${'9'.repeat(30)}"`,
      {},
    ],
    ['empty values', 'Bearer error="insufficient_user_authentication", acr_values="  "', {}],
    [
      'the first of two values',
      'Bearer error=insufficient_user_authentication, max_age=5, max_age=9',
      { maxAgeInSeconds: 5 },
    ],
  ])('%s', (_name, header, expected) => {
    expect(readStepUp(header)).toEqual(expected)
  })

  it.each<[string, string, object]>([
    [
      'the first of two that ask',
      `${GOLD}, DPoP error="insufficient_user_authentication", acr_values="silver"`,
      { acrValues: ['gold'], maxAgeInSeconds: 300 },
    ],
    ['one that says neither how nor how old', 'Bearer error="insufficient_user_authentication"', {}],
    [
      'a quote and a backslash in a value',
      'Bearer error="insufficient_user_authentication", acr_values="a\\"b c\\\\d"',
      { acrValues: ['a"b', 'c\\d'] },
    ],
    [
      'twenty values and no more',
      `Bearer error="insufficient_user_authentication", acr_values="${Array.from({ length: 25 }, (_, index) => index).join(' ')}"`,
      { acrValues: Array.from({ length: 20 }, (_, index) => String(index)) },
    ],
    [
      'what stands in the first 4,096 characters',
      `Bearer ${GOLD.slice(7, 49)},${' '.repeat(4096)}acr_values="gold"`,
      {},
    ],
  ])('is read: %s', (_what, header, expected) => {
    expect(readStepUp(header)).toEqual(expected)
  })

  it.each([
    '',
    'Bearer',
    'Bearer error="invalid_token"',
    `Bearer realm="${'r'.repeat(4096)}", error="insufficient_user_authentication"`,
    'Bearer error="insufficient_scope", scope="a"',
    'Bearer error_description="insufficient_user_authentication"',
    'Basic realm="insufficient_user_authentication"',
    'Bearer error="insufficient_user_authentication_2"',
    '"""',
    '=,=,=',
    'Bearer error="insufficient_user_auth',
    '\u0000\uffff',
  ])('%j asks for nothing', (header) => {
    expect(readStepUp(header)).toBeUndefined()
  })

  it('is read in a moment, however long and wrong it is', () => {
    for (const piece of ['a="\\', 'a=,', 'a ', '"', 'a="a="', ', '])
      expect(readStepUp(piece.repeat(200_000))).toBeUndefined()
  })
})

/** Signed in, and the API asks for more. */
async function challenged(header = GOLD, status = 401, scene: OidcScene = createOidcScene()) {
  const page = await signedIn(scene)
  scene.provider.instead.set('/api/invoices', () =>
    json({ error: 'insufficient' }, status, { 'www-authenticate': header }),
  )
  const sentBefore = scene.provider.count('/token')
  const error = await rejection(page)
  return { scene, page, error, sentBefore }
}

async function rejection({ auth, host }: Page): Promise<AuthError> {
  const call = auth.fetch(INVOICES).then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  )
  await host.settle()
  return (await call) as AuthError
}

/** The user signs in again; the API may be content. */
async function comeBack(
  scene: OidcScene,
  page: Page,
  change: Record<string, unknown> = {},
  isContent = true,
) {
  scene.provider.changeIdToken = (claims) =>
    jwt({ ...claims, acr: 'gold', auth_time: claims['iat'], ...change })
  if (isContent) scene.provider.instead.delete('/api/invoices')
  return follow(scene, page)
}

const sent = ({ host }: Page) => new URL(host.navigations.at(-1)!).searchParams

describe('an API that asks for a stronger sign-in', () => {
  it.each([
    ['step-up-401', GOLD, 401, { acrValues: ['gold'], maxAgeInSeconds: 300 }],
    ['step-up-403', GOLD, 403, { acrValues: ['gold'], maxAgeInSeconds: 300 }],
    ['step-up-okta-403', OKTA, 403, { acrValues: ['urn:okta:loa:2fa:any'], maxAgeInSeconds: 300 }],
  ])('%s: one call, no renewal, no repeat; one offer', async (_name, header, status, wanted) => {
    const { scene, page, error, sentBefore } = await challenged(header, status)
    expect(error).toMatchObject({ name: 'AuthError', code: 'step-up-required', ...wanted })
    expect(error.remedy).toBe('Pass this error to auth.stepUp() on a click.')
    expect(scene.provider.count('/api/invoices')).toBe(1)
    expect(scene.provider.count('/token')).toBe(sentBefore)
    // It is an offer: nobody was sent anywhere.
    expect(page.host.navigations).toEqual([])
    expect(page.auth.getState().status).toBe('authenticated')

    await page.auth.stepUp(error)
    expect(sent(page).get('acr_values')).toBe(wanted.acrValues[0])
    expect(sent(page).get('max_age')).toBe('300')
    expect(sent(page).has('prompt')).toBe(false)
    const back = await comeBack(scene, page, { acr: wanted.acrValues[0] })
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(back.auth.explain()).toContainEqual(expect.objectContaining({ step: 'step-up', outcome: 'done' }))
  })

  it('comes back to where the user was', async () => {
    const { scene, page, error } = await challenged()
    page.host.platform.replaceAddress(`${APP}links?row=7#end`)
    await page.auth.stepUp(error)
    expect((await comeBack(scene, page)).host.address).toBe(`${APP}links?row=7#end`)
  })

  it('names the user to the server, where a token does', async () => {
    const scene = createOidcScene()
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, preferred_username: 'ada@firm.test' })
    const { page, error } = await challenged(GOLD, 401, scene)
    await page.auth.stepUp(error)
    expect(sent(page).get('login_hint')).toBe('ada@firm.test')
  })

  it('a challenge without a wish asks for the credentials', async () => {
    const { page, error } = await challenged('Bearer error="insufficient_user_authentication"')
    expect(error.code).toBe('step-up-required')
    expect(error).not.toHaveProperty('acrValues')
    expect(error).not.toHaveProperty('maxAgeInSeconds')
    await page.auth.stepUp(error)
    expect(sent(page).get('prompt')).toBe('login')
    expect(sent(page).has('max_age')).toBe(false)
  })

  it('many calls at once lead to one sign-in', async () => {
    const { scene, page, error } = await challenged()
    const others = await Promise.all([rejection(page), rejection(page)])
    await Promise.all([error, ...others].map((each) => page.auth.stepUp(each)))
    expect(page.host.navigations).toHaveLength(1)
    expect(scene.provider.count('/api/invoices')).toBe(3)
  })

  it.each([
    ['step-up-repeated: the API was not content', {}, 'done'],
    ['step-up-auth-time-too-old', { auth_time: 1_000 }, 'failed'],
    ['another acr than was asked for', { acr: 'bronze' }, 'failed'],
  ])('%s: the same challenge again is refused, and later offered again', async (_name, change, outcome) => {
    const { scene, page, error } = await challenged()
    await page.auth.stepUp(error)
    const back = await comeBack(scene, page, change, false)
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(back.auth.explain()).toContainEqual(expect.objectContaining({ step: 'step-up', outcome }))
    const refused = await rejection(back)
    expect(refused).toMatchObject({ code: 'step-up-refused', acrValues: ['gold'], maxAgeInSeconds: 300 })
    await expect(back.auth.stepUp(refused)).rejects.toBe(refused)
    expect(back.host.navigations).toEqual([])
    // The strength may have worn off by then.
    await back.host.clock.advance(301_000)
    expect(await rejection(back)).toMatchObject({ code: 'step-up-required' })
  })

  it('another challenge after it is another offer', async () => {
    const { scene, page, error } = await challenged()
    await page.auth.stepUp(error)
    const back = await comeBack(scene, page, {}, false)
    scene.provider.instead.set('/api/invoices', () =>
      json({}, 401, { 'www-authenticate': GOLD.replace('gold', 'platinum') }),
    )
    expect(await rejection(back)).toMatchObject({ code: 'step-up-required', acrValues: ['platinum'] })
  })

  it('a server that tells neither acr nor auth_time leaves it to the API', async () => {
    const { scene, page, error } = await challenged()
    await page.auth.stepUp(error)
    const back = await comeBack(scene, page, { acr: undefined, auth_time: undefined })
    expect(back.auth.explain()).toContainEqual(expect.objectContaining({ step: 'step-up', outcome: 'done' }))
  })

  it('step-up-other-sub-after: the tokens of another user are not taken, and the screen says so', async () => {
    const { scene, page, error } = await challenged()
    await page.auth.stepUp(error)
    scene.provider.user = 'eve'
    const back = await comeBack(scene, page)
    expect(back.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'identity-changed' },
    })
    await expect(back.auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  })

  it.each(['access_denied', 'unmet_authentication_requirements', 'server_error'])(
    'who comes back with %s is still signed in, and may try again',
    async (refusal) => {
      const { scene, page, error } = await challenged()
      await page.auth.stepUp(error)
      const back = await follow(
        scene,
        page,
        `${APP}?state=${sent(page).get('state')}&error=${refusal}&error_description=No`,
      )
      expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
      const again = await rejection(back)
      expect(again.code).toBe('step-up-required')
      await back.auth.stepUp(again)
      expect(back.host.navigations).toHaveLength(1)
    },
  )

  it('a plain 401 is renewed and repeated as ever', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    let calls = 0
    scene.provider.instead.set('/api/invoices', () => {
      calls += 1
      return calls === 1 ? json({}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }) : json([])
    })
    const call = page.auth.fetch(INVOICES)
    await page.host.settle()
    await expect(call).resolves.toEqual([])
    expect(calls).toBe(2)
  })

  it('the header beside another status is no challenge', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.instead.set('/api/invoices', () => json([1], 200, { 'www-authenticate': GOLD }))
    await expect(page.auth.fetch(INVOICES)).resolves.toEqual([1])
  })

  it('its own calls are told the same', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.instead.set('/userinfo', () => json({}, 401, { 'www-authenticate': GOLD }))
    const call = internalsOf(page.auth)
      .readUserInfo()
      .catch((error: unknown) => error)
    await page.host.settle()
    expect(await call).toMatchObject({ code: 'step-up-required', acrValues: ['gold'] })
    expect(scene.provider.count('/userinfo')).toBe(1)
  })

  it.each([undefined, null, new Error('no'), { code: 'step-up-required' }])(
    '%j is none of its errors',
    async (wrong) => {
      const page = await signedIn(createOidcScene())
      await expect(page.auth.stepUp(wrong as AuthError)).rejects.toMatchObject({ code: 'invalid-argument' })
      expect(page.host.navigations).toEqual([])
    },
  )

  it('an error that is none is refused alone: whoever asks beside it with a right one is not', async () => {
    const { page, error } = await challenged()
    const wrong = page.auth.stepUp(new Error('no') as AuthError).catch((refusal: unknown) => refusal)
    const right = page.auth.stepUp(error)
    expect(await wrong).toMatchObject({ code: 'invalid-argument' })
    await right
    expect(page.host.navigations).toHaveLength(1)
  })

  it('nobody who is signed out is sent to a stronger sign-in', async () => {
    const { page, error } = await challenged()
    await page.auth.logout()
    await expect(page.auth.stepUp(error)).rejects.toMatchObject({ code: 'not-authenticated' })
  })

  it('what the page leaves behind is no secret: who it is, and what was asked for', async () => {
    const { page, error } = await challenged()
    await page.auth.stepUp(error)
    const stored = JSON.stringify(page.host.sessionStorage.entries())
    expect(stored).toContain('ada')
    for (const secret of [await page.auth.getAccessToken(), 'eyJ', 'refresh-'])
      expect(stored).not.toContain(secret)
  })
})

describe('in a window', () => {
  const holding = {
    accessToken: jwt({ sub: 'ada' }),
    memory: {},
    claims: { userId: 'ada', firmId: 'f-1', aud: 'admin' },
  }
  const error = stepUpRequired({ acrValues: ['gold'], maxAgeInSeconds: 300 })
  const granted = (token: object, userId = 'ada') =>
    ({
      accessToken: jwt(token),
      claims: { ...holding.claims, userId },
      memory: {},
    }) as unknown as Granted
  const run = async (found: Granted) => {
    const steps: unknown[] = []
    const context = {
      tokens: { current: holding },
      timeline: { record: (...step: unknown[]) => steps.push(step) },
      platform: { now: () => 1_000_000 },
      stepUps: {},
    } as never
    const requests: SignInRequest[] = []
    await stepUp(error, { display: 'popup' }, context, {
      async logIn(request) {
        requests.push(request)
        request.check?.(found)
      },
    })
    return requests
  }

  it('is asked for as such', async () => {
    const [request] = await run(granted({ acr: 'gold', auth_time: 100, iat: 100 }))
    expect(request).toMatchObject({ display: 'popup', acrValues: ['gold'], maxAgeInSeconds: 300 })
  })

  it.each([
    ['another user', granted({}, 'eve'), 'identity-changed'],
    ['another acr', granted({ acr: 'bronze' }), 'step-up-refused'],
    ['an old sign-in', granted({ auth_time: 100, iat: 1_000 }), 'step-up-refused'],
  ])('%s is refused before it takes the place of anything', async (_what, found, code) => {
    await expect(run(found)).rejects.toMatchObject({ code })
  })
})

it('an error says what went wrong, and what the server asked for', () => {
  const challenge = { acrValues: ['gold'] }
  expect(stepUpRequired(challenge).message).toBe('This needs a stronger sign-in')
  expect(stepUpRefused(challenge).message).toBe(
    'The stronger sign-in was not enough: the API asks for the same once more',
  )
  expect(stepUpRefused(challenge)).toMatchObject(challenge)
})

describe('in a window', () => {
  /** A window is open for the step-up, and its user signs in there. */
  async function inWindow(change: Record<string, unknown> = {}, user = 'ada') {
    const copies: FakeStorage[] = []
    const scene = createOidcScene()
    const { page, error } = await challenged(GOLD, 401, scene)
    const before = page.auth.getState()
    const own = await page.auth.getAccessToken()
    const outcome = page.auth.stepUp(error, { display: 'popup' }).then(
      () => 'done',
      (refusal: unknown) => refusal,
    )
    const joined = page.auth.stepUp(error, { display: 'popup' }).catch(() => 'refused')
    await page.host.settle()
    // Both calls share one window.
    expect(page.host.popups).toHaveLength(1)
    const [popup] = page.host.popups
    copies.push(createFakeStorage(page.host.sessionStorage.entries()))
    const asked = new URL(popup!.urls.at(-1)!).searchParams
    scene.provider.user = user
    scene.provider.changeIdToken = (claims) =>
      jwt({ ...claims, acr: 'gold', auth_time: claims['iat'], ...change })
    const window = scene.open(scene.provider.authorize(popup!.urls.at(-1)!), {
      popup,
      sessionStorage: copies[0]!,
    })
    void window.auth.start()
    await page.host.settle()
    return { scene, page, before, own, asked, popup: popup!, outcome: await outcome, joined: await joined }
  }

  it('step-up-keeps-unsaved-page', async () => {
    const { page, before, own, asked, outcome, joined } = await inWindow()
    expect([outcome, joined]).toEqual(['done', undefined])
    expect([asked.get('acr_values'), asked.get('max_age')]).toEqual(['gold', '300'])
    // The page was never left, and the same user goes on with a stronger token.
    expect(page.host.navigations).toEqual([])
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(before.status).toBe('authenticated')
    expect(await page.auth.getAccessToken()).not.toBe(own)
  })

  it.each([
    ['another acr', { acr: 'bronze' }, 'acr is another one'],
    ['credentials that are too old', { auth_time: 1_000 }, 'auth_time is too old'],
  ])('%s: refused, and the session stays as it was', async (_name, change, why) => {
    const { page, own, outcome } = await inWindow(change)
    expect(outcome).toMatchObject({
      code: 'step-up-refused',
      message: `The stronger sign-in was not enough: ${why}`,
    })
    expect(await page.auth.getAccessToken()).toBe(own)
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })

  it('another user: their tokens are not taken, and the session of the first stays', async () => {
    const { page, own, outcome } = await inWindow({}, 'eve')
    expect(outcome).toMatchObject({ code: 'identity-changed' })
    expect(await page.auth.getAccessToken()).toBe(own)
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })

  it('closed by hand, or blocked: the session stays, and it may be tried again', async () => {
    const { page, error } = await challenged()
    const own = await page.auth.getAccessToken()
    const first = page.auth.stepUp(error, { display: 'popup' }).catch((refusal: unknown) => refusal)
    await page.host.settle()
    page.host.popups[0]!.close()
    await page.host.clock.advance(5_000)
    expect(await first).toMatchObject({ code: 'popup-closed' })
    page.host.isPopupBlocked = true
    const second = page.auth.stepUp(error, { display: 'popup' }).catch((refusal: unknown) => refusal)
    await page.host.settle()
    expect(await second).toMatchObject({ code: 'popup-blocked' })
    expect([await page.auth.getAccessToken(), page.host.navigations]).toEqual([own, []])
  })

  /** The window is open, and the user has signed in there; its page has not come back yet. */
  async function signedInThere(during: (page: Page) => Promise<unknown>) {
    const scene = createOidcScene()
    const { page, error } = await challenged(GOLD, 401, scene)
    const outcome = page.auth.stepUp(error, { display: 'popup' }).then(
      () => 'done',
      (refusal: unknown) => (refusal as AuthError).code,
    )
    await page.host.settle()
    const [popup] = page.host.popups
    const address = popup!.urls.at(-1)!
    const sessionStorage = createFakeStorage(page.host.sessionStorage.entries())
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, acr: 'gold', auth_time: claims['iat'] })
    await during(page)
    await page.host.settle()
    const codes = () =>
      scene.provider.requests.filter(({ body }) => body.get('grant_type') === 'authorization_code').length
    const codesBefore = codes()
    const window = scene.open(scene.provider.authorize(address), { popup, sessionStorage })
    void window.auth.start()
    await page.host.settle()
    return { scene, page, outcome: await outcome, codeCount: codes() - codesBefore }
  }

  it('whose user signs out meanwhile brings nobody back', async () => {
    const { page, outcome, codeCount } = await signedInThere((own) => own.auth.logout())
    expect([outcome, codeCount]).toEqual(['popup-closed', 0])
    expect(page.auth.getState().status).not.toBe('authenticated')
  })

  it('during a renewal ends with the stronger token, and no refresh token is sent twice', async () => {
    const { scene, page, outcome } = await signedInThere((own) => own.auth.renew({ force: true }))
    expect(outcome).toBe('done')
    const strong = await page.auth.getAccessToken()
    await page.auth.renew({ force: true })
    expect(await page.auth.getAccessToken()).not.toBe(strong)
    const spent = scene.provider.requests.map(({ body }) => body.get('refresh_token')).filter(Boolean)
    expect([spent.length, new Set(spent).size]).toEqual([2, 2])
  })
})
