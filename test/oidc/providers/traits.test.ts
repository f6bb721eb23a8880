// Every provider that has a preset, as a stand-in: a whole session with what it does every day, and whose token an API takes.

// @module-tag night

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainPage, writePage } from '../../../scripts/writtenPage.ts'
import { STAND_INS, type StandInCase, startServer, APP, WHOLE_SESSION } from '../interop/standIns.ts'
import { titleOf, TRAIT_CASES, type TraitCase } from '../interop/traitCases.ts'
import { type Step, walkSession } from '../interop/walks.ts'
import { providersPage } from './providersPage.ts'

const PAGE = 'evidence/providers.md'
const sessions = new Map<string, readonly Step[]>()
const found = new Map<TraitCase, string>()

describe.each(Object.entries(STAND_INS) as [string, StandInCase][])('%s', (name, which) => {
  it(WHOLE_SESSION, async () => {
    const server = await startServer(which)
    const steps = await walkSession(server, APP)
    sessions.set(name, steps)
    await server.stop()
    expect(steps.filter(({ isRight }) => !isRight)).toEqual([])
  })
})

describe('a token for an API', () => {
  it.each(TRAIT_CASES.map((one) => [titleOf(one), one] as const))('%s', async (_title, one) => {
    const what = await one.run()
    found.set(one, what)
    expect(what).not.toBe('')
  })
})

describe('what is written of it', () => {
  const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const evidence = read(PAGE)

  it('evidence/providers.md says what these tests have found; LATCHKEY_RECORD writes it', ({ skip }) => {
    if (sessions.size < Object.keys(STAND_INS).length || found.size < TRAIT_CASES.length)
      skip('only some of them ran')
    const page = providersPage(evidence, sessions, found)
    if (process.env['LATCHKEY_RECORD'] !== undefined) writePage(PAGE, page)
    expect(plainPage(read(PAGE))).toBe(plainPage(page))
  })
})
