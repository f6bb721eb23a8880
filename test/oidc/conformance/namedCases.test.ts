// No named case gets lost: each is the title of a test, or of a row of one, and what it shows is checked for cause and remedy.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NAMED_CASES, SHOWN } from './namedCases.ts'

const SELF = 'namedCases.test.ts'
const ROOT = 'test/oidc'
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith(SELF))
  .map((file) => readFileSync(`${ROOT}/${file}`, 'utf8'))
/** Each test with the rows before it. */
const tests = files.flatMap((text) => text.split(/^(?= *it(?:\.each)?\()/m))
const titlesOf = (text: string) => text.match(/'[^'\n]*'/g) ?? []
// What follows the name says more about the case.
const isOf = (name: string) => (title: string) =>
  title.startsWith(`'${name}`) && /['/: (-]/.test(title[name.length + 1]!)
/** They all hold an error to `explained` in scene.ts. */
const EXPLAINED = /\b(explained|faultOf|codeOf|causeOf|refusal|judged)\b/

it.each(NAMED_CASES)('%s has its test', (name) => {
  expect(files.flatMap(titlesOf).filter(isOf(name))).not.toEqual([])
})

it.each(Object.entries(SHOWN))('%s ends in %s, with cause and remedy', (name, code) => {
  const own = tests.filter((text) => titlesOf(text).some(isOf(name)) && EXPLAINED.test(text))
  expect(own).not.toEqual([])
  expect(files.some((text) => titlesOf(text).some(isOf(name)) && text.includes(`'${code}'`))).toBe(true)
  expect(readFileSync('docs/errors.md', 'utf8')).toContain(`\n### \`${code}\`\n`)
})
