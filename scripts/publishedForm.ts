// The pages with install instructions: from a clone until the first release, then from npm, by `isPublished` in package.json.
import { readFileSync, writeFileSync } from 'node:fs'

export const INSTALL_PAGES = ['README.md', 'docs/quickStart.md'] as const

interface Manifest {
  readonly version: string
  readonly config?: { readonly isPublished?: boolean }
}

const readManifest = () => JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

export const isPublished = (): boolean => readManifest().config?.isPublished === true

/** Texts for the time before the first release, and the lines that change with it. */
const ONLY_BEFORE =
  /<!-- before the first release -->\n[\s\S]*?<!-- end of before the first release -->\n\n?/g
const PACK = 'npm run build && npm pack && '

/** The page after the first release; idempotent. */
export function publishedForm(page: string, version: string = readManifest().version): string {
  return page
    .replaceAll(ONLY_BEFORE, '')
    .replaceAll(PACK, '')
    .replaceAll(`../latchkey/latchkey-${version}.tgz`, 'latchkey')
}

/** Sets the switch and updates the pages. */
export function publish(): void {
  for (const path of INSTALL_PAGES) writeFileSync(path, publishedForm(readFileSync(path, 'utf8')))
  const manifest = readFileSync('package.json', 'utf8')
  writeFileSync('package.json', manifest.replace('"isPublished": false', '"isPublished": true'))
}
