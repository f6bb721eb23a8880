// Holds the catalogue to the exports: every hook and component has a story and a page.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

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
/** Hooks and components; errors and wrappers of values are no screen. */
const isShown = (name: string) => /^use[A-Z]/.test(name) || /^[A-Z][a-z]\w*(?<!Error)$/.test(name)
const isNamed = (name: string) => new RegExp(`(?:<|\\b)${name}\\b`).test(all)

/** What an entry has to show, with its page of the reference. */
const shownBy = (path: string) => exportsOf(path).filter((name) => isShown(name) && name !== 'Secret')
const ENTRIES = [
  ['latchkey', 'src/index.ts', 30],
  ['latchkey/tanstack-query', 'src/tanstack-query/index.ts', 4],
  ['latchkey/editor', 'src/editor/index.ts', 1],
  ['latchkey/devtools', 'src/devtools/index.ts', 2],
  ['latchkey/testing', 'src/testing/index.ts', 1],
] as const

it.each(ENTRIES)('%s exports no hook and no component without a story', (_entry, path, least) => {
  const shown = shownBy(path)
  expect(shown.length).toBeGreaterThanOrEqual(least)
  expect(shown.filter((name) => !isNamed(name))).toEqual([])
})

it('the reference has a page for each of them, and for nothing else', () => {
  const shown = ENTRIES.flatMap(([, path]) => shownBy(path))
  const pages = globSync('stories/reference/*.mdx').map((path) => basename(path, '.mdx'))
  expect(pages.toSorted()).toEqual(shown.toSorted())
})
