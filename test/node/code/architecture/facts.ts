// Reads what the architecture rules need to know of one source file: imports, re-exports, module state, how it opens.
import { parseSync } from 'oxc-parser'

export interface Import {
  specifier: string
  isTypeOnly: boolean
  /** By import(): a file of its own in the build. */
  isLazy?: boolean
}

export interface Facts {
  path: string
  text: string
  /** Every import, re-export and dynamic import. */
  imports: Import[]
  reExports: string[]
  /** Names of module-level `let` and `var`. */
  moduleVariables: string[]
  directives: string[]
  openingComment: string
}

interface AnyNode {
  type: string
  [key: string]: unknown
}

export function readFacts(path: string, text: string): Facts {
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const body = program.body as unknown as AnyNode[]

  const reExports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  )
  const imports = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isTypeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, isTypeOnly: isType }] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const specifier = /^['"`](.*)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1]
      return specifier === undefined ? [] : [{ specifier, isTypeOnly: false, isLazy: true }]
    }),
    ...[...text.matchAll(/typeof import\('(.*?)'\)/g)].map(([, specifier = '']) => ({
      specifier,
      isTypeOnly: true,
    })),
  ]

  return {
    path,
    text,
    imports,
    reExports,
    moduleVariables: body.flatMap((statement) => moduleVariables(statement, text)),
    directives: body.flatMap(({ directive }) => (typeof directive === 'string' ? [directive] : [])),
    openingComment: openingComment(text, comments),
  }
}

function moduleVariables(statement: AnyNode, text: string): string[] {
  const declaration = (statement['declaration'] ?? statement) as AnyNode
  if (declaration.type !== 'VariableDeclaration' || declaration['kind'] === 'const') return []
  return (declaration['declarations'] as AnyNode[]).map(({ id }) => {
    const { start, end } = id as { start: number; end: number }
    return text.slice(start, end)
  })
}

function openingComment(
  text: string,
  comments: { type: string; value: string; start: number; end: number }[],
) {
  const lines: string[] = []
  let end = /^'use client'\n/.exec(text)?.[0].length ?? 0
  for (const comment of comments) {
    if (text.slice(end, comment.start).trim() !== '' || /\n\s*\n/.test(text.slice(end, comment.start))) break
    lines.push(comment.value.replaceAll(/^\s*\*+/gm, '').trim())
    end = comment.end
    if (comment.type === 'Block') break
  }
  return lines.join(' ')
}
