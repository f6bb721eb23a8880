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

holds('a file imports its own room or a lower one', rules.stairs, [
  {
    files: { 'src/protocol/claims.ts': `import { createAuth } from '../session/createAuth.ts'` },
    fault: 'src/protocol/claims.ts imports src/session/createAuth.ts: session stands above protocol',
  },
  {
    files: { 'src/errors.ts': `import type { Claims } from './protocol/claims.ts'` },
    fault: 'src/errors.ts imports src/protocol/claims.ts: protocol stands above base',
  },
  {
    files: { 'src/queries/userInfo.ts': `export type A = import('../hooks/useAuth.ts').A` },
    fault: 'src/queries/userInfo.ts imports src/hooks/useAuth.ts: hooks stands above queries',
  },
  {
    files: { 'src/editor/JsonEditor.tsx': `import { AuthError } from '../errors.ts'` },
    fault: 'src/editor/JsonEditor.tsx imports src/errors.ts: editor/ is an island',
  },
  {
    files: { 'src/index.ts': `export { JsonEditor } from './editor/index.ts'` },
    fault: 'src/index.ts imports src/editor/index.ts: editor/ is an island',
  },
  {
    files: { 'src/hooks/useAuth.ts': `const fake = import('../testing/index.ts')` },
    fault: 'src/hooks/useAuth.ts imports src/testing/index.ts: nothing imports testing/',
  },
  {
    files: { 'src/helpers/text.ts': `import { AuthError } from '../errors.ts'` },
    fault: 'src/helpers/text.ts stands in no known room',
  },
  {
    files: {
      'src/hooks/useAuth.ts': `import { a } from '../errors.ts'; import { b } from './b.ts'; import { c } from '../session/session.ts'`,
      'src/testing/index.ts': `import { a } from '../index.ts'`,
    },
  },
])

holds('inside session/ a room imports a lower one', rules.sessionRooms, [
  {
    files: { 'src/session/tabs/tabChannel.ts': `import type { Idle } from '../signedIn/idle.ts'` },
    fault:
      'src/session/tabs/tabChannel.ts imports src/session/signedIn/idle.ts: session/signedIn does not stand below session/tabs',
  },
  {
    files: { 'src/session/boot/boot.ts': `import { createAuth } from '../createAuth.ts'` },
    fault: 'src/session/boot/boot.ts imports src/session/createAuth.ts: it stands above all',
  },
  {
    files: { 'src/session/realtime/presence.ts': `import { a } from '../tabs/tabChannel.ts'` },
    fault:
      'src/session/realtime/presence.ts imports src/session/tabs/tabChannel.ts: session/tabs does not stand below session/realtime',
  },
  {
    files: {
      'src/session/signedIn/session.ts': `import { a } from '../tabs/tabChannel.ts'; import { b } from '../state.ts'; import { c } from './idle.ts'`,
    },
  },
])

holds('an import names an existing file', rules.knownFiles, [
  {
    files: { 'src/errors.ts': `import { a } from './constants'`, 'src/constants.ts': '' },
    fault: 'src/errors.ts imports src/constants, which does not exist',
  },
  { files: { 'src/errors.ts': `import { a } from './constants.ts'`, 'src/constants.ts': '' } },
])

holds('each package belongs to a room', rules.packagesByRoom, [
  {
    files: { 'src/session/signedIn/tokenRefresh.ts': `import { jwtDecode } from 'jwt-decode'` },
    fault: 'src/session/signedIn/tokenRefresh.ts imports jwt-decode: only protocol may',
  },
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
  {
    files: { 'src/session/state.ts': `import type { Query } from '@tanstack/react-query'` },
    fault:
      'src/session/state.ts imports @tanstack/react-query: only queries, provider, toaster, hooks, index, testing, devtools, early, oidc may',
  },
  {
    files: { 'src/queries/keys.ts': `import { useMemo } from 'react'` },
    fault:
      'src/queries/keys.ts imports react: only provider, toaster, hooks, index, editor, testing, devtools, early, oidc may',
  },
  {
    files: { 'src/hooks/useToast.ts': `import toast from 'react-hot-toast/headless'` },
    fault: 'src/hooks/useToast.ts imports react-hot-toast/headless: only toaster may',
  },
  {
    files: { 'src/provider/Editor.tsx': `import 'monaco-editor/editor'` },
    fault: 'src/provider/Editor.tsx imports monaco-editor/editor: only editor may',
  },
  {
    files: { 'src/protocol/claims.ts': `import { pick } from 'lodash'` },
    fault: 'src/protocol/claims.ts imports lodash: no room owns this package',
  },
])

holds('the host is reached through Platform alone', rules.hostThroughPlatform, [
  ...[
    ['window', 'export const a = () => window.name'],
    ['document', `export const a = typeof document === 'undefined'`],
    ['fetch', 'export const a = async () => fetch("/")'],
    ['setTimeout', 'export const a = () => { setTimeout(() => {}, 1) }'],
    ['localStorage', 'export class A { b = localStorage }'],
    ['sessionStorage', 'export const a = { sessionStorage }'],
    ['navigator', 'export const A = () => <p>{navigator.onLine}</p>'],
    ['crypto', 'export const a = crypto as unknown'],
    ['performance', 'export const a = performance.now()'],
    ['BroadcastChannel', `export const a = new BroadcastChannel('a')`],
    ['Date.now', 'export const a = Date.now()'],
    ['new Date()', 'export const a = new Date().getTime()'],
    ['AbortSignal.timeout', 'export const a = AbortSignal.timeout(1)'],
    ['globalThis', 'export const a = globalThis.fetch'],
  ].map(([name, text = '']) => ({
    files: { 'src/session/idle.tsx': text },
    fault: `src/session/idle.tsx uses ${name}: take it as a port of Platform`,
  })),
  {
    files: {
      'src/session/platform/browserPlatform.ts': 'export const now = () => Date.now()',
      'src/session/platform/browserTabs.ts':
        'export const open = (name: string) => new BroadcastChannel(name)',
      'src/early/index.ts': 'export const href = window.location.href',
      'src/editor/JsonEditor.tsx': 'export const a = () => document.body',
      'src/session/http/call.ts': `
        export interface Ports { fetch: typeof fetch; storage: Storage; document: Document }
        export const call = ({ fetch, clock }: Ports & { clock: { now(): number } }) => fetch(String(clock.now()))
        export const at = (milliseconds: number, host: Ports) => [new Date(milliseconds), host.document, { window: 1 }]`,
    },
  },
])

holds('nothing that guards a sign-in is left to weak chance', rules.noWeakChance, [
  {
    files: { 'src/protocol/proofKey.ts': 'export const key = () => Math.random()' },
    fault: 'src/protocol/proofKey.ts uses Math.random: take random bytes from the platform',
  },
  { files: { 'src/queries/defaults.ts': 'export const jitter = () => Math.random()' } },
])

holds('no import cycle, types included', rules.noCycles, [
  {
    files: { 'src/errors.ts': `import type { A } from './a.ts'`, 'src/a.ts': `export * from './errors.ts'` },
    fault: 'import cycle: src/errors.ts > src/a.ts > src/errors.ts',
  },
  {
    files: { 'src/a.ts': `import './b.ts'; import './c.ts'`, 'src/b.ts': `import './c.ts'`, 'src/c.ts': '' },
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
    },
  },
])

holds('no default export', rules.noDefaultExports, [
  { files: { 'src/errors.ts': 'export default class {}' }, fault: 'src/errors.ts has a default export' },
  {
    files: { 'src/errors.ts': 'const a = 1; export { a as default }' },
    fault: 'src/errors.ts has a default export',
  },
])

holds('no state in a module variable', rules.noModuleVariables, [
  {
    files: { 'src/session/tabs/tabChannel.ts': 'export let open = 0' },
    fault: 'src/session/tabs/tabChannel.ts keeps state in the module variable open',
  },
  {
    files: { 'src/session/tabs/tabChannel.ts': 'var { closed } = { closed: 1 }' },
    fault: 'src/session/tabs/tabChannel.ts keeps state in the module variable closed',
  },
  {
    files: {
      'src/session/tabs/tabChannel.ts': 'export const tabs = () => { let open = 0; return () => open++ }',
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
      'src/session/signedIn/companions.ts': `import { a } from './idle.ts'; const load = () => import('../realtime/channels.ts')`,
      'src/editor/useTools.ts': `const load = () => import('./tools/parts.ts')`,
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
      'src/errors.ts': `// Says what went wrong\n// and what to do next (spec §8 "Errors").\n\nexport const a = 1`,
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
    files: { 'src/hooks/useRenew.ts': `import { useMutation } from '@tanstack/react-query'` },
    fault: `src/hooks/useRenew.ts uses React without 'use client'`,
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

holds('a file stays short enough to be held in the head', rules.sizeLimit, [
  {
    files: { 'src/errors.ts': 'const a = 1\n'.repeat(301) },
    fault: 'src/errors.ts has 301 lines: look for the second noun inside',
  },
])

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
