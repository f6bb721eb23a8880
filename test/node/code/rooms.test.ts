// Holds the linter's rules for the rooms of src/ to their word: each finds a made-up file that breaks it, in every room there is.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const IMPORTS = 'eslint(no-restricted-imports)'
const GLOBALS = 'eslint(no-restricted-globals)'
const PROPERTIES = 'eslint(no-restricted-properties)'

/** Files of a tree of their own, one for each fault; none is expected where no rule is named. */
const EXAMPLES: readonly (readonly [path: string, text: string, rule?: string])[] = [
  // A room imports its own files and lower rooms.
  ['protocol/a1.ts', `export { a } from '../session/createAuth.ts'`, IMPORTS],
  ['queries/a2.ts', `import type { A } from '../hooks/useAuth.ts'\nexport type B = A`, IMPORTS],
  ['queries/a3.ts', `export type A = import('../hooks/useAuth.ts').A`, 'typescript(consistent-type-imports)'],
  ['hooks/a4.ts', `export const fake = async () => import('../testing/index.ts')`, IMPORTS],
  ['provider/a5.ts', `export { a } from '../index.ts'`, IMPORTS],
  ['errors6.ts', `export type { Claims } from './protocol/claims.ts'`, IMPORTS],
  ['index.ts', `export { JsonEditor } from './editor/index.ts'`, IMPORTS],
  ['testing/a7.ts', `export { a } from '../devtools/index.ts'`, IMPORTS],
  ['editor/a8.tsx', `export { AuthError } from '../errors.ts'`, IMPORTS],
  ['editor/tools/a9.tsx', `export { AuthError } from '../../errors.ts'`, IMPORTS],
  ['session/deep/er/a10.ts', `export { a } from '../../../queries/keys.ts'`, IMPORTS],
  [
    'hooks/a11.ts',
    `export { a } from '../errors.ts'; export { b } from './b.ts'; export { c } from '../session/state.ts'`,
  ],
  ['testing/a12.ts', `export { a } from '../index.ts'; export { b } from '../session/state.ts'`],
  ['editor/tools/a13.tsx', `export { a } from '../constants.ts'; export { b } from './b.ts'`],

  // Rooms inside session/.
  ['session/tabs/b1.ts', `export type { Bearer } from '../signedIn/bearer.ts'`, IMPORTS],
  ['session/signedIn/b9.ts', `export type { Idle } from '../features/idleLogout.ts'`, IMPORTS],
  ['realtime/b2.ts', `export { a } from '../session/tabs/tabChannel.ts'`, IMPORTS],
  ['session/signedIn/b6.ts', `export { a } from '../../realtime/connection.ts'`, IMPORTS],
  ['session/createAuth.ts', `export { a } from '../realtime/presence.ts'`, IMPORTS],
  ['queries/b7.ts', `export { a } from '../realtime/connection.ts'`, IMPORTS],
  [
    'realtime/b8.ts',
    `export type { A } from '../session/context.ts'; export { b } from '../protocol/presence.ts'`,
  ],
  ['session/boot/b3.ts', `export { a } from '../createAuth.ts'`, IMPORTS],
  ['session/boot/b10.ts', `export type { Idle } from '../features/idleLogout.ts'`, IMPORTS],
  ['session/boot/b4.ts', `export { a } from '../../hooks/useAuth.ts'`, IMPORTS],
  [
    'session/signedIn/b5.ts',
    `export { a } from '../tabs/tabChannel.ts'; export { b } from '../state.ts'; export { c } from './bearer.ts'`,
  ],

  // Each package belongs to a room.
  ['session/signedIn/c1.ts', `export { jwtDecode } from 'jwt-decode'`, IMPORTS],
  ['session/c2.ts', `import type { Query } from '@tanstack/react-query'\nexport type A = Query`, IMPORTS],
  ['queries/c3.ts', `export { useMemo } from 'react'`, IMPORTS],
  ['hooks/c4.ts', `export { toast } from 'react-hot-toast/headless'`, IMPORTS],
  ['provider/c5.ts', `import 'monaco-editor/editor'`, IMPORTS],
  ['hooks/c6.ts', `export { useMutation } from '@tanstack/react-query'; export { use } from 'react'`],
  [
    'editor/c7.ts',
    `import 'monaco-editor/features/register.all'; export { Editor } from '@monaco-editor/react'`,
  ],

  // The host is reached through Platform alone.
  ['session/d1.ts', 'export const a = () => window.name', GLOBALS],
  ['session/http/d2.ts', `export const a = typeof document === 'undefined'`, GLOBALS],
  ['session/http/d3.ts', 'export const a = async () => fetch("/")', GLOBALS],
  ['session/d4.ts', 'export const a = () => { setTimeout(() => {}, 1) }', GLOBALS],
  ['queries/d5.ts', 'export const a = { sessionStorage }', GLOBALS],
  ['provider/d6.tsx', 'export const A = () => <p>{navigator.onLine}</p>', GLOBALS],
  ['session/d7.ts', 'export const a = globalThis.name', GLOBALS],
  ['session/d8.ts', 'export const a = () => Date.now()', PROPERTIES],
  ['hooks/d9.ts', 'export const a = AbortSignal.timeout(1)', PROPERTIES],
  [
    'session/platform/browserTabs.ts',
    'export const a = (name: string) => [new BroadcastChannel(name), Date.now()]',
  ],
  ['early/d10.ts', 'export const a = window.location.href'],
  [
    'session/http/d11.ts',
    `export interface Ports { storage: Storage; document: Document }
     export const call = ({ fetch, clock }: { fetch: (at: string) => void; clock: { now(): number } }) => fetch(String(clock.now()))
     export const at = (host: Ports) => [host.document, { window: 1 }]`,
  ],

  // Nothing that guards a sign-in is left to weak chance.
  ['protocol/e1.ts', 'export const key = () => Math.random()', PROPERTIES],
  ['queries/e2.ts', 'export const jitter = () => Math.random()'],

  ['f1.ts', `import type { A } from './f2.ts'\nexport type B = A`, 'import(no-cycle)'],
  ['f2.ts', `import type { B } from './f1.ts'\nexport type A = B`, 'import(no-cycle)'],
  ['g1.ts', `export const a = 1\n${'\n'.repeat(400)}export const b = 2`, 'eslint(max-lines)'],
  ['hooks/g2.ts', `export function a() {\n${'  a()\n'.repeat(121)}}`, 'eslint(max-lines-per-function)'],
  ['g3.ts', 'export default class {}', 'import(no-default-export)'],
]

// A new room has its rules from its first day.
const ROOMS = globSync('src/{*,session/*}/')
  .map((path) =>
    path
      .split(sep)
      .join('/')
      .replace(/^src\//, '')
      .replace(/\/$/, ''),
  )
  .map((path) => [`${path}/newFile.ts`, `export { pick } from 'lodash'`, IMPORTS] as const)

const tree = mkdtempSync(join(tmpdir(), 'latchkey-rooms-'))
const found = new Map<string, Set<string>>()

beforeAll(() => {
  for (const [path, text] of [...EXAMPLES, ...ROOMS]) {
    const at = join(tree, 'src', path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
  // The rules for src/ alone; plugins and types are looked up beside the real one.
  const config = join(tree, 'oxlint.config.ts')
  writeFileSync(
    config,
    `import whole from '${pathToFileURL('oxlint.config.ts').href}'
     export default {
       plugins: whole.plugins,
       categories: { correctness: 'off' },
       rules: { 'import/no-default-export': whole.rules['import/no-default-export'] },
       overrides: whole.overrides.filter(({ files }) => files.every((one) => one.startsWith('src/'))),
     }`,
  )
  const { stdout } = spawnSync('oxlint', ['-c', config, '--format=json', 'src'], {
    cwd: tree,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }
  for (const { filename, code } of diagnostics) {
    const path = filename
      .split(sep)
      .join('/')
      .replace(/^src\//, '')
    found.set(path, (found.get(path) ?? new Set()).add(code))
  }
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

it('knows the rooms', () => {
  expect(ROOMS.map(([path]) => path)).toContain('session/platform/newFile.ts')
})

it.each([...EXAMPLES, ...ROOMS].map(([path, , rule]) => [path, rule] as const))('%s', (path, rule) => {
  expect([...(found.get(path) ?? [])]).toEqual(rule === undefined ? [] : [rule])
})
