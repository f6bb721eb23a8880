// Whoever asks for less motion sees none: toasts come and go at once, what would turn fades.

// @module-tag night

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { button, openSignedIn } from '../user.ts'

/** Names of the animations from now on that move something, written down by the page itself. */
async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moving = new Set<string>()
    Object.assign(window, { moving })
    const look = () => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation
        const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : []
        const isMotion = frames.some((frame) => 'transform' in frame || 'translate' in frame)
        if (isMotion)
          moving.add('animationName' in animation ? String(animation.animationName) : 'transition')
      }
    }
    const lookAgain = () => {
      look()
      requestAnimationFrame(lookAgain)
    }
    requestAnimationFrame(lookAgain)
    // Where a picture takes longer than a motion, the motion is over before the next one.
    new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true })
  })
  return async () =>
    page.evaluate(() => [...(window as unknown as { moving: Set<string> }).moving].toSorted())
}

describe('toasts and spinners', () => {
  const demo = useDemo()

  async function walk(reducedMotion: 'reduce' | 'no-preference'): Promise<string[]> {
    demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', delayMs: 300 })
    const page = await demo.openPage({ reducedMotion })
    const motion = await watchMotion(page)
    await openSignedIn(page, `${demo.origin}/tour`)
    await expectHeading(page, 'Guided tour')
    const stop = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Three at most' })
    await stop.getByRole('button').click()
    await expectVisible(page.getByText('The consent could not be read.').first())
    return motion()
  }

  it('do not move for whoever asks for less motion', async () => {
    expect(await walk('reduce')).toEqual([])
  })

  it('move for everybody else, so that the other test has something to miss', async () => {
    expect(await walk('no-preference')).toEqual(expect.arrayContaining(['latchkey-toast-in', 'turn']))
  })
})

describe('the ring of the token', () => {
  const demo = useDemo()

  it.each([
    ['no-preference', ['sweep']],
    ['reduce', []],
  ] as const)('sweeps back once at a renewal (%s)', async (reducedMotion, expected) => {
    const context = await demo.openBrowser({ reducedMotion })
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    await page.evaluate(() => {
      const swept: string[] = []
      Object.assign(window, { swept })
      addEventListener('animationstart', ({ animationName, target }) => {
        if ((target as Element).closest('.ring')) swept.push(animationName)
      })
    })
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
    // Two pictures later it has begun, if it begins at all.
    await page.evaluate(async () => {
      for (let picture = 0; picture < 2; picture += 1) await new Promise(requestAnimationFrame)
      const sweeping = document.querySelector('.ring')!.getAnimations({ subtree: true })
      await Promise.allSettled(sweeping.map(({ finished }) => finished))
    })
    expect(await page.evaluate(() => (window as unknown as { swept: string[] }).swept)).toEqual(expected)
  })
})
