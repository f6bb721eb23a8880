// Before npm publish: refuses a release whose package.json does not say where the package comes from, or whose pages still install from a clone; --published makes the pages say that it is on npm.
import { readFileSync } from 'node:fs'
import { INSTALL_PAGES, isPublished, publish } from './publishedForm.ts'

/** The three members of package.json that only the owner of the repository knows. */
export interface Origin {
  readonly repository?: { readonly url?: string }
  readonly homepage?: string
  readonly bugs?: { readonly url?: string }
}

/** What is still to be filled in, a sentence for each. */
export function missingFrom({ repository, homepage, bugs }: Origin): string[] {
  const addresses = { 'repository.url': repository?.url, homepage, 'bugs.url': bugs?.url }
  return Object.entries(addresses)
    .filter(([, address = '']) => !/^(?:git\+)?https:\/\/\S+\.\S+/.test(address))
    .map(([name]) => `package.json: fill in ${name} with an https address before the first release`)
}

if (import.meta.main) {
  if (process.argv.includes('--published')) publish()
  const missing = missingFrom(JSON.parse(readFileSync('package.json', 'utf8')) as Origin)
  if (!isPublished())
    missing.push(
      `${INSTALL_PAGES.join(' and ')} install from a clone: node scripts/releaseCheck.ts --published`,
    )
  for (const sentence of missing) console.error(sentence)
  if (missing.length > 0) process.exitCode = 1
}
