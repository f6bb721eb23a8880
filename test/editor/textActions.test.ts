// Each action changes what its name says and nothing else.
import { expect, it } from 'vitest'
import { runJob } from '../../src/editor/jobs.ts'
import { compact, format } from '../../src/editor/layout.ts'
import { repair } from '../../src/editor/repair.ts'
import { scan } from '../../src/editor/scan.ts'
import { sortKeys } from '../../src/editor/sortKeys.ts'
import { BROKEN_TEXTS } from './brokenTexts.ts'
import { createChance } from '../chance.ts'
import { breakJson, isJson, makeJson } from './jsonTexts.ts'
import { measureWork } from './threadWork.ts'

/** The tokens of a text without the whitespace between them. */
const wordsOf = (text: string) => (text.match(/"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+|[{}[\],:]/g) ?? []).join(' ')

const texts = (count: number) => {
  const random = createChance(count)
  return Array.from({ length: count }, () => makeJson(random))
}

it('formats like JSON.stringify, and changes no token', () => {
  const changed = texts(2_000).filter((text) => {
    const formatted = format(text, 2)!
    const words = wordsOf(text)
    // Where stringify loses nothing, the layouts are the same.
    const layout = isLossless(text) ? JSON.stringify(JSON.parse(text), undefined, 2) : formatted
    return wordsOf(formatted) !== words || wordsOf(compact(text)) !== words || formatted !== layout
  })
  expect(changed).toEqual([])
  expect(texts(2_000).filter(isLossless).length).toBeGreaterThan(100)
})

function isLossless(text: string): boolean {
  return compact(text) === JSON.stringify(JSON.parse(text))
}

it('indents to any depth', () => {
  const deep = `${'['.repeat(3_000)}1${']'.repeat(3_000)}`
  expect(format(deep, 2)).toBe(JSON.stringify(JSON.parse(deep), undefined, 2))
})

it('keeps numbers, key order, doubles and escapes that parsing would lose', () => {
  const text = '{"b":9007199254740993,"a":1.10,"b":1e400,"__proto__":[],"c":"\\u0041\\/"}'
  expect(format(text, 2)).toBe(
    '{\n  "b": 9007199254740993,\n  "a": 1.10,\n  "b": 1e400,\n  "__proto__": [],\n  "c": "\\u0041\\/"\n}',
  )
  expect(compact(format(text, 4)!)).toBe(text)
})

/** The value of a text, whatever the order of its keys. */
const meaningOf = (text: string) =>
  JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

it('sorts keys on every level by moving their text, and leaves spacing where it was', () => {
  expect(sortKeys('{ "b": {"z": 1, "a": [{"d": 1, "c": 2}]} ,\n  "a" : 1 }')).toBe(
    '{ "a" : 1 ,\n  "b": {"a": [{"c": 2, "d": 1}], "z": 1} }',
  )
  // Equal keys keep their order, so the same one still wins.
  expect(sortKeys('{"b":1,"a":2,"b":3}')).toBe('{"a":2,"b":1,"b":3}')
  const wrong = texts(2_000).filter((text) => {
    const sorted = sortKeys(text)
    const letters = (of: string) => of.split('').toSorted().join('')
    return (
      meaningOf(sorted) !== meaningOf(text) ||
      letters(sorted) !== letters(text) ||
      sortKeys(sorted) !== sorted
    )
  })
  expect(wrong).toEqual([])
})

it.each(BROKEN_TEXTS.map(([text, wanted]) => [text, wanted] as const))(
  'repairs %j without losing data, or leaves it unchanged',
  (text, wanted) => {
    expect(repair(text)).toBe(wanted)
    expect(isJson(text)).toBe(false)
    expect(wanted === undefined || isJson(wanted)).toBe(true)
  },
)

it('repairs to valid JSON or not at all, and leaves valid JSON unchanged', () => {
  const random = createChance(11)
  const broken = Array.from({ length: 2_000 }, () => breakJson(random, makeJson(random)))
  const results = broken.map((text) => ({ text, result: repair(text) }))
  expect(
    results.filter(({ text, result }) =>
      isJson(text) ? result !== text : result !== undefined && !isJson(result),
    ),
  ).toEqual([])
  expect(results.filter(({ text, result }) => !isJson(text) && result !== undefined).length).toBeGreaterThan(
    700,
  )
})

it('does not format, compact or sort broken text', () => {
  for (const kind of ['format', 'compact', 'sortKeys'] as const)
    expect(runJob({ kind, text: '{"b":1 "a":2}', spaces: 2 })).toEqual({ refused: 'invalid' })
})

it('returns a text that is nested deeper than the stack instead of throwing', () => {
  expect(runJob({ kind: 'repair', text: '['.repeat(200_000), spaces: 2 }, { repair })).toEqual({
    refused: 'beyond-repair',
  })
})

it('looks for the end of a text without its opening quote only nearby', () => {
  const workMs = measureWork(() => scan(`[${String.raw`\x`.repeat(25_000)}`, { max: Infinity }))
  // To the end of the line from every character took four seconds.
  expect(workMs).toBeLessThan(1_500)
})

it('does not repair a text that is too long for undo to restore', () => {
  const text = `[${'1,'.repeat(2_500_000)}`
  expect(runJob({ kind: 'repair', text, spaces: 2 }, { repair })).toEqual({ refused: 'beyond-repair' })
})

it('refuses a result that would exceed the memory', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(runJob({ kind: 'format', text: deep, spaces: 2 })).toEqual({ refused: 'too-large' })
  expect(runJob({ kind: 'compact', text: deep, spaces: 2 })).toEqual({ text: deep })
  expect(
    runJob({ kind: 'sortKeys', text: '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), spaces: 2 }),
  ).toHaveProperty('text')
})
