// For each keyword that a schema fault can name: texts that violate it, and the English sentence.
import type { SchemaKeyword } from '../../src/editor/types.ts'

type Case = readonly [text: string, schema: object | boolean, english: string]

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#'

export const SCHEMA_CASES: Readonly<Record<SchemaKeyword, readonly Case[]>> = {
  additionalItems: [
    [
      '[1, 2]',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [true], additionalItems: false },
      'No further element is allowed here',
    ],
  ],
  additionalProperties: [['{"a": 1}', { additionalProperties: false }, 'Key "a" is not allowed here']],
  anyOf: [
    ['3', { anyOf: [{ const: 1 }, { const: 2 }] }, '3 fits none of the alternatives'],
    ['{}', { anyOf: [{ const: 1 }, { const: 2 }] }, 'An object fits none of the alternatives'],
    ['true', { anyOf: [{ const: 1 }, { const: 2 }] }, 'true fits none of the alternatives'],
    ['1', { anyOf: [false, false] }, '1 fits none of the alternatives'],
  ],
  const: [
    ['2', { const: 1 }, 'Must be 1, not 2'],
    ['[]', { const: { a: 1 } }, 'Must be {"a":1}, not a list'],
  ],
  contains: [['[1]', { contains: { type: 'string' } }, 'No element fits what the list must contain']],
  dependencies: [
    [
      '{"a": 1}',
      { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } },
      'Key "b" is missing: another key needs it',
    ],
  ],
  dependentRequired: [
    ['{"a": 1}', { dependentRequired: { a: ['b'] } }, 'Key "b" is missing: another key needs it'],
  ],
  enum: [
    ['"d"', { enum: ['a', 'b', 'c'] }, 'Must be "a", "b" or "c", not "d"'],
    ['[]', { enum: ['a'] }, 'Must be "a", not a list'],
    ['1', { enum: [] }, 'Nothing is allowed here'],
    ['"a\u200bb"', { enum: ['ab'] }, 'Must be "ab", not "a\\u200bb"'],
  ],
  exclusiveMaximum: [
    ['2', { exclusiveMaximum: 2 }, 'Must be less than 2, not 2'],
    ['2', { $schema: DRAFT_4, maximum: 2, exclusiveMaximum: true }, 'Must be less than 2, not 2'],
  ],
  exclusiveMinimum: [
    ['2', { exclusiveMinimum: 2 }, 'Must be more than 2, not 2'],
    ['2', { $schema: DRAFT_4, minimum: 2, exclusiveMinimum: true }, 'Must be more than 2, not 2'],
  ],
  false: [
    ['1', false, 'Nothing is allowed here'],
    ['1', { allOf: [false] }, 'Nothing is allowed here'],
    ['1', { $ref: '#/$defs/no', $defs: { no: false } }, 'Nothing is allowed here'],
    ['1', { if: false, else: false }, 'Nothing is allowed here'],
    ['{"a": 1}', { dependentSchemas: { a: false } }, 'Nothing is allowed here'],
    ['{"a": 1}', { dependencies: { a: false } }, 'Nothing is allowed here'],
  ],
  format: [['"x"', { format: 'email' }, '"x" is no email']],
  items: [['[1, 2]', { prefixItems: [true], items: false }, 'No further element is allowed here']],
  maxContains: [['[1, 2]', { contains: true, maxContains: 1 }, 'Too many elements of one kind: at most 1']],
  maxItems: [
    ['[1, 2]', { maxItems: 1 }, 'At most 1 element'],
    ['[1, 2, 3]', { maxItems: 2 }, 'At most 2 elements'],
  ],
  maxLength: [
    ['"abc"', { maxLength: 1 }, 'At most 1 character'],
    ['"abc"', { maxLength: 2 }, 'At most 2 characters'],
  ],
  maxProperties: [
    ['{"a": 1, "b": 2}', { maxProperties: 1 }, 'At most 1 key'],
    ['{"a": 1}', { maxProperties: 0 }, 'At most 0 keys'],
  ],
  maximum: [
    ['3', { maximum: 2 }, 'Must be at most 2, not 3'],
    ['3', { $schema: DRAFT_4, maximum: 2 }, 'Must be at most 2, not 3'],
  ],
  minContains: [['[1]', { contains: true, minContains: 2 }, 'Too few elements of one kind: at least 2']],
  minItems: [
    ['[]', { minItems: 1 }, 'At least 1 element'],
    ['[]', { minItems: 2 }, 'At least 2 elements'],
  ],
  minLength: [
    ['""', { minLength: 1 }, 'At least 1 character'],
    ['""', { minLength: 2 }, 'At least 2 characters'],
  ],
  minProperties: [
    ['{}', { minProperties: 1 }, 'At least 1 key'],
    ['{}', { minProperties: 2 }, 'At least 2 keys'],
  ],
  minimum: [['2', { minimum: 3 }, 'Must be at least 3, not 2']],
  multipleOf: [['0.35', { multipleOf: 0.1 }, '0.35 is no multiple of 0.1']],
  not: [
    ['1', { not: { type: 'number' } }, '1 is excluded by the schema'],
    ['[]', { not: { type: 'array' } }, 'A list is excluded by the schema'],
  ],
  oneOf: [
    ['1', { oneOf: [true, true] }, '1 fits 2 alternatives, it must be exactly one'],
    ['{}', { oneOf: [true, true] }, 'An object fits 2 alternatives, it must be exactly one'],
  ],
  pattern: [
    ['"b"', { pattern: '^a$' }, '"b" does not match ^a$'],
    ['{"a b": 1}', { propertyNames: { pattern: '^\\w+$' } }, '"a b" does not match ^\\w+$'],
  ],
  patternProperties: [['{"a": 1}', { patternProperties: { a: false } }, 'Key "a" is not allowed here']],
  prefixItems: [['[1]', { prefixItems: [false] }, 'No further element is allowed here']],
  properties: [['{"a": 1}', { properties: { a: false } }, 'Key "a" is not allowed here']],
  propertyNames: [['{"a": 1}', { propertyNames: false }, 'Key "a" is not allowed here']],
  required: [
    ['{}', { required: ['a'] }, 'Key "a" is missing'],
    ['{}', { required: [''] }, 'Key "" is missing'],
  ],
  type: [
    ['1', { type: 'string' }, 'Must be a text, not 1'],
    ['[]', { type: ['string', 'null', 'object'] }, 'Must be a text, null or an object, not a list'],
    [
      '{}',
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      'Must be a whole number or true or false, not an object',
    ],
    ['[]', { anyOf: [false, { type: 'number' }] }, 'Must be a number, not a list'],
  ],
  unevaluatedItems: [['[1]', { unevaluatedItems: false }, 'No further element is allowed here']],
  unevaluatedProperties: [['{"a": 1}', { unevaluatedProperties: false }, 'Key "a" is not allowed here']],
  uniqueItems: [['[1, 1]', { uniqueItems: true }, 'Two elements are equal']],
}
