// What a session costs and leaves behind while it lasts: no call that is not needed, nothing of ours left in storage.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { button, openAndSignIn } from '../user.ts'

describe('a session', () => {
  const demo = useDemo({ auth: { autoLogout: false } })

  it('asks the server for leave to call it once, not before every renewal and reload', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    demo.authServer.requests.clear()
    for (let round = 1; round <= 3; round += 1) {
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText(`${round} in this tab`))
    }
    await page.reload()
    await expectHeading(page, /, Anna$/)
    expect(demo.tokenCalls('refresh_token')).toBe(3)
    expect(demo.authServer.requests.count({ method: 'OPTIONS', path: '/oauth/token' })).toBe(0)
  })

  it('keeps no token in any storage, and no more than five entries of its own', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
    const entries = await page.evaluate(() => [
      ...Object.entries(localStorage),
      ...Object.entries(sessionStorage),
    ])
    const ours = entries.filter(([key]) => key.startsWith('latchkey'))
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.length).toBeLessThanOrEqual(5)
    expect(JSON.stringify(entries)).not.toMatch(/eyJ/)
  })
})
