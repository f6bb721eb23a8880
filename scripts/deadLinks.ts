// Finds links of a built site to a missing page or heading.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** One line per link: the page and the link. `base` is the path of the site. */
export function findDeadLinks(folder: string, base = '/'): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((file) => {
      const html = readFileSync(join(folder, file), 'utf8')
      return [base + file.replaceAll(sep, '/'), html]
    }),
  )
  const idsOf = (page: string) =>
    new Set([...pages.get(page)!.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
  const dead: string[] = []
  for (const [page, html] of pages)
    for (const [, link = ''] of html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${page}`)
      if (origin !== 'http://site') continue
      const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname
      const isThere = pages.has(target)
        ? hash === '' || idsOf(target).has(decodeURIComponent(hash.slice(1)))
        : existsSync(join(folder, decodeURIComponent(target.slice(base.length))))
      if (!isThere) dead.push(`${page}: ${link}`)
    }
  return [...new Set(dead)]
}
