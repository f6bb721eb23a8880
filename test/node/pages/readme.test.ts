// What README promises: two commands for whoever has cloned the repository, and numbers that were measured.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

it('README names one command for the demo and one for the tests', () => {
  const [, block = ''] = /\n## Try it and test it\n\n```sh\n([^`]*)```/.exec(read('README.md')) ?? []
  expect(block.match(/^npm ci && npm .*?(?= +#)/gm)).toEqual(['npm ci && npm run demo', 'npm ci && npm test'])
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']))
})

it('README gives reasons with the numbers that were measured', () => {
  const readme = read('README.md')
  const [, reasons = ''] = /\n## Why latchkey\n([\s\S]*?)\n## /.exec(readme) ?? []
  const numbersOf = (row: string) =>
    (readme.split('\n').find((line) => line.startsWith(`| ${row}`)) ?? '')
      .replaceAll('*', '')
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim())
  const ours = (row: string) => numbersOf(row).slice(0, 2)
  const [signOut = ''] =
    /Sign-out: visible in another tab, median *\| *[\d.]+/.exec(read('evidence/benchmarks.md')) ?? []

  expect(ours('New tab, requests to the server')).toEqual(['0', '0'])
  expect(reasons).toContain('0 requests to the server')
  expect(reasons).toContain(`after ${Math.round(Number(/[\d.]+$/.exec(signOut)?.[0]))} ms (median)`)
  expect(numbersOf('8 tabs, expired token: token requests')).toEqual(['1', '1', '8', '8', '8', '8', '8'])
  expect(reasons).toContain('sends 1 token request, where the libraries below send 8')
  expect(ours('Renders: cold / reload / renewal').map((cell) => cell.at(-1))).toEqual(['0', '0'])
  expect(reasons).toContain('A renewal renders 0 components')
  const reload = (row: string) => [...new Set(ours(row))].toSorted().join(' to ')
  expect(reasons).toContain(`: ${reload('Reload, round trips')} round trip`)
  expect(ours('Reload, frame cookies blocked')).toEqual(['1', '1'])
})

it('what a build machine runs begins with the test command of README', () => {
  const commands = read('.ci/run').match(/^ *(?:if )?(?:npm ci\b|count npm .*)/gm)
  expect(commands?.map((command) => command.trim())).toEqual([
    'if npm ci',
    'count npm test',
    'count npm run test:all -- rest',
  ])
})
