// The cases of the official JSON-Schema-Test-Suite: the editor agrees, or warns that it could not check the schema.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJson } from '../../src/editor/index.ts'

interface Group {
  readonly draft: string
  readonly file: string
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const DRAFTS: Record<string, string> = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
}
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const groups = read('officialSchemas.jsonl')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as Group)
const EVIDENCE = read('../../evidence/schemas.md')

it.each(Object.entries(DRAFTS))(
  'passes every official case of %s but for those that evidence/schemas.md lists',
  async (draft, name) => {
    const count = { all: 0, right: 0, said: 0 }
    const wrong: string[] = []
    for (const { file, description, schema, tests } of groups.filter((group) => group.draft === draft)) {
      const named = typeof schema === 'object' ? { $schema: name, ...schema } : schema
      for (const test of tests) {
        const text = JSON.stringify(test.data)
        const { valid, faults } = await parseJson(text, { schema: named, duplicates: 'ignore' })
        count.all++
        if (valid === test.valid) count.right++
        else if (faults.some(({ code }) => code === 'incomplete')) count.said++
        else wrong.push(`- ${draft}, ${file}: ${description}: ${test.description}`)
      }
    }
    const row = EVIDENCE.split('\n').find((line) => line.startsWith(`| ${draft} `))!
    const [all, right, said, wrongCount] = row
      .split('|')
      .slice(2, 6)
      .map((cell) => Number.parseInt(cell, 10))
    expect(wrong).toEqual(EVIDENCE.split('\n').filter((line) => line.startsWith(`- ${draft}, `)))
    expect({ ...count, wrong: wrong.length }).toEqual({ all, right, said, wrong: wrongCount })
  },
)
