// What an app asks of one sign-in, or of one logout: on the wire with both profiles, and what is refused.
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { loginParameters, type SignInWishes } from '../../../src/protocol/loginParameters.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { LoginOptions } from '../../../src/session/auth.ts'
import { APP, claimsOf, nextPage, type Scene, startScene } from '../session/sessionScene.ts'
import { CODE_FLOW_PARAMETERS } from './codeFlowParameters.ts'

const ISSUER = 'https://auth.test'
const metadata = {
  authorization_endpoint: `${ISSUER}/oauth/authorize`,
  token_endpoint: `${ISSUER}/oauth/token`,
  end_session_endpoint: `${ISSUER}/oauth/logout`,
}
const PROFILES: [string, Partial<AuthConfig>][] = [
  ["the firm's server", {}],
  [
    'an OpenID Connect provider',
    {
      authHost: undefined,
      server: openIdConnect({ issuer: ISSUER, claims: claimsOf, metadata, silent: 'off' }),
    },
  ],
]

const SIGNED_OUT = { autoLogin: false }
const addressOf = ({ host }: Pick<Scene, 'host'>) => new URL(host.navigations.at(-1) ?? '')

describe.each(PROFILES)('signing in at %s', (_server, config) => {
  const start = () =>
    startScene({ config: { ...SIGNED_OUT, ...config }, server: { user: undefined }, address: `${APP}firms` })
  const sentNames = async (options?: LoginOptions) => {
    const scene = await start()
    await scene.auth.login(options)
    return [...addressOf(scene).searchParams.keys()].toSorted()
  }

  it('sends each wish under its name of the wire, once', async () => {
    const scene = await start()
    await scene.auth.login({
      prompt: 'login',
      loginHint: 'ada+1@example.com',
      uiLocales: ['fr-CA', 'fr'],
      acrValues: ['gold', 'urn:mfa'],
      maxAgeInSeconds: 300,
      display: 'page',
      parameters: { kc_idp_hint: 'github', resource: ['urn:a', 'urn:b'] },
    } satisfies Required<SignInWishes>)
    const { searchParams } = addressOf(scene)
    expect(
      ['prompt', 'login_hint', 'ui_locales', 'acr_values', 'max_age', 'kc_idp_hint', 'resource'].map((name) =>
        searchParams.getAll(name),
      ),
    ).toEqual([
      ['login'],
      ['ada+1@example.com'],
      ['fr-CA fr'],
      ['gold urn:mfa'],
      ['300'],
      ['github'],
      ['urn:a', 'urn:b'],
    ])
  })

  it('sends nothing that was not given', async () => {
    const plain = await sentNames()
    expect(plain).not.toContain('max_age')
    expect(await sentNames({})).toEqual(plain)
    expect(
      await sentNames({ loginHint: '', uiLocales: [], prompt: undefined, acrValues: '', parameters: {} }),
    ).toEqual(plain)
    // As from a form or a record of the app, where null says that there is none.
    expect(loginParameters({ loginHint: null, uiLocales: null } as never)).toEqual({})
  })

  it('opens the registration page by prompt=create, which compiles', async () => {
    const scene = await start()
    await scene.auth.login({ prompt: 'create' })
    expect(addressOf(scene).searchParams.getAll('prompt')).toEqual(['create'])
  })

  it('a max_age of 0 is a wish', async () => {
    const scene = await start()
    await scene.auth.login({ maxAgeInSeconds: 0 })
    expect(addressOf(scene).searchParams.getAll('max_age')).toEqual(['0'])
  })

  it('takes the event of a click for no wish at all', async () => {
    const click = Object.assign(new Event('click'), { nativeEvent: {}, isAutomatic: true })
    expect(await sentNames(click as LoginOptions)).toEqual(await sentNames())
  })

  it('what is refused leaves the page where it is, and signing in works afterwards', async () => {
    const scene = await start()
    const wrong = { maxAgeInSeconds: Number.NaN }
    await expect(scene.auth.login(wrong)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: 'login: maxAgeInSeconds is wrong',
      remedy: 'maxAgeInSeconds must be a whole number of seconds, 0 or more.',
    })
    expect(scene.host.navigations).toEqual([])
    expect(scene.auth.getState().status).toBe('unauthenticated')
    await scene.auth.login({ maxAgeInSeconds: 60 })
    expect(scene.host.navigations).toHaveLength(1)
  })

  it('nothing of it is kept in the tab: the address to return to is all that stays', async () => {
    const scene = await start()
    await scene.auth.login({ loginHint: 'ada@example.com', returnTo: '/invoices?page=2' })
    const stored = JSON.stringify(scene.host.sessionStorage.entries())
    expect(stored).not.toContain('ada@example.com')
    expect(stored).toContain('/invoices?page=2')
  })
})

describe('a sign-in that nobody can mean', () => {
  it.each([
    ['prompt', 7],
    ['prompt', 'login\nscope=all'],
    ['loginHint', 7],
    ['loginHint', 'ada\u0000'],
    ['loginHint', ['ada']],
    ['uiLocales', 7],
    ['uiLocales', ['fr', 7]],
    ['uiLocales', 'fr\r\n'],
    ['acrValues', { gold: true }],
    ['acrValues', ['gold', undefined]],
    ['acrValues', 'gold\u007f'],
    ['maxAgeInSeconds', -1],
    ['maxAgeInSeconds', 0.5],
    ['maxAgeInSeconds', Number.NaN],
    ['maxAgeInSeconds', Number.POSITIVE_INFINITY],
    ['maxAgeInSeconds', '300'],
    ['maxAgeInSeconds', null],
    ['display', 'window'],
    ['display', ['popup', 'page']],
    ['parameters', 'a=b'],
    ['parameters', null],
    ['parameters', ['a']],
    ['parameters', { a: 7 }],
    ['parameters', { a: ['b', null] }],
    ['parameters', { a: 'b\n' }],
    ['parameters', { 'a\n': 'b' }],
  ])('%s: %j is refused by name', (name, value) => {
    expect(() => loginParameters({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', message: `login: ${name} is wrong` }),
    )
  })

  it.each([
    [{ prompt: 7 }, 'prompt must be a text without control characters.'],
    [{ acrValues: 7 }, 'acrValues must be a text without control characters, or a list of such texts.'],
    [{ maxAgeInSeconds: -1 }, 'maxAgeInSeconds must be a whole number of seconds, 0 or more.'],
    [{ display: 'window' }, "display must be 'page' or 'popup'."],
    [{ parameters: 'a=b' }, 'parameters must be texts by name.'],
    [{ parameters: { a: 7 } }, 'parameters must be texts by name; "a" is not.'],
    [
      { parameters: { state: 'x' } },
      'parameters must be without state, which the sign-in sets itself or login() has an option for.',
    ],
  ])('%j is told what it must be', (wishes, remedy) => {
    expect(() => loginParameters(wishes as never)).toThrow(expect.objectContaining({ remedy }))
  })

  it.each(['page', 'popup', undefined] as const)(
    'display %s is a way to sign in, and no parameter',
    (display) => {
      expect(loginParameters({ display })).toEqual({})
    },
  )

  it.each([...CODE_FLOW_PARAMETERS, 'prompt', 'login_hint', 'ui_locales', 'acr_values', 'max_age'])(
    'parameters cannot replace %s',
    (name) => {
      expect(() => loginParameters({ parameters: { [name]: 'evil' } })).toThrow(
        expect.objectContaining({
          code: 'invalid-argument',
          remedy: `parameters must be without ${name}, which the sign-in sets itself or login() has an option for.`,
        }),
      )
    },
  )

  it('a parameter may be called as a builtin of the language', () => {
    const parameters = Object.fromEntries([
      ['constructor', 'x'],
      ['toString', 'y'],
    ])
    expect(loginParameters({ parameters })).toEqual(parameters)
  })
})

describe.each(PROFILES)('a logout at %s', (_server, config) => {
  const signedIn = async () => {
    const scene = await startScene({
      config: { ...SIGNED_OUT, ...config },
      server: { user: undefined },
      address: `${APP}firms`,
    })
    await scene.auth.login()
    const page = nextPage(scene, scene.server.callbackOf(addressOf(scene).href), { config })
    void page.auth.start()
    await page.host.settle()
    expect(page.auth.getState().status).toBe('authenticated')
    return page
  }
  const back = async (left: Scene) => {
    const page = nextPage(left, `${APP}?state=${addressOf(left).searchParams.get('state')}`, {
      config: { ...SIGNED_OUT, ...config },
    })
    void page.auth.start()
    await page.host.settle()
    return page
  }

  it('comes back to where the user was', async () => {
    const left = await signedIn()
    await left.auth.logout()
    const { searchParams } = addressOf(left)
    expect(searchParams.get('post_logout_redirect_uri')).toBe(APP)
    const page = await back(left)
    expect(page.host.address).toBe(`${APP}firms`)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it.each(['/goodbye?from=admin#top', `${APP}goodbye?from=admin#top`])(
    'comes back to %s of this app; the server is told the registered address alone',
    async (returnTo) => {
      const left = await signedIn()
      await left.auth.logout({ returnTo })
      const { searchParams } = addressOf(left)
      expect(searchParams.get('post_logout_redirect_uri')).toBe(APP)
      expect(addressOf(left).href).not.toContain('goodbye')
      expect((await back(left)).host.address).toBe(`${APP}goodbye?from=admin#top`)
    },
  )

  it('to another origin, the server is told the address as it stands, and judges it', async () => {
    const left = await signedIn()
    const returnTo = 'https://www.example.com/bye?lang=fr'
    await left.auth.logout({ returnTo })
    const { searchParams } = addressOf(left)
    expect(searchParams.getAll('post_logout_redirect_uri')).toEqual([returnTo])
    expect(searchParams.has('state')).toBe(false)
  })

  it.each([
    'http://www.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:secret@www.example.com/',
    'https://www.example.com/#token',
    'https://www.example.com/a b',
    'https:\\\\www.example.com/',
    '\u0001https://www.example.com/',
    7,
    null,
  ])('%j is refused, and the user stays signed in', async (returnTo) => {
    const { host, auth } = await signedIn()
    await expect(auth.logout({ returnTo: returnTo as string })).rejects.toMatchObject({
      code: 'redirect-refused',
    })
    expect(host.navigations).toEqual([])
    expect(auth.getState().status).toBe('authenticated')
  })
})
