// The check agrees with JSON.parse on any text, and explains each fault in a plain sentence.

import { expect, it } from 'vitest'
import { parseJson } from '../../src/editor/parseJson.ts'
import { scan } from '../../src/editor/scan.ts'
import { measureWork } from './threadWork.ts'
import { BROKEN_TEXTS } from './brokenTexts.ts'
import { createChance } from '../chance.ts'
import { breakJson, isJson, makeJson } from './jsonTexts.ts'
import { generatedRuns, SEED } from '../generated.ts'

const say = (text: string) =>
  parseJson(text).faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}`)

it('agrees with JSON.parse on broken texts of every kind', { timeout: 180_000, tags: ['generated'] }, () => {
  const random = createChance(SEED)
  const disagreements: string[] = []
  let right = 0
  const runs = generatedRuns('broken JSON texts')
  for (let count = 0; count < runs; count++) {
    const text = breakJson(random, makeJson(random))
    const isRight = isJson(text)
    if (isRight) right++
    if ((scan(text).length === 0) !== isRight) disagreements.push(text)
  }
  expect(disagreements).toEqual([])
  // There were enough texts of both kinds for the agreement to mean something.
  expect(right).toBeGreaterThan(runs * 0.05)
  expect(right).toBeLessThan(runs * 0.95)
})

it.each([
  ['{"a": 1 "name": 2}', ['1:9 Missing comma before "name"']],
  ['{"a": "x\n}', ['1:7 Unclosed string']],
  ['[1, {"a": [2', ['1:13 Unexpected end: 3 brackets are open']],
  ['[', ['1:2 Unexpected end: 1 bracket is open']],
  ['{a: 1}', ['1:2 Key a needs double quotes']],
  ["{'a': 1}", ['1:2 JSON needs straight double quotes (")']],
  ['[1, 2,]', ['1:6 Trailing comma: nothing follows it']],
  ['{"a": 1,}', ['1:8 Trailing comma: nothing follows it']],
  ['{"a" 1}', ['1:6 Missing colon after the key']],
  ['{"a": }', ['1:7 Missing value']],
  ['[1,, 2]', ['1:4 Missing value']],
  ['{"a": 1}}', ['1:9 } closes nothing']],
  ['{\n  "a": [1, 2\n}', ['3:1 } does not close the bracket opened on line 2']],
  ['01', ['1:1 01 is not a JSON number']],
  [
    '[+1, .5, 1., 0x1F]',
    ['+1', '.5', '1.', '0x1F'].map((number) => expect.stringContaining(`${number} is not`)),
  ],
  ['True', ['1:1 Unknown word True: text needs double quotes, other words are true, false and null']],
  ['{} // note', ['1:4 Comments are not part of JSON']],
  ['"\\x"', ['1:2 Invalid escape \\x in a string']],
  ['"a\tb"', ['1:3 Control character U+0009 inside a string: write it as \\u0009']],
  ['\ufeff{}', ['1:1 Byte order mark before the text: JSON must start without one']],
  ['[1]\u00a0', ['1:4 Text after the end of the JSON']],
  ['[\u00a01]', ['1:2 Unexpected character U+00A0']],
  ['', ['1:1 Nothing here yet: JSON needs a value']],
])('explains %j', (text, sentences) => {
  expect(say(text)).toEqual(sentences)
})

it('finds several faults in one pass, continuing after each', () => {
  expect(say('{\n  "a": 1\n  b: 2,\n  "c": tru,\n  "d": [1 2],\n}')).toEqual([
    '3:3 Missing comma before b',
    '3:3 Key b needs double quotes',
    '4:8 Unknown word tru: text needs double quotes, other words are true, false and null',
    '5:11 Missing comma before 2',
    '5:13 Trailing comma: nothing follows it',
  ])
})

const RECORDS = Array.from({ length: 40 }, (_, id) => ({
  id,
  name: `ada ${id}`,
  tags: ['x', 'y'],
  address: { street: 'Main', number: id },
  ok: true,
}))
const LAYOUTS = {
  'laid out': JSON.stringify(RECORDS, undefined, 2),
  'in one line': JSON.stringify(RECORDS),
  'one line for each': `[\n${RECORDS.map((record) => `  ${JSON.stringify(record)}`).join(',\n')}\n]`,
  'within an object': JSON.stringify({ list: RECORDS, count: 40 }, undefined, 2),
}

it.each(Object.entries(LAYOUTS))(
  'reports a missing or doubled character among many records as three faults at most, the first at its place: %s',
  (_layout, text) => {
    const from = text.indexOf('ada 20')
    const to = text.indexOf('ada 21')
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
    const missed: string[] = []
    let count = 0
    for (let at = from; at < to; at++) {
      if (!'{}[],:"'.includes(text[at]!)) continue
      count++
      for (const instead of ['', text[at]!.repeat(2)]) {
        const { faults } = parseJson(text.slice(0, at) + instead + text.slice(at + 1))
        const [first] = faults
        // Only the indentation shows the line of a missing bracket.
        const isNear = '{}[]'.includes(text[at]!) || !first || Math.abs(first.line - lineOf(at)) <= 1
        if (faults.length > 3 || !isNear)
          missed.push(`${text.slice(at - 20, at)}<${instead}>${text.slice(at + 1, at + 20)}`)
      }
    }
    expect(missed).toEqual([])
    expect(count).toBeGreaterThan(30)
  },
)

/** The end of each token, where a stray word can be inserted. */
const WORD_END = /(?<=[{}[\],:]|"(?:[^"\\]|\\.)*"|\b(?:\d+|true))(?=[{}[\],:\s])/g

it.each(Object.entries(LAYOUTS))(
  'reports a stray word as three faults at most, the first at its place: %s',
  (_layout, text) => {
    const from = text.indexOf('ada 20')
    const to = text.indexOf('ada 21')
    const missed: string[] = []
    let count = 0
    for (const stray of ['stray', 'two words', "it's", 'ada@x.y', ';']) {
      for (const { index: end } of text.matchAll(WORD_END)) {
        if (end < from || end > to) continue
        count++
        const faults = scan(`${text.slice(0, end)} ${stray} ${text.slice(end)}`)
        if (faults.length > 3 || faults[0]!.offset !== end + 1)
          missed.push(`${text.slice(end - 20, end)}<${stray}>${text.slice(end, end + 20)}`)
      }
    }
    expect(missed).toEqual([])
    expect(count).toBeGreaterThan(70)
  },
)

it('reports a word attached to a string as one fault', () => {
  const wordBehind = (text: string) => scan(text).map(({ code, offset }) => [code, offset])
  expect(wordBehind('{"a"stray: "x", "b": 1}')).toEqual([['unexpected-word', 4]])
  expect(wordBehind('{"a": "x"stray, "b": 1}')).toEqual([['unexpected-word', 9]])
})

it.each(BROKEN_TEXTS.flatMap(([text, , count]) => (count === undefined ? [] : [[text, count] as const])))(
  'reports each mistake in %j once',
  (text, count) => {
    expect(scan(text)).toHaveLength(count)
  },
)

it.each([
  [
    '[\n  {\n    "a": 1\n  ,\n  {\n    "a": 2\n  }\n]',
    ['3:11 Missing }: the bracket opened on line 2 is not closed'],
  ],
  ['{"a": [1, 2, "b": 3}', ['1:12 Missing ]: the bracket opened on line 1 is not closed']],
  ['["a": 1}, {"a": 2}]', ['1:2 Missing { before this']],
  // A key being typed above the others.
  ['{\n  ""\n  "a": 1,\n  "b": 2\n}', ['2:5 Missing colon after the key']],
  ['{"a": "say "hi" now"}', ['1:12 Quote inside a string: write it as \\"']],
  ['{"a": "x\ny", "b": 1}', ['1:9 Line break inside a string: write it as \\n']],
  ['{"a: 1, "b": 2}', ['1:2 Unclosed string']],
  ['{"a": "x"", "b": 1}', ['1:9 Quote inside a string: write it as \\"']],
  ['{"a"": "http://x.y"}', ['1:4 Quote inside a string: write it as \\"']],
  [
    '{"u": http://x.y/z?a=1, "b": 1}',
    ['1:7 Unknown word http://x.y/z?a=1: text needs double quotes, other words are true, false and null'],
  ],
])('names the one mistake in %j', (text, sentences) => {
  expect(say(text)).toEqual(sentences)
})

it('counts lines by \\n, \\r\\n and \\r, and offsets in the text as it is', () => {
  const [fault] = parseJson('{\r\n"a": 1,\r"b": 2\n"c": 3}').faults
  expect(fault).toMatchObject({ code: 'missing-comma', line: 4, column: 1, offset: 18, length: 3 })
})

it('warns of duplicate keys, however they are escaped, within one object', () => {
  const found = parseJson('{"a": {"a": 1}, "b": 2,\n"\\u0061": [{"b": 1}, {"b": 2}]}')
  expect(found).toMatchObject({ valid: true, value: { b: 2 } })
  expect(found.faults.map((fault) => [fault.code, fault.severity, fault.message])).toEqual([
    ['duplicate-key', 'warning', 'Duplicate key "a": already on line 1, column 2, the last one wins'],
  ])
  expect(parseJson('{"a":1,"a":2}', { duplicates: 'error' })).toMatchObject({ valid: false })
  expect(parseJson('{"a":1,"a":2}', { duplicates: 'ignore' }).faults).toEqual([])
})

it('escapes invisible characters of a key, and warns of a number that is too large or too precise', () => {
  expect(say('{"a\u200bb": 1, "a\u200bb": 1e400}')).toEqual([
    '1:12 Duplicate key "a\\u200bb": already on line 1, column 2, the last one wins',
    '1:19 1e400 is larger or more precise than JavaScript can store: parsing changes it',
  ])
  expect(say('{"a\u{e0041}\u115f\u2003\u034f": 1, "a\u{e0041}\u115f\u2003\u034f": 2}')[0]).toContain(
    'Duplicate key "a\\udb40\\udc41\\u115f\\u2003\\u034f"',
  )
})

it('warns of exactly the numbers that JSON.parse would change', () => {
  const unsafe = [
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '1e-400',
    '3.141592653589793238',
    '9'.repeat(400),
  ]
  const safe =
    '0 -0 0.1 1.10 9007199254740991 9007199254740992 0.30000000000000004 1e22 1E5 100000000000000000000 1.7976931348623157e308 5e-324 0.000000000000000000001 0e999999999'.split(
      ' ',
    )
  const warned = parseJson(`[${[...unsafe, ...safe].join(',')}]`).faults
  expect(warned.map((fault) => fault.code)).toEqual(unsafe.map(() => 'unsafe-number'))
})

it('withstands hostile texts: a hundred thousand levels, lone surrogates, line separators, __proto__', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(scan(deep)).toEqual([])
  expect(scan(deep.slice(0, -1))).toMatchObject([{ code: 'unexpected-end', count: 1 }])
  expect(scan('{"a":'.repeat(100_000))).toMatchObject([{ code: 'unexpected-end', count: 100_000 }])
  expect(parseJson('"\ud800\u2028\u2029"')).toMatchObject({ valid: true, value: '\ud800\u2028\u2029' })
  expect(say('"\u0000"')).toEqual(['1:2 Control character U+0000 inside a string: write it as \\u0000'])
  const { value } = parseJson('{"__proto__": {"admin": true}}') as { value: object }
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect((value as { admin?: boolean }).admin).toBeUndefined()
})

it('stops after a hundred faults instead of listing a hundred thousand', () => {
  // One unquoted text.
  expect(scan('x '.repeat(100_000)).map((fault) => fault.code)).toEqual(['invalid-word'])
  expect(scan(`[${'x,'.repeat(100_000)}1]`)).toHaveLength(100)
  expect(scan(`"${'\t'.repeat(100_000)}"`)).toHaveLength(100)
})

it('reads a number of fifty thousand digits in one pass', () => {
  const text = `0.1${'0'.repeat(50_000)}1`
  const workMs = measureWork(() => expect(parseJson(text).faults).toMatchObject([{ code: 'unsafe-number' }]))
  // Looking for the last zeros from each zero again took five seconds.
  expect(workMs).toBeLessThan(500)
})

it('throws an error with a sentence for a value that is not a string', () => {
  expect(() => parseJson(undefined as never)).toThrow('parseJson expects a string, got undefined')
  expect(() => parseJson(null as never)).toThrow('parseJson expects a string, got null')
})
