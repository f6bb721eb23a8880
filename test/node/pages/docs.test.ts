// Holds the pages of docs/hooks to the exports: one section per hook, real names, real codes.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'

const index = ['src/index.ts', 'src/tanstack-query/index.ts']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')
const exportedNames = new Set(
  [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  ),
)
const codes = new Set(
  [
    ...(/AuthErrorCode =([^/]*)/.exec(readFileSync('src/base/errors.ts', 'utf8'))?.[1] ?? '').matchAll(
      /'([\w-]+)'/g,
    ),
  ].map(([, code = '']) => code),
)
const pages = globSync('docs/hooks/*.md').map((path) => ({
  name: basename(path, '.md'),
  text: readFileSync(path, 'utf8'),
}))
const first = pages.find(({ name }) => name === 'README')?.text ?? ''
const hooks = pages
  .filter(({ name }) => name !== 'README')
  .flatMap(({ name: page, text }) =>
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => ({ name: section.split('\n')[0] ?? '', page, text: section })),
  )
/** The codes on lines that name errors, of the first page's part that a page refers to: reads, writes, popups or redirects. */
function sharedErrors(text: string): string[] {
  const heading = /\(README\.md#(reads|writes|popups|redirects)\)/.exec(text)?.[1]
  if (heading === undefined) return []
  const shared = new RegExp(`\n## ${heading}\n([\\s\\S]*?)(?=\n## |$)`, 'i').exec(first)?.[1] ?? ''
  const own = [...shared.matchAll(/^Errors.*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/`([\w-]+)`/g)].map(([, code = '']) => code),
  )
  // Writes and popups have the errors of reads too.
  return /writes|popups/.test(heading) ? [...own, ...sharedErrors('(README.md#reads)')] : own
}

it('has a section for every exported hook, and for nothing else', () => {
  const exported = [...exportedNames].filter((name) => /^use[A-Z]/.test(name))
  expect(hooks.map(({ name }) => name).toSorted()).toEqual(exported.toSorted())
})

it('lists every section on the first page', () => {
  const links = hooks.map(({ name, page }) => `[${name}](${page}.md#${name.toLowerCase()})`)
  expect(links.filter((link) => !first.includes(link))).toEqual([])
})

describe.each(hooks)('$name', ({ text }) => {
  it('says its options and what it returns, in which units, and which errors there are', () => {
    expect(text.match(/^### (?:Options|Returns)$/gm)).toEqual(['### Options', '### Returns'])
    const own = /\n### Errors\n([\s\S]*?)(?=\n### |$)/.exec(text)?.[1] ?? ''
    const ownCodes = [...own.matchAll(/^- (.*?)(?::|$)|\(\.\.\/errors\.md#([\w-]+)\)/gm)].flatMap(
      ([, list = '', linked]) =>
        linked ?? [...list.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code = '']) => code),
    )
    const named = [...ownCodes, ...sharedErrors(text)]
    // What calls the server has errors. Others throw outside `<AuthProvider>` at most, as the first page says.
    const isCall = /\b\w+(?:Query|Mutation)\(/.test(text)
    expect(named.length > 0).toBe(isCall || own !== '')
    expect(named.filter((code) => !codes.has(code))).toEqual([])
  })

  it('names only factories that are exported', () => {
    const factories = [...text.matchAll(/`(\w+(?:Query|Mutation))\(/g)]
      .map(([, found = '']) => found)
      .filter((found) => !found.startsWith('use'))
    expect(factories.filter((factory) => !exportedNames.has(factory))).toEqual([])
  })
})

it('docs/serverContract.md names every call and page that latchkey asks a server of that contract for', () => {
  const contract = readFileSync('docs/serverContract.md', 'utf8')
  const sources = [
    'protocol/endpoints',
    'protocol/popups',
    'session/features/environments/redirectToEnvironment',
  ]
  const paths = sources.flatMap((source) => [
    ...readFileSync(`src/${source}.ts`, 'utf8').matchAll(
      /['`](\/(?:oauth|api|cloudprovider|support)[\w/]*)/g,
    ),
  ])
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.map(([, path = '']) => path).filter((path) => !contract.includes(path))).toEqual([])
})
