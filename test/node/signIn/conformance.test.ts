// What a relying party must do, in the words of the OpenID conformance suite, against oidc-provider and against the server in memory (S12; G18).
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { userInfoQuery } from '../../../src/queries/userInfo.ts'
import { createVisitor, follow, type Visitor } from '../../../demo/authServer/visitor.ts'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { CLIENT_ID, openScene, type Scene as ServerScene } from '../demo/authServerScene.ts'
import { createScene, nextPage, type Scene, tokenBodies } from '../session/sessionScene.ts'

const APP = 'http://127.0.0.1:59999/'
const PLACE = `${APP}firms?page=2#row-7`

type Edit = (answer: Record<string, unknown>) => Record<string, unknown>

/** A server as an app meets it: whichever it is, everything between it and the app may be changed. */
interface Party {
  authHost: string
  fetch: typeof fetch
  /** A member of staff signs in at the authorize address; answers where the browser is sent then. */
  signIn(authorizeAddress: string): Promise<URL>
  /** Whose session there is. */
  userId: string
}

let oidcProvider: ServerScene
beforeAll(async () => {
  oidcProvider = await openScene({ redirectUris: [APP] })
})
afterAll(() => oidcProvider.server.close())

function openOidcProvider(): Party {
  const { origin } = oidcProvider.server
  const visitor: Visitor = createVisitor()
  return {
    authHost: origin,
    userId: 'anna',
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('origin', new URL(APP).origin)
      return fetch(input, { ...init, headers })
    },
    async signIn(authorizeAddress) {
      const { url } = await follow(visitor, await visitor.fetch(authorizeAddress), origin)
      if (url.origin !== origin) return url
      return (await follow(visitor, await visitor.submit(url.href, { account: 'anna' }), origin)).url
    },
  }
}

function openServerInMemory(): Party {
  const { origin: authHost } = new URL('https://auth.test')
  const server = createFakeAuthServer({ authHost, user: createFakeUser({ userId: 'anna' }) })
  return {
    authHost,
    userId: 'anna',
    fetch: async (input, init) => server.fetch(input, init),
    signIn: async (authorizeAddress) => {
      const back = new URL(server.callbackOf(authorizeAddress))
      back.searchParams.set('iss', authHost)
      return back
    },
  }
}

interface Play extends Scene {
  party: Party
  /** Bodies that went to the token endpoint, by their grant. */
  sent(grant: string): Record<string, string>[]
}

interface Changes {
  /** Changes the address that the browser comes back with. */
  back?: (address: URL) => void
  /** Changes what the token endpoint answers. */
  token?: Edit
  /** Changes what GET /api/userinfo answers. */
  userInfo?: Edit
}

/** One sign-in by redirect: to the server, and back with what the server or somebody on the way has made of it. */
async function play(open: () => Party, changes: Changes = {}): Promise<Play> {
  const party = open()
  const edited: typeof fetch = async (input, init) => {
    const response = await party.fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const edit = { '/oauth/token': changes.token, '/api/userinfo': changes.userInfo }[pathname]
    if (!edit || !response.ok) return response
    return Response.json(edit((await response.json()) as Record<string, unknown>), {
      status: response.status,
    })
  }
  const config = { authHost: party.authHost, clientId: CLIENT_ID, autoLogin: false }
  // No frame: what comes of the answer in the address is all there is.
  const host = {
    fetch: edited,
    onFrame: (frame: { answer(response: object): void }) =>
      queueMicrotask(() => frame.answer({ error: 'login_required' })),
  }
  const left = createScene({ address: PLACE, config, host })
  void left.auth.start()
  await left.host.settle()
  void left.auth.login()
  await left.host.settle()
  const back = await party.signIn(left.host.navigations[0] ?? '')
  changes.back?.(back)
  const page = nextPage(left, back.href, { config, host })
  void page.auth.start()
  await page.host.settle()
  return {
    ...page,
    party,
    sent: (grant) => tokenBodies(page.host).filter(({ grant_type }) => grant_type === grant),
  }
}

const outcome = ({ auth }: Play) => {
  const state = auth.getState()
  if (state.status === 'failed') return state.error.code
  return state.status === 'unauthenticated' ? (state.cause?.code ?? state.reason) : state.status
}
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof AuthError ? error.code : `not ours: ${String(error)}`),
  )

const claimsWith =
  (change: object): Edit =>
  (answer) => ({
    ...answer,
    access_token: createAccessToken({ userId: 'anna', aud: CLIENT_ID, ...change }),
  })

for (const { which, open, tags } of [
  { which: 'the server in memory', open: openServerInMemory, tags: [] },
  { which: 'oidc-provider', open: openOidcProvider, tags: ['thorough'] },
])
  describe(`against ${which}`, { tags }, () => {
    describe('the answer of the authorization endpoint', () => {
      const expectNoCode = async (back: (address: URL) => void, expected: string) => {
        const scene = await play(open, { back })
        expect(scene.sent('authorization_code')).toEqual([])
        expect(outcome(scene)).toBe(expected)
      }

      it('as it should be: the code is exchanged once, with its verifier, and the user is where they were', async () => {
        const scene = await play(open)
        expect(outcome(scene)).toBe('authenticated')
        expect(scene.sent('authorization_code')).toHaveLength(1)
        expect(scene.sent('authorization_code')[0]?.['code_verifier']).toHaveLength(64)
        expect(scene.host.address).toBe(PLACE)
      })

      it.each<[string, (address: URL) => void]>([
        ['state missing', (address) => address.searchParams.delete('state')],
        ['state of another', (address) => address.searchParams.set('state', 'AbC123')],
        [
          'state in other letters',
          (address) => address.searchParams.set('state', `${address.searchParams.get('state')}x`),
        ],
        ['state empty', (address) => address.searchParams.set('state', '')],
        [
          'state twice',
          (address) => address.searchParams.append('state', address.searchParams.get('state') ?? ''),
        ],
        ['code missing', (address) => address.searchParams.delete('code')],
        [
          'code twice',
          (address) => address.searchParams.append('code', address.searchParams.get('code') ?? ''),
        ],
        [
          'everything in the fragment',
          (address) => {
            address.hash = address.search.slice(1)
            address.search = ''
          },
        ],
      ])('with %s: no code is sent', async (_what, back) => {
        await expectNoCode(back, 'none')
      })

      it.each([
        ['of another server', 'https://evil.test'],
        ['with a slash more', 'slash'],
        ['in capitals', 'capitals'],
        ['empty', ''],
      ])('with an issuer %s: no code is sent, and the user is told (RFC 9207)', async (_what, wrong) => {
        await expectNoCode(({ searchParams }) => {
          const right = searchParams.get('iss') ?? ''
          const forms: Record<string, string> = { slash: `${right}/`, capitals: right.toUpperCase() }
          searchParams.set('iss', forms[wrong] ?? wrong)
        }, 'issuer-mismatch')
      })

      it('without an issuer, as of servers before RFC 9207: state and PKCE stand for it', async () => {
        const scene = await play(open, { back: (address) => address.searchParams.delete('iss') })
        expect(outcome(scene)).toBe('authenticated')
      })

      it.each([
        ['access_denied', 'access-denied'],
        ['login_required', 'authorization-refused'],
        ['invalid_request', 'authorization-refused'],
        ['unauthorized_client', 'authorization-refused'],
        ['server_error', 'authorization-refused'],
        ['an_error_of_its_own', 'authorization-refused'],
      ])('with the error %s: no code is sent, and the user is told %s', async (error, code) => {
        await expectNoCode(({ searchParams }) => {
          searchParams.delete('code')
          searchParams.set('error', error)
        }, code)
      })

      it('with a code that was used before: refused by the server, told to the user, and not sent again', async () => {
        let used = ''
        const first = open()
        const party = () => first
        const scene = await play(party, {
          back: (address) => void (used = address.searchParams.get('code') ?? ''),
        })
        expect(outcome(scene)).toBe('authenticated')
        const again = await play(party, { back: (address) => address.searchParams.set('code', used) })
        expect(again.sent('authorization_code')).toHaveLength(1)
        expect(again.auth.getState()).toMatchObject({ status: 'failed', error: { status: 400 } })
      })

      it('opened again by reload or back button: the code is not sent a second time', async () => {
        let address = ''
        const scene = await play(open, { back: (back) => void (address = back.href) })
        const again = nextPage(scene, address, {
          config: { authHost: scene.party.authHost, clientId: CLIENT_ID, autoLogin: false },
          host: { onFrame: (frame) => queueMicrotask(() => frame.answer({ error: 'login_required' })) },
        })
        void again.auth.start()
        await again.host.settle()
        expect(
          tokenBodies(again.host).filter(({ grant_type }) => grant_type === 'authorization_code'),
        ).toEqual([])
      })
    })

    describe('the answer of the token endpoint', () => {
      it.each(['bearer', 'BEARER', 'bEaReR'])(
        'with token_type %s is taken: letters do not matter',
        async (token_type) => {
          expect(outcome(await play(open, { token: (answer) => ({ ...answer, token_type }) }))).toBe(
            'authenticated',
          )
        },
      )

      it.each<[string, Edit]>([
        ['token_type DPoP', (answer) => ({ ...answer, token_type: 'DPoP' })],
        ['token_type as a list', (answer) => ({ ...answer, token_type: ['Bearer'] })],
        ['no access_token', ({ access_token: _none, ...answer }) => answer],
        ['an empty access_token', (answer) => ({ ...answer, access_token: '' })],
        ['a refresh_token that is no text', (answer) => ({ ...answer, refresh_token: 7 })],
      ])('with %s is refused, and nobody is signed in', async (_what, token) => {
        expect(outcome(await play(open, { token }))).toBe('unexpected-answer')
      })

      it('with an access token that cannot be read is refused with its text', async () => {
        const scene = await play(open, { token: (answer) => ({ ...answer, access_token: 'opaque' }) })
        expect(outcome(scene)).toBe('invalid-access-token')
      })

      it('without expires_in is taken, and its life read from the token', async () => {
        const scene = await play(open, { token: ({ expires_in: _none, ...answer }) => answer })
        expect(outcome(scene)).toBe('authenticated')
        expect(scene.auth.getState()).toMatchObject({ expiresAtMs: expect.any(Number) })
      })

      it('without refresh_token is taken', async () => {
        const scene = await play(open, { token: ({ refresh_token: _none, ...answer }) => answer })
        expect(outcome(scene)).toBe('authenticated')
      })
    })

    describe('a renewal', () => {
      const renewed = async (token: Edit) => {
        let isLater = false
        const scene = await play(open, { token: (answer) => (isLater ? token(answer) : answer) })
        isLater = true
        const { user } = scene.auth.getState() as { user?: { userId: unknown } }
        const renewal = codeOf(scene.auth.renew({ force: true }))
        await scene.host.settle()
        return { scene, code: await renewal, before: user?.userId }
      }

      it('sends the refresh token once, with the verifier of the sign-in', async () => {
        const { scene, code } = await renewed((answer) => answer)
        expect(code).toBe('no error')
        expect(scene.sent('refresh_token')).toHaveLength(1)
      })

      it.each<[string, object]>([
        ['another user', { userId: 'mallory' }],
        ['another firm', { userId: 'anna', firmId: 'another firm' }],
        ['another audience', { aud: 'another app' }],
        ['an impersonator', { impersonatorId: 'mallory' }],
      ])('that answers for %s is refused: nobody is switched silently', async (_what, change) => {
        const { scene, code, before } = await renewed(claimsWith(change))
        expect(code).toBe('identity-changed')
        const state = scene.auth.getState()
        if (state.status === 'authenticated') expect(state.user.userId).toBe(before)
      })
    })

    describe('the answer of the user info endpoint', () => {
      const read = async (userInfo: Edit) => {
        const { auth, host } = await play(open, { userInfo })
        const reading = codeOf(new QueryClient().query({ ...userInfoQuery(auth), retry: false }))
        await host.settle()
        return reading
      }

      it.each<[string, Edit]>([
        ['as it is', (answer) => answer],
        ['with the id of the user', (answer) => ({ ...answer, userId: 'anna' })],
      ])('%s is shown', async (_what, userInfo) => {
        expect(await read(userInfo)).toBe('no error')
      })

      it('for another user is refused, as a cache on the way may give it', async () => {
        expect(await read((answer) => ({ ...answer, userId: 'mallory' }))).toBe('unexpected-answer')
      })
    })

    describe('the end of a logout', () => {
      const signedOutAt = async (change: (address: URL) => void) => {
        const scene = await play(open)
        void scene.auth.logout()
        await scene.host.settle()
        const logout = new URL(scene.host.navigations[0] ?? '')
        const back = new URL(logout.searchParams.get('post_logout_redirect_uri') ?? '')
        const state = logout.searchParams.get('state')
        if (state !== null) back.searchParams.set('state', state)
        change(back)
        const config = { authHost: scene.party.authHost, clientId: CLIENT_ID, autoLogin: false }
        const host = {
          onFrame: (frame: { answer(response: object): void }) =>
            queueMicrotask(() => frame.answer({ error: 'login_required' })),
        }
        const page = nextPage(scene, back.href, { config, host })
        void page.auth.start()
        await page.host.settle()
        return { page, address: back.href }
      }

      it('with its state brings the user back to where they were', async () => {
        const { page } = await signedOutAt(() => {})
        expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated' })
        expect(page.host.address).toBe(PLACE)
      })

      it('with the state of another is none of ours: the address stays as it is', async () => {
        const { page, address } = await signedOutAt((back) => back.searchParams.set('state', 'Zz9Zz9'))
        expect(page.host.address).toBe(address)
        expect(page.auth.getState().status).not.toBe('authenticated')
      })

      it('without a state is none of ours either', async () => {
        const { page, address } = await signedOutAt((back) => back.searchParams.delete('state'))
        expect(page.host.address).toBe(address)
        expect(page.auth.getState().status).not.toBe('authenticated')
      })
    })
  })
