// How one tab renews for all, whatever the others may say: lock, question, offer.
import { describe, expect, it } from 'vitest'
import { DEFAULT_IFRAME_TIMEOUT_IN_SECONDS } from '../../../src/base/constants.ts'
import { longestRenewalMs, SIBLING_WAIT_MS } from '../../../src/base/sessionConstants.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import type { Granted } from '../../../src/protocol/credentials.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { ALIKE_NAME, grantedAs, type Message, openTab, renew } from './oneTab.ts'

describe('a renewal', () => {
  it('is announced with its number and its tab, and agreed on while it runs', async () => {
    const tab = openTab()
    const holds: Granted[] = []
    let during: unknown
    await tab.tabs.renewOnce(
      async (first) => {
        during = [first, tab.agreed()]
        return grantedAs('r1')
      },
      (granted) => void holds.push(granted),
    )
    expect(during).toEqual(['refresh', { generation: 0, isPending: true, pendingSinceMs: FAKE_START_MS }])
    expect(holds).toEqual([grantedAs('r1')])
    expect(tab.posted).toEqual([{ type: 'renewed', generation: 1, by: 'here' }])
    expect(tab.agreed()).toEqual({ generation: 1, isPending: false })
    await renew(tab, 'r2').done
    expect(tab.of('renewed').at(-1)).toEqual({ type: 'renewed', generation: 2, by: 'here' })
  })

  it('counts on where the shared store is missing, from the time of day: a page that has just opened knows no number', async () => {
    const tab = openTab({ port: { update: undefined } })
    for (const name of ['r1', 'r2']) await renew(tab, name).done
    const numbers = [FAKE_START_MS, FAKE_START_MS + 1]
    expect(tab.of('renewed').map(({ generation }) => generation)).toEqual(numbers)
  })

  it('that fails is announced to nobody, and leaves the next one free', async () => {
    const tab = openTab()
    const why = new Error('no')
    await expect(
      tab.tabs.renewOnce(
        () => Promise.reject(why),
        () => {},
      ),
    ).rejects.toBe(why)
    expect(tab.posted).toEqual([])
    expect(tab.agreed()).toMatchObject({ isPending: false })
  })

  it.each<[string, Message, 'refresh' | 'frame']>([
    ['nobody has renewed', { generation: 0 }, 'refresh'],
    ['another tab renewed and is gone', { generation: 1 }, 'frame'],
    ['another tab died while it asked', { generation: 0, isPending: true }, 'frame'],
  ])('where %s is told whether the refresh token here is spent', async (_what, agreed, expected) => {
    const tab = openTab({ agreed })
    const { done, asked } = renew(tab)
    await done
    expect(asked).toEqual([expected])
    expect(tab.agreed()).toMatchObject({ isPending: false, generation: Number(agreed['generation']) + 1 })
  })

  it('with a spent token that fails leaves it spent: the next one knows', async () => {
    const tab = openTab({ agreed: { generation: 0, isPending: true } })
    await tab.tabs
      .renewOnce(
        () => Promise.reject(new Error('no')),
        () => {},
      )
      .catch(() => {})
    expect(tab.agreed()).toMatchObject({ isPending: true })
  })

  it('asks the tabs that may know first, for the time that a sibling has, and takes over what they bring', async () => {
    const tab = openTab({ agreed: { generation: 3 }, count: 1 })
    const { done, asked, holds } = renew(tab)
    await tab.host.settle()
    expect(tab.of('ask')).toEqual([
      { type: 'ask', question: expect.any(String), publicKey: 'key', generation: 3, to: undefined },
    ])
    await tab.offers(grantedAs('theirs'), 3)
    await done
    expect([asked, holds]).toEqual([[], ['theirs']])
    expect(tab.agreed()).toMatchObject({ generation: 3, isPending: false })
    expect(tab.host.counts().timers).toBe(0)
    // It knows them now: the next renewal is its own.
    await renew(tab).done
    expect(tab.of('ask')).toHaveLength(1)
    expect(tab.of('renewed')).toEqual([{ type: 'renewed', generation: 4, by: 'here' }])
  })

  it('that another tab died with leaves the refresh token spent also for who takes it over from a sibling', async () => {
    const tab = openTab({ agreed: { generation: 3, isPending: true }, count: 1 })
    const joining = renew(tab)
    await tab.host.settle()
    await tab.offers(grantedAs('theirs'), 3)
    await joining.done
    expect(tab.agreed()).toMatchObject({ generation: 3, isPending: true })
    const next = renew(tab)
    await next.done
    expect([joining.asked, next.asked]).toEqual([[], ['frame']])
    expect(tab.agreed()).toMatchObject({ generation: 4, isPending: false })
  })

  it.each([
    ['newer tokens that came meanwhile are good', 4, false],
    ['what comes by another way is as old', 3, true],
  ])('that another tab died with: %s', async (_what, generation, isPending) => {
    const tab = openTab({ agreed: { generation: 3, isPending: true }, count: 1 })
    const joining = renew(tab)
    await tab.host.settle()
    tab.store.set(ALIKE_NAME, { generation, isPending: generation === 3 })
    await tab.hears({ type: 'renewed', generation, by: 'there' })
    await tab.offers(grantedAs('theirs'), generation)
    await tab.host.clock.advance(SIBLING_WAIT_MS)
    await joining.done
    expect(tab.adopted).toHaveLength(1)
    expect(tab.agreed()).toMatchObject({ generation, isPending })
  })

  it('that a sign-in elsewhere has outdone, whose tab is gone, tells nobody: the others must not take over what is older', async () => {
    const tab = openTab({ count: 1 })
    const holds: (string | undefined)[] = []
    const done = tab.tabs.renewOnce(
      async () => {
        tab.store.set(ALIKE_NAME, { generation: 4, isPending: false })
        return grantedAs('mine')
      },
      (granted) => void holds.push(granted.refreshToken),
    )
    await tab.host.clock.advance(SIBLING_WAIT_MS)
    await done
    expect([holds, tab.of('renewed')]).toEqual([['mine'], []])
    expect(tab.agreed()).toMatchObject({ generation: 4, isPending: false })
    // It knows that they are older, and asks the server's own session, not with a refresh token that may be spent.
    const next = renew(tab, 'next')
    await tab.host.clock.advance(SIBLING_WAIT_MS)
    await next.done
    expect(tab.of('ask').map(({ generation }) => generation)).toEqual([4, 4])
    expect([next.asked, next.holds]).toEqual([['frame'], ['next']])
    expect(tab.of('renewed')).toEqual([{ type: 'renewed', generation: 5, by: 'here' }])
  })

  it('goes to the server when no sibling answers in time', async () => {
    const tab = openTab({ agreed: { generation: 3 }, count: 1 })
    const { asked } = renew(tab)
    await tab.host.clock.advance(SIBLING_WAIT_MS - 1)
    expect(asked).toEqual([])
    await tab.host.clock.advance(1)
    expect(asked).toEqual(['frame'])
  })

  it('that another tab brought while this one waited for its turn is not done again', async () => {
    let begin = () => {}
    const lock: TabsPort['lock'] = async (_name, _options, work) => {
      await new Promise<void>((resolve) => (begin = resolve))
      return work(true)
    }
    const tab = openTab({ port: { lock } })
    const { done, asked } = renew(tab)
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.offers(grantedAs('theirs'), 1)
    begin()
    await done
    expect([asked, tab.adopted.length]).toEqual([[], 1])
  })

  it('waits for its turn as long as it must, and then goes without', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const lock: TabsPort['lock'] = (_name, { signal }) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    const tab = openTab({ port: { lock } })
    const { done, asked } = renew(tab)
    await tab.host.clock.advance(longestRenewalMs(DEFAULT_IFRAME_TIMEOUT_IN_SECONDS * 1000) - 1)
    expect(asked).toEqual([])
    await tab.host.clock.advance(1)
    await done
    expect(asked).toHaveLength(1)
    expect(tab.host.counts().timers).toBe(0)
  })

  it('whose turn has come is not done twice when it fails', async () => {
    const tab = openTab()
    let asked = 0
    const work = () => {
      asked += 1
      return Promise.reject(new Error('no'))
    }
    await expect(tab.tabs.renewOnce(work, () => {})).rejects.toThrow('no')
    expect([asked, tab.host.counts().timers]).toEqual([1, 0])
  })

  it.each<[string, Partial<TabsPort>]>([
    ['channel', { openChannel: undefined }],
    ['seal', { seal: undefined }],
  ])('of a tab without %s is its own, and never stale', async (_what, port) => {
    const tab = openTab({ port, agreed: { generation: 5, isPending: true } })
    const { done, asked, holds } = renew(tab)
    await done
    expect([asked, holds]).toEqual([['refresh'], ['mine']])
    expect(tab.agreed()).toMatchObject({ generation: 5, isPending: true })
    await tab.tabs.signedIn()
    expect(tab.posted).toEqual([])
  })
})

describe('a renewal, where there are no locks', () => {
  it('asks no other tab and tells none of it: two at the same time would use one refresh token', async () => {
    const tab = openTab({ port: { lock: undefined } })
    const { done, holds } = renew(tab)
    await done
    expect([holds, tab.posted]).toEqual([['mine'], []])
  })
})
