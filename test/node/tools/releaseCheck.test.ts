// Holds the release to its check: nothing is published that does not say where it comes from, or whose records are old.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { INSTALL_PAGES, isPublished, publishedForm } from '../../../scripts/publishedForm.ts'
import { missingFrom, oldRecords } from '../../../scripts/releaseCheck.ts'

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

const made = (day: string, commit = '5f27675939') => `Written by its run on ${day} at commit ${commit}.`
const isReleased = (commit: string) => commit === '5f27675939'
const PRODUCTS = ['hydra', 'keycloak', 'spring', 'zitadel'].map((name) => `evidence/interop-${name}.md`)

it('asks for records that are two weeks older than the last change of the source, of code that is not released, or not there', () => {
  const pages = {
    'evidence/benchmarks.md': `${made('2026-11-28')} ${made('2026-11-14')}`,
    'evidence/browsers.md': `${made('2026-11-28')} ${made('2026-11-13')}`,
    'evidence/consumers.md': `${made('2026-12-01')} ${made('2026-12-01', 'abcdef0123')}`,
    'evidence/interop.md': 'Written by its run on 2026-11-28.',
    ...Object.fromEntries(PRODUCTS.map((path) => [path, made('2026-11-28')])),
  }
  expect(oldRecords(pages, { changedOn: '2026-11-28', today: '2026-12-20', isReleased })).toEqual([
    'evidence/browsers.md is of 2026-11-13: npm run test:browsers -- --record',
    'evidence/consumers.md is of abcdef0123, which is not released: npm run test:consumers -- --record',
    'evidence/interop.md is of no day: npm run interop -- --all --record',
    'evidence/mutation.md is of no day: npm run test:mutation',
  ])
})

it('asks for a record of this month for each product that runs by its name only, however long the source has been the same', () => {
  const others = ['benchmarks', 'browsers', 'consumers', 'interop', 'mutation']
  const pages = {
    ...Object.fromEntries(others.map((name) => [`evidence/${name}.md`, made('2026-11-28')])),
    ...Object.fromEntries(PRODUCTS.map((path) => [path, made('2026-12-01')])),
    'evidence/interop-spring.md': made('2026-11-29'),
    'evidence/interop-zitadel.md': '',
  }
  expect(oldRecords(pages, { changedOn: '2026-11-28', today: '2026-12-31', isReleased })).toEqual([
    'evidence/interop-spring.md is of 2026-11-29: npm run interop -- spring --record',
    'evidence/interop-zitadel.md is of no day: npm run interop -- zitadel --record',
  ])
})

it('stands before npm publish', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(scripts['prepublishOnly']).toBe('node scripts/releaseCheck.ts')
})

it.each(INSTALL_PAGES)('%s installs from a clone until the first release, and from npm after it', (path) => {
  const page = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const after = publishedForm(page)
  expect(after).toMatch(/^npm install latchkey /m)
  expect(after).not.toMatch(/npm pack|\.tgz|before the first release/)
  expect(publishedForm(after)).toBe(after)
  expect(page === after).toBe(isPublished())
})
