// Holds the source to the rules of the staircase that no linter has.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readFacts } from './architecture/facts.ts'
import * as rules from './architecture/rules.ts'

const read = (pattern: string) =>
  globSync(pattern, { exclude: (path) => path.includes('node_modules') })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, 'utf8').replaceAll('\r\n', '\n') }))

const source = read('src/**/*.{ts,tsx}').map(({ path, text }) => readFacts(path, text))
const elsewhere = read('{bench,demo,scripts,stories,test,.storybook}/**/*.{ts,tsx}')

it.each([
  ['beside the rooms stands the front door alone', rules.nothingLoose],
  ['some packages are spoken to in one file', rules.oneFilePackages],
  ['the clock is reached through Platform alone', rules.noClock],
  ['no barrel but the entries', rules.noInnerBarrels],
  ['no state in a module variable', rules.noModuleVariables],
  // Between a page and a signed-in user stands no file that could be missing, slow or stale.
  ['what every session needs comes in one file', rules.oneCoreFile],
  ['a feature is known to createAuth alone', rules.featuresKnown],
  ['one table says what follows from a reason', rules.reasonsInOneTable],
  ['no circle of imports, types and import() included', rules.noCycles],
  ['a file opens with a sentence on what it is for', rules.openingSentence],
  ['a file that uses React says so to a server renderer', rules.clientDirective],
])('%s', (_name, rule) => {
  expect(source.length).toBeGreaterThan(300)
  expect(rule(source)).toEqual([])
})

it('a file outside of src/ opens with a sentence on what it is for', () => {
  expect(rules.openingSentence(elsewhere)).toEqual([])
})

it('no circle of imports outside of src/ either', () => {
  expect(rules.noCycles(elsewhere.map(({ path, text }) => readFacts(path, text)))).toEqual([])
})

it('no test file is left out of the test command', () => {
  const tests = elsewhere.map(({ path }) => path).filter((path) => /\.test\.tsx?$/.test(path))
  const run =
    /^test\/(node|dom|browser)\/.*\.test\.tsx?$|^test\/(docsSite|editor|msw|oidc|e2e|quickStart)\/.*\.test\.ts$/
  expect(tests.filter((path) => !run.test(path))).toEqual([])
})
