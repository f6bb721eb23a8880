// Every provider that has a preset, as a stand-in: a whole session with its everyday traits, and each occasional one by itself.
import { describe, expect, it } from 'vitest'
import { STAND_INS, type StandInCase, startServer, APP } from '../../../scripts/interop/standIns.ts'
import { TRAIT_CASES } from '../../../scripts/interop/traitCases.ts'
import type { Step } from '../../../scripts/interop/walk.ts'
import { walkSession } from '../../../scripts/interop/walkSession.ts'

/** The others differ from these by their addresses and issuers. */
const EVERY_TIME = ['keycloak', 'entra', 'auth0', 'okta', 'cognito']

describe.each(Object.entries(STAND_INS) as [string, StandInCase][])('%s', (name, which) => {
  const tags = EVERY_TIME.includes(name) ? [] : ['thorough']
  it('keeps a whole session, with what this provider does every day', { tags }, async () => {
    const server = await startServer(which)
    const steps: Step[] = []
    await walkSession(server, APP, {}, (step) => steps.push(step))
    await server.stop()
    expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  })
})

describe('once in a while', () => {
  it.each(TRAIT_CASES.map((one) => [`${one.provider}: ${one.trait.name}`, one] as const))(
    '%s',
    async (_title, { run }) => {
      expect(await run()).not.toBe('')
    },
  )

  it('has a case for every occasional trait', () => {
    const cased = new Set(TRAIT_CASES.map(({ trait }) => trait))
    const all = (Object.values(STAND_INS) as StandInCase[]).flatMap(({ provider }) => provider.traits)
    expect(all.filter((trait) => trait.isOccasional && !cased.has(trait)).map(({ name }) => name)).toEqual([])
  })
})
