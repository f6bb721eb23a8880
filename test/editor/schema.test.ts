// Schema faults: the same everywhere, at the right place, one sentence per cause.
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { GERMAN_EDITOR } from '../../examples/texts/german.ts'
import { parseJson } from '../../src/editor/index.ts'
import { runJob } from '../../src/editor/jobs.ts'
import { createValidator } from '../../src/editor/schemaValidator.ts'
import { SCHEMA_SENTENCES } from '../../src/editor/schemaSentences.ts'
import type { JsonFault } from '../../src/editor/types.ts'
import { SCHEMA_CASES } from './schemaCases.ts'
import { measureWork } from './threadWork.ts'

const VALIDATOR = '../../node_modules/@cfworker/json-schema/dist/esm/validate.js'

const check = async (text: string, schema: object | boolean) => (await parseJson(text, { schema })).faults
const said = (faults: readonly JsonFault[]) =>
  faults.map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('a fault', () => {
  it('has the keyword, the path, the place in the schema and the place in the text', async () => {
    const schema = {
      properties: { 'a/b': { type: 'array', items: { $ref: '#/$defs/size' } } },
      $defs: { size: { type: 'integer', maximum: 5 } },
    }
    const text = '{\r\n  "a/b": [1, 7]\r\n}'
    expect(await parseJson(text, { schema })).toEqual({
      valid: false,
      faults: [
        {
          code: 'schema',
          keyword: 'maximum',
          path: '/a~1b/1',
          schemaPath: '/properties/a~1b/items/$ref/maximum',
          message: 'Must be at most 5, not 7',
          line: 2,
          column: 14,
          offset: text.indexOf('7'),
          length: 1,
          severity: 'error',
        },
      ],
    })
  })

  it.each(
    Object.entries(SCHEMA_CASES).flatMap(([keyword, cases]) =>
      cases.map((one) => [keyword, ...one] as const),
    ),
  )('of %s in %s by %j is one sentence', async (keyword, text, schema, sentence) => {
    const [fault, ...others] = await check(text, schema)
    expect(fault).toMatchObject({ keyword, message: sentence })
    expect(others).toEqual([])
  })

  it('can name every keyword that the validator reports, except those that only apply other schemas', () => {
    const source = readFileSync(new URL(VALIDATOR, import.meta.url), 'utf8')
    const reported = new Set([...source.matchAll(/keyword: '(.+?)'/g)].map(([, keyword]) => keyword!))
    const leading = ['$recursiveRef', '$ref', 'allOf', 'dependentSchemas', 'if']
    expect([...reported].filter((keyword) => !leading.includes(keyword)).toSorted()).toEqual(
      Object.keys(SCHEMA_SENTENCES).toSorted(),
    )
    expect(Object.keys(SCHEMA_CASES)).toEqual(Object.keys(SCHEMA_SENTENCES))
  })

  it.each<[string, object | boolean, string]>([
    ['{"b": {}}', { properties: { b: { required: ['a'] } } }, '1:2 Key "a" is missing'],
    ['{"b": 1, "a": 1}', { properties: { a: false } }, '1:10 Key "a" is not allowed here'],
    ['[1, 2]', { prefixItems: [true], items: false }, '1:5 No further element is allowed here'],
    ['1.5', { type: 'integer' }, '1:1 Must be a whole number, not 1.5'],
    ['"1+2"', { pattern: '^\\d\\-\\d$' }, '1:1 "1+2" does not match ^\\d\\-\\d$'],
    [
      '5',
      { $defs: { no: false }, anyOf: [{ $ref: '#/$defs/no' }, { type: 'string' }] },
      '1:1 Must be a text, not 5',
    ],
    ['3', { if: { type: 'string' }, else: { maximum: 2 } }, '1:1 Must be at most 2, not 3'],
  ])('in %s by %j has its place in the text', async (text, schema, sentence) => {
    expect(said(await check(text, schema))).toEqual([sentence])
  })

  it('has the place in the schema of a key that another key requires', async () => {
    const [fault] = await check('{"a": 1}', { dependentRequired: { a: ['b'] } })
    expect(fault!.schemaPath).toBe('/dependentRequired')
  })

  it('is one per cause: that of the nearest branch', async () => {
    const shape = (kind: string, size: string) => ({
      required: ['kind', size],
      properties: { kind: { const: kind }, [size]: { type: 'number' } },
      type: 'object',
    })
    const schema = { anyOf: [shape('circle', 'radius'), shape('square', 'side'), { type: 'string' }] }
    const faults = await check('{"kind": "square", "side": "2"}', schema)
    expect(said(faults)).toEqual(['1:28 Must be a number, not "2"'])
    expect(faults[0]!.schemaPath).toBe('/anyOf/1/properties/side/type')
    expect(said(await check('[]', { anyOf: [{ type: 'string' }, { type: 'number' }] }))).toEqual([
      '1:1 Must be a text or a number, not a list',
    ])
    expect(said(await check('4', { oneOf: [{ minimum: 1 }, { minimum: 2 }] }))).toEqual([
      '1:1 4 fits 2 alternatives, it must be exactly one',
    ])
  })

  it('is listed by place, up to a thousand; all are counted', async () => {
    const faults = await check(`[${'1,'.repeat(2_999)}1]`, { items: { type: 'string' } })
    expect(faults).toHaveLength(1_001)
    expect(faults[0]).toMatchObject({
      code: 'incomplete',
      severity: 'warning',
      message: '3000 problems with the schema; the first ones are listed',
    })
    const offsets = faults.slice(1).map(({ offset }) => offset)
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
  })

  it('can be translated from its details', () => {
    expect(
      runJob(
        { kind: 'check', text: '{"a": 1}', schema: '{"additionalProperties":false}' },
        { createValidator },
      ),
    ).toMatchObject({ faults: [{ keyword: 'additionalProperties', expected: '"a"', found: '"a"' }] })
  })
})

describe('the meaning of the text', () => {
  it.each<[string, object, boolean]>([
    ['-0', { const: 0 }, true],
    ['-0', { minimum: 0 }, true],
    ['{"a": "x", "a": 1}', { properties: { a: { type: 'number' } } }, true],
    ['{"a": 1, "a": "x"}', { properties: { a: { type: 'number' } } }, false],
    ['{"__proto__": 1}', { properties: { ['__proto__']: { type: 'string' } } }, false],
    ['{"\\u0061": 1}', { properties: { a: { type: 'string' } } }, false],
  ])('counts: %s by %j is %s', async (text, schema, isRight) => {
    const faults = await check(text, schema)
    expect(faults.every(({ severity }) => severity === 'warning')).toBe(isRight)
  })

  it('places a fault at the last of two equal keys, which is the one that counts', async () => {
    const text = '{"a": {"b": 1}, "a": {"b": 2}}'
    const faults = await check(text, { properties: { a: { properties: { b: { type: 'string' } } } } })
    expect(faults.filter(({ code }) => code === 'schema').map(({ offset }) => offset)).toEqual([
      text.indexOf('2'),
    ])
  })
})

describe('a schema', () => {
  it.each<[string, object | boolean, string, RegExp]>([
    [
      'that refers to another address',
      { $ref: 'https://a.example/b' },
      '1',
      /without what it refers to.*a\.example/,
    ],
    ['that is none', { pattern: '(' }, '"a"', /cannot be used: .*regular expression/],
    ['that leads in a circle', { $ref: '#' }, '1', /Too deep/],
    [
      'with a dynamic reference',
      { $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', type: 'string' } } },
      '1',
      /without what it refers to/,
    ],
  ])('%s is a warning, never a silent pass', async (_what, schema, text, message) => {
    const { valid, faults } = await parseJson(text, { schema })
    expect([valid, faults.map(({ code, severity }) => [code, severity])]).toEqual([
      true,
      [['incomplete', 'warning']],
    ])
    expect(faults[0]!.message).toMatch(message)
  })

  it('with one external reference is checked in all other places', async () => {
    const schema = { properties: { a: { $ref: 'https://a.example/b' }, c: { type: 'string' } } }
    expect((await check('{"a": 1, "c": 2}', schema)).map(({ code }) => code)).toEqual([
      'incomplete',
      'schema',
    ])
  })

  it('is not applied to broken text', async () => {
    expect((await check('[1 2]', { type: 'string' })).map(({ code }) => code)).toEqual(['missing-comma'])
  })

  it('is not checked deeper than the stack or beyond its limit, with a warning', async () => {
    expect(
      (await check('['.repeat(50_000) + ']'.repeat(50_000), { items: { $ref: '#' } })).at(0),
    ).toMatchObject({
      code: 'incomplete',
      message: 'Too deep for the schema to be checked',
    })
    const long = `"${'a'.repeat(20_000_000)}"`
    expect(createValidator('{"type":"number"}')(long)).toMatchObject([
      { code: 'incomplete', detail: 'large' },
    ])
  })
})

/** Each refers twice to the one before: 2^40 paths. */
const doubling = {
  $ref: '#/$defs/40',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => [
      at,
      at === 0 ? {} : { allOf: [{ $ref: `#/$defs/${at - 1}` }, { $ref: `#/$defs/${at - 1}` }] },
    ]),
  ),
}

it('that cannot be written as JSON is a warning, as in the editor', async () => {
  const circular: Record<string, unknown> = {}
  circular['items'] = circular
  let deep = {}
  for (let level = 0; level < 20_000; level++) deep = { items: deep }
  for (const schema of [circular, { minimum: 1n }, deep])
    expect(await parseJson('1', { schema })).toMatchObject({ valid: true, faults: [{ code: 'incomplete' }] })
})

describe('a schema that would take forever', () => {
  it('is stopped without a worker, with a warning', async () => {
    const { valid, faults } = await parseJson('{}', { schema: doubling })
    expect([valid, said(faults)]).toEqual([true, ['1:1 The schema took too long to check']])
  })

  it('is checked without patterns that may run forever if nothing could interrupt them', () => {
    vi.stubGlobal('document', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const checked = (pattern: string) => {
      const validate = createValidator(JSON.stringify({ pattern, maxLength: 3 }), 300)
      return validate(`"${'a'.repeat(52)}"`).map(({ code, detail, found }) => [code, detail, found].join(' '))
    }
    for (const pattern of [
      '^([\\w.+-]+)+@x$',
      '^(a+)+$',
      '^((a+)b?)*$',
      '^(?:a{1,}x?){2,}$',
      '^(a|aa)+$',
      '^(?:\\w|[a-z])*$',
      '^((?:b|a)|a)+$',
      '^(a?a)+$',
    ])
      expect(checked(pattern)).toEqual([
        `incomplete pattern ${pattern}`,
        'schema At most 3 characters "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
      ])
    expect(checked('^.*a.*b.*c.*d.*e$')[0]).toMatch(/^incomplete/)
    for (const pattern of ['^[a-z]+@(x|y)+$', '^(?:\\d{1,3}\\.){3}\\d+$', '^(?:a-(?:b|c))+$', '^(a|a+)$'])
      expect(checked(pattern).every((fault) => fault.startsWith('schema'))).toBe(true)
  })

  it('checks uniqueItems in one pass over the elements', () => {
    const elements = Array.from({ length: 10_000 }, (_, id) => ({ id, tags: [id] }))
    const validate = createValidator(
      '{"uniqueItems":true,"items":{"properties":{"tags":{"uniqueItems":true}}}}',
    )
    const workMs = measureWork(() => expect(validate(JSON.stringify(elements))).toEqual([]))
    expect(
      validate(JSON.stringify([...elements, { tags: [7, 8], id: 7 }, { id: 7, tags: [7, 8] }])),
    ).toMatchObject([{ keyword: 'uniqueItems', path: '', schemaPath: '/uniqueItems', offset: 0 }])
    expect(validate('[{"tags": [1, 1.0]}]')).toMatchObject([{ path: '/0/tags', offset: 2 }])
    // Comparing every element with every other took minutes.
    expect(workMs).toBeLessThan(10_000)
  })
})

it('reports no key as forbidden only because another is missing', async () => {
  const schema = {
    allOf: [{ required: ['name'], properties: { name: true, age: { type: 'number' } } }],
    unevaluatedProperties: false,
  }
  expect(said(await check('{"age": 1}', schema))).toEqual(['1:1 Key "name" is missing'])
  expect(said(await check('{"age": 1, "name": "", "x": 1}', schema))).toEqual([
    '1:24 Key "x" is not allowed here',
  ])
})

describe('rules', () => {
  it('find an error after a hundred warnings, and a number after a hundred keys', () => {
    const twice = '"b": 1, '.repeat(150)
    const text = `{${Array.from({ length: 150 }, () => '"n": 1e400').join(', ')}, "a": 1, "a": 2}`
    expect(parseJson(text, { duplicates: 'error' })).toMatchObject({ valid: false })
    const found = parseJson(`{${twice}"n": 1e400}`, { duplicates: 'ignore' }).faults
    expect(found.map(({ code }) => code)).toEqual(['unsafe-number'])
  })

  it('treat a duplicate key as an error, a warning or nothing', async () => {
    const text = '{"a": 1, "a": 2}'
    const kinds = async (duplicates: 'warning' | 'error' | 'ignore') => {
      const { valid, faults } = await parseJson(text, { duplicates, schema: { type: 'object' } })
      return [valid, faults.map(({ severity }) => severity)]
    }
    expect(await kinds('error')).toEqual([false, ['error']])
    expect(await kinds('warning')).toEqual([true, ['warning']])
    expect(await kinds('ignore')).toEqual([true, []])
    expect(parseJson(text, { duplicates: 'error' }).valid).toBe(false)
    expect(parseJson('{\n"a": 1,\n  "a": 2}').faults[0]!.message).toBe(
      'Duplicate key "a": already on line 2, column 1, the last one wins',
    )
  })
})

describe('the messages of an editor', () => {
  it('translate the faults of parseJson, with and without a schema', async () => {
    const messages = GERMAN_EDITOR
    expect(said(parseJson('[1 2]', { messages }).faults)).toEqual(['1:4 Vor 2 fehlt ein Komma'])
    expect(said((await parseJson('[]', { messages, schema: { type: 'object' } })).faults)).toEqual([
      '1:1 Muss ein Objekt sein, nicht eine Liste',
    ])
  })

  it('that throw or return no string fall back to English', () => {
    const comment = () => {
      throw new Error('no')
    }
    for (const faults of [{ comment }, {}, undefined])
      expect(
        said(parseJson('1 // one', { messages: { copied: 'Kopiert', ...(faults && { faults }) } }).faults),
      ).toEqual(['1:3 Comments are not part of JSON'])
  })
})

it(
  'warns that a text is too long for its schema, and accepts it as JSON',
  { tags: ['thorough'] },
  async () => {
    const checked = async (length: number) => {
      const start = '["x"'
      const text = `${start}${' '.repeat(length - start.length - 1)}]`
      const { valid, faults } = await parseJson(text, { schema: { items: { type: 'number' } } })
      return { valid, faults: faults.map(({ code, severity }) => [code, severity]) }
    }
    expect(await checked(20_000_000)).toEqual({ valid: false, faults: [['schema', 'error']] })
    expect(await checked(20_000_001)).toEqual({ valid: true, faults: [['incomplete', 'warning']] })
  },
)
