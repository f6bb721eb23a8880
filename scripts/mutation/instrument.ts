// Writes every small mistake that a programmer could make into a source file, each asleep until it is called by its number.
import { parseSync } from 'oxc-parser'

/** One mistake. */
export interface Mutant {
  readonly id: number
  readonly file: string
  readonly line: number
  /** What kind of mistake it is. */
  readonly operator: string
  readonly original: string
  readonly replacement: string
  /** It stands outside every function, so it acts once, while its file loads. */
  readonly isAtLoad: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

interface Change {
  readonly operator: string
  readonly replacement: string
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
  ['find', 'findLast'],
])
/** Calls that hand on what they are called on, a little changed. */
const CLEANERS = ['filter', 'trim', 'slice', 'toSorted', 'replace', 'replaceAll', 'flat', 'toReversed']

/**
 * The source with all its mistakes in it, and their list.
 *
 * @param firstId The number of the first one.
 */
export function instrument(
  file: string,
  source: string,
  firstId: number,
): { code: string; mutants: Mutant[] } {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const mutants: Mutant[] = []
  let functionDepth = 0
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const add = (node: Node, { operator, replacement }: Change) => {
    const mutant = {
      id: firstId + mutants.length,
      file,
      line: lineOf(node.start),
      operator,
      original: textOf(node),
      replacement,
      isAtLoad: functionDepth === 0,
    }
    mutants.push(mutant)
    return mutant.id
  }

  /** The text of a node with every mistake within it. */
  const write = (node: Node, parent: Node | undefined): string => {
    if (node.type.startsWith('TS') && !ERASED_AROUND.has(node.type)) return textOf(node)
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return textOf(node)
    const isFunction = node.type.includes('Function')
    if (isFunction) functionDepth += 1
    const inner = writeInside(node)
    if (isFunction) functionDepth -= 1
    const changes = changesOf(node, parent, textOf)
    if (changes.length === 0) return inner
    if (node.type === 'ExpressionStatement') {
      const tests = changes.map((change) => `!__mut(${add(node, change)})`)
      return `{ if (${tests.join(' && ')}) { ${inner} } }`
    }
    const arms = changes.map((change) => `__mut(${add(node, change)}) ? (${change.replacement}) : `)
    return `(${arms.join('')}(${inner}))`
  }
  const writeInside = (node: Node): string => {
    const children = Object.entries(node)
      .filter(([name]) => !isUntouched(node, name))
      .flatMap(([, member]) => (Array.isArray(member) ? member : [member]))
      .filter(isNode)
      .toSorted((a, b) => a.start - b.start)
    let text = ''
    let offset = node.start
    for (const child of children) {
      // Shorthand members are the same text twice.
      if (child.start < offset) continue
      text += source.slice(offset, child.start) + write(child, node)
      offset = child.end
    }
    return text + source.slice(offset, node.end)
  }
  const root = program as unknown as Node
  return { code: source.slice(0, root.start) + writeInside(root) + source.slice(root.end), mutants }
}

const ERASED_AROUND = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSParameterProperty',
  'TSInstantiationExpression',
])

/** Members that are names, types or places to write to, where no expression may stand. */
function isUntouched(node: Node, member: string): boolean {
  if (
    member === 'typeAnnotation' ||
    member === 'typeArguments' ||
    member === 'typeParameters' ||
    member === 'returnType'
  )
    return true
  if (node.type === 'Property' && (member === 'key' || (member === 'value' && node['shorthand'] === true)))
    return true
  if (['PropertyDefinition', 'MethodDefinition'].includes(node.type) && member === 'key') return true
  if (node.type === 'AssignmentExpression' && member === 'left') return true
  if (node.type === 'MemberExpression' && member === 'property' && node['computed'] !== true) return true
  return ['ExportSpecifier', 'ImportSpecifier', 'TemplateElement'].includes(node.type)
}

/** The mistakes that can be made at a node. */
function changesOf(node: Node, parent: Node | undefined, textOf: (node: Node) => string): Change[] {
  const part = (name: string) => node[name] as Node
  switch (node.type) {
    case 'ExpressionStatement': {
      if (node['directive']) return []
      const { type } = part('expression')
      const isEffect = [
        'CallExpression',
        'AwaitExpression',
        'AssignmentExpression',
        'UpdateExpression',
        'ChainExpression',
        'UnaryExpression',
        'LogicalExpression',
      ].includes(type)
      return isEffect ? [{ operator: 'statement left out', replacement: '' }] : []
    }
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right, operator] = [
        textOf(part('left')),
        textOf(part('right')),
        node['operator'] as string,
      ]
      const isText = /^['"`]/.test(left) || /^['"`]/.test(right)
      if (operator === '??')
        return [
          { operator: 'default left out', replacement: left },
          { operator: 'default always', replacement: right },
        ]
      if (operator === '+' && isText) return []
      const swapped = (OPPOSITES[operator] ?? []).map((other) => ({
        operator: `${operator} as ${other}`,
        replacement: `(${left}) ${other} (${right})`,
      }))
      const isAsked = isCondition(node, parent) || ['===', '!==', '<', '>', '<=', '>='].includes(operator)
      return isAsked ? [...swapped, ...truths] : swapped
    }
    case 'UnaryExpression':
      return node['operator'] === '!'
        ? [{ operator: '! left out', replacement: textOf(part('argument')) }]
        : []
    case 'Literal': {
      const { value } = node as { value?: unknown }
      if (typeof value === 'boolean') return [{ operator: 'the other truth', replacement: String(!value) }]
      if (typeof value === 'number')
        return [{ operator: 'another number', replacement: value === 0 ? '1' : `${textOf(node)} + 1` }]
      if (typeof value === 'string') {
        return [{ operator: 'another text', replacement: value === '' ? "'mutant'" : "''" }]
      }
      return []
    }
    case 'TemplateLiteral':
      return parent?.type === 'TaggedTemplateExpression'
        ? []
        : [{ operator: 'another text', replacement: "''" }]
    case 'ArrayExpression':
      return (node['elements'] as unknown[]).length > 0 ? [{ operator: 'empty list', replacement: '[]' }] : []
    case 'CallExpression': {
      const callee = part('callee')
      // In a chain the call is not whole without what comes after it.
      if (
        callee.type !== 'MemberExpression' ||
        callee['computed'] === true ||
        parent?.type === 'ChainExpression'
      ) {
        return isCondition(node, parent) ? truths : []
      }
      const name = textOf(callee['property'] as Node)
      const object = textOf(callee['object'] as Node)
      const rest = textOf(node).slice(textOf(callee).length)
      const other = METHODS.get(name)
      if (other !== undefined && !callee['optional'] && !hasChain(node))
        return [
          { operator: `${name} as ${other}`, replacement: `${object}.${other}${rest}` },
          ...(isCondition(node, parent) ? truths : []),
        ]
      if (CLEANERS.includes(name) && !callee['optional'] && !hasChain(node))
        return [{ operator: `${name} left out`, replacement: object }]
      return isCondition(node, parent) ? truths : []
    }
    case 'ConditionalExpression':
      return [
        { operator: 'the other case', replacement: textOf(part('consequent')) },
        { operator: 'the other case', replacement: textOf(part('alternate')) },
      ]
    case 'Identifier':
    case 'MemberExpression':
    case 'ChainExpression':
    case 'AwaitExpression':
      return isCondition(node, parent) ? truths : []
    default:
      return []
  }
}

const truths: Change[] = [
  { operator: 'always', replacement: 'true' },
  { operator: 'never', replacement: 'false' },
]

/** Whether what a node gives decides where the program goes. */
function isCondition(node: Node, parent: Node | undefined): boolean {
  return (
    parent !== undefined &&
    ['IfStatement', 'WhileStatement', 'DoWhileStatement', 'ForStatement', 'ConditionalExpression'].includes(
      parent.type,
    ) &&
    parent['test'] === node
  )
}

/** Whether a call is a link of an optional chain, which ends where the chain ends. */
function hasChain(node: Node): boolean {
  const callee = node['callee']
  if (!isNode(callee)) return false
  let at: unknown = callee
  while (isNode(at)) {
    if (at['optional'] === true) return true
    at = at['object'] ?? at['callee']
  }
  return false
}
