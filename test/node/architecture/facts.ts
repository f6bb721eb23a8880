// Reads what the architecture rules need to know of one source file: imports, exports, module state, globals it touches.
import { parseSync, visitorKeys } from 'oxc-parser'

export interface Import {
  specifier: string
  isTypeOnly: boolean
  /** By import(): a file of its own in the build. */
  isLazy?: boolean
}

export interface Facts {
  path: string
  /** Every import, re-export, dynamic import and import type. */
  imports: Import[]
  reExports: string[]
  hasDefaultExport: boolean
  /** Names of module-level `let` and `var`. */
  moduleVariables: string[]
  /** Free names the file uses at run time, as `document` or `Date.now`. */
  globals: string[]
  directives: string[]
  openingComment: string
  lineCount: number
}

interface AnyNode {
  type: string
  [key: string]: unknown
}

/** Parts of a syntax tree that name something without using a variable of that name. */
const NAMING_KEYS: Record<string, string> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  LabeledStatement: 'label',
  BreakStatement: 'label',
  ContinueStatement: 'label',
}

/** TypeScript nodes that hold running code; all others are types alone. */
const RUNNING_TYPESCRIPT = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSParameterProperty',
])

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
    ...importTypes(program as unknown as AnyNode).map((specifier) => ({ specifier, isTypeOnly: true })),
  ]

  return {
    path,
    imports,
    reExports,
    hasDefaultExport:
      body.some(({ type }) => type === 'ExportDefaultDeclaration') ||
      module.staticExports.some(({ entries }) =>
        entries.some(({ exportName }) => exportName.name === 'default'),
      ),
    moduleVariables: body.flatMap(moduleVariables),
    globals: [...freeNames(program as unknown as AnyNode)],
    directives: body.flatMap(({ directive }) => (typeof directive === 'string' ? [directive] : [])),
    openingComment: openingComment(text, comments),
    lineCount: text.trimEnd().split('\n').length,
  }
}

function moduleVariables(statement: AnyNode): string[] {
  const declaration = (statement['declaration'] ?? statement) as AnyNode
  if (declaration.type !== 'VariableDeclaration' || declaration['kind'] === 'const') return []
  return (declaration['declarations'] as AnyNode[]).flatMap(({ id }) => boundNames(id as AnyNode))
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

function children(node: AnyNode): [key: string, child: AnyNode][] {
  return (visitorKeys[node.type] ?? []).flatMap((key) =>
    [node[key]]
      .flat()
      .filter((child): child is AnyNode => typeof child === 'object' && child !== null)
      .map((child): [string, AnyNode] => [key, child]),
  )
}

function importTypes(node: AnyNode): string[] {
  const below = children(node).flatMap(([, child]) => importTypes(child))
  if (node.type !== 'TSImportType') return below
  const source = node['source'] as { value?: string } | undefined
  return source?.value ? [source.value, ...below] : below
}

const isFunction = ({ type }: AnyNode) => /^(Arrow)?Function/.test(type)

function boundNames(pattern: AnyNode | null): string[] {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern['name'] as string]
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern['left'] as AnyNode)
  if (pattern.type === 'Property') return boundNames(pattern['value'] as AnyNode)
  if (pattern.type === 'TSParameterProperty') return boundNames(pattern['parameter'] as AnyNode)
  return children(pattern).flatMap(([, child]) => (child.type.startsWith('TS') ? [] : boundNames(child)))
}

/** The names declared in one function or module; blocks inside count as part of it. */
function declaredNames(scope: AnyNode): Set<string> {
  const names = new Set<string>()
  const add = (pattern: unknown) => boundNames(pattern as AnyNode | null).forEach((name) => names.add(name))
  const visit = (node: AnyNode) => {
    if (node.type === 'VariableDeclarator' || node.type.startsWith('Class')) add(node['id'])
    if (node.type === 'CatchClause') add(node['param'])
    if (/^Import.*Specifier$/.test(node.type)) add(node['local'])
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration') add(node['id'])
      return
    }
    children(node).forEach(([, child]) => visit(child))
  }
  if (isFunction(scope)) {
    add(scope['id'])
    ;(scope['params'] as AnyNode[]).forEach(add)
  }
  children(scope).forEach(([, child]) => visit(child))
  return names
}

function freeNames(program: AnyNode): Set<string> {
  const found = new Set<string>()
  const visit = (node: AnyNode, scopes: Set<string>[]) => {
    if (node.type.startsWith('TS') && !RUNNING_TYPESCRIPT.has(node.type)) return
    if (/^(Import|Export).*Specifier$/.test(node.type)) return
    if (node.type === 'Identifier') {
      const name = node['name'] as string
      if (!scopes.some((scope) => scope.has(name))) found.add(name)
      return
    }
    const member = memberOfGlobal(node, scopes)
    if (member) found.add(member)
    const inner = isFunction(node) || node.type === 'Program' ? [...scopes, declaredNames(node)] : scopes
    for (const [key, child] of children(node)) {
      const isName = NAMING_KEYS[node.type] === key && node['computed'] !== true
      if (!isName) visit(child, inner)
    }
  }
  visit(program, [])
  return found
}

function memberOfGlobal(node: AnyNode, scopes: Set<string>[]): string | undefined {
  if (node.type === 'NewExpression' && (node['arguments'] as unknown[]).length === 0) {
    const { name } = node['callee'] as { name?: string }
    return name && !scopes.some((scope) => scope.has(name)) ? `new ${name}()` : undefined
  }
  if (node.type !== 'MemberExpression' || node['computed'] === true) return undefined
  const { name } = node['object'] as { name?: string }
  if (!name || scopes.some((scope) => scope.has(name))) return undefined
  return `${name}.${(node['property'] as { name: string }).name}`
}
