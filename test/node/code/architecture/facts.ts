// Reads what the architecture rules need to know of one source file: imports, re-exports, module state.
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
}

interface AnyNode {
  type: string
  [key: string]: unknown
}

export function readFacts(path: string, text: string): Facts {
  const { program, module, errors } = parseSync(path, text)
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
