// What the pages say of providers that were run, held to the records of the runs.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
/** The first line that is neither a heading nor a comment. */
const firstLine = (path: string) => /^(?![#<\n]).*$/m.exec(read(path))?.[0] ?? ''

/** The day of a record, and the version of each server in its first table. */
function recordOf(path: string) {
  const record = read(path)
  const [, day = ''] = /on (\d{4}-\d\d-\d\d) at commit/.exec(record) ?? []
  const rows = [...record.matchAll(/^\| \[([^\]]+)\]\(#[^)]*\) *\| (?:library )?(\S+) *\| (\d+) of (\d+) /gm)]
  return { day, rows: rows.map(([, name = '', version = '']) => ({ name, version })) }
}

const PRODUCTS = globSync('evidence/interop-*.md').map((path) =>
  basename(path, '.md').replace('interop-', ''),
)
const PAGES = globSync('docs/servers/*.md').filter((path) => !/(README|run|dpop)\.md$/.test(path))

it('names four products that have a record of their own', () => {
  expect(PRODUCTS.toSorted()).toEqual(['hydra', 'keycloak', 'spring', 'zitadel'])
})

it.each(PAGES)(
  '%s says in its first line which version was tested and when, or that it was not run',
  (path) => {
    const name = basename(path, '.md')
    const line = firstLine(path)
    if (!PRODUCTS.includes(name)) {
      expect(line).toMatch(/^Not run, based on /)
      return
    }
    const { day, rows } = recordOf(`evidence/interop-${name}.md`)
    expect(line).toContain(`${rows[0]?.version} on ${day}`)
  },
)

it('the list of tested providers has each server of the records, with its version', () => {
  const list = read('docs/servers/run.md')
  for (const path of globSync('evidence/interop*.md'))
    for (const { name, version } of recordOf(path).rows) expect(list, name).toContain(version)
})

it.each(['README.md', 'docs/servers/README.md'])('%s names no provider as not run that was', (path) => {
  const [, tested = ''] = /\[Tested\]\((.*?)(?:\. \[Not run|\n)/.exec(read(path)) ?? []
  const [, notRun = ''] = /Not run, based on (.*)/.exec(read(path)) ?? []
  for (const name of ['Keycloak', 'Ory Hydra', 'Spring Authorization Server', "Zitadel's Go library"]) {
    expect(tested).toContain(name)
    expect(notRun).not.toContain(name)
  }
})
