// Holds the pages that scripts write to what they are written from, so that no figure is left behind or changed by hand.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withComparison } from '../../../bench/comparison.ts'
import { NAMES, readResults, toMarkdown } from '../../../bench/report.ts'
import { NEWCOMER_PAGE, newcomerTable } from '../../../scripts/newcomer.ts'
import { INSTALL_PAGES, isPublished, publishedForm } from '../../../scripts/publishedForm.ts'
import { plainPage } from '../../../scripts/writtenPage.ts'
import { SERVERS } from '../../oidc/interop/servers.ts'

it('evidence/benchmarks.md says what bench/results has, and everything of it', () => {
  const results = readResults()
  expect(results).toHaveLength(NAMES.length)
  expect(plainPage(readFileSync('evidence/benchmarks.md', 'utf8'))).toBe(plainPage(toMarkdown(results)))
})

it('README.md compares with the figures of bench/results, eight rows of six libraries, this one with either kind of server', () => {
  const readme = plainPage(readFileSync('README.md', 'utf8').replaceAll('\r\n', '\n'))
  expect(readme).toBe(plainPage(withComparison(readme, readResults())))
  expect(readme.match(/^\|[^|]*(?:\|[^|\n]+){7}\|$/gm)).toHaveLength(10)
})

it('evidence/interop.md has every server that others wrote, with the version that was run, or says that it was not', () => {
  const page = readFileSync('evidence/interop.md', 'utf8')
  for (const { name } of SERVERS) {
    const row = new RegExp(`^\\| \\[?${name}(?:\\]\\([^)]*\\))? +\\| ([^|]+)\\| ([^|]+)`, 'm').exec(page)
    expect(row, name).not.toBeNull()
    const [, version = '', result = ''] = row!
    if (!result.startsWith('not run'))
      expect([version, result].join()).toMatch(/^\d+\.\d+\.\d+ *,(\d+) of \1 /)
  }
})

it('README.md is 110 lines at most, signs in at an OpenID Connect provider first, and names the default of the idle logout', () => {
  const readme = readFileSync('README.md', 'utf8').replaceAll('\r\n', '\n')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(110)
  expect(readme.indexOf('openIdConnect(')).toBeLessThan(readme.indexOf('`authHost`'))
  expect(readme).toMatch(/\*\*Idle logout is on\*\*: users are signed out after 30 minutes/)
})

it('evidence/newcomer.md counts the lines that the documentation asks for: node scripts/newcomer.ts', () => {
  const page = plainPage(readFileSync(NEWCOMER_PAGE, 'utf8').replaceAll('\r\n', '\n'))
  expect(page).toContain(plainPage(newcomerTable()))
  // `npx latchkey init` writes the rest: half of what it was, at most.
  const [, before, byHand] = /^\|of these typed or pasted\|(\d+)\|(\d+)\|$/m.exec(page) ?? []
  expect(Number(byHand)).toBeLessThanOrEqual(Number(before) / 2)
})

it('the picture of the states, for pages that do not draw Mermaid, has those of the diagram in docs/howItWorks.md', () => {
  const drawn = readFileSync('docs/images/states.svg', 'utf8').matchAll(/<text class="name"[^>]*>([^<]*)</g)
  const [, diagram = ''] = readFileSync('docs/howItWorks.md', 'utf8').split(/^stateDiagram-v2$/m)
  const ways = (diagram.split('```')[0] ?? '').matchAll(/^ +([\w[\]*]+) --> (\w+)/gm)
  const states = new Set(
    [...ways].flatMap(([, from = '', to = '']) => [from, to]).filter((name) => name !== '[*]'),
  )
  expect(new Set([...drawn].map(([, name]) => name))).toEqual(states)
  expect(states.size).toBe(5)
})

it.each(INSTALL_PAGES)('%s installs from a clone until the first release, and from npm after it', (path) => {
  const page = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const after = publishedForm(page)
  expect(after).toMatch(/^npm install latchkey /m)
  expect(after).not.toMatch(/npm pack|\.tgz|before the first release/)
  expect(publishedForm(after)).toBe(after)
  expect(page === after).toBe(isPublished())
})
