// Before npm publish: refuses a release whose package.json does not say where the package comes from, whose pages still install from a clone, or whose recorded results are old or of other code; --published makes the pages say that it is on npm.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { INSTALL_PAGES, isPublished, publish } from './publishedForm.ts'

/** The three fields of package.json that only the repository's owner knows. */
export interface Origin {
  readonly repository?: { readonly url?: string }
  readonly homepage?: string
  readonly bugs?: { readonly url?: string }
}

/** The missing fields, one sentence each. */
export function missingFrom({ repository, homepage, bugs }: Origin): string[] {
  const addresses = { 'repository.url': repository?.url, homepage, 'bugs.url': bugs?.url }
  return Object.entries(addresses)
    .filter(([, address = '']) => !/^(?:git\+)?https:\/\/\S+\.\S+/.test(address))
    .map(([name]) => `package.json: fill in ${name} with an https address before the first release`)
}

/** The recorded results, with the command that writes each. */
const RECORDS: Readonly<Record<string, string>> = {
  'evidence/benchmarks.md': 'npm run bench',
  'evidence/browsers.md': 'npm run test:browsers -- --record',
  'evidence/consumers.md': 'npm run test:consumers -- --record',
  'evidence/interop.md': 'npm run interop -- --all --record',
  'evidence/mutation.md': 'npm run test:mutation',
}
/** The maximum age of a record relative to the last change of src/. */
const FRESH_FOR_DAYS = 14

/** Large third-party products: their new versions can also break latchkey. Their records must be of this month. */
const PRODUCTS = ['hydra', 'keycloak', 'spring', 'zitadel'].map((name): [string, string] => [
  `evidence/interop-${name}.md`,
  `npm run interop -- ${name} --record`,
])
const PRODUCT_FRESH_FOR_DAYS = 31

/**
 * @param pages The existing records, by path.
 * @param changedOn The day of the last change of src/.
 * @param today The day of the release.
 * @param isReleased Whether a commit is part of the release: a record of another branch shows other code.
 */
export function oldRecords(
  pages: Readonly<Record<string, string>>,
  on: { changedOn: string; today: string; isReleased: (commit: string) => boolean },
): string[] {
  const wrong = (records: readonly [string, string][], days: number, before: string) =>
    records.flatMap(([path, command]) => {
      const made = [...(pages[path] ?? '').matchAll(/on (\d{4}-\d\d-\d\d) at commit ([0-9a-f]{7,})/g)]
      const [oldest] = made.map(([, day = '']) => day).toSorted()
      const ageInDays = (Date.parse(before) - Date.parse(oldest ?? '')) / 86_400_000
      if (!(ageInDays <= days)) return [`${path} is of ${oldest ?? 'no day'}: ${command}`]
      const foreign = made.map(([, , commit = '']) => commit).find((commit) => !on.isReleased(commit))
      return foreign === undefined ? [] : [`${path} is of ${foreign}, which is not released: ${command}`]
    })
  return [
    ...wrong(Object.entries(RECORDS), FRESH_FOR_DAYS, on.changedOn),
    ...wrong(PRODUCTS, PRODUCT_FRESH_FOR_DAYS, on.today),
  ]
}

if (import.meta.main) {
  if (process.argv.includes('--published')) publish()
  const missing = missingFrom(JSON.parse(readFileSync('package.json', 'utf8')) as Origin)
  if (!isPublished())
    missing.push(
      `${INSTALL_PAGES.join(' and ')} install from a clone: node scripts/releaseCheck.ts --published`,
    )
  const paths = [...Object.keys(RECORDS), ...PRODUCTS.map(([path]) => path)]
  const pages = paths.map((path) => [path, existsSync(path) ? readFileSync(path, 'utf8') : ''])
  const git = ['log', '-1', '--format=%cs', '--', 'src']
  const changedOn = execFileSync('git', git, { encoding: 'utf8' }).trim()
  const today = new Date().toISOString().slice(0, 10)
  const isReleased = (commit: string) =>
    spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD']).status === 0
  missing.push(...oldRecords(Object.fromEntries(pages), { changedOn, today, isReleased }))
  for (const sentence of missing) console.error(sentence)
  if (missing.length > 0) process.exitCode = 1
}
