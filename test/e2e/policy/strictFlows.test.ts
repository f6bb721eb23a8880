// What the strictest policy could forbid, with the first script inline by its hash: no violation and no error anywhere. The screens of test/e2e/calls are under it too.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { firmById, seedLinkMap } from '../../../demo/seed.ts'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectSignedIn, expectVisible } from '../page.ts'
import { button, openAndSignIn } from '../user.ts'
import { holdFiles } from '../files/heldFiles.ts'
import { strictPolicy } from './policy.ts'

const early = await buildEarlyScript()

// The fixture fails a test for every violation and every error of any page, frame and window.
describe('under a strict policy, with everything the app has', () => {
  const demo = useDemo({
    environments: true,
    realtime: true,
    hasEarly: true,
    hasFullEditor: false,
    accessTokenLifetimeSeconds: 600,
    contentSecurityPolicy: strictPolicy(early.hash),
  })
  const accounts = () => demo.authServer.accounts
  const linkOf = (firmId: string, userId: string) =>
    accounts()
      .linkMap(firmId)
      .find(({ internalUser }) => internalUser.id === userId)?.externalUser?.id

  async function open(path: string, who: string): Promise<Page> {
    const page = await demo.openPage({ viewport: { width: 1280, height: 900 } })
    await openAndSignIn(page, demo.origin + path, who)
    return page
  }

  beforeEach(() => {
    for (const id of ['firm-noorderlicht', 'firm-maasvogel']) {
      const linked = seedLinkMap(firmById(id)!).filter(({ externalUser }) => externalUser !== null)
      accounts().replaceLinkMap(id, linked)
    }
    const service = demo.realtimeServer!
    // A browser that the test before has closed is not waited for.
    for (const user of ['anna', 'bram', 'chiara', 'daan', 'frank']) {
      const channel = `auth-session-${user}`
      for (const id of service.occupants(channel)) service.expire(channel, id)
    }
  })

  it('latchkey/early, inline by its hash, signs in before the files of the app are there', async () => {
    const page = await open('/', 'anna')
    demo.authServer.requests.clear()
    const release = await holdFiles(page)
    // Where the page before has left its session, in time, start-up takes that.
    await page.addInitScript(() => {
      if (location.protocol === 'about:') return
      for (const key of Object.keys(sessionStorage)) if (key.endsWith(' left')) sessionStorage.removeItem(key)
    })
    await page.goto('about:blank')
    await page.goto(`${demo.origin}/activity?x=%20y#end`, { waitUntil: 'commit' })
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    release()
    await expectSignedIn(page)
    expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([1, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
  })

  const refusals = () => demo.consoleLines().filter((line) => line.startsWith('violates'))

  it('the link map as JSON, in the textarea: repaired, sorted and saved, for one refused worker', async () => {
    // The one thing that trusted types refuse, as docs/editor.md says.
    demo.expectOnConsole(/requires 'TrustedScriptURL'|require-trusted-types-for trusted-types-sink/)
    const page = await open('/link-map', 'daan')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const text = page.getByRole('textbox', { name: 'Link map as JSON' })
    await text.fill("[{internalUser: 'elif', externalUser: {id: 'cumulus-elif',}}]")
    await expectVisible(page.getByText(/errors have to be corrected first/))
    await button(page, 'Format').click()
    await button(page, 'Repair').click()
    await expectVisible(page.getByText('Valid JSON', { exact: true }))
    await button(page, 'Format').click()
    await button(page, 'Sort keys').click()
    await expectVisible(page.getByText('Sort keys: done'))
    await button(page, 'Review changes').click()
    await expectVisible(page.getByText('1 user linked: elif'))
    await button(page, 'Save changes').click()
    await expectVisible(page.getByText('The link map is saved'))
    expect(linkOf('firm-maasvogel', 'elif')).toBe('cumulus-elif')
    expect(await page.locator('.lkje').getAttribute('data-surface')).toBe('plain')
    await expectEventually(() => refusals().length, 1)
  })

  it('a long JSON text costs one refused worker, and is checked all the same', async () => {
    // The one thing that trusted types refuse, as docs/editor.md says.
    demo.expectOnConsole(/requires 'TrustedScriptURL'|require-trusted-types-for trusted-types-sink/)
    const page = await open('/link-map', 'daan')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const text = page.getByRole('textbox', { name: 'Link map as JSON' })
    // For its schema a worker is asked for.
    await text.fill(`[${' '.repeat(60_000)}]`)
    await expectVisible(page.getByText('Valid JSON', { exact: true }))
    await text.press('x')
    await expectVisible(page.getByText(/(?:error has|errors have) to be corrected first/))
    await expectEventually(() => refusals().length, 1)
  })
})
