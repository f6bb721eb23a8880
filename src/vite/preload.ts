// Adds preload links to a built page: latchkey's core in parallel with the app's first file, then the file of auth.fetch.
import { fileURLToPath } from 'node:url'

/** A file of a build, as Vite describes it. */
export interface BundleFile {
  /** 'chunk' or 'asset'. */
  readonly type: string
  /** Name below the folder of the build. */
  readonly fileName: string
  /** Ids of the modules in it. */
  readonly moduleIds?: readonly string[]
  /** Names of its static imports. */
  readonly imports?: readonly string[]
}

/** This package: the folder of the built files, or of their sources. */
const OWN_FOLDER = fileURLToPath(new URL('../', import.meta.url)).replaceAll('\\', '/')
const CORE = /\/(?:core\.js|session\/createAuth\.ts)$/
const APP_FETCH = /\/(?:appFetch\.js|session\/http\/appFetch\.ts)$/

/** Link elements for files that the page does not name yet. */
export function preloads(
  html: string,
  files: readonly BundleFile[],
  addressOf: (fileName: string) => string,
): string {
  const withImports = (found: readonly BundleFile[]): Set<BundleFile> => {
    const all = new Set(found)
    for (const { imports = [] } of all)
      for (const file of files) if (imports.includes(file.fileName)) all.add(file)
    return all
  }
  // The browser follows the static imports of files that the page names.
  const named = withImports(files.filter(({ fileName }) => html.includes(fileName)))

  const links = (part: RegExp, priority: string) =>
    [...withImports(files.filter(({ moduleIds = [] }) => moduleIds.some((id) => isOwn(id, part))))]
      .filter((file) => !named.has(file))
      .map((file) => {
        named.add(file)
        return `<link rel="modulepreload" crossorigin${priority} href="${addressOf(file.fileName)}">`
      })
  return [...links(CORE, ''), ...links(APP_FETCH, ' fetchpriority="low"')].join('')
}

function isOwn(id: string, part: RegExp): boolean {
  const path = id.replaceAll('\\', '/').split('?')[0] ?? ''
  return part.test(path) && (path.startsWith(OWN_FOLDER) || path.includes('/latchkey/dist/'))
}

/** The page with the links at the end of its head. */
export const withLinks = (html: string, links: string): string =>
  links === '' ? html : html.replace(/<\/head>|(?=<body)/i, (end) => `${links}${end}`)

/** The URL of a file, relative to the page at this path. */
export function fileAddress(base: string, pagePath: string, fileName: string): string {
  if (base !== '' && base !== './') return base + fileName
  const depth = pagePath.replace(/^\//, '').split('/').length - 1
  return (depth === 0 ? './' : '../'.repeat(depth)) + fileName
}
