// What a developer is told of failures while they happen, beside what explain() keeps.
import { describe, expect, it } from 'vitest'
import { createTimeline } from '../../../src/session/timeline.ts'
import { iframeBlocked, loginRequired, network } from '../../../src/base/errors.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from './sessionScene.ts'

it('tells each failure with its mending, one that repeats once, and no ordinary end', () => {
  const told: string[] = []
  const { platform } = createFakeHost(APP)
  const { record, steps } = createTimeline(
    { ...platform, tell: (message) => void told.push(message) },
    'steps',
  )
  record('verify existing session', 'failed', loginRequired())
  record('verify existing session', 'failed', iframeBlocked('csp'))
  record('exchange code', 'failed', network('POST /oauth/token'))
  record('exchange code', 'failed', network('POST /oauth/token'))
  record('exchange code', 'skipped', network('POST /oauth/token'))
  record('real time', 'failed', 'It could not be started')
  expect(told).toEqual([
    "verify existing session: agent-iframe blocked: csp. Add the authHost to frame-src of the page's CSP; with OpenID Connect, the provider and 'self'.",
    'exchange code: POST /oauth/token did not reach the server. Try again. If it repeats: server down, CORS, CSP or a blocker.',
  ])
  expect(steps()).toHaveLength(6)
})

describe('the steps of a page that goes', () => {
  function page(entry: { text?: string } = {}) {
    const sessionStorage = {
      get: () => entry.text,
      set: (_key: string, text: string) => Boolean((entry.text = text)),
      remove() {},
    }
    return { entry, ...createTimeline({ now: () => 7, sessionStorage }, 'steps') }
  }
  const namesOf = ({ steps }: ReturnType<typeof page>) => steps().map(({ step }) => step)

  it('go with the tab to the next page, the last 50, without errors and without queries', () => {
    const first = page()
    for (let count = 0; count < 60; count += 1) first.record(`step ${count}`, 'done')
    first.record('call', 'failed', network('GET https://api.test/a?token=secret#b'))
    first.leave()
    const next = page(first.entry)
    next.record('auto-login', 'started')
    expect(next.steps()).toBe(next.steps())
    expect(namesOf(next).slice(-3)).toEqual(['step 59', 'call', 'auto-login'])
    expect([namesOf(next).length, next.steps().at(-2)]).toEqual([
      51,
      { atMs: 7, step: 'call', outcome: 'failed', detail: 'GET https://api.test/a did not reach the server' },
    ])
    expect(first.entry.text).not.toContain('secret')
  })

  it('go when another user signs in, there or on the next page', () => {
    const first = page()
    first.begin('alice')
    first.record('idle', 'done')
    first.leave()
    const same = page({ ...first.entry })
    same.begin('alice')
    expect(namesOf(same)).toEqual(['idle'])
    same.begin('bob')
    expect(namesOf(same)).toEqual([])
    const other = page({ ...first.entry })
    other.record('code in the address', 'done')
    other.begin('bob')
    expect(namesOf(other)).toEqual(['code in the address'])
    other.leave()
    expect(other.entry.text).not.toContain('idle')
  })

  it.each(['', '[', '7', '{"steps":7}', '{"steps":[{"step":1},null]}'])(
    'that are not (%j) are none',
    (text) => {
      expect(page({ text }).steps()).toEqual([])
    },
  )
})
