// Looks for every secret of a session in the devtools: in the panel as it is drawn, and in the support bundle.
import { act, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createSupportBundle, LatchkeyDevtoolsPanel } from '../../../src/devtools/index.ts'
import { reauthenticateCloudAccountMutation } from '../../../src/queries/cloudProvider.ts'
import { exchangeAssertionMutation } from '../../../src/queries/secretCalls.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { openCloudScene, type CloudScene } from '../calls/cloudScene.tsx'
import { createScene, tokenBodies } from '../../node/session/sessionScene.ts'

const NONCE = 'CANARY-nonce-51c2'
const ASSERTION = 'CANARY-assertion-51c2'
const SESSION_ID = 'CANARY-session-id-51c2-long-enough'

/** Everything that was secret in this session, from what went over the wire and lies in the storages. */
async function secretsOf(scene: CloudScene, more: readonly (string | undefined)[]): Promise<string[]> {
  const { host, auth } = scene
  const sent = tokenBodies(host).flatMap((body) =>
    ['code', 'code_verifier', 'refresh_token', 'assertion'].map((name) => body[name]),
  )
  const bearers = host.requests.map(({ headers }) => headers.get('authorization')?.slice('Bearer '.length))
  const state = auth.getState()
  const jti = state.status === 'authenticated' ? state.user.jti : undefined
  const states = host.frames.map(({ url }) => new URL(url).searchParams.get('state') ?? undefined)
  const token = await auth.getAccessToken().catch(() => undefined)
  const all = [...sent, ...bearers, ...states, token, jti, ...more].filter((secret) => secret !== undefined)
  return [...new Set(all)]
}

/** What a careless server sends back: everything it was sent, and more. */
async function echo(request: Request): Promise<Response> {
  const body = await request.clone().text()
  const authorization = request.headers.get('authorization')
  return Response.json(
    {
      error: 'broken',
      error_description: `no ${body}`,
      authorization,
      nonce: NONCE,
      access_token: createAccessToken(),
    },
    { status: 500 },
  )
}

function found(auth: Auth, secrets: readonly string[]): string[] {
  const places = { panel: document.documentElement.outerHTML, bundle: createSupportBundle(auth) }
  return Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret.slice(0, 24)}`),
  )
}

const readAll = async (scene: CloudScene) => {
  await scene.does(() => scene.host.clock.advance(1_000))
  const more = [...document.querySelectorAll('button')].find(({ textContent }) =>
    textContent?.startsWith('Show all'),
  )
  await scene.does(() => more?.click())
}

it.each([
  ['succeed', false],
  ['fail, and the server repeats what it was sent', true],
])('finds none when all calls %s', async (_how, isFailing) => {
  let isBroken = false
  const scene = await openCloudScene({
    server: { user: createFakeUser({ sessionId: SESSION_ID }) },
    cloud: { linkedAccount: { id: 'a' } },
    config: { initToken: createAccessToken({ note: 'init' }) },
    answer(request) {
      if (isBroken) return echo(request)
      const isNonce = new URL(request.url).pathname.endsWith('/reauthenticate/link')
      return isNonce ? Response.json({ nonce: NONCE }) : undefined
    },
  })
  const { auth, client } = scene
  render(<LatchkeyDevtoolsPanel auth={auth} />)
  const before = await secretsOf(scene, [])
  isBroken = isFailing
  await scene.does(() => auth.renew({ force: true }).catch(() => {}))
  const run = (options: object, variables: unknown) =>
    client
      .getMutationCache()
      .build(client, { ...options, retry: false })
      .execute(variables as never)
      .catch(() => {})
  await scene.does(() => void run(reauthenticateCloudAccountMutation(auth), undefined))
  await scene.does(() => void run(exchangeAssertionMutation(auth), { assertion: ASSERTION }))
  await scene.does(() => auth.fetch('https://auth.test/api/userinfo').catch(() => {}))
  await readAll(scene)
  const secrets = await secretsOf(scene, [
    ...before,
    NONCE,
    ASSERTION,
    SESSION_ID,
    internalsOf(auth).settings.initToken,
  ])
  expect(secrets.length).toBeGreaterThan(8)
  expect(secrets.every((secret) => secret.length > 3)).toBe(true)
  expect(scene.host.requests.some(({ body }) => body?.includes(ASSERTION))).toBe(true)
  expect(found(auth, secrets)).toEqual([])
})

it('finds none of a sign-in by redirect: on the way there, on the way back, and when it is refused', async () => {
  const left = createScene({ server: { user: undefined } })
  void left.auth.start()
  await act(() => left.host.settle())
  const leaving = new URL(left.host.navigations[0] ?? '')
  const [state = '', challenge = ''] = ['state', 'code_challenge'].map(
    (name) => leaving.searchParams.get(name) ?? '',
  )
  const record = left.host.sessionStorage.get('latchkey https://auth.test admin tab') ?? ''
  const verifier = /"verifier":"([^"]+)"/.exec(record)?.[1] ?? ''
  expect([state.length, verifier.length]).toEqual([6, 64])
  const { unmount } = render(<LatchkeyDevtoolsPanel auth={left.auth} />)
  expect(found(left.auth, [state, challenge, verifier])).toEqual([])
  unmount()

  const callback = left.server.callbackOf(leaving.href)
  const code = new URL(callback).searchParams.get('code') ?? ''
  const back = createScene({
    address: callback,
    host: {
      browser: left.host.browser,
      sessionStorage: left.host.sessionStorage,
      fetch: async (input, init) => echo(new Request(input, init)),
    },
  })
  render(<LatchkeyDevtoolsPanel auth={back.auth} />)
  void back.auth.start()
  await act(() => back.host.settle())
  await act(() => back.host.clock.advance(1_000))
  expect(tokenBodies(back.host)[0]).toMatchObject({ code, code_verifier: verifier })
  expect(back.auth.getState().status).toBe('failed')
  expect(found(back.auth, [state, challenge, verifier, code, NONCE])).toEqual([])
})

it('would find one if it were there', async () => {
  const scene = await openCloudScene()
  internalsOf(scene.auth).timeline.record('slip', 'done', `the word ${NONCE}`)
  render(<LatchkeyDevtoolsPanel auth={scene.auth} />)
  expect(found(scene.auth, [NONCE])).toHaveLength(2)
})

it('takes out what looks like a token, though it was written down by mistake', async () => {
  const scene = await openCloudScene()
  const token = await scene.auth.getAccessToken()
  internalsOf(scene.auth).timeline.record('slip', 'failed', `bad token ${token}`)
  render(<LatchkeyDevtoolsPanel auth={scene.auth} />)
  expect(found(scene.auth, [token])).toEqual([])
})
