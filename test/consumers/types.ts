// The published types, read by every TypeScript that is promised, without skipLibCheck; and the examples that need other packages.
import { globSync, readFileSync } from 'node:fs'
import { codeIn, readDocsPage } from '../../scripts/docsParts.ts'
import { readQuickStart } from '../../scripts/quickStartFiles.ts'
import type { Sandbox, Sandboxes } from './sandbox.ts'

const COMPILERS: Readonly<Record<string, string>> = {
  '5.5': '5.5.4',
  '5.9': '5.9.3',
  '6.0': '6.0.3',
  '7.0': '7.0.2',
}
const RESOLUTIONS = [
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
] as const

/** What the examples in docs/ import beside latchkey; the apps of examples/migration are compiled by themselves. */
// `latchkey/server` takes `jose` from the app.
const OTHERS = [
  '@tanstack/query-sync-storage-persister',
  '@tanstack/react-query-persist-client',
  '@tanstack/react-router',
  'jose',
  'react-router',
]

/** What an app with types of its own may write, and what it may not. */
const REGISTERED = `import { Authenticated, createAuth, useAuth, useUserInfo, type User } from 'latchkey'
import { createTestAuth } from 'latchkey/testing'

declare module 'latchkey' {
  interface Register {
    user: { roles: readonly ('admin' | 'agent')[] }
    userInfo: { name: string }
  }
}

const base = { authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] }
export const auth = createAuth({
  ...base,
  claims: (token) => ({ roles: token['admin'] === true ? ['admin'] : [] }),
  hooks: { afterLogin: ({ user }) => user.roles.includes('admin') },
})
// @ts-expect-error a role that nobody registered
export const wrong = createAuth({ ...base, claims: () => ({ roles: ['owner'] }) })

export function Screen() {
  const { user } = useAuth()
  const { data } = useUserInfo()
  const first: 'admin' | 'agent' | undefined = user?.roles[0]
  const name: string | undefined = data?.name
  // @ts-expect-error frozen
  if (user) user.roles = []
  // @ts-expect-error not registered
  void data?.title
  // @ts-expect-error not registered
  void user?.role
  return <Authenticated allow={({ roles }) => roles.includes('admin')} forbidden={({ userId }) => userId}>{first} {name}</Authenticated>
}

export const tested = createTestAuth({ user: { roles: ['agent'] } })
// @ts-expect-error no such role
export const untested = createTestAuth({ user: { roles: ['owner'] } })
export const idOf = (user: User) => [user.userId, user.roles]
`

function openTypes(sandboxes: Sandboxes): Sandbox {
  const compilers = Object.entries(COMPILERS).map(
    ([name, version]) => `typescript-${name}@npm:typescript@${version}`,
  )
  const peers = ['react', 'react-dom', '@tanstack/react-query', '@types/react', '@types/react-dom', 'msw']
  // Types of `latchkey/editor` are Monaco's.
  const monaco = ['monaco-editor', '@monaco-editor/react']
  return sandboxes.open('types', [...peers, ...monaco, ...compilers, ...OTHERS])
}

/** Every entry, used so that each type is looked at. */
export function checkTypes(sandboxes: Sandboxes): string {
  const sandbox = openTypes(sandboxes)
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> }
  const entries = Object.entries(exports).filter(([, target]) => typeof target === 'object')
  const imports = entries.map(
    ([entry], index) => `import * as entry${index} from 'latchkey${entry.slice(1)}'`,
  )
  sandbox.write({
    'src/entries.ts': `${imports.join('\n')}\nexport const all = [${entries.map((_, index) => `entry${index}`).join(', ')}]\n`,
    ...quickStart(),
    'registered/app.tsx': REGISTERED,
  })
  const others = new Set<string>()
  // Packages of other people may ask for a newer TypeScript; what they say of themselves is told, and no fault of ours.
  const isOurs = (compiler: string, fault: string) => {
    const [, owner = 'latchkey'] = /node_modules\/((?:@[\w-]+\/)?[\w-]+)/.exec(fault) ?? []
    if (owner !== 'latchkey') others.add(`${owner} under ${compiler}`)
    return owner === 'latchkey'
  }
  // An app that registers types of its own is a program of its own, because they hold everywhere.
  const faults = Object.keys(COMPILERS).flatMap((compiler) =>
    RESOLUTIONS.flatMap(([moduleResolution, module]) =>
      ['src', 'registered']
        .flatMap((folder) => compile(sandbox, compiler, folder, { module, moduleResolution }))
        .filter((fault) => isOurs(compiler, fault))
        .map((fault) => `${compiler} ${moduleResolution}: ${fault}`),
    ),
  )
  // A compiler that finds nothing wrong anywhere has not looked.
  sandbox.write({
    'src/wrong.ts': `import { useAuth } from 'latchkey'\nexport const wrong = () => useAuth().usr\n`,
  })
  for (const compiler of Object.keys(COMPILERS)) {
    if (!compile(sandbox, compiler, 'src').some((fault) => fault.includes('usr')))
      faults.push(`${compiler} sees no fault`)
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${entries.length} entries × TypeScript ${Object.keys(COMPILERS).join(', ')} × ${RESOLUTIONS.map(([name]) => name).join(', ')}, skipLibCheck off: 0 faults${others.size > 0 ? ` (of other packages: ${[...others].join(', ')})` : ''}`
}

/** The blocks that docsExamples leaves out, against the real packages. */
export function checkExamples(sandboxes: Sandboxes): string {
  const sandbox = openTypes(sandboxes)
  // Those of frameworks are compiled in an app of their own.
  const pages = globSync('**/*.md', { cwd: 'docs', exclude: ['tanstackStart.md', 'reactRouterFramework.md'] })
  const blocks = pages.flatMap((path) =>
    codeIn(readDocsPage(path), 'tsx').filter((code) =>
      OTHERS.some((name) => code.includes(`from '${name}'`)),
    ),
  )
  if (blocks.length < 3) throw new Error(`only ${blocks.length} examples found`)
  // Each a program of its own: what one registers would hold for all.
  const faults = blocks.flatMap((code, index) => {
    sandbox.write({ [`example${index}/block.tsx`]: `${code}\nexport {}\n` })
    return compile(sandbox, '7.0', `example${index}`, { skipLibCheck: true })
  })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${blocks.length} examples of the recipes compile against the real packages`
}

/** The app of docs/quickStart.md by file; imports name their file in full, as `nodenext` wants it. */
export function quickStart(): Record<string, string> {
  const files = Object.entries(readQuickStart().files).filter(([path]) => path.startsWith('src/'))
  return Object.fromEntries(
    files.map(([path, text]) => [path, text.replaceAll(/(from '\.\/\w+)'/g, "$1.js'")]),
  )
}

/** The faults that one TypeScript finds in a folder of the app. */
export function compile(sandbox: Sandbox, compiler: string, folder: string, options: object = {}): string[] {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    ...options,
  }
  sandbox.write({ 'tsconfig.json': JSON.stringify({ compilerOptions, include: [folder] }) })
  const program = `${sandbox.path}/node_modules/typescript-${compiler}/bin/tsc`
  const { output } = sandbox.attempt('node', program, '-p', sandbox.path, '--pretty', 'false')
  return output.split('\n').filter((line) => line.includes('error TS'))
}
