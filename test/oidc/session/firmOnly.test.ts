// What an OpenID Connect provider does not have: each query and mutation says so before any request and any window.
import { type MutationOptions, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Auth } from '../../../src/session/auth.ts'
import { changePasswordMutation, linkMapQuery } from '../../../src/index.ts'
import { CONTRACT_ONLY } from '../contractOnly.ts'
import { signedIn, start } from './sessionPages.ts'
import { createOidcScene } from './sessionScene.ts'

const VARIABLES: Readonly<Record<string, unknown>> = {
  saveLinkMapMutation: [],
  passthroughMutation: { redirect: 'https://app.test/' },
  authorizeSupportMutation: { requestCode: '123456', duration: 5 },
  updateFirmMutation: { id: 'f1', cloudProviderId: 'c1' },
  exchangeAssertionMutation: { assertion: 'jti-1' },
}
const QUERIES = CONTRACT_ONLY.filter(([name]) => name.endsWith('Query'))
const MUTATIONS: readonly (readonly [string, (auth: Auth) => unknown, unknown])[] = [
  ...CONTRACT_ONLY.filter(([name]) => name.endsWith('Mutation')).map(
    ([name, mutation]) => [name, mutation, VARIABLES[name]] as const,
  ),
  ['changePasswordMutation, on a page of its own', changePasswordMutation, { how: 'navigation' }],
]

it.each(QUERIES)('%s is not supported, and nothing is asked for', async (_what, query) => {
  const scene = createOidcScene()
  const { auth } = await signedIn(scene)
  const before = scene.provider.requests.length
  const client = new QueryClient()
  await expect(client.query(query(auth) as ReturnType<typeof linkMapQuery>)).rejects.toMatchObject({
    code: 'not-supported',
    retryable: false,
  })
  expect(scene.provider.requests).toHaveLength(before)
})

it.each(MUTATIONS)('%s is not supported, and no window opens', async (_what, mutation, variables) => {
  const scene = createOidcScene()
  const { auth, host } = await signedIn(scene)
  const before = scene.provider.requests.length
  const client = new QueryClient()
  const running = client
    .getMutationCache()
    .build(client, mutation(auth) as MutationOptions<unknown, Error, unknown>)
  await expect(running.execute(variables)).rejects.toMatchObject({ code: 'not-supported' })
  expect(scene.provider.requests).toHaveLength(before)
  expect([host.popups, host.navigations]).toEqual([[], []])
})

it('that a call is not supported needs no token: none is renewed for it, and nobody has to be signed in', async () => {
  const ask = (auth: Auth) => new QueryClient().query(linkMapQuery(auth))
  const scene = createOidcScene()
  scene.provider.answer = { expires_in: 100 }
  const { auth } = await signedIn(scene)
  await scene.browser.clock.advance(90_000)
  const before = scene.provider.requests.length
  await expect(ask(auth)).rejects.toMatchObject({ code: 'not-supported' })
  expect(scene.provider.requests).toHaveLength(before)

  const nobody = await start(createOidcScene({ config: { autoLogin: false } }))
  expect(nobody.auth.getState().status).toBe('unauthenticated')
  await expect(ask(nobody.auth)).rejects.toMatchObject({ code: 'not-supported' })
})
