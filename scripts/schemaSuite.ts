// Runs the official JSON-Schema-Test-Suite through the editor's judge, writes the rates into evidence/schemas.md, and the cases of two drafts where test/editor/officialSchemas.test.ts runs them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../src/editor/parseJson.ts'

interface Group {
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const DRAFTS = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const

const [folder, commit = ''] = process.argv.slice(2)
if (!folder) throw new Error('Say where the suite is: node scripts/schemaSuite.ts <folder> <commit>')

/** Of these the cases are kept, a line for each schema. */
const KEPT = new Set(['draft7', 'draft2020-12'])
const kept: unknown[] = [
  {
    from: 'https://github.com/json-schema-org/JSON-Schema-Test-Suite',
    commit,
    license: 'MIT, Copyright (c) 2012 Julian Berman',
  },
]
const rows: string[] = []
const wrong: string[] = []
for (const [draft, name] of Object.entries(DRAFTS)) {
  const at = join(folder, 'tests', draft)
  const count = { right: 0, said: 0, wrong: 0 }
  for (const file of readdirSync(at).filter((entry) => entry.endsWith('.json'))) {
    const groups = JSON.parse(readFileSync(join(at, file), 'utf8')) as Group[]
    for (const { description, schema, tests } of groups) {
      if (KEPT.has(draft)) kept.push({ draft, file, description, schema, tests })
      const named = typeof schema === 'object' ? { $schema: name, ...schema } : schema
      for (const test of tests) {
        const { valid, faults } = await parseJson(JSON.stringify(test.data), {
          schema: named,
          duplicates: 'ignore',
        })
        const isSaid = faults.some(({ code }) => code === 'incomplete')
        if (valid === test.valid) count.right++
        else if (isSaid) count.said++
        else {
          count.wrong++
          wrong.push(`- ${draft}, ${file}: ${description}: ${test.description}`)
        }
      }
    }
  }
  const all = count.right + count.said + count.wrong
  const rate = ((count.right / all) * 100).toFixed(1)
  rows.push(`| ${draft} | ${all} | ${count.right} (${rate} %) | ${count.said} | ${count.wrong} |`)
}

writeFileSync('test/editor/officialSchemas.jsonl', kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
writeFileSync(
  'evidence/schemas.md',
  `# What the editor makes of the official JSON-Schema-Test-Suite

Written by \`node scripts/schemaSuite.ts\`, commit ${commit.slice(0, 7)} of json-schema-org/JSON-Schema-Test-Suite, without its optional part.
"Said" are cases that the editor judges wrongly and warns of (\`incomplete\`): the schema refers to another document, which is never fetched.

| draft | cases | right | said | wrong |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Wrong, without a warning:

${wrong.join('\n')}
`,
)
console.log(rows.join('\n'))
