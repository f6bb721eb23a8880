// Holds the pictures of the documentation to the script that takes them, and to the pages that show them.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { PICTURES } from '../../../scripts/pictures.ts'

const names = PICTURES.map(({ name }) => name).toSorted()

it('every picture of docs/images is taken by npm run pictures, and no other', () => {
  const files = globSync('docs/images/*').map((path) => basename(path))
  expect(files.toSorted()).toEqual([...names.map((name) => `${name}.png`), 'states.svg'].toSorted())
})

it('every picture is on a page, with words for those who cannot see it', () => {
  const pages = ['README.md', 'demo/README.md', ...globSync('docs/**/*.md')].map((path) =>
    readFileSync(path, 'utf8'),
  )
  const shown = pages.flatMap((text) => [
    ...text.matchAll(/!\[([^\]]{10,})\]\([\w./]*images\/([\w-]+)\.png\)/g),
  ])
  expect(new Set(shown.map(([, , name]) => name))).toEqual(new Set(names))
})

it.each(PICTURES)('$name.png has the size that the script takes it in', ({ name, size, isWhole }) => {
  const file = readFileSync(`docs/images/${name}.png`)
  expect(file.readUInt32BE(16)).toBe(size.width)
  if (isWhole !== true) expect(file.readUInt32BE(20)).toBe(size.height)
})

it('the step that starts every script takes no picture over one of the documentation', () => {
  const starts = readFileSync('scripts/startAll.ts', 'utf8').matchAll(/\['pictures(.*?)'[\],]/g)
  expect([...starts].map(([, words]) => words)).toEqual([expect.stringContaining('--into .cache/')])
})
