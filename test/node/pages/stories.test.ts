// Holds the catalogue to the exports: every hook and component has a story and a page, every read and every window each of its states.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { SBType, StrictInputType } from 'storybook/internal/types'
import { describe, expect, it } from 'vitest'
import { withControl } from '../../../.storybook/controls.ts'

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

/** What an entry has to show, with its page of the reference. */
const shownBy = (path: string) => exportsOf(path).filter((name) => isShown(name) && name !== 'Secret')
const ENTRIES = [
  ['latchkey', 'src/index.ts', 30],
  ['latchkey/editor', 'src/editor/index.ts', 1],
  ['latchkey/devtools', 'src/devtools/index.ts', 2],
  ['latchkey/testing', 'src/testing/index.ts', 1],
] as const
const storiesOf = (file: string) =>
  [...readFileSync(`stories/${file}.stories.tsx`, 'utf8').matchAll(/^export const (\w+) =/gm)].map(
    ([, name = '']) => name,
  )

describe.each(ENTRIES)('%s', (entry, path, least) => {
  const shown = shownBy(path)

  it('exports no hook and no component without a story', () => {
    expect(shown.length).toBeGreaterThanOrEqual(least)
    expect(shown.filter((name) => !isNamed(name))).toEqual([])
  })

  it.each(shown)('has a page for %s: its signature, its page of docs/, its stories', (name) => {
    const page = readFileSync(`stories/reference/${name}.mdx`, 'utf8')
    const docs = /path="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(page).toContain(`<Meta title="${name.startsWith('use') ? 'Hooks' : 'Components'}/${name}" />`)
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`<ReferencePage name="${name}" entry="${entry}"`)
    expect(page).toContain(`import text from '../../docs/${docs}?raw'`)
    expect(readFileSync(`docs/${docs}`, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
    const report = readFileSync(`etc/${entry.replace('/', '-')}.api.md`, 'utf8')
    expect(report).toMatch(new RegExp(`^export (?:function|const) ${name}\\b`, 'm'))
    const used = [...page.matchAll(/<Canvas of=\{(\w+)\.(\w+)\} \/>/g)]
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter(([, file = '', story = '']) => !storiesOf(file).includes(story))).toEqual([])
  })
})

it('has no page of the reference for anything else', () => {
  const shown = ENTRIES.flatMap(([, path]) => shownBy(path))
  const pages = globSync('stories/reference/*.mdx').map((path) => basename(path, '.mdx'))
  expect(pages.toSorted()).toEqual(shown.toSorted())
})

it('would miss a hook that no story uses', () => {
  expect(isNamed('useNothing')).toBe(false)
})

describe('each way a call can end has a story', () => {
  it.each([
    ['useUserInfo', 'UserInfo', 'Loading Empty Full Forbidden NotTheServer Offline'],
    [
      'useCloudUserInfo',
      'CloudReads',
      'AccountLoading AccountNotLinked Account AccountForbidden AccountOffline',
    ],
    ['useCloudAccessToken', 'CloudReads', 'TokenLoading TokenWithoutAccount TokenOutOfSight TokenForbidden'],
    ['useAdminConsent', 'CloudReads', 'ConsentLoading ConsentNotGiven ConsentGiven ConsentForbidden'],
    ['useAdminConsent', 'CloudReads', 'ConsentBehindAPortal'],
    [
      'useLinkMap',
      'CloudReads',
      'LinkMapLoading LinkMapEmpty LinkMapOfAllUsers LinkMapForbidden LinkMapMalformed',
    ],
    [
      'useRedirectionConfig',
      'Addresses',
      'EnvironmentsLoading EnvironmentsEmpty EnvironmentsRead EnvironmentsMissing',
    ],
    ['useLinkCloudAccount', 'Popups', 'Open Blocked Cancelled Linked NeverAnswering'],
    ['useUnlinkCloudAccount', 'Popups', 'UnlinkBlocked UnlinkCancelled Unlinked'],
    ['useReauthenticateCloudAccount', 'Popups', 'ConfirmBlocked ConfirmCancelled Confirmed'],
    ['useGrantAdminConsent', 'Popups', 'ConsentBlocked ConsentCancelled ConsentGranted'],
    ['useChangePassword', 'Popups', 'PasswordBlocked PasswordCancelled PasswordChanged'],
  ])('%s: %s', (_hook, file, names) => {
    const there = storiesOf(file)
    expect(names.split(' ').filter((name) => !there.includes(name))).toEqual([])
  })
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

it('has a switch for a prop that may be left out, and a field of text for what React draws', () => {
  const name = 'prop'
  const absent = { name: 'other', value: 'undefined' } as const
  const node = { name: 'other', value: 'ReactNode' } as const
  const optional = (...value: readonly SBType[]): StrictInputType => ({
    name,
    type: { name: 'union', value: [...value, absent] },
  })
  expect(withControl(optional({ name: 'boolean' })).type).toEqual({ name: 'boolean' })
  expect(withControl(optional(node, { name: 'function' })).control).toEqual({ type: 'text' })
  expect(withControl({ name, type: node, control: 'select' }).control).toBe('select')
  expect(withControl({ name, type: { name: 'boolean' } })).toEqual({ name, type: { name: 'boolean' } })
})

it('says of a prop with several types what they are', () => {
  const value = [{ name: 'boolean' }, { name: 'other', value: 'undefined' }] as const
  const union = { name: 'union', value: [...value], raw: "\n  | 'left'\n  | 'right'\n  | undefined" } as const
  const prop: StrictInputType = {
    name: 'prop',
    type: { ...union, value: [...value] },
    table: { type: { summary: 'union' } },
  }
  expect(withControl(prop).table).toEqual({ type: { summary: "'left' | 'right'" } })
  const own = { type: { summary: "AuthState['status']" } }
  expect(withControl({ ...prop, table: own }).table).toEqual(own)
})
