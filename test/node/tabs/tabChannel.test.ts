// What one tab and the others say to each other, one tab alone against everything it may hear: names, numbers, waits.
import { describe, expect, it } from 'vitest'
import { writeCredentials } from '../../../src/protocol/credentials.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import { createBrowserTabs } from '../../../src/session/platform/browserTabs.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { SIBLING_WAIT_MS } from '../../../src/base/sessionConstants.ts'
import { ALIKE_NAME, grantedAs, type Message, NAME, openTab, type Others, renew } from './oneTab.ts'

describe('a tab', () => {
  const question = { type: 'ask', question: 'q1', publicKey: 'key', generation: 0 }
  /** Its crypto takes as long as the test says. */
  function openSealing() {
    const { promise: waiting, resolve: go } = Promise.withResolvers<void>()
    const seal: TabsPort['seal'] = {
      createKey: async () => ({ publicKey: 'key', open: async (sealed) => sealed }),
      seal: (text) => waiting.then(() => text),
    }
    const tab = openTab({ holds: grantedAs('mine'), port: { seal } })
    const sealed = async () => {
      go()
      await tab.host.settle()
    }
    return { ...tab, sealed }
  }

  it('that cannot seal answers no question, and is not troubled by one', async () => {
    const { host, posted, hears } = openTab({ port: { seal: undefined }, holds: grantedAs('mine') })
    await hears(question)
    await host.clock.advance(1000)
    expect(posted).toEqual([])
  })

  it('whose session ends while it seals an answer says nothing', async () => {
    const { posted, hears, hold, sealed } = openSealing()
    await hears(question)
    hold(undefined)
    await sealed()
    expect(posted).toEqual([])
  })

  it('whose user changes while it seals an answer offers the tokens of the new user, never those of the one before', async () => {
    const { of, hears, hold, sealed } = openSealing()
    await hears(question)
    hold({ ...grantedAs('next'), session: 'theirs' })
    await sealed()
    expect(of('offer').map(({ sealed: text }) => String(text).includes('"next"'))).toEqual([true])
  })

  it('says nothing either when another one was faster to answer', async () => {
    const { posted, of, hears, sealed } = openSealing()
    await hears(question)
    await hears({ ...question, question: 'q2' })
    await hears({ type: 'offer', question: 'q1', sealed: 'x' })
    await sealed()
    expect(of('offer').map(({ question: name }) => name)).toEqual(['q2'])
    expect(posted).toHaveLength(1)
  })

  it('takes the first of two answers', async () => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.offers(grantedAs('first'), 1)
    await tab.offers(grantedAs('second'), 2)
    expect(tab.adopted.map(({ refreshToken }) => refreshToken)).toEqual(['first'])
  })

  it('takes no offer of a session that has ended while the key of its tokens was read', async () => {
    const { promise: read, resolve: finish } = Promise.withResolvers<void>()
    let hasEnded = false
    const tab = openTab({ takeKey: async () => read, countsOffered: () => !hasEnded })
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.offers(grantedAs('theirs'), 1)
    hasEnded = true
    finish()
    await tab.host.settle()
    expect(tab.adopted).toEqual([])
  })

  it('waits for a good offer after one that is no text', async () => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.hears({ ...tab.of('ask')[0], type: 'offer', sealed: 7 })
    await tab.offers(grantedAs('theirs'), 1)
    expect(tab.adopted).toHaveLength(1)
  })

  it('whose browser refuses the lock at once renews without it, and leaves no timer', async () => {
    const tab = openTab({ port: { lock: () => Promise.reject(new Error('no locks here')) } })
    const { done, asked } = renew(tab)
    await done
    expect([asked.length, tab.host.counts().timers]).toEqual([1, 0])
  })
})

describe('the names under which tabs meet', () => {
  it('stay what they are: an old tab and a new one share a session after a deploy', async () => {
    const tab = openTab()
    await renew(tab).done
    expect([...new Set(tab.names)]).toEqual([`channel ${NAME}`, `lock ${ALIKE_NAME}`, `store ${ALIKE_NAME}`])
  })
})

describe('what another tab says', () => {
  it.each<[string, Message, Others, boolean]>([
    ['a renewal', { type: 'renewed', generation: 1, by: 'there' }, {}, true],
    ['an old renewal', { type: 'renewed', generation: 0, by: 'there' }, {}, false],
    ['a renewal that is no number', { type: 'renewed', generation: 'x', by: 'there' }, {}, false],
    [
      'a renewal, to a tab that wants none',
      { type: 'renewed', generation: 1, by: 'there' },
      { isWilling: false },
      false,
    ],
  ])('%s is asked after: %o', async (_what, message, others, isAsked) => {
    const tab = openTab(others)
    await tab.hears(message)
    expect(tab.of('ask')).toHaveLength(isAsked ? 1 : 0)
    if (isAsked) expect(tab.of('ask')[0]).toMatchObject({ generation: 1, to: 'there' })
  })

  it.each([
    [1, 1],
    [2, 1],
    [0, 0],
  ])('an offer of number %i where 1 was told is adopted %i times', async (generation, times) => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.offers(grantedAs('theirs'), generation)
    expect(tab.adopted).toHaveLength(times)
    // The same news again is no news.
    await tab.hears({ type: 'renewed', generation, by: 'there' })
    expect(tab.of('ask')).toHaveLength(1)
  })

  it('who is too busy to answer is asked four times, for two seconds and then for twice as long', async () => {
    for (const [waitMs, asks, count] of [
      [SIBLING_WAIT_MS * 4 - 1, 1, 1],
      [SIBLING_WAIT_MS * 4, 2, 1],
      [SIBLING_WAIT_MS * 12, 3, 1],
      [SIBLING_WAIT_MS * 60 - 1, 4, 1],
      [SIBLING_WAIT_MS * 60, 4, 0],
    ] as const) {
      const tab = openTab()
      await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
      await tab.host.clock.advance(waitMs)
      expect(tab.of('ask')).toHaveLength(asks)
      // Who told is asked first, then anybody who has it by now.
      expect(tab.of('ask').map(({ to }) => to)).toEqual(
        ['there', undefined, undefined, undefined].slice(0, asks),
      )
      await tab.offers(grantedAs('theirs'), 1)
      expect(tab.adopted).toHaveLength(count)
    }
  })

  it('an answer to a question that is over counts for nothing', async () => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    const { question } = tab.of('ask')[0] ?? {}
    await tab.host.clock.advance(SIBLING_WAIT_MS * 4)
    await tab.hears({ type: 'offer', question, sealed: 'key:{}' })
    expect(tab.adopted).toEqual([])
  })

  it('an offer that was read late is as old as its token', async () => {
    const tab = openTab()
    await tab.host.clock.advance(5000)
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    await tab.host.clock.advance(1500)
    await tab.offers(grantedAs('theirs'), 1)
    expect(tab.adopted.map(({ askedAtMs }) => askedAtMs)).toEqual([FAKE_START_MS])
  })

  it('an offer that is no text, does not read well, or answers nobody is none', async () => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    const { question } = tab.of('ask')[0] ?? {}
    await tab.hears({ type: 'offer', question, sealed: 7 })
    await tab.hears({ type: 'offer', question: 'another', sealed: 'x' })
    expect(tab.adopted).toEqual([])
    await tab.hears({ type: 'offer', question, sealed: '{' })
    expect(tab.adopted).toEqual([])
    await tab.host.clock.advance(SIBLING_WAIT_MS * 60)
    expect(tab.adopted).toEqual([])
    expect(tab.host.counts().timers).toBe(0)
  })

  it.each([
    ['the tab that is meant', 'here', 1],
    ['one of those that are all meant', undefined, 1],
    ['no other tab', 'there', 0],
  ])('a question is answered at once by %s', async (_who, to, count) => {
    const tab = openTab({ holds: grantedAs('mine') })
    await tab.hears({ type: 'ask', question: 'q1', publicKey: 'key', generation: 0, to })
    const offer = { type: 'offer', question: 'q1', sealed: expect.stringContaining('mine') }
    expect(tab.posted).toEqual([offer].slice(0, count))
    expect(tab.host.counts().timers).toBe(0)
  })

  it('a question is not answered by a tab that has no session, not even that it has none: it is not counted either', async () => {
    const tab = openTab()
    await tab.hears({ type: 'ask', question: 'q1', publicKey: 'key', generation: 3 })
    await tab.hears({ type: 'ask', question: 'q2', publicKey: 'key', generation: 0 })
    expect(tab.host.counts().timers).toBe(0)
    expect(tab.posted).toEqual([])
  })

  it.each<[string, Message, Others]>([
    ['for what it does not have yet', { publicKey: 'key', generation: 1 }, { holds: grantedAs('mine') }],
    ['without a key', { generation: 0 }, { holds: grantedAs('mine') }],
    ['whose key is no text', { publicKey: 7, generation: 0 }, { holds: grantedAs('mine') }],
    ['to a tab without a session', { publicKey: 'key', generation: 0 }, {}],
  ])('a question %s is not answered', async (_what, members, others) => {
    const tab = openTab(others)
    await tab.hears({ type: 'ask', question: 'q1', ...members })
    await tab.host.clock.advance(1000)
    expect(tab.posted).toEqual([])
  })

  it('a pause is obeyed when it is one', async () => {
    const tab = openTab()
    await tab.hears({ type: 'blocked', block: ['/a', 5000, 503] })
    await tab.hears({ type: 'blocked', block: ['/a', 'x', 503] })
    await tab.hears({ type: 'blocked', block: ['/a', 5000] })
    expect(tab.blocked).toEqual([['/a', 5000, 503]])
  })

  it('an end is told, and with the clash when there was one: the record has the reason', async () => {
    const tab = openTab()
    await tab.hears({ type: 'ended', reason: 'idle', sessions: ['mine', '', 7, 'x'.repeat(65)] })
    await tab.hears({ type: 'ended', reason: 'session-clash', sessions: ['mine'], clash: { sinceMs: 5 } })
    expect(tab.ended).toEqual([
      [undefined, undefined],
      [undefined, { sinceMs: 5 }],
    ])
  })

  it('about tokens for other scopes or another API is not heard: those are of no use here', async () => {
    const tab = openTab({ holds: grantedAs('mine') })
    const other = { asked: 'openid offline_access' }
    await tab.hears({ ...other, type: 'renewed', generation: 1, by: 'there' })
    await tab.hears({ ...other, type: 'ask', question: 'q1', publicKey: 'key', generation: 0 })
    expect(tab.posted).toEqual([])
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    const { question } = tab.of('ask')[0]!
    const sealed = writeCredentials({ ...grantedAs('theirs'), generation: 1 })
    await tab.hears({ ...other, type: 'offer', question, sealed })
    expect(tab.adopted).toEqual([])
  })

  it('about an end, a pause or what is to be saved is heard whatever that tab asks for', async () => {
    const tab = openTab({ holds: grantedAs('mine') })
    const other = { asked: 'openid offline_access' }
    await tab.hears({ ...other, type: 'blocked', block: ['/a', 5000, 503] })
    await tab.hears({ ...other, type: 'prepare', ending: 'e1', session: 'mine', reason: 'idle' })
    await tab.hears({ ...other, type: 'ended', reason: 'signed-out', sessions: ['mine'] })
    expect([tab.blocked.length, tab.prepared, tab.ended.length]).toEqual([1, ['idle'], 1])
  })

  it.each<[string, Message, boolean]>([
    ['of tokens older than those held here', { generation: 2 }, false],
    ['of tokens for other scopes', { generation: 3, asked: 'openid offline_access' }, false],
    ['of the tokens held here', { generation: 3 }, true],
    ['of newer ones', { generation: 4 }, true],
    ['that was a logout, with older tokens', { generation: 2, reason: 'signed-out' }, true],
    ['that was a logout, of other tokens', { generation: 3, asked: 'other', reason: 'signed-out' }, true],
  ])('an end %s (%o) ends the session here: %s', async (_what, members, isEnd) => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 3, by: 'there' })
    await tab.offers(grantedAs('theirs'), 3)
    await tab.hears({ type: 'ended', reason: 'expired', sessions: ['mine'], ...members })
    expect(tab.ended).toHaveLength(isEnd ? 1 : 0)
    // The tab that ended has taken the session out of the marker.
    expect(tab.joined).toEqual(isEnd ? [] : ['mine'])
  })

  it('an end of old tokens puts nobody into the marker who holds none', async () => {
    const tab = openTab()
    await tab.hears({ type: 'ended', reason: 'expired', sessions: ['mine'], asked: 'other' })
    expect([tab.ended, tab.joined]).toEqual([[], []])
  })

  it('an offer is of no use to a page that has left for the sign-in page meanwhile', async () => {
    const others: Others = {}
    const tab = openTab(others)
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    others.isWilling = false
    await tab.offers(grantedAs('theirs'), 1)
    expect(tab.adopted).toEqual([])
    expect(tab.host.counts().timers).toBe(0)
  })

  it('a question about it ends with the page, and is not asked again', async () => {
    const tab = openTab()
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    tab.tabs.dispose()
    await tab.host.settle()
    expect(tab.of('ask')).toHaveLength(1)
    expect(tab.host.counts().timers).toBe(0)
  })

  it.each([undefined, null, 7, 'ask', [], {}, { type: 7 }, { type: '__proto__' }])(
    '%j is nothing',
    async (message) => {
      const tab = openTab({ holds: grantedAs('mine') })
      await tab.hears(message)
      await tab.host.clock.advance(1000)
      expect([tab.posted, tab.adopted, tab.ended, tab.blocked]).toEqual([[], [], [], []])
    },
  )
})

describe('what this tab says', () => {
  it('of a pause: to the others at once', async () => {
    const tab = openTab()
    tab.tabs.block(['/a', 5000, 503])
    await tab.host.settle()
    expect(tab.posted).toEqual([{ type: 'blocked', block: ['/a', 5000, 503] }])
  })

  it('of its end', () => {
    const tab = openTab()
    tab.tabs.ended('session-clash', ['mine'], { sinceMs: 5 })
    expect(tab.posted).toEqual([
      {
        type: 'ended',
        reason: 'session-clash',
        sessions: ['mine'],
        next: 'now',
        clash: { sinceMs: 5 },
        generation: 0,
      },
    ])
  })

  it('of its sign-in', async () => {
    const tab = openTab()
    await tab.tabs.signedIn()
    expect(tab.posted).toEqual([{ type: 'renewed', generation: 1, by: 'here' }])
  })

  it('when its page goes in the middle of that: nothing, and it is no error', async () => {
    const tab = openTab()
    const saying = tab.tabs.signedIn()
    tab.tabs.dispose()
    await expect(saying).resolves.toBeUndefined()
    expect(tab.posted).toEqual([])
  })

  it('when it is new: a question, whose answer counts from then on', async () => {
    const tab = openTab()
    const asking = tab.tabs.ask()
    await tab.host.settle()
    expect(tab.of('ask')).toMatchObject([{ generation: 0, to: undefined }])
    await tab.offers(grantedAs('theirs'), 4)
    expect((await asking)?.refreshToken).toBe('theirs')
    tab.hold(grantedAs('theirs'))
    await tab.hears({ type: 'renewed', generation: 4, by: 'there' })
    expect(tab.of('ask')).toHaveLength(1)
    expect(tab.host.counts().timers).toBe(0)
  })

  it('when its session is over: a question about every new one, whatever number the others give it', async () => {
    const tab = openTab()
    const asking = tab.tabs.ask()
    await tab.host.settle()
    await tab.offers(grantedAs('theirs'), 9)
    tab.hold(await asking)
    await tab.hears({ type: 'renewed', generation: 4, by: 'there' })
    expect(tab.of('ask')).toHaveLength(1)
    tab.hold(undefined)
    await tab.hears({ type: 'renewed', generation: 4, by: 'there' })
    expect(tab.of('ask')[1]).toMatchObject({ generation: 4, to: 'there' })
    await tab.offers(grantedAs('the next one’s'), 4)
    expect(tab.adopted.map(({ refreshToken }) => refreshToken)).toEqual(['the next one’s'])
    expect(tab.tabs.generation()).toBe(4)
  })

  it.each([
    ['another tab has ended', 'ended'],
    ['this one has ended', 'tells'],
  ])(
    'that %s the session while new tokens of it were on their way here: they count for nothing',
    async (_who, how) => {
      const tab = openTab({ holds: grantedAs('mine') })
      await tab.hears({ type: 'renewed', generation: 4, by: 'there' })
      expect(tab.of('ask')).toHaveLength(1)
      if (how === 'tells') tab.tabs.ended('signed-out', ['mine'])
      else await tab.hears({ type: 'ended', reason: 'signed-out', sessions: ['mine'] })
      tab.hold(undefined)
      await tab.offers(grantedAs('too late'), 4)
      expect(tab.adopted).toEqual([])
      // Somebody may have signed in again meanwhile: who has ended the session has nothing to offer any more.
      expect(tab.of('ask')[1]).toMatchObject({ generation: 4, to: undefined })
      await tab.offers(grantedAs('the next one’s'), 5)
      expect(tab.adopted.map(({ refreshToken }) => refreshToken)).toEqual(['the next one’s'])
    },
  )

  it('is over with the page: questions end, answers are not sent, the channel is closed', async () => {
    const tab = openTab({ holds: grantedAs('mine') })
    const asking = tab.tabs.ask()
    await tab.host.settle()
    const hearing = tab.hears({ type: 'ask', question: 'q1', publicKey: 'key', generation: 0 })
    tab.tabs.dispose()
    expect(await asking).toBeUndefined()
    await hearing
    expect([tab.of('offer').length, tab.isClosed(), tab.host.counts().timers]).toEqual([0, true, 0])
  })
})

describe('what a tab that has just opened is offered', () => {
  async function offered(generation: number) {
    const tab = openTab({ isWilling: false })
    await tab.hears({ type: 'renewed', generation: 3, by: 'there' })
    const asking = tab.tabs.ask()
    await tab.host.settle()
    await tab.offers(grantedAs('offered'), generation)
    return { tab, token: async () => (await asking)?.refreshToken }
  }

  it('is taken when it is the last that there is, without another question', async () => {
    const { tab, token } = await offered(3)
    expect(await token()).toBe('offered')
    expect(tab.of('ask')).toHaveLength(1)
    expect(tab.host.counts().timers).toBe(0)
  })

  it('is replaced by what another tab has got meanwhile, which is asked for by name', async () => {
    const { tab, token } = await offered(2)
    expect(tab.of('ask').slice(1)).toMatchObject([{ generation: 3, to: 'there' }])
    await tab.offers(grantedAs('newer'), 3)
    expect(await token()).toBe('newer')
  })

  it('is old where it has no number and any tokens have been told of: those are asked for', async () => {
    const tab = openTab({ isWilling: false })
    await tab.hears({ type: 'renewed', generation: 1, by: 'there' })
    void tab.tabs.ask()
    await tab.host.settle()
    const { question } = tab.of('ask')[0]!
    await tab.hears({ type: 'offer', question, sealed: writeCredentials(grantedAs('offered')) })
    expect(tab.of('ask').slice(1)).toMatchObject([{ generation: 1, to: 'there' }])
    tab.tabs.dispose()
  })

  it.each([
    [2, [], []],
    [3, [{ generation: 3 }], ['newer']],
  ] as const)('is followed by what the tabs agree is newer, %i', async (generation, asked, adopted) => {
    const tab = openTab({ agreed: { generation, isPending: false } })
    const asking = tab.tabs.ask()
    await tab.host.settle()
    await tab.offers(grantedAs('offered'), 2)
    expect((await asking)?.refreshToken).toBe('offered')
    await tab.host.settle()
    expect(tab.of('ask').slice(1)).toMatchObject(asked)
    await tab.offers(grantedAs('newer'), 3)
    expect(tab.adopted.map(({ refreshToken }) => refreshToken)).toEqual(adopted)
  })

  it('is still taken when nobody hands out the newer one', async () => {
    const { tab, token } = await offered(2)
    await tab.host.clock.advance(SIBLING_WAIT_MS)
    expect(await token()).toBe('offered')
  })
})

it('who waits without a session asks once for whatever is newer than nothing, when there are others', async () => {
  for (const [count, asked] of [
    [0, []],
    [1, [{ type: 'ask', generation: 1 }]],
  ] as const) {
    const tab = openTab({ count })
    tab.tabs.catchUp()
    await tab.host.settle()
    expect(tab.posted).toMatchObject(asked)
  }
})

it('where tabs cannot share, an end is told to the others, unless it is the expiry of what is this tab’s alone', () => {
  for (const [port, reasons] of [
    [{}, ['signed-out', 'expired']],
    [{ seal: undefined }, ['signed-out']],
  ] as const) {
    const tab = openTab({ port })
    tab.tabs.ended('signed-out', ['mine'])
    tab.tabs.ended('expired', ['mine'])
    expect(tab.of('ended').map(({ reason }) => reason)).toEqual(reasons)
  }
})

describe('before a session ends', () => {
  const prepare = { type: 'prepare', ending: 'e1', session: 'mine', reason: 'idle' }
  const ready = { type: 'preparing', ending: 'e1', by: 'here', session: 'mine' }

  it('a tab that holds it says at once that it is at it, and later that it is ready', async () => {
    const tab = openTab({ holds: grantedAs('r1') })
    await tab.hears(prepare)
    expect([tab.prepared, tab.posted]).toEqual([['idle'], [{ ...ready, isReady: false }]])
    tab.getReady()
    await tab.host.settle()
    expect(tab.posted.slice(1)).toEqual([{ ...ready, isReady: true }])
  })

  it.each<[string, Others, Message, number]>([
    ['no session here', {}, prepare, 0],
    ['every session there is', { holds: grantedAs('r1') }, { ...prepare, session: undefined }, 1],
  ])('asked about %s', async (_what, others, message, count) => {
    const tab = openTab(others)
    await tab.hears(message)
    expect([tab.prepared.length, tab.posted.length]).toEqual([count, count])
  })

  function ask(count: number) {
    const tab = openTab({ holds: grantedAs('r1'), count })
    let outcome: readonly string[] | undefined
    void tab.tabs.prepare('signed-out').then((sessions) => (outcome = sessions))
    const { ending } = tab.of('prepare')[0] ?? {}
    const says = (by: string, isReady: boolean, session = 'mine') =>
      tab.hears({ type: 'preparing', ending, by, session, isReady })
    return { ...tab, outcome: () => outcome, says }
  }

  it('with no other tab nobody is waited for', async () => {
    const { outcome, host, posted } = ask(0)
    await host.settle()
    expect(outcome()).toEqual([])
    expect(posted).toEqual([{ type: 'prepare', ending: expect.any(String), reason: 'signed-out' }])
    expect(host.counts().timers).toBe(0)
  })

  it('every tab that is at it is waited for, and their sessions are known', async () => {
    const { outcome, host, says } = ask(2)
    await says('second', false)
    await says('second', true)
    await host.clock.advance(SIBLING_WAIT_MS - 1)
    expect(outcome()).toBeUndefined()
    await says('third', false, 'theirs')
    await host.clock.advance(4000)
    expect(outcome()).toBeUndefined()
    await says('third', true, 'theirs')
    expect(outcome()).toEqual(['mine', 'theirs'])
    expect(host.counts().timers).toBe(0)
  })

  it('a tab that keeps silent (closed, frozen) is not waited for, and its answer to another question is none', async () => {
    const { outcome, host, hears } = ask(1)
    await hears({ type: 'preparing', ending: 'another', by: 'second', session: 'mine', isReady: true })
    await hears({ type: 'preparing' })
    await host.clock.advance(SIBLING_WAIT_MS - 1)
    expect(outcome()).toBeUndefined()
    await host.clock.advance(1)
    expect(outcome()).toEqual([])
  })

  it('a tab that never gets ready is waited for 5 seconds and not longer', async () => {
    const { outcome, host, says } = ask(1)
    await says('second', false)
    await host.clock.advance(4999)
    expect(outcome()).toBeUndefined()
    await host.clock.advance(1)
    expect(outcome()).toEqual(['mine'])
    expect(host.counts().timers).toBe(0)
  })

  it('a page that goes in the middle leaves nothing behind', async () => {
    const { host, tabs } = ask(1)
    tabs.dispose()
    await host.settle()
    expect(host.counts().timers).toBe(0)
  })

  it('a tab without a channel is alone', async () => {
    expect(await openTab({ port: { openChannel: undefined }, count: 3 }).tabs.prepare('idle')).toEqual([])
  })
})

describe('a question whose key is none', () => {
  it.each(['***', '', 'AAAA', `${'A'.repeat(86)}==`, '\u{1F511}'])(
    '(%j) gets no answer, and fails nowhere',
    async (publicKey) => {
      const unhandled: unknown[] = []
      const note = (error: unknown) => void unhandled.push(error)
      process.on('unhandledRejection', note)
      const tab = openTab({ holds: grantedAs('mine'), port: { seal: createBrowserTabs().seal } })
      await tab.hears({ type: 'ask', question: 'q', publicKey, generation: 0 })
      await tab.host.clock.advance(100)
      // Real crypto, in its own time: its limit goes with it.
      await expect.poll(() => tab.host.counts().timers).toBe(0)
      await new Promise((resolve) => setTimeout(resolve, 20))
      process.off('unhandledRejection', note)
      expect([unhandled, tab.of('offer')]).toEqual([[], []])
    },
  )
})
