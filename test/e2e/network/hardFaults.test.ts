// Faults that come true only in a real browser: strangers' messages, full storages, wrong clocks, lives without measure, loops (F6, F16, F17, F23, F27-F32, F47, F48, F50).

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { agentKey } from '../../../src/protocol/presence.ts'
import { activityKey, sessionMarkerKey, tabKey } from '../../../src/protocol/storageKeys.ts'
import { expectRenewalInTime, openWithClock } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import {
  addressOf,
  expectEventually,
  expectHeading,
  expectSignedIn,
  expectVisible,
  expectHappened,
} from '../page.ts'
import { button, comeBack, openSignedOut, pick } from '../user.ts'

const DAY = 86_400_000

describe('the hidden frame', () => {
  const demo = useDemo({ auth: { autoLogin: false, iframeTimeoutInSeconds: 60 } })

  const stateOf = async (page: Page) => {
    const src = await page.locator('iframe[name=agent-iframe]').getAttribute('src')
    return new URL(src ?? '').searchParams.get('state')
  }

  it('hears no forged answer, neither of the page itself nor of another window of the very same server', async () => {
    demo.authServer.faults.add({ path: '/oauth/authorize', hang: true, times: 1 })
    const page = await demo.openPage()
    await page.clock.install()
    await page.goto(demo.origin, { waitUntil: 'commit' })
    await page.locator('iframe[name=agent-iframe]').waitFor({ state: 'attached' })
    const forged = {
      type: 'authorization_response',
      response: { code: 'forged', state: await stateOf(page) },
    }
    await page.evaluate((message) => window.postMessage(message, '*'), forged)
    // The same page of the server once more, for another state: it speaks to this page too.
    await page.evaluate(() => {
      const other = document.createElement('iframe')
      other.name = 'other'
      const src = new URL(document.querySelector<HTMLIFrameElement>('iframe[name=agent-iframe]')?.src ?? '')
      src.searchParams.set('state', 'Zz9Zz9')
      other.src = src.href
      document.body.append(other)
    })
    await expectEventually(async () => page.frame('other')?.url().includes('Zz9Zz9'), true)
    await page.frame('other')?.evaluate((message) => parent.postMessage(message, '*'), forged)
    await page.clock.fastForward(61_000)
    await expectHappened(page, 'agent-iframe timeout')
    expect(demo.tokenCalls('authorization_code')).toBe(0)
    expect(await page.locator('iframe[name=agent-iframe]').count()).toBe(0)
  })

  it('that speaks again, and late, changes nothing', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await button(page, 'Sign in').click()
    await pick(page, 'anna')
    await expectHeading(page, /, Anna$/)
    await page.addInitScript(() => {
      const state = new URLSearchParams(location.search).get('state')
      if (parent === window || !state) return
      const again = (code: string) =>
        parent.postMessage({ type: 'authorization_response', response: { code, state } }, '*')
      for (const delayMs of [0, 100, 1000])
        addEventListener('load', () => setTimeout(again, delayMs, 'second'))
    })
    demo.authServer.requests.clear()
    await comeBack(page)
    await expectHeading(page, /, Anna$/)
    await page.locator('iframe[name=agent-iframe]').waitFor({ state: 'detached' })
    expect(demo.tokenCalls('authorization_code')).toBe(1)
  })

  it('that something takes out of the page is missed at once', async () => {
    demo.authServer.faults.add({ path: '/oauth/authorize', hang: true })
    const page = await demo.openPage()
    await page.goto(demo.origin, { waitUntil: 'commit' })
    await page.locator('iframe[name=agent-iframe]').waitFor({ state: 'attached' })
    await page.evaluate(() => document.querySelector('iframe')?.remove())
    await expectHappened(page, 'agent-iframe blocked: removed')
  })
})

describe('storages', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it('that are full keep what others wrote, and the user reads why signing in is not possible', async () => {
    const page = await openSignedOut(demo)
    await page.evaluate(() => {
      for (const storage of [sessionStorage, localStorage])
        for (let size = 4 * 1024 * 1024; size >= 1; size = Math.floor(size / 2))
          for (let count = 0; count < 3; count += 1) {
            try {
              storage.setItem(`of the app ${size} ${count}`, 'x'.repeat(size))
            } catch {
              break
            }
          }
    })
    const others = async () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('of the app')).length)
    const before = await others()
    await button(page, 'Sign in').click()
    await expectVisible(page.getByText('Code storage-unavailable'))
    expect(await others()).toBe(before)
    expect(demo.authorizeVisits('redirect')).toBe(0)
  })

  it('that somebody has poisoned are as good as empty', async () => {
    const page = await demo.openPage()
    const client = { authHost: demo.authServer.origin, clientId: 'demo-admin' }
    const keys = [tabKey, sessionMarkerKey, activityKey, agentKey].map((keyOf) => keyOf(client))
    await page.addInitScript((keys) => {
      if (parent !== window || location.protocol !== 'http:' || sessionStorage.getItem('poisoned')) return
      sessionStorage.setItem('poisoned', 'yes')
      const evil = '{"__proto__":{"polluted":true},"attempts":[null],"tabs":{"length":1e9},"navigations":"x"}'
      for (const key of keys) for (const storage of [sessionStorage, localStorage]) storage.setItem(key, evil)
    }, keys)
    await page.goto(`${demo.origin}/activity`)
    await button(page, 'Sign in').click()
    await pick(page, 'anna')
    await expectHeading(page, 'Activity')
    await page.reload()
    await expectHeading(page, 'Activity')
    expect(await page.evaluate(() => Reflect.get({}, 'polluted') as unknown)).toBeUndefined()
  })
})

describe('time', () => {
  const demo = useDemo({ accessTokenLifetimeSeconds: 90 })

  it('on a computer whose clock is a day behind the session begins, and is renewed in time', async () => {
    const page = await demo.openPage()
    await openWithClock(page, demo.origin, { time: Date.now() - DAY })
    await expectRenewalInTime(page, demo)
  })
})

describe('the life of a token', () => {
  const demo = useDemo()

  it('of thirty days sets no timer, and can be renewed by hand', async () => {
    demo.authServer.faults.accessTokenLifetimeSeconds = 30 * 86_400
    const page = await demo.openPage()
    await openWithClock(page, demo.origin)
    await page.clock.fastForward(5 * 60_000)
    await expectHeading(page, /, Anna$/)
    expect(demo.tokenCalls('refresh_token')).toBe(0)
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
  })
})

describe('a server that sends the browser round', () => {
  const demo = useDemo({ auth: { iframeTimeoutInSeconds: 1 } })

  it('is left alone after three redirects, with a reason and a button', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity`)
    await page.locator('button[value="anna"]').waitFor()
    demo.authServer.faults.wrongState = true
    await pick(page, 'anna')
    await expectVisible(page.getByText('Signing in was tried several times in a row without success.'))
    expect(demo.authorizeVisits('redirect')).toBeLessThanOrEqual(3)
    expect(await addressOf(page)).toContain(demo.origin)
    demo.authServer.faults.wrongState = false
    await button(page, 'Try again').click()
    await expectSignedIn(page)
  })
})
