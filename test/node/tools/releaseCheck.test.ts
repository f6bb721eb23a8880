// Holds the release to its check: nothing is published while package.json does not say where the package comes from.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { INSTALL_PAGES } from '../../../scripts/publishedForm.ts'
import { missingFrom } from '../../../scripts/releaseCheck.ts'

const WHOLE = {
  repository: { url: 'git+https://code.example.com/firm/latchkey.git' },
  homepage: 'https://latchkey.example.com',
  bugs: { url: 'https://code.example.com/firm/latchkey/issues' },
}

it('lets a release through that says where it comes from', () => {
  expect(missingFrom(WHOLE)).toEqual([])
})

it.each([
  ['repository.url', { ...WHOLE, repository: { url: '' } }],
  ['repository.url', { homepage: WHOLE.homepage, bugs: WHOLE.bugs }],
  ['homepage', { ...WHOLE, homepage: 'TODO' }],
  ['bugs.url', { ...WHOLE, bugs: { url: 'http://code.example.com/issues' } }],
])('names %s when it is missing or no https address', (name, origin) => {
  expect(missingFrom(origin)).toEqual([
    `package.json: fill in ${name} with an https address before the first release`,
  ])
})

it('ends npm publish before anything is sent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  try {
    for (const script of ['releaseCheck.ts', 'publishedForm.ts'])
      cpSync(resolve('scripts', script), join(folder, script))
    for (const page of INSTALL_PAGES) cpSync(resolve(page), join(folder, page))
    const describe = (manifest: object) =>
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2))
    const run = (...words: string[]) =>
      execFileSync(process.execPath, ['releaseCheck.ts', ...words], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    describe({ type: 'module', version, homepage: '', config: { isPublished: false } })
    expect(run).toThrow('fill in repository.url')
    describe({ type: 'module', version, ...WHOLE, config: { isPublished: false } })
    expect(run).toThrow('install from a clone')
    expect(run('--published')).toBe('')
    expect(readFileSync(join(folder, 'docs/quickStart.md'), 'utf8')).toContain('\nnpm install latchkey ')
    expect(run()).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('stands before npm publish', async () => {
  const { scripts } = (await import('../../../package.json', { with: { type: 'json' } })) as {
    scripts: Record<string, string>
  }
  expect(scripts['prepublishOnly']).toBe('node scripts/releaseCheck.ts')
})
