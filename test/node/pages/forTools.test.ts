// What tools read: the plain pages and llms.txt of the site, and the skill in the package. They say what docs/ say, and lead nowhere else.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { plainPages } from '../../../scripts/plainPages.ts'
import { skillText } from '../../../scripts/skill.ts'
import { plainPage } from '../../../scripts/writtenPage.ts'

const SKILL = 'skills/latchkey/SKILL.md'
const pages = plainPages()
const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)

it('has every page of docs/ as plain markdown, without comments', () => {
  expect(pages.size).toBe(globSync('docs/**/*.md').length + 1)
  for (const [path, text] of pages) {
    expect(text, path).toMatch(/^# /)
    expect(text, path).not.toContain('<!--')
  }
})

it('leads from every plain page to plain pages only', () => {
  const lost = [...pages].flatMap(([path, text]) =>
    linksOf(text)
      .filter((href) => !/^(?:\w+:|#)/.test(href))
      .map((href) => posix.join(posix.dirname(path), href.split('#')[0] ?? ''))
      .filter((target) => !pages.has(target))
      .map((target) => `${path} → ${target}`),
  )
  expect(lost).toEqual([])
})

it('lists every page in llms.txt, each with what it is about', () => {
  const list = pages.get('llms.txt') ?? ''
  const listed = linksOf(list)
  expect(listed.toSorted()).toEqual(
    [...pages.keys()].filter((path) => !['llms.txt', 'index.md'].includes(path)).toSorted(),
  )
  expect(list.split('\n').filter((line) => line.startsWith('- ') && !/: \S.{10,}$/.test(line))).toEqual([])
})

it('packs a skill that says what the pages say: npm run skill writes it anew', () => {
  expect(plainPage(readFileSync(SKILL, 'utf8'))).toBe(plainPage(skillText()))
})

it('packs a skill that is made of pages that exist, and leads to nothing that is not in the package', () => {
  const skill = readFileSync(SKILL, 'utf8')
  const sources = [...skill.matchAll(/^ {2}- '(.*)'$/gm)].map(([, path = '']) => path)
  expect(sources.length).toBeGreaterThan(0)
  expect(sources.filter((path) => !existsSync(path))).toEqual([])
  expect(linksOf(skill).filter((href) => !/^https?:/.test(href))).toEqual([])
})
