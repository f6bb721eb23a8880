// The app under the strictest policy: no inline style, no inline script, no eval, trusted types, and nothing of it is ever broken.
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { button, openAndSignIn, pick, signIn } from '../user.ts'
import { strictPolicy } from './policy.ts'
import { finishPopup, openPopup } from '../popups/popup.ts'

const STRICT = strictPolicy()

// The fixture fails a test for every violation, wherever it happens.
describe('under a strict policy', () => {
  const demo = useDemo({ contentSecurityPolicy: STRICT, accessTokenLifetimeSeconds: 600 })

  it('the policy is there: a style of the page itself is refused', async () => {
    demo.expectOnConsole(/violates/)
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    const isApplied = await page.evaluate(() => {
      const style = document.createElement('style')
      style.textContent = 'body { color: rgb(1, 2, 3) }'
      document.head.append(style)
      return getComputedStyle(document.body).color === 'rgb(1, 2, 3)'
    })
    expect(isApplied).toBe(false)
  })

  it('sign-in, reload, renewal, a failure, a second tab and sign-out', async () => {
    const context = await demo.openBrowser()
    const page = await context.newPage()
    await openAndSignIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    await page.reload()
    await expectHeading(page, /, Anna$/)
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
    demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503, times: 1 })
    await button(page, 'Renew now').click()
    await page.getByRole('main').getByRole('alert').waitFor()
    const second = await context.newPage()
    await second.goto(`${demo.origin}/activity`)
    await expectHeading(second, 'Activity')
    await page.bringToFront()
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await expectHeading(second, 'You are signed out')
    await button(page, 'Sign in').click()
    await signIn(page, 'bram')
  })

  it('a sign-in that fails, and one that is cancelled', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await page.locator('button[value="anna"]').waitFor()
    const mend = demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 500 })
    await pick(page, 'anna')
    await expectHeading(page, 'We could not sign you in')
    mend()
    // The page tries again by itself.
    await expectHeading(page, /, Anna$/)
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await button(page, 'Sign in').click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectHeading(page, 'The sign-in was cancelled')
    await button(page, 'Sign in').click()
    await signIn(page, 'anna')
  })

  it('a window of the cloud account, and its result', { tags: ['thorough'] }, async () => {
    demo.authServer.accounts.links.delete('anna')
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/cloud-account`)
    await finishPopup(await openPopup(page, button(page, 'Link my account')), 'Approve')
    await expectVisible(page.getByText('Your account is linked'))
    demo.authServer.accounts.links.delete('anna')
  })
})

describe('under a strict policy, half a minute of idle time', () => {
  const demo = useDemo({ contentSecurityPolicy: STRICT, auth: { idleTimeoutInMinutes: 0.5 } })

  it('counts down in a toast, and signs out', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await page.clock.install()
    await openAndSignIn(page, demo.origin)
    await expectVisible(page.getByRole('button', { name: 'Stay signed in' }))
    await page.clock.fastForward(31_000)
    await expectHeading(page, 'Signed out to keep things safe')
  })
})
