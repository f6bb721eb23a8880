// The pages of docs/ as plain Markdown and llms.txt, which lists them, for coding tools. Written beside the pages when the site is built.
import { globSync } from 'node:fs'
import { posix } from 'node:path'
import { firstSentence, readDocsPage } from './docsParts.ts'

/** A page's name on the site: the first page of a folder is its index. */
const nameOf = (path: string) => path.replace(/README\.md$/, 'index.md')

/** Every file by its path on the site. */
export function plainPages(): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: 'docs' })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
  const known = new Set(paths)
  const pages = new Map(paths.map((path) => [nameOf(path), withLinks(path, known)]))
  return pages.set('llms.txt', llms(paths))
}

/** Links between pages point to the plain ones; other files are only in the repository. */
function withLinks(path: string, known: ReadonlySet<string>): string {
  const folder = posix.dirname(path)
  return readDocsPage(path).replaceAll(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (whole, mark: string, text: string, href: string) => {
      if (/^(?:\w+:|#)/.test(href)) return whole
      const [file = '', anchor] = href.split('#')
      const target = posix.join(folder, file)
      if (known.has(target))
        return `${mark}[${text}](${nameOf(file)}${anchor === undefined ? '' : `#${anchor}`})`
      // Images of docs/ have another name on the site.
      return target.startsWith('..') || mark === '!' ? text : whole
    },
  )
}

/** The format of llmstxt.org: a title, a summary, lists of links; the Optional section may be skipped. */
function llms(paths: readonly string[]): string {
  const lineOf = (path: string) => {
    const page = readDocsPage(path)
    const title = /^# (.*)$/m.exec(page)?.[1]?.replaceAll('`', '') ?? path
    return `- [${title}](${nameOf(path)}): ${firstSentence(page)}`
  }
  const inFolder = (folder: string) => paths.filter((path) => path.startsWith(`${folder}/`)).map(lineOf)
  const start = ['quickStart.md', 'howItWorks.md', 'createAuth.md', 'recipes.md']
  const apart = [...start, 'migration.md', 'README.md']
  const rest = paths.filter((path) => !path.includes('/') && !apart.includes(path))
  return `# latchkey

> Sign-in for staff admin apps in the browser: a React provider and TanStack Query hooks, for OpenID Connect providers and for servers of the latchkey contract.

Every page of this site is here as plain markdown. The package has a skill for coding tools: node_modules/latchkey/skills/latchkey/SKILL.md

## Start

${start.map(lineOf).join('\n')}

## Guides and reference

${rest.map(lineOf).join('\n')}

## Hooks

${inFolder('hooks').join('\n')}

## OpenID Connect providers

${inFolder('servers').join('\n')}

## Optional

${lineOf('migration.md')}
`
}
