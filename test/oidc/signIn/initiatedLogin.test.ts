// A sign-in that the provider's own portal begins (initiate_login_uri): the right user, the right place, and nothing of another origin.
import { expect, it } from 'vitest'
import { readInitiatedLogin } from '../../../src/oidc/index.ts'
import { APP, ISSUER } from '../scene.ts'
import { follow, start } from '../session/sessionPages.ts'
import { createOidcScene } from '../session/sessionScene.ts'

const addressOf = (parameters: readonly (readonly [string, string])[]) =>
  `${APP}login/initiate?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`

it('goes to the sign-in page with the hint, and comes back to the target', async () => {
  const scene = createOidcScene({ config: { autoLogin: false } })
  const page = await start(
    scene,
    addressOf([
      ['iss', ISSUER],
      ['login_hint', 'ada@example.com'],
      ['target_link_uri', `${APP}invoices?page=2#top`],
    ]),
  )
  await page.auth.login(readInitiatedLogin(page.host.address, ISSUER))
  expect(new URL(page.host.navigations.at(-1)!).searchParams.get('login_hint')).toBe('ada@example.com')
  scene.provider.user = 'ada'
  const back = await follow(scene, page)
  expect(back.auth.getState().status).toBe('authenticated')
  expect(back.host.address).toBe(`${APP}invoices?page=2#top`)
})

it.each([
  'https://evil.example.com/',
  '//evil.example.com/',
  '/\\evil.example.com',
  'javascript:alert(1)',
  `${APP.slice(0, -1)}.evil.example.com/`,
  `blob:${APP}x`,
  'https://ada@admin.example.com.evil.example.com/',
  '',
])('leaves out the target %j', (target) => {
  const found = readInitiatedLogin(
    addressOf([
      ['iss', ISSUER],
      ['target_link_uri', target],
    ]),
    ISSUER,
  )
  expect(found?.returnTo ?? '/login/initiate').toMatch(/^\/(?!\/)/)
  expect(found?.returnTo ?? '').not.toContain('evil')
})

it.each<[string, readonly (readonly [string, string])[]]>([
  ['no iss', [['login_hint', 'ada']]],
  ['another iss', [['iss', 'https://evil.example.com']]],
  ['iss with a slash that is not its own', [['iss', `${ISSUER}/`]]],
  [
    'iss twice',
    [
      ['iss', ISSUER],
      ['iss', ISSUER],
    ],
  ],
])('reads nothing with %s', (_what, parameters) => {
  expect(readInitiatedLogin(addressOf(parameters), ISSUER)).toBeUndefined()
})

it.each([['x'.repeat(1_001)], ['ada\u0000'], ['']])('leaves out the hint %j', (hint) => {
  expect(
    readInitiatedLogin(
      addressOf([
        ['iss', ISSUER],
        ['login_hint', hint],
      ]),
      ISSUER,
    ),
  ).toEqual({})
})

it('forgives the slash after a bare host', () => {
  expect(
    readInitiatedLogin('https://a.example/?iss=https%3A%2F%2Flogin.example%2F', 'https://login.example'),
  ).toEqual({})
})
