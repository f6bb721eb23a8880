// No named case gets lost: each is the title of a test, or of a row of one.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NAMED_CASES } from './namedCases.ts'

const SELF = 'namedCases.test.ts'
const titles = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts') && file !== SELF)
  .flatMap((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8').match(/'[^'\n]*'/g) ?? [])

it.each(NAMED_CASES)('%s has its test', (name) => {
  // What follows the name says more about the case.
  const isIts = (title: string) => title.startsWith(`'${name}`) && /['/: (]/.test(title[name.length + 1]!)
  expect(titles.filter(isIts)).not.toEqual([])
})
