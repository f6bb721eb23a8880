// Holds the catalogue to the exports: every hook and component has a story, and every read and every window has each of its states.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Values that an entry exports, types left out. */
const exportsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  )
const stories = globSync('stories/*.tsx').map((path) => readFileSync(path, 'utf8'))
const all = stories.join('\n')
/** Hooks and components; errors, contexts and wrappers of values are no screen. */
const isShown = (name: string) =>
  /^use[A-Z]/.test(name) || /^[A-Z][a-z]\w*(?<!Error|Fault|Context)$/.test(name)
const isNamed = (name: string) => new RegExp(`(?:<|\\b)${name}\\b`).test(all)

describe.each([
  ['latchkey', 'src/index.ts', 30],
  ['latchkey/editor', 'src/editor/index.ts', 1],
  ['latchkey/devtools', 'src/devtools/index.ts', 2],
  ['latchkey/testing', 'src/testing/index.ts', 1],
])('%s', (_entry, path, least) => {
  it('exports no hook and no component without a story', () => {
    const shown = exportsOf(path).filter((name) => isShown(name) && name !== 'Secret')
    expect(shown.length).toBeGreaterThanOrEqual(least)
    expect(shown.filter((name) => !isNamed(name))).toEqual([])
  })
})

it('would miss a hook that no story uses', () => {
  expect(isNamed('useNothing')).toBe(false)
})

describe('the states a user can meet each have a story', () => {
  it.each([
    [
      'a session',
      /^SignedOut$|^Starting$|^FrameForbiddenByThePage$|^Renewing$|^WentOffline$|^Countdown$|^SignedOutByAnotherBrowser$|^Impersonating$|^LoopStopped$|^ServerDownThenTriedAgain$/,
      10,
    ],
    ['a read: waiting', /^Loading$|^\w+Loading$/, 4],
    ['a read: not allowed', /Forbidden$/, 5],
    ['a read: empty', /Empty$|NotLinked$|NotGiven$/, 4],
    ['a window: blocked', /^Blocked$|Blocked$/, 5],
    ['a window: cancelled', /Cancelled$/, 5],
    ['a window: done', /^Linked$|^Unlinked$|^Confirmed$|^ConsentGranted$|^PasswordChanged$/, 5],
    ['toasts: one, three, many', /^OneAlone$|^EveryKind$|^OthersWait$/, 3],
    ['a dark page', /Dark$/, 6],
    ['a page of 360 px', /Narrow$/, 6],
  ])('%s', (_what, pattern, count) => {
    const found = [...all.matchAll(/^export const (\w+) =/gm)].filter(([, name = '']) => pattern.test(name))
    expect(found.length).toBeGreaterThanOrEqual(count)
  })
})
