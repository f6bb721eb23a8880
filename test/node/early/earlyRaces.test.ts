// What may happen between the first script of a page and its app: it ends as without the script, and nothing of the script stays.
import { describe, expect, it } from 'vitest'
import { earlyScript, openEarlyPage } from './earlyScene.ts'
import { tokenBodies } from '../session/sessionScene.ts'

await earlyScript()

const isSignedIn = { status: 'authenticated', user: { userId: 'alice' } }

describe('between the first script and the app', () => {
  it('the machine slept: a token is not taken for hours younger than it is', async () => {
    const page = await openEarlyPage()
    expect(page.sent).toHaveLength(1)
    page.host.clock.sleep(8 * 3_600_000)
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
    expect(tokenBodies(page.host)).toHaveLength(1)
    expect([page.frames, page.left, page.timerCount()]).toEqual([[], {}, 0])
  })

  it('the app came before the script had made its key: it begins by itself, and nobody else does', async () => {
    const page = await openEarlyPage({ isAppFirst: true })
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
    expect([page.sent, page.frames, page.left, page.timerCount()]).toEqual([[], [], {}, 0])
    expect(tokenBodies(page.host)).toHaveLength(1)
  })

  it('the whole document was replaced: the frame that went with it is not waited for', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    page.replaceDocument()
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    page.server.answerFrame(page.host.frames[0]!)
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
    expect([page.left, page.timerCount()]).toEqual([{}, 0])
  })

  it('another tab wrote something else: what was begun here goes on', async () => {
    const page = await openEarlyPage()
    page.writeElsewhere('theme', 'dark')
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
    // Its own session is one that other tabs may know of.
    page.writeElsewhere('latchkey https://auth.test admin session', '{"tabs":["Zz9Zz9"]}')
    await page.host.clock.advance(2000)
    expect(page.host.requests).toEqual([])
    expect([page.frames, page.left]).toEqual([[], {}])
  })

  it('another tab signed in while the app has the frame already: the frame stays until its answer', async () => {
    const page = await openEarlyPage({ isFrameMute: true })
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    page.writeElsewhere('latchkey https://auth.test admin session', '{"tabs":["Zz9Zz9"]}')
    page.server.answerFrame(page.frames[0]!)
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
  })

  it('the app was started and stopped before it asked: the next start has what was begun', async () => {
    const page = await openEarlyPage()
    const auth = page.createAuth()
    void auth.start()
    auth.dispose()
    await page.host.settle()
    const again = page.createAuth()
    void again.start()
    await page.host.settle()
    expect(again.getState()).toMatchObject(isSignedIn)
    await page.host.clock.advance(25_000)
    expect([page.frames, page.left, page.timerCount()]).toEqual([[], {}, 0])
  })
})

describe('a page that has the script twice', () => {
  it('opens one frame and exchanges one code', async () => {
    const page = await openEarlyPage({ copies: 2 })
    expect([page.frames.length, page.sent.length]).toEqual([1, 1])
    const auth = page.createAuth()
    void auth.start()
    await page.host.settle()
    expect(auth.getState()).toMatchObject(isSignedIn)
    await page.host.clock.advance(2000)
    expect(page.host.requests).toEqual([])
    expect([page.frames, page.left, page.timerCount()]).toEqual([[], {}, 0])
  })
})
