// The session worker beside an OpenID Connect provider: what is left to the next page, and what is not.
import { expect, it } from 'vitest'
import { createFakeWorker } from '../../node/sessionWorker/workerScene.ts'
import { APP, METADATA } from '../scene.ts'
import { follow, signedIn } from './sessionPages.ts'
import { createOidcScene } from './sessionScene.ts'

function createWorkerScene(dpop: 'required' | 'auto' | undefined) {
  const scene = createOidcScene({
    ...(dpop && { options: { dpop } }),
    config: { sessionWorker: (options) => worker.sessionWorker(options) },
  })
  const worker = createFakeWorker(scene.browser)
  scene.provider.dpop = dpop !== undefined
  scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
  return { scene, worker }
}

it('a reload is signed in with 0 requests to the provider', async () => {
  const { scene } = createWorkerScene(undefined)
  const first = await signedIn(scene)
  await scene.browser.clock.settle()
  const before = scene.provider.requests.length
  const next = await follow(scene, first, APP)
  expect(next.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  expect(scene.provider.requests).toHaveLength(before)
  await next.auth.renew({ force: true })
  expect(next.auth.getState().status).toBe('authenticated')
})

it('tokens that are bound to a key are not left: a reload gets a new key by the silent check', async () => {
  const { scene, worker } = createWorkerScene('required')
  const first = await signedIn(scene)
  await scene.browser.clock.settle()
  const next = await follow(scene, first, APP)
  expect(next.auth.getState().status).toBe('authenticated')
  expect(worker.said.filter((said) => (said as { type?: string }).type === 'keep')).toEqual([])
  expect(scene.provider.refusedProofs).toEqual([])
  expect(new Set(scene.provider.keyOf.values()).size).toBe(2)
})

it('nor are tokens of which the refresh token alone is bound: every renewal after a reload would fail', async () => {
  const { scene, worker } = createWorkerScene('auto')
  scene.provider.answer = { token_type: 'Bearer' }
  const first = await signedIn(scene)
  await scene.browser.clock.settle()
  const next = await follow(scene, first, APP)
  expect(worker.said.filter((said) => (said as { type?: string }).type === 'keep')).toEqual([])
  await next.auth.renew({ force: true })
  expect(next.auth.getState().status).toBe('authenticated')
})
