// Holds the documentation to the code: every example compiles, every error is explained in its own words, every export is named.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { transformSync } from 'oxc-transform-react'
import { describe, expect, it } from 'vitest'
import * as latchkey from '../../../src/index.ts'
import * as devtools from '../../../src/devtools/index.ts'
import * as oidc from '../../../src/oidc/index.ts'
import * as reactRouter from '../../../src/react-router/index.ts'
import * as frontChannel from '../../../src/front-channel/index.ts'
import * as tanstackQuery from '../../../src/tanstack-query/index.ts'
import * as tanstackRouter from '../../../src/tanstack-router/index.ts'
import * as testing from '../../../src/testing/index.ts'
import { AUTH_ERROR_CODES, createAuthError } from '../../../src/testing/errors.ts'

const pages = ['README.md', ...globSync('docs/**/*.md')].map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
}))
const read = (path: string) =>
  pages.find((page) => page.path === path)?.text ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')

interface Example {
  file: string
  where: string
  code: string
}

/** Packages that only the consumers' folder has; `npm run test:consumers` compiles what imports them. */
const ELSEWHERE =
  /from '(?:@auth0|@azure|react-oidc-context|@tanstack\/react-query-persist-client|next\/|react-admin|@refinedev\/|axios|ky|openapi-fetch|urql|@apollo|@trpc|react-router\/dom)|createFileRoute|routeTree|@react-router\/dev|from '..\/auth'/

/** Blocks that import something are whole files, by the name above them if there is one; others are pieces of one. */
const examples = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:^`(?:src|app)\/(\w+)\.tsx?`.*\n\n)?^ *```(tsx?)\n([\s\S]*?)^ *```/gm)]
    .filter(([, , , code = '']) => /^\s*(?:'use client'\s+)?import /.test(code) && !ELSEWHERE.test(code))
    .map(([, name, kind = '', code = ''], index): Example => ({
      file: `${path.replaceAll(/[^A-Za-z]/g, '')}/${name ?? `example${index}`}.${kind}`,
      where: path,
      // All files of a page are in one folder.
      code: `${code.replaceAll("'./src/", "'./")}\nexport {}\n`,
    })),
)

function compile(files: readonly Example[]): string[] {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync('.cache/docs-')
  try {
    for (const { file, code } of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
    const config = { extends: '../../tsconfig.json', include: ['.'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', folder, '--pretty', 'false', '--checkers', '1'],
      { encoding: 'utf8' },
    )
    return stdout
      .split('\n')
      .filter((line) => line.includes(basename(folder)))
      .map((line) => line.replace(/^.*?docs-\w+[\\/]/, ''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('the examples', () => {
  const wrong: Example = {
    file: 'wrong.ts',
    where: '',
    code: `import { useAuth } from 'latchkey'\nexport const wrong = () => useAuth().usr\n`,
  }

  // Storybook brings an older major of Vitest's `expect`, whose own interface for matchers has other type parameters.
  // The block of docs/testing.md has to reach both.
  const olderVitest: Example = {
    file: 'olderVitest.ts',
    where: '',
    code: `import type { ExpectStatic } from '@vitest/expect'
import { createTestAuth } from 'latchkey/testing'
export async function older(expect: ExpectStatic) {
  const auth = createTestAuth()
  expect(auth).toBeSignedIn({ userId: 'alice' })
  expect(auth).not.toBeSignedOut('idle')
  const refused: Promise<void> = expect(auth.renew()).rejects.toBeAuthError('offline')
  await refused
  // @ts-expect-error no reason of a sign-out
  expect(auth).toBeSignedOut('gone')
}
`,
  }

  const standardClaims: Example = {
    file: 'standardClaims.tsx',
    where: '',
    code: `import { useUserInfo } from 'latchkey'
export function useName(): string {
  const { data } = useUserInfo()
  const name: string | undefined = data?.name
  const isVerified: boolean | undefined = data?.email_verified
  // @ts-expect-error a member of the server's own is unknown
  const team: string | undefined = data?.['team']
  return [name, isVerified, team].join(' ')
}
`,
  }

  const unreadClaims: Example = {
    file: 'unreadClaims.ts',
    where: '',
    code: `import { createAuth } from 'latchkey'
// @ts-expect-error the app registers roles, and nothing reads them
export const auth = createAuth({ authHost: 'https://auth.example.com', clientId: 'admin', scopes: [] })
`,
  }

  const inParts: Example = {
    file: 'inParts.ts',
    where: '',
    code: `import { type AuthConfig, type AuthOptions, createAuth, type ServerConfig } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
// The file that the app shares with its bundler: claims are read in the app.
const authConfig = { authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] } satisfies AuthConfig
const claims = () => ({ roles: [] })
// @ts-expect-error the app registers roles, and nothing reads them
createAuth(authConfig)
export const auth = createAuth({ ...authConfig, claims })

const base: Partial<AuthOptions> = { idleTimeoutInMinutes: 60 }
const servers: Record<'dev' | 'production', ServerConfig> = {
  dev: { authHost: 'http://localhost:4400' },
  production: { server: openIdConnect({ issuer: 'https://login.example.com' }) },
}
export const composed = (where: 'dev' | 'production') =>
  createAuth({ ...base, ...servers[where], clientId: 'admin', scopes: ['openid'], claims })
`,
  }

  it(
    'compile, all of them, under strict settings; a wrong one among them is found',
    { timeout: 180_000, tags: ['thorough'] },
    () => {
      expect(new Set(examples.map(({ where }) => where)).size).toBeGreaterThan(30)
      const found = [expect.stringMatching(/^wrong\.ts.*Property 'usr'/) as unknown]
      // A page that registers types of its own is an app of its own.
      const registering = examples.filter(({ code }) => code.includes('interface Register'))
      const [others, own] = [false, true].map((isOwn) =>
        examples.filter(({ where }) => registering.some((example) => example.where === where) === isOwn),
      )
      expect(compile([...others!, olderVitest, standardClaims, wrong])).toEqual(found)
      expect(compile([...own!, unreadClaims, inParts, wrong])).toEqual(found)
    },
  )
})

/** What React Compiler says to a file, when it is not silent about what it cannot compile. */
const compileReact = ({ file, code }: Pick<Example, 'file' | 'code'>) =>
  transformSync(file, code, { reactCompiler: { reportDiagnostics: true } })

describe('React Compiler', () => {
  const components = examples.filter(({ file, code }) => file.endsWith('x') && /\buse[A-Z]\w*\(/.test(code))

  it('compiles the hooks and components of every page, and none asks to be left alone', () => {
    expect(components.length).toBeGreaterThan(40)
    const results = components.map((example) => ({ ...example, ...compileReact(example), own: example.code }))
    const refused = results.filter(({ errors, own }) => errors.length > 0 || own.includes('use no memo'))
    expect(refused.map(({ where, errors }) => ({ where, errors }))).toEqual([])
    // What has nothing to keep is left as it is.
    expect(results.filter(({ code }) => code.includes('react/compiler-runtime')).length).toBeGreaterThan(40)
  })
})

describe('the error catalogue', () => {
  const catalogue = read('docs/errors.md')
  const sections = new Map(
    catalogue
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^`([\w-]+)`/.exec(section)?.[1] ?? '', section] as const),
  )

  it('has a section for every code and for nothing else', () => {
    expect([...sections.keys()].toSorted()).toEqual([...AUTH_ERROR_CODES].toSorted())
  })

  it.each(AUTH_ERROR_CODES)('quotes the text of %s and says what to do', (code) => {
    const section = sections.get(code) ?? ''
    expect(section).toContain(`\n> ${createAuthError(code).message}\n`)
    expect(section).toContain('**Do:** ')
  })
})

describe('the public names', () => {
  const everything = pages.map(({ text }) => text).join('\n')

  it.each([
    ['latchkey', latchkey],
    ['latchkey/devtools', devtools],
    ['latchkey/front-channel', frontChannel],
    ['latchkey/oidc', oidc],
    ['latchkey/tanstack-query', tanstackQuery],
    ['latchkey/tanstack-router', tanstackRouter],
    ['latchkey/react-router', reactRouter],
    ['latchkey/testing', testing],
  ])('of %s each stand in the documentation', (_, entry) => {
    const names = Object.keys(entry).filter((name) => !/^[A-Z][A-Z_]+$/.test(name))
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(everything))).toEqual([])
  })
})

/** As code hosts make them: small letters, no punctuation, a hyphen for each space. */
const anchorsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

describe('the links', () => {
  it('lead to files that exist', () => {
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target = '']) => join(path, '..', target).replaceAll('\\', '/'))
        .filter((target) => globSync(target).length === 0)
        .map((target) => `${path}: ${target}`),
    )
    expect(missing).toEqual([])
  })

  it('lead to headings that exist', () => {
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
        .filter(([, target = '', anchor = '']) => {
          const page = target === '' ? path : join(path, '..', target).replaceAll('\\', '/')
          return !anchorsOf(read(page)).has(anchor)
        })
        .map(([link]) => `${path}: ${link}`),
    )
    expect(missing).toEqual([])
  })
})
