// A server that refuses to be framed: frames are left out after two failures, until a person signs in.
import { expect, it } from 'vitest'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, createScene, isOpenIdConnect, nextPage, type Scene } from '../session/sessionScene.ts'

/** The page in the frame is the browser's own error page. */
function refusing() {
  const seen = { frames: 0 }
  const onFrame = (frame: FakeFrame) => {
    seen.frames += 1
    queueMicrotask(() => frame.load())
  }
  return { seen, options: { host: { onFrame } } }
}

/** A page load, and the way back from the sign-in page that it led to. */
async function visit(scene: Scene, options: object): Promise<Scene> {
  void scene.auth.start()
  await scene.host.clock.advance(11_000)
  const back = nextPage(scene, scene.server.callbackOf(scene.host.navigations.at(-1)!), options)
  void back.auth.start()
  await back.host.settle()
  expect(back.auth.getState().status).toBe('authenticated')
  return back
}

it('the third page load waits for no frame: an automatic redirect switches frames on for nobody', async () => {
  const { seen, options } = refusing()
  let page = await visit(createScene(options), options)
  const counts = []
  for (let count = 0; count < 3; count += 1) {
    await page.host.clock.advance(60_000)
    page = await visit(nextPage(page, APP, options), options)
    counts.push(seen.frames)
  }
  expect(counts).toEqual([2, 2, 2])
})

// Of a provider, the browser remembers for days that it gives no response in a frame.
it.skipIf(isOpenIdConnect)('a sign-in that a person asked for has the next frame tried', async () => {
  const { seen, options } = refusing()
  let page = await visit(createScene(options), options)
  page = await visit(nextPage(page, APP, options), options)
  expect(seen.frames).toBe(2)
  await page.auth.logout()
  await page.host.settle()
  const out = nextPage(
    page,
    `${APP}?state=${new URL(page.host.navigations.at(-1)!).searchParams.get('state')}`,
    options,
  )
  void out.auth.start()
  await out.host.settle()
  void out.auth.login()
  await out.host.settle()
  out.server.user = createFakeUser()
  const back = nextPage(out, out.server.callbackOf(out.host.navigations.at(-1)!), options)
  void back.auth.start()
  await back.host.settle()
  const reloaded = nextPage(back, APP, options)
  void reloaded.auth.start()
  await reloaded.host.settle()
  expect(seen.frames).toBe(3)
})
