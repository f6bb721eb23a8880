// Holds the catalogue to the exports: every hook and component has a story and a page.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Values that an entry exports, types left out. */
const exportsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  )
const stories = globSync('stories/*.tsx').map((path) => readFileSync(path, 'utf8'))
const all = stories.join('\n')
/** Hooks and components; errors, contexts and wrappers of values are no screen. */
const isShown = (name: string) =>
  /^use[A-Z]/.test(name) || /^[A-Z][a-z]\w*(?<!Error|Fault|Context)$/.test(name)
const isNamed = (name: string) => new RegExp(`(?:<|\\b)${name}\\b`).test(all)

/** What an entry has to show, with its page of the reference. */
const shownBy = (path: string) => exportsOf(path).filter((name) => isShown(name) && name !== 'Secret')
const ENTRIES = [
  ['latchkey', 'src/index.ts', 30],
  ['latchkey/editor', 'src/editor/index.ts', 1],
  ['latchkey/devtools', 'src/devtools/index.ts', 2],
  ['latchkey/testing', 'src/testing/index.ts', 1],
] as const
const storiesOf = (file: string) =>
  [...readFileSync(`stories/${file}.stories.tsx`, 'utf8').matchAll(/^export const (\w+) =/gm)].map(
    ([, name = '']) => name,
  )

describe.each(ENTRIES)('%s', (entry, path, least) => {
  const shown = shownBy(path)

  it('exports no hook and no component without a story', () => {
    expect(shown.length).toBeGreaterThanOrEqual(least)
    expect(shown.filter((name) => !isNamed(name))).toEqual([])
  })

  it.each(shown)('has a page for %s: its signature, its page of docs/, its stories', (name) => {
    const page = readFileSync(`stories/reference/${name}.mdx`, 'utf8')
    const docs = /path="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(page).toContain(`<Meta title="${name.startsWith('use') ? 'Hooks' : 'Components'}/${name}" />`)
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`<ReferencePage name="${name}" entry="${entry}"`)
    expect(page).toContain(`import text from '../../docs/${docs}?raw'`)
    expect(readFileSync(`docs/${docs}`, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
    const report = readFileSync(`etc/${entry.replace('/', '-')}.api.md`, 'utf8')
    expect(report).toMatch(new RegExp(`^export (?:function|const) ${name}\\b`, 'm'))
    const used = [...page.matchAll(/<Canvas of=\{(\w+)\.(\w+)\} \/>/g)]
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter(([, file = '', story = '']) => !storiesOf(file).includes(story))).toEqual([])
  })
})

it('has no page of the reference for anything else', () => {
  const shown = ENTRIES.flatMap(([, path]) => shownBy(path))
  const pages = globSync('stories/reference/*.mdx').map((path) => basename(path, '.mdx'))
  expect(pages.toSorted()).toEqual(shown.toSorted())
})
