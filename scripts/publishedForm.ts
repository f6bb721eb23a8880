// The pages that say how to install: from a clone until the first release, from npm after it. `isPublished` in package.json is the one switch.
import { readFileSync, writeFileSync } from 'node:fs'

export const INSTALL_PAGES = ['README.md', 'docs/quickStart.md'] as const

interface Manifest {
  readonly version: string
  readonly config?: { readonly isPublished?: boolean }
}

const readManifest = () => JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

export const isPublished = (): boolean => readManifest().config?.isPublished === true

/** What is said only as long as there is nothing on npm, and the lines that change with it. */
const ONLY_BEFORE =
  /<!-- before the first release -->\n[\s\S]*?<!-- end of before the first release -->\n\n?/g
const PACK = 'npm run build && npm pack && '

/** The page as it is after the first release; a page that is already so stays as it is. */
export function publishedForm(page: string, version: string = readManifest().version): string {
  return page
    .replaceAll(ONLY_BEFORE, '')
    .replaceAll(PACK, '')
    .replaceAll(`../latchkey/latchkey-${version}.tgz`, 'latchkey')
}

/** Turns the switch, and the pages with it. */
export function publish(): void {
  for (const path of INSTALL_PAGES) writeFileSync(path, publishedForm(readFileSync(path, 'utf8')))
  const manifest = readFileSync('package.json', 'utf8')
  writeFileSync('package.json', manifest.replace('"isPublished": false', '"isPublished": true'))
}
