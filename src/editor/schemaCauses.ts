// Reduces each chain of validator errors to one cause: the innermost, in the nearest branch.
import type { OutputUnit } from '@cfworker/json-schema'
import { readValid } from './findFaults.ts'
import type { SchemaKeyword } from './types.ts'

/** One violation of the schema. */
export interface Cause {
  readonly keyword: SchemaKeyword
  /** The path in the schema, references followed: `#/properties/id/type`. */
  readonly keywordLocation: string
  /** The path in the value. */
  readonly path: readonly string[]
  /** The validator's message, which names a missing key. */
  readonly error: string
  /** The allowed types, if each branch expects another one. */
  readonly types?: readonly string[]
  /** The key is wrong, not its value. */
  readonly isKey?: boolean
}

/** An error and the errors below it. */
interface Tree {
  readonly unit: OutputUnit
  readonly below: Tree[]
}

/** If one of these leads to `false`, the key is wrong, not its value. */
export const WRONG_KEY: ReadonlySet<string> = new Set<SchemaKeyword>([
  'additionalProperties',
  'patternProperties',
  'properties',
  'propertyNames',
  'unevaluatedProperties',
])

/** If one of these leads to `false`, nothing is allowed there: the keyword itself explains nothing. */
const LEADS_ON = new Set(['$recursiveRef', '$ref', 'allOf', 'dependencies', 'dependentSchemas', 'if'])

export const toPath = (location: string): string[] =>
  location
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))

/** The validator's list is flat: an error belongs to the one before it whose keyword contains its own. */
function toTrees(units: readonly OutputUnit[]): Tree[] {
  const trees: Tree[] = []
  const open: { tree: Tree; under: string }[] = []
  for (const unit of units) {
    // `false` reports no location of its own: it follows the error that it belongs to.
    const isFalse = unit.keyword === 'false'
    const isBelow = () => unit.keywordLocation.startsWith(open.at(-1)!.under)
    if (!isFalse) while (open.length > 0 && !isBelow()) open.pop()
    const tree = { unit, below: [] }
    const parent = open.at(-1)
    if (parent) parent.tree.below.push(tree)
    else trees.push(tree)
    const under = unit.keyword === 'if' ? unit.keywordLocation.replace(/if$/, '') : `${unit.keywordLocation}/`
    if (!isFalse) open.push({ tree, under })
  }
  return trees
}

function toCause({ keyword, keywordLocation, instanceLocation, error }: OutputUnit): Cause {
  // In draft 4 a keyword beside the limit (`exclusiveMinimum`) excludes the limit itself.
  const isExclusive = (keyword === 'minimum' || keyword === 'maximum') && error.includes('or equal to')
  return {
    keyword: (isExclusive ? `exclusive${keyword.replace('m', 'M')}` : keyword) as SchemaKeyword,
    // The validator misspells this keyword.
    keywordLocation: keywordLocation.replace(/dependantRequired$/, 'dependentRequired'),
    path: toPath(instanceLocation),
    error,
  }
}

/** The cause where a schema is `false`: a forbidden key, element or value. */
function toForbidden(unit: OutputUnit, { instanceLocation }: OutputUnit): Cause {
  const cause = toCause(unit)
  return {
    ...cause,
    keyword: LEADS_ON.has(unit.keyword) ? 'false' : cause.keyword,
    path: toPath(instanceLocation),
    isKey: WRONG_KEY.has(unit.keyword),
  }
}

/** Another type or fixed value suggests that another branch was meant, here or, by its name, one level further in. */
function weigh({ keyword, path }: Cause, depth: number): number {
  if (keyword === 'const' || keyword === 'enum') return path.length === depth ? 1_000 : 100
  return path.length === depth && (keyword === 'type' || keyword === 'false') ? 1_000 : 1
}

/** The causes in the nearest branch; a single one if all branches expect another type. */
function nearest({ unit, below }: Tree): Cause[] {
  const own = toCause(unit)
  const branches = new Map<string, Cause[]>()
  for (const tree of below) {
    // A `false` branch is not near to anything.
    if (tree.unit.keyword === 'false') continue
    const name = tree.unit.keywordLocation.slice(unit.keywordLocation.length + 1).split('/')[0]!
    branches.set(name, [...(branches.get(name) ?? []), ...toCauses(tree)])
  }
  const found = [...branches.values()]
  const distance = (causes: Cause[]) => causes.reduce((sum, cause) => sum + weigh(cause, own.path.length), 0)
  const [first] = found.toSorted((one, other) => distance(one) - distance(other))
  if (first && distance(first) < 1_000) return first
  const wanted = found
    .flat()
    .filter(({ keyword }) => keyword !== 'false')
    .map(({ keyword, error }) => (keyword === 'type' ? error.split('Expected')[1] : ''))
  const types = new Set(wanted.flatMap((names) => names?.match(/\w+/g) ?? []))
  return types.size > 0 && wanted.every(Boolean) ? [{ ...own, keyword: 'type', types: [...types] }] : [own]
}

function toCauses(tree: Tree): Cause[] {
  const { unit, below } = tree
  if (unit.keyword === 'anyOf') return nearest(tree)
  if (unit.keyword === 'oneOf') return unit.error.includes('(0 matches') ? nearest(tree) : [toCause(unit)]
  if (below.length === 0) return [toCause(unit)]
  return below.flatMap((inner) => {
    if (inner.unit.keyword === 'false') return [toForbidden(unit, inner.unit)]
    const causes = toCauses(inner)
    return unit.keyword === 'propertyNames' ? causes.map((cause) => ({ ...cause, isKey: true })) : causes
  })
}

/** All causes, each once. */
export function findCauses(units: readonly OutputUnit[]): Cause[] {
  const causes = toTrees(units).flatMap(toCauses)
  const isLeft = ({ keyword }: Cause) => keyword.startsWith('unevaluated')
  if (!causes.some(isLeft)) return causes
  // If a subschema fails, the keys that it would have allowed are only forbidden because of that.
  const broken = new Set<string>()
  for (const { path } of causes.filter((cause) => !isLeft(cause)))
    for (let length = 0; length <= path.length; length++) broken.add(JSON.stringify(path.slice(0, length)))
  return causes.filter((cause) => !isLeft(cause) || !broken.has(JSON.stringify(cause.path.slice(0, -1))))
}

/** A cause and the part of the text it is about. */
export interface PlacedCause {
  readonly cause: Cause
  readonly offset: number
  readonly length: number
  /** The value there, or the key; of an object or a list only its bracket. */
  readonly found: string
}

/** A place in the value to look for, and those below it. */
interface Wanted {
  readonly below: Map<string, Wanted>
  readonly causes: Cause[]
  key: readonly [start: number, end: number]
  value: readonly [start: number, end: number]
}

const createWanted = (): Wanted => ({ below: new Map(), causes: [], key: [0, 0], value: [0, 0] })

/** Finds the causes in the valid text, in one pass. Of duplicate keys the last one counts. */
export function placeCauses(text: string, causes: readonly Cause[]): PlacedCause[] {
  const root = createWanted()
  const all: Wanted[] = []
  for (const cause of causes) {
    let at = root
    for (const part of cause.path) {
      let next = at.below.get(part)
      if (!next) at.below.set(part, (next = createWanted()))
      at = next
    }
    if (at.causes.push(cause) === 1) all.push(at)
  }
  const open: { wanted: Wanted | undefined; isArray: boolean; index: number }[] = []
  let next: Wanted | undefined = root
  let isKey = false
  readValid(text, (code, start, end) => {
    const level = open.at(-1)
    if (code === 125 || code === 93) open.pop()
    else if (code === 44) {
      isKey = !level!.isArray
      if (level!.isArray) next = level!.wanted?.below.get(String(++level!.index))
    } else if (isKey) {
      isKey = false
      const word = text.slice(start, end)
      next = level!.wanted?.below.get(word.includes('\\') ? (JSON.parse(word) as string) : word.slice(1, -1))
      if (next) next.key = [start, end]
    } else if (code !== 58) {
      if (next) next.value = [start, end]
      if (code === 123 || code === 91) {
        open.push({ wanted: next, isArray: code === 91, index: 0 })
        isKey = code === 123
        next = code === 91 ? next?.below.get('0') : undefined
      }
    }
    return true
  })
  return all.flatMap(({ causes: here, key, value }) =>
    here.map((cause) => {
      const isContainer = text[value[0]] === '{' || text[value[0]] === '['
      const [start, end] = key[1] > 0 && (cause.isKey || isContainer) ? key : value
      const found = text.slice(...(cause.isKey ? key : value))
      return { cause, offset: start, length: end - start, found }
    }),
  )
}
