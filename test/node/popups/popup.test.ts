// A popup window alone: opened, watched and ended for certain.
import { describe, expect, it } from 'vitest'
import { POPUP_CLOSE_WAIT_MS, POPUP_GRACE_MS, POPUP_POLL_MS } from '../../../src/base/popupConstants.ts'
import { openPopup, type PopupEnd } from '../../../src/queries/popupWindow.ts'
import { loadLater } from '../../../src/session/laterFile.ts'
import { FILE_WAIT_MS } from '../../../src/base/sessionConstants.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'
import type { PopupPort } from '../../../src/session/platform/platform.ts'

const AUTH = 'https://auth.test'
const LINK = {
  settings: { authHost: AUTH, clientId: 'admin' },
  page: 'link',
  url: `${AUTH}/link`,
  hasChanged: async () => false,
} as const

/** What watches a window has loaded. */
const watching = async (host: FakeHost) => {
  await loadLater(host.platform)
  await host.settle()
}

describe('a popup', () => {
  async function open(options: { isBlank?: boolean; hasChanged?: () => Promise<boolean> } = {}) {
    const host = createFakeHost(APP)
    const { hasChanged = LINK.hasChanged, isBlank } = options
    const url = isBlank ? 'about:blank' : LINK.url
    const popup = openPopup({ ...LINK, platform: host.platform, url, hasChanged })
    await watching(host)
    if (!popup) throw new Error('the browser blocked it')
    const ends: string[] = []
    void popup.ended.then((how) => ends.push(how))
    const [window] = host.popups
    if (!window) throw new Error('no window is open')
    return { host, popup, ends, window }
  }

  it('closed by its user is called so when the grace is over, not a moment earlier, and not before the next look', async () => {
    const { host, ends, window } = await open()
    window.close()
    await host.clock.advance(POPUP_GRACE_MS - 1)
    expect(ends).toEqual([])
    await host.clock.advance(POPUP_POLL_MS)
    expect(ends).toEqual(['closed'])
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0, popups: 0 })
  })

  it('ends once, however many ends come', async () => {
    const { host, popup, ends, window } = await open()
    popup.end('cancelled')
    popup.end('done')
    popup.fail(new Error('late'))
    window.post('closeMe')
    await host.settle()
    expect(ends).toEqual(['cancelled'])
    expect(window.isClosed).toBe(true)
  })

  it.each<[PopupEnd, boolean]>([
    ['answered', false],
    ['changed', true],
    ['done', true],
    ['closed', false],
    ['cancelled', true],
    ['late', true],
    ['signed-out', false],
    ['left', false],
  ])('that ends as %s goes to the close page of the server first: %s', async (how, isSent) => {
    const { host, popup, ends, window } = await open()
    popup.end(how)
    expect(window.urls.slice(1)).toEqual(isSent ? [`${AUTH}/oauth/close?client_id=admin`] : [])
    await host.clock.advance(POPUP_CLOSE_WAIT_MS)
    expect(ends).toEqual([how])
    expect(window.isClosed).toBe(true)
  })

  it('that is over goes nowhere', async () => {
    const { popup, window } = await open({ isBlank: true })
    popup.end('cancelled')
    popup.navigate(`${AUTH}/late`)
    expect(window.urls).toEqual(['about:blank'])
  })

  it('that waits on a blank page hears nothing, asks nothing, and is gone as soon as it is closed', async () => {
    let asked = 0
    const { host, ends, window } = await open({ isBlank: true, hasChanged: async () => (asked += 1) > 0 })
    window.post('closeMe')
    host.emit('focus')
    await host.settle()
    expect([ends, asked]).toEqual([[], 0])
    window.close()
    await host.clock.advance(POPUP_POLL_MS)
    expect(ends).toEqual(['closed'])
  })

  it('that waits on a blank page goes with the page; one that has gone on stays', async () => {
    const { host, popup, window } = await open({ isBlank: true })
    host.emit('pagehide')
    expect(window.isClosed).toBe(true)
    popup.end('left')
    const other = await open()
    other.host.emit('pagehide')
    expect(other.window.isClosed).toBe(false)
    other.popup.end('left')
  })

  it('that has gone on from its blank page hears its server', async () => {
    const { host, popup, ends, window } = await open({ isBlank: true })
    popup.navigate(`${AUTH}/link`)
    expect(window.urls).toEqual(['about:blank', `${AUTH}/link`])
    window.post('closeMe')
    await host.settle()
    expect(ends).toEqual(['answered'])
  })

  it.each(['focus', 'visible'] as const)(
    'is looked after when the page gets %s: one question at a time',
    async (event) => {
      const answers: ((isChanged: boolean) => void)[] = []
      const { host, ends } = await open({ hasChanged: () => new Promise((resolve) => answers.push(resolve)) })
      host.emit(event)
      host.emit(event)
      expect(answers).toHaveLength(1)
      answers[0]?.(false)
      await host.settle()
      expect(ends).toEqual([])
      host.emit(event)
      expect(answers).toHaveLength(2)
      answers[1]?.(true)
      await host.settle()
      expect(ends).toEqual(['changed'])
    },
  )

  it('closed, when the user is back on the page, is called so at once', async () => {
    const { host, ends, window } = await open()
    window.close()
    host.emit('focus')
    await host.settle()
    expect(ends).toEqual(['closed'])
  })

  it('whose question fails goes on, and may be asked again', async () => {
    let asked = 0
    const { host, ends } = await open({
      hasChanged: () => {
        asked += 1
        return Promise.reject(new Error('down'))
      },
    })
    host.emit('focus')
    await host.settle()
    host.emit('focus')
    await host.settle()
    expect([asked, ends]).toEqual([2, []])
  })
})

describe('a popup that ends', () => {
  function open(port: Partial<PopupPort> = {}) {
    const host = createFakeHost(APP)
    const told: string[] = []
    let closeCount = 0
    const opening = () =>
      openPopup({
        ...LINK,
        platform: {
          ...host.platform,
          tell: (text) => void told.push(text),
          openPopup: () => {
            const plain = {
              isClosed: false,
              navigate: () => {},
              focus: () => {},
              close: () => void (closeCount += 1),
            }
            // Getters stay getters.
            return Object.defineProperties(plain, Object.getOwnPropertyDescriptors(port))
          },
        },
      })
    const opened = async () => {
      const popup = opening()
      if (!popup) throw new Error('the browser blocked it')
      await watching(host)
      return popup
    }
    return { host, opening, opened, told, closeCount: () => closeCount }
  }

  it('that a blocker hands out closed is closed for good', () => {
    const { opening, told, closeCount } = open({ isClosed: true })
    expect(opening()).toBeUndefined()
    expect(closeCount()).toBe(1)
    expect(told).toEqual(['The browser blocked a window: open it in the click itself, before any await.'])
  })

  it('that another page cuts off is said so once, at the third look', async () => {
    let isClosed = false
    const { host, opened, told } = open({
      get isClosed() {
        return isClosed
      },
      isPageInFront: false,
    })
    const popup = await opened()
    isClosed = true
    await host.clock.advance(POPUP_POLL_MS * 2)
    expect(told).toEqual([])
    await host.clock.advance(POPUP_POLL_MS)
    expect(told).toEqual([expect.stringMatching(/Cross-Origin-Opener-Policy.*same-origin-allow-popups/)])
    await host.clock.advance(POPUP_POLL_MS * 20)
    expect(told).toHaveLength(1)
    popup.end('signed-out')
  })

  it('waits for its close page, but not when somebody signs out meanwhile', async () => {
    const { host, opened, closeCount } = open()
    const popup = await opened()
    popup.end('done')
    await host.settle()
    expect(closeCount()).toBe(0)
    popup.end('signed-out')
    popup.end('signed-out')
    expect(closeCount()).toBe(1)
    expect(await popup.ended).toBe('done')
    await host.clock.advance(10_000)
    expect(closeCount()).toBe(1)
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0 })
  })

  it('is given up in the millisecond in which ten minutes are over', async () => {
    const sentTo: string[] = []
    const { host, opened } = open({ navigate: (url) => void sentTo.push(url) })
    const ends: string[] = []
    void (await opened()).ended.then((how) => ends.push(how))
    // A clock that somebody sets ends it no sooner and no later.
    host.clock.jump(3_600_000)
    await host.clock.advance(300_000)
    host.clock.jump(-7_200_000)
    await host.clock.advance(299_999)
    expect(sentTo).toEqual([])
    await host.clock.advance(1)
    expect(sentTo).toEqual(['https://auth.test/oauth/close?client_id=admin'])
    await host.clock.advance(2_000)
    expect(ends).toEqual(['late'])
  })

  it('whose watch does not load is closed, and says why', async () => {
    const host = createFakeHost(APP)
    const { setTimer } = host.platform
    const platform = {
      ...host.platform,
      setTimer(callback: () => void, delayMs: number) {
        if (delayMs !== FILE_WAIT_MS) return setTimer(callback, delayMs)
        callback()
        return () => {}
      },
    }
    const popup = openPopup({ ...LINK, platform })
    const [window] = host.popups
    await expect(popup?.ended).rejects.toMatchObject({ code: 'timeout' })
    expect(window?.urls).toHaveLength(1)
    expect(host.popups).toHaveLength(0)
  })
})
