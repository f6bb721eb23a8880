// Every provider that has a preset, as a stand-in: a whole session with its everyday traits, and each occasional one by itself.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  STAND_INS,
  type StandInCase,
  startServer,
  APP,
  WHOLE_SESSION,
} from '../../../scripts/interop/standIns.ts'
import { titleOf, TRAIT_CASES } from '../../../scripts/interop/traitCases.ts'
import { walkSession } from '../../../scripts/interop/walks.ts'

describe.each(Object.entries(STAND_INS) as [string, StandInCase][])('%s', (_name, which) => {
  it(WHOLE_SESSION, async () => {
    const server = await startServer(which)
    const steps = await walkSession(server, APP)
    await server.stop()
    expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  })
})

describe('once in a while', () => {
  it.each(TRAIT_CASES.map((one) => [titleOf(one), one] as const))('%s', async (_title, { run }) => {
    expect(await run()).not.toBe('')
  })

  it('has a case for every occasional trait', () => {
    const cased = new Set(TRAIT_CASES.map(({ trait }) => trait))
    const all = (Object.values(STAND_INS) as StandInCase[]).flatMap(({ provider }) => provider.traits)
    expect(all.filter((trait) => trait.isOccasional && !cased.has(trait)).map(({ name }) => name)).toEqual([])
  })
})

describe('what is written of it', () => {
  const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const evidence = read('evidence/providers.md')

  it('evidence/providers.md has each trait of each provider, with its source and the test that holds it', () => {
    const sections = new Map(
      evidence.split('\n### ').map((section) => {
        const [title = '', ...rows] = section.split('\n')
        return [title, rows.map((row) => row.replaceAll('\\|', '|').replaceAll('&lt;', '<'))] as const
      }),
    )
    const isThere = (provider: string, ...words: string[]) =>
      sections.get(provider)?.some((row) => words.every((word) => row.includes(word))) === true
    const everyday = (Object.entries(STAND_INS) as [string, StandInCase][]).flatMap(([name, { provider }]) =>
      provider.traits
        .filter(({ isOccasional }) => !isOccasional)
        .filter((trait) => !isThere(provider.name, trait.name, trait.source, `${name} › ${WHOLE_SESSION}`))
        .map((trait) => `${name}: ${trait.name}`),
    )
    const occasional = TRAIT_CASES.filter(
      (one) => !isThere(one.provider, one.trait.name, one.trait.source, `once in a while › ${titleOf(one)}`),
    ).map(titleOf)
    expect([...everyday, ...occasional]).toEqual([])
  })

  it.each([
    ['keycloak', 'keycloak'],
    ['entra', 'entra-id'],
    ['auth0', 'auth0'],
    ['okta', 'okta'],
    ['cognito', 'cognito'],
  ])('docs/servers/%s.md says that the product was not run, and leads to its traits', (page, anchor) => {
    const text = read(`docs/servers/${page}.md`)
    expect(text).toMatch(/not run/)
    expect(text).toContain(`(../../evidence/providers.md#${anchor})`)
    expect(evidence.toLowerCase()).toContain(`\n### ${anchor.replaceAll('-', ' ')}\n`)
  })
})
