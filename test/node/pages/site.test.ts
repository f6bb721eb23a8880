// The first page of the documentation site, and what its search and its lists need of the pages.
import { globSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { findDeadLinks } from '../../../scripts/deadLinks.ts'

const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

it('says in three sentences what latchkey is, then shows the code of README', () => {
  const [, words = '', rest = ''] = /^# .*\n\n(.*)\n\n([\s\S]*)$/m.exec(read('site/home.md')) ?? []
  const sentences = words.split(/(?<=\.) /)
  expect(sentences).toHaveLength(3)
  expect(sentences.filter((sentence) => sentence.split(' ').length > 25)).toEqual([])
  // What scripts/site.ts puts in its place.
  expect(rest.trim()).toBe('<!-- twenty lines -->')
  expect(read('README.md')).toMatch(/^## In twenty lines\n+```tsx\n/m)
})

it('lists every hook once, by what it needs', () => {
  const [, list = ''] = read('docs/hooks/README.md').split('\n## By what they need\n')
  const [own = ''] = list.split('\n## ')
  const listed = [...own.matchAll(/\]\((use\w+)\.md\)/g)].map(([, name = '']) => name)
  const hooks = globSync('docs/hooks/use*.md').map((path) => basename(path, '.md'))
  expect(listed.toSorted()).toEqual(hooks.toSorted())
})

it.each([
  ['organization', 'hooks/useSwitchTo.md'],
  ['tenant', 'servers/entra.md'],
  ['403', 'errors.md'],
  ['403', 'errorBoundary.md'],
  ['CSP', 'recipes.md'],
  ['CSP', 'security.md'],
  ['CSP', 'editor.md'],
  ['Safari', 'browsers.md'],
])('the search, which reads all words of all pages, finds by the word %s what docs/%s says', (word, page) => {
  expect(read(`docs/${page}`)).toMatch(new RegExp(`\\b${word}\\b`, 'i'))
})

it.each(globSync('docs/**/*.md'))(
  '%s links to nothing on the own computer, which the site refuses',
  (path) => {
    const text = read(path).replaceAll(/```[\s\S]*?```|`[^`\n]*`|<!--[\s\S]*?-->/g, '')
    expect(text).not.toMatch(/https?:\/\/(?:localhost|127\.)/)
  },
)

const VERBS =
  /^(?:Bind|Build|Call|Check|Choose|Configure|Copy|Create|End|Exchange|Find|Go|Hand|Judge|Know|Let|Look|Make|Move|React|Read|Renew|Replace|Run|See|Send|Set|Show|Sign|Start|Take|Test|Use|Withdraw) /

it.each(globSync('docs/**/*.md'))('%s opens with what its reader can do after it', (path) => {
  const [, first = ''] = /^# .*\n\n(.*)/.exec(read(path).replaceAll(/<!--[\s\S]*?-->\n*/g, '')) ?? []
  expect(first).toMatch(VERBS)
})

it('its build refuses a link that leads to no page or to no heading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-site-'))
  try {
    mkdirSync(join(folder, 'hooks'))
    writeFileSync(
      join(folder, 'hooks/index.html'),
      '<h2 id="reads">Reads</h2><a href="../index.html#no">x</a>',
    )
    writeFileSync(join(folder, 'hooks/useAuth.md'), '# useAuth')
    writeFileSync(
      join(folder, 'index.html'),
      `<a class="x" href="./hooks/#reads">a</a><a href="/base/hooks/useAuth.md">b</a>
      <a href="https://elsewhere.example/x">c</a><a href="./hooks/README.html">d</a><a href="./hooks/#writes">e</a>`,
    )
    expect(findDeadLinks(folder, '/base/').toSorted()).toEqual([
      '/base/hooks/index.html: ../index.html#no',
      '/base/index.html: ./hooks/#writes',
      '/base/index.html: ./hooks/README.html',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
