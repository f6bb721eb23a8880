// Holds the types of the package to their readers: each member of each exported type is explained where it is declared.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseSync, type Program } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

// `npm run api` holds the reports to the sources; they mark what has no words of its own.
const reports = globSync('etc/*.api.md').map((path) => [basename(path), readFileSync(path, 'utf8')] as const)
const exportedTypes = new Set(
  reports.flatMap(([, text]) => [...text.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name)),
)

interface Shape {
  readonly type: string
  readonly start: number
  readonly types?: readonly Shape[]
  readonly typeAnnotation?: Shape
  readonly members?: readonly Member[]
}
interface Member extends Shape {
  readonly key?: { readonly name?: string }
  readonly typeAnnotation?: Shape
}

/** `status: 'failed'` tells the shapes of a union apart, `auth?: undefined` keeps a name free: the type says it all. */
const saysItAll = ({ typeAnnotation }: Member) =>
  /^TS(?:Literal|Undefined)/.test(typeAnnotation?.typeAnnotation?.type ?? '')

/** The literals that a type is made of, by `|`, `&` and brackets. */
const literalsOf = (shape: Shape): readonly Shape[] => {
  if (shape.type === 'TSTypeLiteral') return [shape]
  if (shape.type === 'TSParenthesizedType') return literalsOf(shape.typeAnnotation!)
  if (shape.type === 'TSUnionType' || shape.type === 'TSIntersectionType')
    return shape.types!.flatMap(literalsOf)
  return []
}

/** Members without a docstring, of the type aliases with these names. */
function findSilent(source: string, isWanted: (name: string) => boolean): string[] {
  const { program } = parseSync('types.tsx', source)
  return aliasesOf(program).flatMap(({ name, shape }) =>
    isWanted(name)
      ? literalsOf(shape)
          .flatMap(({ members = [] }) => members)
          .filter((member) => !saysItAll(member) && !/\*\/\s*$/.test(source.slice(0, member.start)))
          .map(({ key }) => `${name}.${key?.name ?? '?'}`)
      : [],
  )
}

const aliasesOf = ({ body }: Program) =>
  body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
    return declaration?.type === 'TSTypeAliasDeclaration'
      ? [{ name: declaration.id.name, shape: declaration.typeAnnotation as unknown as Shape }]
      : []
  })

describe('the members of exported interfaces and classes', () => {
  it.each(reports)('%s: each is explained', (_name, text) => {
    const lines = text.split(/\r?\n/)
    expect(lines.filter((_, index) => lines[index - 1]?.includes('(undocumented)'))).toEqual([])
  })

  it('are many', () => {
    const members = reports.flatMap(([, text]) => text.match(/^ {4}\w.*;\r?$/gm) ?? [])
    expect(members.length).toBeGreaterThan(300)
  })
})

describe('the members of exported type aliases', () => {
  it('are each explained', () => {
    const sources = globSync('src/**/*.{ts,tsx}').map((path) => readFileSync(path, 'utf8'))
    expect(sources.flatMap((source) => findSilent(source, (name) => exportedTypes.has(name)))).toEqual([])
  })

  it('would be found without a word', () => {
    const source = `export type Pair = { /** One. */ one: Id } & ({ is: 'pair'; two: Id } | { readonly three: Id })`
    expect(findSilent(source, () => true)).toEqual(['Pair.two', 'Pair.three'])
  })
})

describe('what may be left out', () => {
  /** The options of what an app or its build calls once. */
  const OPTIONS = [
    'AuthOptions',
    'OpenIdConnectOptions',
    'MessagingOptions',
    'RealtimeConfig',
    'LatchkeyPluginOptions',
    'TokenCheckOptions',
    'GuardOptions',
    'TestAuthOptions',
  ]
  const optional = globSync('src/**/*.{ts,tsx}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^export interface (\w+)[^{]*\{\r?\n([\s\S]*?)^\}/gm)]
      .filter(([, name = '']) => OPTIONS.includes(name))
      .flatMap(([, name = '', body = '']) =>
        [...body.matchAll(/((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?)^ {2}(?:readonly )?(\w+)\?:/gm)].map(
          ([, words = '', member = '']) => ({ member: `${name}.${member}`, words }),
        ),
      ),
  )

  it('says what is then, of every option', () => {
    expect(optional.length).toBeGreaterThan(50)
    expect(optional.filter(({ words }) => !/default/i.test(words)).map(({ member }) => member)).toEqual([])
  })

  it('and in what unit, of every number', () => {
    const numbers = optional.filter(({ member }) => /Ms$|In[A-Z][a-z]+$/.test(member))
    expect(numbers.length).toBeGreaterThan(5)
    const unitOf = (member: string) => /Ms$|In[A-Z][a-z]+$/.exec(member)![0].replace('Ms', 'milliseconds')
    const word = (member: string) => unitOf(member).replace('In', '').toLowerCase()
    expect(numbers.filter(({ member, words }) => !words.toLowerCase().includes(word(member)))).toEqual([])
  })

  it('cites no section of a document that is not here', () => {
    const paths = globSync('{src,demo,scripts,bench,test}/**/*.{ts,tsx}', {
      exclude: (path) => path.includes('node_modules'),
    })
    const sources = paths.map((path) => readFileSync(path, 'utf8'))
    const comments = sources.flatMap((source) => source.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/|^ *\/\/ .*$/gm))
    expect(comments.length).toBeGreaterThan(5_000)
    const cites = /\b(?:spec|contract) (?:§|sections? \d)|\(T\d+|\bthe specification\b/i
    expect(comments.filter((text) => text && cites.test(text))).toEqual([])
  })
})
