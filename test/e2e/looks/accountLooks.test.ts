// Every account screen is free of barriers and fits, on a phone and on a desk, in light and dark, in its ordinary and its worst state.

// @module-tag night

import { describe, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectVisible } from '../page.ts'
import { button, openScreen, openSignedIn, showScreen } from '../user.ts'
import { expectGoodLooks } from './looks.ts'

const SCREENS = [
  ['/cloud-account', 'Cloud account', 'No account is linked'],
  ['/admin-consent', 'Admin consent', 'noorderlicht.example'],
  ['/link-map', 'Link map', '4165 users'],
  ['/firm', 'Firm', 'Groningen'],
  ['/support-access', 'Support access', 'For how long'],
  ['/security', 'Security', 'demo-password'],
] as const

describe('on a phone and on a desk, in light and dark', () => {
  const demo = useDemo()

  it('every screen is free of barriers and fits', async () => {
    const page = await openScreen(demo)
    for (const [path, title, content] of SCREENS) {
      await showScreen(page, path, title)
      await expectVisible(page.getByText(content).first())
      await expectGoodLooks(page)
    }
  })

  it('so is what staff may only look at', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/firm`, 'elif')
    await expectVisible(page.getByText('an administrator of your firm can change it'))
    await expectGoodLooks(page)
  })

  it('so is a refusal', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/link-map`, 'chiara')
    await page.getByRole('checkbox', { name: 'All users' }).check()
    await expectVisible(page.getByText('Not for you to see'))
    await expectGoodLooks(page)
  })

  it('so are an error and a window that is open', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/cloud-account`, 'chiara')
    await button(page, 'Show the token').click()
    await expectVisible(page.getByText('No cloud account is linked'))
    await button(page, 'Link my account').click()
    await expectVisible(page.getByText('Go on in the other window'))
    await expectGoodLooks(page)
  })

  it('so is a status that could not be read', async () => {
    demo.authServer.faults.add({ path: '/cloudprovider/adminconsent/status', method: 'GET', status: 404 })
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/admin-consent`)
    await expectVisible(page.getByText('The consent could not be read'))
    await expectGoodLooks(page)
  })
})
