// How the repository is built and released: what a workflow may do, and whose code runs in it.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const WORKFLOWS = globSync('.github/workflows/*.yml').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const RELEASE = readFileSync('.github/workflows/release.yml', 'utf8')

/** The lines of one job, by its indentation. */
const jobOf = (text: string, name: string): string =>
  new RegExp(String.raw`^  ${name}:\n(?:    .*\n|\n)+`, 'm').exec(text)?.[0] ?? ''

describe.each(WORKFLOWS)('$path', ({ text }) => {
  it('runs actions of one commit each, with the version beside it', () => {
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action)
    expect(actions).not.toHaveLength(0)
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/)
  })

  it('has no right that no job asks for', () => {
    expect(/^permissions:(.*(?:\n  .*)*)/m.exec(text)?.[1]?.trim()).toMatch(/^(\{\}|contents: read)$/)
  })
})

describe('a release', () => {
  it('is staged for a person to approve, never published by the machine', () => {
    expect(RELEASE).toContain('npm stage publish --provenance')
    expect(RELEASE).not.toMatch(/npm publish/)
  })

  it('is staged in a job that runs no test and no install script, after the tests in a job that cannot publish', () => {
    const [test, stage] = [jobOf(RELEASE, 'test'), jobOf(RELEASE, 'stage')]
    expect(test).toContain('npm run test:all')
    expect(test).not.toContain('id-token')
    expect(stage).toContain('needs: test')
    expect(stage).toContain('id-token: write')
    expect(stage).toContain('npm ci --ignore-scripts')
    expect(stage).not.toContain('npm run test')
  })

  it('holds no stored token', () => {
    expect(RELEASE).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/)
  })
})
