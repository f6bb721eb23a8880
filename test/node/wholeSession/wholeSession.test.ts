// Whole sessions, played at random over the public face of several tabs: whatever happens, some things are always true.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkGenerated, longer } from '../../generated.ts'
import { history } from './wholeSessionDraws.ts'
import { FOUND, MOVES } from './wholeSessionFound.ts'
import { type History, play } from './wholeSessionPlay.ts'

const withOpenIdConnect = (drawn: History): History => ({
  ...drawn,
  setting: { ...drawn.setting, isOpenIdConnect: true },
})

it.each(FOUND)('holds where once %s', async (_what, found) => {
  await expect(play(found)).resolves.toBeUndefined()
})

it.each(FOUND)('holds with an OpenID Connect provider where once %s', async (_what, found) => {
  await expect(play(withOpenIdConnect(found))).resolves.toBeUndefined()
})

describe.each([
  ['the firm’s server', (drawn: History) => drawn],
  ['an OpenID Connect provider', withOpenIdConnect],
])('with %s it never happens that', (_server, at) => {
  it.each(MOVES)('%s', async (_what, moves) => {
    await expect(play(at(moves))).resolves.toBeUndefined()
  })
})

it(
  'holds with an OpenID Connect provider whatever tabs, servers, users and networks do',
  { timeout: 240_000 * longer, tags: ['generated'] },
  async () => {
    await checkGenerated('whole sessions', fc.asyncProperty(history.map(withOpenIdConnect), play))
  },
)

it(
  'holds whatever tabs, servers, users and networks do',
  { timeout: 240_000 * longer, tags: ['generated'] },
  async () => {
    await checkGenerated('whole sessions', fc.asyncProperty(history, play))
  },
)
