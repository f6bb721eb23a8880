// The one window of a page: whatever opens it, takes it over or ends it, in any order, never a second one, and none without the page that waits for it.
import { describe, expect, it } from 'vitest'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { ISSUER } from '../scene.ts'
import { endOf, openWindowScene, type WindowScene } from './windowScene.ts'

interface Played extends WindowScene {
  readonly ends: Promise<string>[]
}

const step = (acr: string, { page, ends }: Played) => {
  const error = stepUpRequired({ acrValues: [acr] })
  ends.push(endOf(page.auth.stepUp(error, { display: 'popup' })))
}
const logIn = ({ page, ends }: Played, prompt?: 'login') => {
  ends.push(endOf(page.auth.login({ display: 'popup', ...(prompt && { prompt }) })))
}

const OPENING: Readonly<Record<string, (played: Played) => unknown>> = {
  'a sign-in': logIn,
  'a sign-in anew': (played) => logIn(played, 'login'),
  'a step-up': (played) => step('gold', played),
  'a step-up to more': (played) => step('platinum', played),
}
const MOVES: typeof OPENING = {
  ...OPENING,
  'a blocked sign-in': (played) => blocked(played, logIn),
  'a blocked step-up': (played) => blocked(played, (one) => step('platinum', one)),
  'an answer': (played) => thereOf(played) && played.answer(),
  'an answer of another user': (played) => thereOf(played) && played.answer('bob'),
  'the user closes it': ({ page }) => page.host.popups.at(-1)?.close(),
  'the server cuts it off': (played) => thereOf(played)?.cutOff(),
  'a logout': ({ page, ends }) => ends.push(endOf(page.auth.logout())),
  dispose: ({ page }) => page.auth.dispose(),
}

/** The window, when it is at the sign-in page. */
function thereOf({ page: { host } }: Played) {
  const popup = host.popups.at(-1)
  return popup?.urls.at(-1)?.startsWith(ISSUER) ? popup : undefined
}

function blocked({ page, ...played }: Played, open: (played: Played) => void): void {
  page.host.isPopupBlocked = true
  open({ page, ...played })
  page.host.isPopupBlocked = false
}

/** Plays one order; `isQuick`: the moves come in one task. */
async function play(moves: readonly string[], isQuick: boolean) {
  const opened = await openWindowScene({ autoLogout: false, uniqueSession: false })
  const { page } = opened
  const played: Played = { ...opened, ends: [] }
  let most = 0
  for (const move of moves) {
    await MOVES[move]!(played)
    if (!isQuick) await page.host.settle()
    most = Math.max(most, page.host.popups.filter(({ isCutOff }) => !isCutOff).length)
  }
  await page.host.settle()
  page.auth.dispose()
  let isOver = false
  void Promise.all(played.ends).then(() => (isOver = true))
  await page.host.clock.advance(70_000)
  const { popups, ...counts } = page.host.counts()
  // What the server has cut off is out of the page's reach: its user closes it.
  const left = popups - page.host.popups.filter(({ isCutOff }) => isCutOff).length
  return { most, left, counts, isOver }
}

const NOTHING = { listeners: 0, timers: 0, frames: 0, channels: 0, locks: 0 }
const names = Object.keys(MOVES)

async function expectOneWindow(moves: readonly string[], ways = [false, true]) {
  for (const isQuick of ways) {
    const { most, ...end } = await play(moves, isQuick)
    expect({ moves, isQuick, ...end }).toEqual({ moves, isQuick, left: 0, counts: NOTHING, isOver: true })
    expect(most).toBeLessThanOrEqual(1)
  }
}

describe.each(Object.keys(OPENING))('the window of %s', (first) => {
  it.each(names)('and then %s: one at most, none afterwards, and nobody waits for it', (second) =>
    expectOneWindow([first, second]),
  )

  it.each(names)('and then %s, and anything else', { tags: ['night'] }, async (second) => {
    // A third of the moves, others for each second one, each in one of the two ways: the pairs above have met both.
    const thirds = names.filter((_, index) => (index + names.indexOf(second)) % 3 === 0)
    for (const [index, third] of thirds.entries())
      await expectOneWindow([first, second, third], [index % 2 === 0])
  })
})
