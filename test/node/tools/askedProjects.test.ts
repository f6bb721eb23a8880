// Of the projects in vitest.config.ts a run sets up those that its command line names.
import { describe, expect, it } from 'vitest'
import { isAskedFor } from '../../../scripts/askedProjects.ts'

const asked = (...words: string[]) =>
  ['node', 'node-oidc', 'dom'].filter((name) => isAskedFor(name, ['vitest', 'run', ...words]))

describe('a Vitest command line', () => {
  it.each([
    [['--project=node'], ['node']],
    [['--project', 'dom', 'test/dom'], ['dom']],
    [
      ['--project=node', '--project', 'dom'],
      ['node', 'dom'],
    ],
    [['--project=storybook'], []],
  ])('that says %j asks for these projects alone', (words, names) => {
    expect(asked(...words)).toEqual(names)
  })

  it.each([[[]], [['test/node']], [['--project=node*']], [['--project=!dom']]])(
    'that says %j leaves the choice to Vitest, among all of them',
    (words) => {
      expect(asked(...words)).toEqual(['node', 'node-oidc', 'dom'])
    },
  )
})
