// Plays thousands of bad days through the decision about the one session: the newest stays, and nobody else does.

// @module-tag generated

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { simulate } from './presenceSimulation.ts'
import type { Schedule, SimulatedAgent } from './presenceSimulation.ts'
import { checkGenerated, generatedRuns } from '../../generated.ts'

const UNTIL_MS = 45 * 60_000

// Who joins and is cut off before any announcement came through is, by the rule itself, an unannounced client.
const outage = (firstMs: number) =>
  fc.record({
    fromMs: fc.integer({ min: firstMs, max: 120_000 }),
    lastsMs: fc.integer({ min: 200, max: 60_000 }),
  })

function schedules(options: {
  loss?: number
  duplicates?: number
  late?: number
  outages?: number
  impersonators?: boolean
  simultaneous?: boolean
  catchUp?: boolean
}): fc.Arbitrary<Schedule> {
  const agent: fc.Arbitrary<SimulatedAgent> = fc
    .record({
      startMs: options.simultaneous ? fc.constantFrom(0, 0, 0, 5, 300) : fc.integer({ min: 0, max: 60_000 }),
      isImpersonator: options.impersonators ? fc.boolean() : fc.constant(false),
      // Two outages of one connection never overlap.
      outages: fc
        .array(outage(options.loss ? 15_000 : 500), { maxLength: options.outages ?? 0 })
        .map((list) => list.map((one, index) => ({ ...one, fromMs: one.fromMs + index * 200_000 }))),
    })
    // The server dates a session when it signs in, to the second.
    .map((drawn) => ({ ...drawn, since: 1_700_000_000_000 + Math.floor(drawn.startMs / 1000) * 1000 }))
  return fc.record({
    seed: fc.nat(),
    agents: fc.array(agent, { minLength: 2, maxLength: 5 }),
    loss: fc.constant(options.loss ?? 0),
    duplicates: fc.constant(options.duplicates ?? 0),
    late: fc.constant(options.late ?? 0),
    catchUp: fc.constant(options.catchUp ?? false),
    untilMs: fc.constant(UNTIL_MS),
  })
}

/** The newest by the order every side computes: later sign-in, then larger session id. */
function newestOf({ agents }: Schedule): number | undefined {
  const ordinary = agents.map(({ since, isImpersonator }, index) => ({ since, isImpersonator, index }))
  return ordinary
    .filter(({ isImpersonator }) => !isImpersonator)
    .toSorted((a, b) => b.since - a.since || b.index - a.index)[0]?.index
}

const rows = {
  'on a good network': {},
  'that sign in at the same instant': { simultaneous: true },
  'when messages come twice and up to 2 s out of order': { duplicates: 0.3, late: 0.5 },
  'when every line breaks twice for up to a minute and nothing is caught up': { outages: 2 },
  'when every line breaks twice for up to a minute and all is caught up': { outages: 2, catchUp: true },
  'beside impersonated sessions': { impersonators: true, outages: 1 },
  'when one delivery in five is lost': { loss: 0.2 },
  'when everything goes wrong at once': {
    loss: 0.2,
    duplicates: 0.3,
    late: 0.3,
    outages: 2,
    impersonators: true,
  },
}

describe('of all sessions of one user exactly the newest stays', () => {
  it.each(Object.entries(rows))('%s', { timeout: 120_000 }, async (_name, options) => {
    let played = 0
    await checkGenerated(
      'schedules of sessions',
      fc.property(schedules(options), (schedule) => {
        played += 1
        const newest = newestOf(schedule)
        const { survivors, yielded } = simulate(schedule)
        expect(yielded.map(({ agent }) => agent)).not.toContain(newest)
        expect(survivors).toEqual(newest === undefined ? [] : [newest])
        for (const { agent } of yielded) expect(schedule.agents[agent]?.isImpersonator).toBe(false)
      }),
    )
    expect(played).toBe(generatedRuns('schedules of sessions'))
  })
})

it(
  'leaves the last to join when nobody may publish and only presence speaks',
  { timeout: 60_000 },
  async () => {
    await checkGenerated(
      'schedules of silent sessions',
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 5 }),
        (starts) => {
          const agents = starts.map((start) => ({
            startMs: start * 1000,
            since: 1,
            isImpersonator: false,
            outages: [],
          }))
          const { survivors } = simulate({
            seed: 1,
            agents,
            loss: 0,
            duplicates: 0,
            late: 0,
            catchUp: false,
            isMute: true,
            untilMs: UNTIL_MS,
          })
          expect(survivors).toEqual([starts.indexOf(Math.max(...starts))])
        },
      ),
    )
  },
)

it('settles a second sign-in within half a second, and each side speaks at most a few times', () => {
  const agent = (startMs: number) => ({ startMs, since: startMs, isImpersonator: false, outages: [] })
  const { yielded, publishes } = simulate({
    seed: 7,
    agents: [agent(0), agent(600_000)],
    loss: 0,
    duplicates: 0,
    late: 0,
    catchUp: true,
    untilMs: UNTIL_MS,
  })
  expect(yielded).toHaveLength(1)
  expect(yielded[0]?.agent).toBe(0)
  expect(yielded[0]!.atMs - 600_000).toBeLessThanOrEqual(500)
  expect(publishes).toBeLessThanOrEqual(4)
})
