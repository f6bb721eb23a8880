// Holds the source to the rules of the staircase, and proves on made-up files that each rule can fail.
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFacts } from './architecture/facts.ts'
import * as rules from './architecture/rules.ts'
import type { Rule } from './architecture/rules.ts'

const read = (pattern: string) =>
  globSync(pattern)
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.includes('/node_modules/'))
    .toSorted()
    .map((path) => readFacts(path, readFileSync(path, 'utf8')))

const source = read('src/**/*.{ts,tsx}')
const elsewhere = read('{bench,demo,scripts,stories,test,.storybook}/**/*.{ts,tsx}')

/** Files by path; a fault is expected, or none when the sentence is left out. */
interface Example {
  files: Record<string, string>
  fault?: string
}

const judge = (rule: Rule, files: Record<string, string>) =>
  rule(Object.entries(files).map(([path, text]) => readFacts(path, text)))

function holds(name: string, rule: Rule, examples: Example[]) {
  describe(name, () => {
    it('holds in src/', () => {
      expect(rule(source)).toEqual([])
    })

    it.each(examples.map((example) => [example.fault ?? 'nothing', example] as const))(
      'finds: %s',
      (_, example) => {
        expect(judge(rule, example.files)).toEqual(example.fault ? [example.fault] : [])
      },
    )
  })
}

it('reads the source it judges', () => {
  expect(source.map(({ path }) => path)).toContain('src/errors.ts')
})

holds('some packages are spoken to in one file', rules.oneFilePackages, [
  {
    files: {
      'src/session/http/call.ts': `import { ofetch } from 'ofetch'`,
      'src/session/other.ts': `import 'ofetch'`,
    },
    fault: 'src/session/other.ts imports ofetch: src/session/http/call.ts is the one file that may',
  },
  {
    files: { 'src/session/a.ts': `import('pubnub')`, 'src/session/b.ts': `import P from 'pubnub'` },
    fault: 'src/session/b.ts imports pubnub: src/session/a.ts is the one file that may',
  },
  { files: { 'src/session/a.ts': `import 'pubnub'`, 'src/session/b.ts': `import type P from 'pubnub'` } },
])

holds('the clock is reached through Platform alone', rules.noClock, [
  {
    files: { 'src/session/tabs/tabChannel.ts': 'export const at = () => new Date().getTime()' },
    fault: 'src/session/tabs/tabChannel.ts uses new Date(): take it as a port of Platform',
  },
  {
    files: {
      'src/session/state.ts': 'export const at = (milliseconds: number) => new Date(milliseconds)',
      'src/session/platform/browserTools.ts': 'export const at = () => new Date()',
    },
  },
])

holds('no barrel but the entries', rules.noInnerBarrels, [
  { files: { 'src/hooks/index.ts': 'export const a = 1' }, fault: 'src/hooks/index.ts is an inner barrel' },
  {
    files: { 'src/hooks/useAuth.ts': `export type { Auth } from '../session/session.ts'` },
    fault: 'src/hooks/useAuth.ts re-exports ../session/session.ts: import it where it lives',
  },
  {
    files: {
      'src/index.ts': `export * from './errors.ts'`,
      'src/editor/index.ts': `export * from './JsonEditor.tsx'`,
      'src/session/later.ts': `export { stepUp } from './features/stepUp/stepUp.ts'`,
    },
  },
])

holds('no state in a module variable', rules.noModuleVariables, [
  {
    files: { 'src/session/tabs/tabChannel.ts': 'export let open = 0' },
    fault: 'src/session/tabs/tabChannel.ts keeps state in the module variable open',
  },
  {
    files: { 'src/session/tabs/tabChannel.ts': 'var { closed } = { closed: 1 }' },
    fault: 'src/session/tabs/tabChannel.ts keeps state in the module variable { closed }',
  },
  {
    files: {
      'src/session/tabs/tabChannel.ts': 'export const tabs = () => { let open = 0; return () => open++ }',
    },
  },
])

holds('one table says what follows from a reason', rules.reasonsInOneTable, [
  {
    files: { 'src/toaster/notices.ts': `export const is = (reason: string) => reason === 'idle'` },
    fault: `src/toaster/notices.ts decides by a reason (reason === 'idle'): give it a column in signedOutReasons.ts`,
  },
  {
    files: { 'src/provider/gate.tsx': `export const may = (state: State) => 'none' !== state.reason` },
    fault: `src/provider/gate.tsx decides by a reason ('none' !== state.reason): give it a column in signedOutReasons.ts`,
  },
  {
    files: { 'src/queries/a.ts': `export const is = (text: string) => /^(signed-out|idle)$/.test(text)` },
    fault: `src/queries/a.ts decides by a reason ((signed-out|idle)): give it a column in signedOutReasons.ts`,
  },
  {
    files: { 'src/session/a.ts': `export const f = (r: { reason: string }) => { switch (r.reason) { } }` },
    fault: `src/session/a.ts decides by a reason (switch (r.reason)): give it a column in signedOutReasons.ts`,
  },
  {
    files: { 'src/session/a.ts': `export const l = ['expired', 'none'].includes(state.reason)` },
    fault: `src/session/a.ts decides by a reason (includes(state.reason)): give it a column in signedOutReasons.ts`,
  },
  {
    files: {
      'src/session/a.ts': `export const f = (reason: R, how: string) => REASONS[reason].isOwed && how === 'signed-out'`,
      'src/protocol/signedOutReasons.ts': `export const isEnd = (reason: string) => reason !== 'none'`,
    },
  },
])

// Between a page and a signed-in user stands no file that could be missing, slow or stale.
holds('what every session needs comes in one file', rules.oneCoreFile, [
  {
    files: { 'src/session/createAuth.ts': `const load = () => import('./upkeep.ts')` },
    fault: 'src/session/createAuth.ts loads ./upkeep.ts later: only what not every session needs may',
  },
  {
    files: {
      'src/session/signedIn/companions.ts': `import { a } from './bearer.ts'; const load = () => import('../realtime/channels.ts')`,
      'src/editor/useTools.ts': `const load = () => import('./tools/parts.ts')`,
    },
  },
])

holds('a feature is known to createAuth alone', rules.featuresKnown, [
  {
    files: { 'src/session/boot/boot.ts': `import type { Idle } from '../features/idleLogout.ts'` },
    fault:
      'src/session/boot/boot.ts imports src/session/features/idleLogout.ts: createAuth.ts alone knows the features',
  },
  {
    files: { 'src/session/context.ts': `const load = () => import('./features/switchTo.ts')` },
    fault:
      'src/session/context.ts imports src/session/features/switchTo.ts: createAuth.ts alone knows the features',
  },
  {
    files: {
      'src/session/createAuth.ts': `import { a } from './features/idleLogout.ts'`,
      'src/session/later.ts': `export { switchTo } from './features/switchTo.ts'`,
      'src/session/features/switchTo.ts': `import { told } from './stepUp/stepUp.ts'`,
      'src/queries/popups.ts': `import { openPopup } from '../session/features/accountWindows.ts'`,
    },
  },
])

holds('no circle of imports, types and import() included', rules.noCycles, [
  {
    files: {
      'src/session/a.ts': `const load = () => import('./http/b.ts')`,
      'src/session/http/b.ts': `import { c } from '../c.ts'`,
      'src/session/c.ts': `import type { A } from './a.ts'`,
    },
    fault:
      'src/session/a.ts imports src/session/http/b.ts imports src/session/c.ts imports src/session/a.ts: a circle',
  },
  {
    files: {
      'src/a.ts': `export type A = typeof import('./b.ts')`,
      'src/b.ts': `export type { A } from './a.ts'`,
    },
    fault: 'src/a.ts imports src/b.ts imports src/a.ts: a circle',
  },
  {
    files: {
      'src/session/a.ts': `import './b.ts'; const load = () => import('./c.ts')`,
      'src/session/b.ts': `import type { C } from './c.ts'`,
      'src/session/c.ts': `import 'react'`,
    },
  },
])

holds('a file opens with a sentence on what it is for', rules.openingSentence, [
  {
    files: { 'src/errors.ts': 'export const a = 1' },
    fault: 'src/errors.ts does not open with a sentence that says what it is for',
  },
  {
    files: { 'src/errors.ts': '// errors\nexport const a = 1' },
    fault: 'src/errors.ts does not open with a sentence that says what it is for',
  },
  {
    files: {
      'src/errors.ts': `// Says what went wrong\n// and what to do next.\n\nexport const a = 1`,
    },
  },
  { files: { 'src/errors.ts': '/** Says what went wrong. */\nexport const a = 1' } },
  { files: { 'src/hooks/useAuth.ts': `'use client'\n// Says who is signed in.\nexport const a = 1` } },
])

holds('a file that uses React says so to a server renderer', rules.clientDirective, [
  {
    files: { 'src/hooks/useAuth.ts': `import { use } from 'react'` },
    fault: `src/hooks/useAuth.ts uses React without 'use client'`,
  },
  {
    files: { 'src/hooks/useSession.ts': `import { useMutation } from '@tanstack/react-query'` },
    fault: `src/hooks/useSession.ts uses React without 'use client'`,
  },
  {
    files: {
      'src/hooks/useAuth.ts': `// Head.\n'use client'\nimport { use } from 'react'`,
      'src/provider/context.ts': `import type { Context } from 'react'`,
      'src/editor/JsonEditor.tsx': `'use client'\nimport { Toolbar } from './Toolbar.tsx'`,
      'src/editor/Toolbar.tsx': `import { useId } from 'react'; import('./Find.tsx')`,
      'src/editor/Find.tsx': `import { useId } from 'react'; import { Toolbar } from './Toolbar.tsx'`,
      'src/queries/userInfo.ts': `import { queryOptions } from '@tanstack/react-query'`,
    },
  },
])

it('refers to no document that is not in this repository', () => {
  const references = /architecture rule|\(threat |\(F\d|(?:spec|contract) §|see decisions\/\)/
  const found = globSync('src/**/*.{ts,tsx}').flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => references.test(line))
      .map((line) => `${path}: ${line}`),
  )
  expect(found).toEqual([])
})

describe('outside src/', () => {
  it('opens every file with a sentence on what it is for', () => {
    expect(rules.openingSentence(elsewhere)).toEqual([])
  })

  it('leaves no test file out of the test command', () => {
    const tests = elsewhere.map(({ path }) => path).filter((path) => /\.test\.tsx?$/.test(path))
    const run =
      /^test\/(node|dom|browser)\/.*\.test\.tsx?$|^test\/(editor|msw|oidc|e2e|quickStart)\/.*\.test\.ts$/
    expect(tests.filter((path) => !run.test(path))).toEqual([])
  })
})
