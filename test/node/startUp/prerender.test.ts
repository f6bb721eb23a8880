// A page that the browser prepares before anybody opens it: start-up waits, so no limit runs against a frame that the browser holds back.
import { expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createOidcScene } from '../../oidc/session/sessionScene.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

async function openPrerendered() {
  const scene = createOidcScene()
  scene.provider.user = 'ada'
  const { promise: activation, resolve: activate } = Promise.withResolvers<void>()
  const host = createFakeHost('https://admin.example.com/', {
    browser: scene.browser,
    server: scene,
  })
  const auth = createAuth(scene.config(), {
    platform: { ...host.platform, untilActive: () => activation },
  })
  void auth.start()
  await host.settle()
  return { scene, host, auth, activate }
}

it('asks nobody and goes nowhere while it is prerendered, however long that is', async () => {
  const { scene, host, auth } = await openPrerendered()
  await scene.browser.clock.advance(600_000)
  expect(auth.getState().status).toBe('initializing')
  expect([scene.provider.requests.length, host.frames.length, host.navigations.length]).toEqual([0, 0, 0])
})

it('starts up when the user opens it', async () => {
  const { scene, host, auth, activate } = await openPrerendered()
  await scene.browser.clock.advance(70_000)
  activate()
  await host.settle()
  await scene.browser.clock.advance(1_000)
  expect(['authenticated', 'redirecting']).toContain(auth.getState().status)
})

it('that nobody uses any more when it is opened begins nothing', async () => {
  const { scene, host, auth, activate } = await openPrerendered()
  auth.dispose()
  activate()
  await host.settle()
  expect([scene.provider.requests.length, host.frames.length, host.navigations.length]).toEqual([0, 0, 0])
})
