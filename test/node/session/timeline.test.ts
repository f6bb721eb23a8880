// What a developer is told of failures while they happen, beside what explain() keeps.
import { expect, it } from 'vitest'
import { createTimeline } from '../../../src/session/timeline.ts'
import { iframeBlocked, loginRequired, network } from '../../../src/errors.ts'

it('tells each failure with its mending, one that repeats once, and no ordinary end', () => {
  const told: string[] = []
  const { record, steps } = createTimeline(
    () => 0,
    (message) => told.push(message),
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
