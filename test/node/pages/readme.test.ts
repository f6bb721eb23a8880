// The two commands that README gives to whoever has cloned the repository.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

it('README names one command for the demo and one for the tests', () => {
  const [, block = ''] = /\n## Try it\n\n```sh\n([^`]*)```/.exec(read('README.md')) ?? []
  expect(block.match(/^npm ci && npm .*?(?= +#)/gm)).toEqual(['npm ci && npm run demo', 'npm ci && npm test'])
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']))
})

it('what a build machine runs begins with the test command of README', () => {
  const commands = read('.ci/run').match(/^ *(?:if )?(?:npm ci\b|count npm .*)/gm)
  expect(commands?.map((command) => command.trim())).toEqual([
    'if npm ci',
    'count npm test',
    'count npm run test:all -- rest',
  ])
})
